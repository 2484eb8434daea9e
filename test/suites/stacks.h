/* stacks.h - a backend for bodies: each runs on its own stack, so that each backend tests the other
 * SPDX-License-Identifier: MIT
 *
 *     cc -DPT_BACKEND='"stacks.h"' -Itest/suites PROGRAM.c test/suites/stacks.c ...
 *
 * A body keeps its labels, and the loop its opcodes. But a suspension does not return: it switches
 * to the code that resumed the function. When the function is resumed, it looks at its label. If
 * the label has changed meanwhile, to PT_FINALLY or to the end of a block, the body returns and is
 * called once more, on the same stack, to jump there:
 *
 *     labels    label = 3; return WAIT; case 3:
 *     stacks    label = 3; switch out with WAIT; if (label != 3) return AGAIN; if (0) { case 3: }
 *
 * The compiler's checks are the same, also for locals. A function, awaited or not, takes a stack at
 * its first resume and gives it back at its end; an abandoned generator keeps its stack. Do not
 * copy a frame after its start. */
#ifndef STACKS_H
#define STACKS_H

#include <pt/stack/stack.h>

/* A body on its own stack keeps its locals, so nothing stops at one; and it has no function to call
 * for a second time, or without a switch. */
#undef PT_HAS_BODY_CHECKS_
#define PT_HAS_BODY_CHECKS_ 0
#undef PT_HAS_QUICK_
#define PT_HAS_QUICK_ 0

/* A body returns this to be called again, to continue at another label. */
enum { STACKS_AGAIN = 0xff };

/* A function that has started. This struct is at the top of its stack. */
struct stacks_place {
    struct stacks_place *next; /* in stacks.c's table */
    const void *frame;         /* by which it is found */
    struct pt_fiber fiber;     /* where the body continues */
    struct pt_fiber resumer;   /* what gets its opcode */
    void *stack;
    pt_fn *body;
    struct pt *pt;
    struct pt_task *task; /* the task that resumed it last */
    pt_op op;             /* its last opcode */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Take a stack for a function of this name: returns the stack and its size, or NULL. Give a stack
 * back. From any thread. */
void *stacks_take(const char *name, size_t *bytes);
void stacks_give(void *stack);

/* The place of a frame that has started, or NULL. From any thread. */
struct stacks_place *stacks_find(const void *frame);
void stacks_add(struct stacks_place *place);
void stacks_remove(struct stacks_place *place);

#ifdef __cplusplus
}
#endif

/* Switch to the resumer with an opcode; returns the task that resumes the function next. */
PT_API struct pt_task *stacks_leave(struct pt *pt, pt_op op)
{
    struct stacks_place *place = stacks_find(pt);

    place->op = op;
    pt_fiber_switch(&place->fiber, &place->resumer);
    return place->task;
}

/* Run the body on its stack, from its start to its end. */
PT_API void stacks_main(struct pt_fiber *fiber)
{
    struct stacks_place *place = (struct stacks_place *)fiber->argument;

    for (;;) {
        pt_op op = PT_CALL_(place->body, place->pt, place->task);

        if (op.code == PT_OP_DONE)
            break;
        if (op.code != STACKS_AGAIN)
            stacks_leave(place->pt, op);
    }
    place->op = pt_op_of_(PT_OP_DONE);
}

/* Take a stack for a function that was never resumed. */
PT_API struct stacks_place *stacks_open(struct pt *pt, pt_fn *body, const char *name)
{
    size_t bytes = 0;
    char *stack = (char *)stacks_take(name, &bytes);
    struct stacks_place *place;

    if (!stack)
        PT_PANIC("no memory for its stack", name, 0);
    bytes = (bytes - sizeof *place) & ~(size_t)63;
    place = (struct stacks_place *)(void *)(stack + bytes);
    place->stack = stack;
    place->body = body;
    place->pt = pt;
    place->frame = pt;
    stacks_add(place);
    pt_fiber_root(&place->resumer);
    pt_fiber_init(&place->fiber, &place->resumer, stack, bytes, stacks_main, place);
    return place;
}

/* The resumer can be in a catch block of C++, and can leave it before the function continues. */
#ifdef PT_CAUGHT_H
#define STACKS_ENTER pt_fiber_switch_caught
#else
#define STACKS_ENTER pt_fiber_switch
#endif

/* PT_FN of a body: run it to its next opcode. */
PT_API pt_op stacks_resume(struct pt *pt, struct pt_task *task, pt_fn *body, const char *name)
{
    struct stacks_place *place;
    pt_op op;

    if (pt->label == PT_LABEL_DONE_)
        return pt_op_of_(PT_OP_DONE);
    place = stacks_find(pt);
    if (place && pt->label == PT_LABEL_START_) {
        stacks_remove(place); /* of an abandoned function, whose frame another one has */
        place = NULL;
    }
    if (!place)
        place = stacks_open(pt, body, name);
    place->task = task;
    PT_TOOLS_HERE_(&place->resumer); /* perhaps another thread or fiber than before */
    STACKS_ENTER(&place->resumer, &place->fiber);
    op = place->op;
    if (op.code == PT_OP_DONE) {
        stacks_remove(place);
        pt_fiber_close(&place->fiber);
        stacks_give(place->stack);
    }
    return op;
}

#define PT_HEAD_(name)                                                                  \
    static pt_op name##_body_(PT_PARAMETERS_) PT_NOEXCEPT_;                             \
    pt_op PT_FN(name)(PT_PARAMETERS_) PT_NOEXCEPT_                                      \
    {                                                                                   \
        return stacks_resume(pt_, pt_current_, name##_body_, PT_WHERE_(PT_TEXT(name))); \
    }                                                                                   \
    static pt_op name##_body_(PT_PARAMETERS_) PT_NOEXCEPT_                              \
    {                                                                                   \
        static const char pt_function_[] PT_MAYBE_UNUSED = PT_TEXT(PT_FN(name));
#define PT_FUNCTION_ pt_function_
#define PT_AGAIN_(pt, task) ((void)(pt), (void)(task), pt_op_of_(STACKS_AGAIN))
#define PT_LEAVE_(here, op)              \
    pt_current_ = stacks_leave(pt_, op); \
    if (pt_->label != (here))            \
        return pt_op_of_(STACKS_AGAIN);  \
    if (0)

#endif
