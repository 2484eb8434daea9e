/* backend.h - PT_BACKEND_NATIVE: the same bodies, each on its own stack; needs libpt
 * SPDX-License-Identifier: MIT
 *
 *     cc -DPT_BACKEND=PT_BACKEND_NATIVE ...
 *
 * A body keeps its labels, and the loop its opcodes. But a suspension does not return: it switches
 * to the code that resumed the function. When the function is resumed, it looks at its label. If
 * the label has changed meanwhile, to PT_FINALLY or to the end of a block, the body returns and is
 * called once more, on the same stack, to jump there:
 *
 *     labels    label = 3; return WAIT; case 3:
 *     native    label = 3; switch out with WAIT; if (label != 3) return AGAIN; if (0) { case 3: }
 *
 * A program does the same with both backends: each is a test of the other (test/suites/backends).
 * The compiler's checks are the same too, also for locals. A function, awaited or not, takes a
 * stack at its first resume and gives it back at its end; an abandoned generator keeps its stack.
 * Do not copy a frame after its start. */
#ifndef PT_BACKEND_H
#define PT_BACKEND_H

#include "frame.h"

/* PT_HEAD_: the head of the function that has the body, and its opening brace. PT_LEAVE_: leave the
 * body. PT_AGAIN_: continue at the label that the frame has now. */
#if PT_BACKEND == PT_BACKEND_NATIVE

#include <pt/stack/stack.h> /* not a part of the core, nor of the single header */

/* A body returns this to be called again, to continue at another label. */
enum { PT_BACKEND_AGAIN_ = 0xff };

/* A function that has started. This struct is at the top of its stack. */
struct pt_place_ {
    struct pt_fiber fiber;   /* where the body continues */
    struct pt_fiber resumer; /* what gets its opcode */
    void *stack;
    pt_fn *body;
    struct pt *pt;
    struct pt_task *task; /* the task that resumed it last */
    pt_op op;             /* its last opcode */
};

/* Take a stack for a function of this name: returns the stack and its size, or NULL. Give a stack
 * back. From any thread. */
PT_EXPORT void *pt_backend_take_(const char *name, size_t *bytes);
PT_EXPORT void pt_backend_give_(void *stack);

/* Switch to the resumer with an opcode; returns the task that resumes the function next. */
PT_API struct pt_task *pt_backend_leave_(struct pt *pt, pt_op op)
{
    struct pt_place_ *place = pt->place;

    place->op = op;
    pt_fiber_switch(&place->fiber, &place->resumer);
    return place->task;
}

/* Run the body on its stack, from its start to its end. */
PT_API void pt_backend_main_(struct pt_fiber *fiber)
{
    struct pt_place_ *place = (struct pt_place_ *)fiber->argument;

    for (;;) {
        pt_op op = PT_CALL_(place->body, place->pt, place->task);

        if (op.code == PT_OP_DONE)
            break;
        if (op.code != PT_BACKEND_AGAIN_)
            pt_backend_leave_(place->pt, op);
    }
    place->op = pt_op_of_(PT_OP_DONE);
}

/* Take a stack for a function that was never resumed. */
PT_API struct pt_place_ *pt_backend_open_(struct pt *pt, pt_fn *body, const char *name)
{
    size_t bytes = 0;
    char *stack = (char *)pt_backend_take_(name, &bytes);
    struct pt_place_ *place;

    if (!stack)
        PT_PANIC("no memory for its stack", name, 0);
    bytes = (bytes - sizeof *place) & ~(size_t)63;
    place = (struct pt_place_ *)(void *)(stack + bytes);
    place->stack = stack;
    place->body = body;
    place->pt = pt;
    pt->place = place;
    pt_fiber_root(&place->resumer);
    pt_fiber_init(&place->fiber, &place->resumer, stack, bytes, pt_backend_main_, place);
    return place;
}

/* The resumer can be in a catch block of C++, and can leave it before the function continues. */
#ifdef PT_CAUGHT_H
#define PT_BACKEND_ENTER_ pt_fiber_switch_caught
#else
#define PT_BACKEND_ENTER_ pt_fiber_switch
#endif

/* PT_FN of a body: run it to its next opcode. */
PT_API pt_op pt_backend_resume_(struct pt *pt, struct pt_task *task, pt_fn *body, const char *name)
{
    struct pt_place_ *place = pt->place;
    pt_op op;

    if (pt->label == PT_LABEL_DONE_)
        return pt_op_of_(PT_OP_DONE);
    if (!place)
        place = pt_backend_open_(pt, body, name);
    place->task = task;
    PT_TOOLS_HERE_(&place->resumer); /* perhaps another thread or fiber than before */
    PT_BACKEND_ENTER_(&place->resumer, &place->fiber);
    op = place->op;
    if (op.code == PT_OP_DONE) {
        pt->place = NULL;
        pt_fiber_close(&place->fiber);
        pt_backend_give_(place->stack);
    }
    return op;
}

#define PT_HEAD_(name)                                                                       \
    static pt_op name##_body_(PT_PARAMETERS_) PT_NOEXCEPT_;                                  \
    pt_op PT_FN(name)(PT_PARAMETERS_) PT_NOEXCEPT_                                           \
    {                                                                                        \
        return pt_backend_resume_(pt_, pt_current_, name##_body_, PT_WHERE_(PT_TEXT(name))); \
    }                                                                                        \
    static pt_op name##_body_(PT_PARAMETERS_) PT_NOEXCEPT_                                   \
    {                                                                                        \
        static const char pt_function_[] PT_MAYBE_UNUSED = PT_TEXT(PT_FN(name));
#define PT_FUNCTION_ pt_function_
#define PT_AGAIN_(pt, task) ((void)(pt), (void)(task), pt_op_of_(PT_BACKEND_AGAIN_))
#define PT_LEAVE_(here, op)                   \
    pt_current_ = pt_backend_leave_(pt_, op); \
    if (pt_->label != (here))                 \
        return pt_op_of_(PT_BACKEND_AGAIN_);  \
    if (0)

#else

#define PT_HEAD_(name)                             \
    pt_op PT_FN(name)(PT_PARAMETERS_) PT_NOEXCEPT_ \
    {
#define PT_FUNCTION_ __func__
#define PT_AGAIN_(pt, task) PT_CALL_((pt)->fn, pt, task)
#define PT_LEAVE_(here, op) return op;

#endif
#endif
