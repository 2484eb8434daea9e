/* backend.h - PT_BACKEND_NATIVE: the same bodies, each on a stack of its own; needs libpt
 * SPDX-License-Identifier: MIT
 *
 *     cc -DPT_BACKEND=PT_BACKEND_NATIVE ...
 *
 * A body keeps its labels, and the loop its opcodes. But a suspension does not return: it switches to
 * whoever resumed the function, and when it goes on the label tells whether it goes on here. If something
 * has changed it meanwhile, for PT_FINALLY or to the end of a block, the body returns and is
 * called once more, on the same stack, to jump there:
 *
 *     labels    label = 3; return WAIT; case 3:
 *     native    label = 3; switch out with WAIT; if (label != 3) return AGAIN; if (0) { case 3: }
 *
 * Whatever a program does by labels it does so, too: each of the two ways is a test of the other
 * (test/backends). The compiler's checks stay as they are, for locals as well. A stack is taken at the
 * first resume, of awaited functions also, and given back at the end; a generator that is abandoned
 * keeps its own. A frame must not be copied once it was started. */
#ifndef PT_BACKEND_H
#define PT_BACKEND_H

#include "frame.h"

#if PT_BACKEND == PT_BACKEND_NATIVE

#include <pt/stack/stack.h> /* not a part of the core, nor of the single header */

/* What a body returns that wants to be called again, to go on at another label. */
enum { PT_BACKEND_AGAIN_ = 0xff };

/* A function that was started; it lies at the top of its stack. */
struct pt_place_ {
    struct pt_fiber fiber;   /* where the body goes on */
    struct pt_fiber resumer; /* where its opcode is wanted */
    void *stack;
    pt_fn *body;
    struct pt *pt;
    struct pt_task *task; /* who resumed it last */
    pt_op op;             /* what it said last */
};

#ifdef __cplusplus
extern "C" {
#endif
/* A stack for a function with this name, or NULL, and how long it is; and: take it back. Any thread. */
PT_EXPORT void *pt_backend_take_(const char *name, size_t *bytes);
PT_EXPORT void pt_backend_give_(void *stack);
#ifdef __cplusplus
}
#endif

/* Switch to whoever resumes the function, with an opcode; returns the task that resumes it next. */
PT_API struct pt_task *pt_backend_leave_(struct pt *pt, pt_op op)
{
    struct pt_place_ *place = pt->place;

    place->op = op;
    pt_fiber_switch(&place->fiber, &place->resumer);
    return place->task;
}

/* The body on its stack, from its start to its end. */
PT_API void pt_backend_main_(struct pt_fiber *fiber)
{
    struct pt_place_ *place = (struct pt_place_ *)fiber->argument;

    for (;;) {
        pt_op op = place->body(place->pt, place->task);

        if (op.code == PT_OP_DONE)
            break;
        if (op.code != PT_BACKEND_AGAIN_)
            pt_backend_leave_(place->pt, op);
    }
    place->op = pt_op_of_(PT_OP_DONE);
}

/* A stack for a function that was not resumed before. */
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

/* Its resumer may stand in a catch block of C++, and leave that before the function goes on. */
#ifdef PT_CAUGHT_H
#define PT_BACKEND_ENTER_ pt_fiber_switch_caught
#else
#define PT_BACKEND_ENTER_ pt_fiber_switch
#endif

/* PT_FN of a body: go on with it, to its next opcode. */
PT_API pt_op pt_backend_resume_(struct pt *pt, struct pt_task *task, pt_fn *body, const char *name)
{
    struct pt_place_ *place = pt->place;
    pt_op op;

    if (pt->label == PT_LABEL_DONE_)
        return pt_op_of_(PT_OP_DONE);
    if (!place)
        place = pt_backend_open_(pt, body, name);
    place->task = task;
    PT_TOOLS_HERE_(&place->resumer); /* in another thread or fiber than before, maybe */
    PT_BACKEND_ENTER_(&place->resumer, &place->fiber);
    op = place->op;
    if (op.code == PT_OP_DONE) {
        pt->place = NULL;
        pt_fiber_close(&place->fiber);
        pt_backend_give_(place->stack);
    }
    return op;
}

#endif
#endif
