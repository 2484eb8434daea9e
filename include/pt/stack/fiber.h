/* fiber.h - coroutines on stacks of their own, without a loop: each switches to any other
 * SPDX-License-Identifier: MIT
 *
 *     static void think(struct pt_fiber *self)
 *     {
 *         puts("A 1");
 *         pt_fiber_switch(self, self->argument);      continues when a fiber switches back
 *         puts("A 2");
 *     }                                               the end: its parent continues
 *
 *     pt_fiber_root(&root);
 *     pt_fiber_init(&a, &root, stack, sizeof stack, think, &b);
 *     pt_fiber_switch(&root, &a);
 *
 * A fiber's function gets `self`, and names it at each switch. No state is kept per thread, so a
 * fiber that was left may continue in another thread. The caller owns storage and stacks; stack.h
 * has stacks with guards. This header needs neither libpt nor an operating system. It reports each
 * switch to the compiler's sanitizers and, with PT_VALGRIND 1, each stack to valgrind.
 *
 *               init                  switch to it
 *     (no fiber) ───► new: it has not begun ────► runs ◄──────► left
 *                                                  │    switch
 *                                       it returns ▼
 *                                                done: its parent runs  */
#ifndef PT_STACK_FIBER_H
#define PT_STACK_FIBER_H

#include "../base/compiler.h"

PT_QUIET_OPEN_
#include "context.h"
#include "tools.h"

#if defined(__cplusplus) && defined(__EXCEPTIONS)
#include "caught.h"
#define PT_HAS_CAUGHT_ 1
#else
#define PT_HAS_CAUGHT_ 0
#endif

struct pt_fiber;

/* pt_fiber_function - what a fiber runs; its parent continues when it returns */
typedef void (*pt_fiber_function)(struct pt_fiber *self);

/* A fiber: one cache line by an inline switch, without sanitizers. Written by the functions. */
struct pt_fiber {
    struct pt_context context;  /* where it continues; the first member */
    struct pt_fiber *parent;    /* continues when this one ends; may be changed at any time */
    pt_fiber_function function; /* what it runs; NULL when it is done */
    void *argument;             /* the user's */
    PT_IF_(PT_HAS_TOOLS_, struct pt_tools_ tools;) /* for sanitizers and valgrind */
};

/* pt_fiber_root - make ROOT stand for the calling thread on its own stack, to switch from
 * It is its own parent, and is never done. */
PT_API void pt_fiber_root(struct pt_fiber *root);

/* pt_fiber_init - make a fiber that calls FUNCTION on the BYTES at STACK
 * It begins at the first switch to it. At its end PARENT continues, or the nearest ancestor that is
 * not done. The size that a stack needs depends on what runs there: printf needs 8 KB, a
 * signal handler without an alternate stack as much. ARGUMENT is in self->argument. The caller owns
 * the fiber and the stack, and may reuse them when the fiber is done, or was left for
 * good. Cost: O(1), and the first touch of the stack's end. */
PT_API void pt_fiber_init(struct pt_fiber *fiber, struct pt_fiber *parent, void *stack,
                          size_t bytes, pt_fiber_function function, void *argument);

/* pt_fiber_switch - leave FROM, the calling fiber, and continue in TO
 * Returns when a fiber switches to FROM. TO must be left or new: a switch to a fiber that is done
 * stops the program. In a C++ catch block use pt_fiber_switch_caught; if that was forgotten, and
 * exceptions have mixed, PT_DEBUG stops. Cost: O(1), a dozen inline instructions. */
PT_ALWAYS void pt_fiber_switch(struct pt_fiber *from, struct pt_fiber *to);

#if PT_HAS_CAUGHT_
/* pt_fiber_switch_caught - pt_fiber_switch in a catch block or a destructor that a throw runs
 * For C++ with exceptions. */
PT_ALWAYS void pt_fiber_switch_caught(struct pt_fiber *from, struct pt_fiber *to);
#endif

/* pt_fiber_switch_fp - pt_fiber_switch; each fiber keeps its own floating-point environment
 * For rounding and exceptions: use it in fibers that change theirs, and in fibers that switch to
 * these. A new fiber has the environment that its parent had when the parent was made, or last left
 * by this function. */
PT_ALWAYS void pt_fiber_switch_fp(struct pt_fiber *from, struct pt_fiber *to);

/* pt_fiber_done - whether its function has returned */
PT_API bool pt_fiber_done(const struct pt_fiber *fiber);

/* pt_fiber_close - tell the tools that a fiber is gone, before its storage or stack is reused
 * The fiber is done, or was left for good. Without tools it costs nothing. */
PT_API void pt_fiber_close(struct pt_fiber *fiber);

/* pt_stack_used - the most bytes of a stack that were ever in use
 * Zeros at the lower end of these are not counted. The stack must have been zero before its first
 * use, like static memory and new pages. Earlier uses count until the stack is cleared. Cost:
 * O(unused bytes). */
PT_API PT_TOOLS_BLIND_ size_t pt_stack_used(const void *stack, size_t bytes);

/* --- implementation ------------------------------------------------------------------------ */

/* A stack of fewer bytes is a mistake: its size was forgotten, or is not in bytes. */
#define PT_FIBER_LEAST_ (16 * sizeof(void *))

/* PT_DEBUG: while a fiber runs, it has no place where it was left; copied.h looks for that. */
#define PT_FIBER_RUNS_(fiber) \
    PT_CHOOSE_(PT_FIBER_TELLS_, (void)((fiber)->context.sp = NULL), (void)0)
#define PT_FIBER_TELLS_ PT_AND_(PT_DEBUG, PT_GLUE_(PT_FIBER_TELLS_ON_, PT_CONTEXT))
#define PT_FIBER_TELLS_ON_0 0 /* a ucontext hides it */
#define PT_FIBER_TELLS_ON_1 1
#define PT_FIBER_TELLS_ON_2 1

/* The function of a root: never called; because it is not NULL, a root is never done. */
PT_API void pt_fiber_root_body_(struct pt_fiber *self)
{
}

PT_API void pt_fiber_root(struct pt_fiber *root)
{
    pt_context_get_fp_(&root->context);
    root->parent = root;
    root->function = pt_fiber_root_body_;
    root->argument = NULL;
    PT_TOOLS_ROOT_(root);
}

/* Where a fiber continues if it is switched to after its end. */
PT_API void pt_fiber_gone_(struct pt_context *context)
{
    PT_PANIC("a fiber that is done was switched to", "pt_fiber_switch", 0);
}

/* The first function on a new stack: it has no caller. */
PT_NOINLINE void pt_fiber_main_(struct pt_context *context)
{
    struct pt_fiber *self = (struct pt_fiber *)(void *)context, *parent;

    PT_TOOLS_ARRIVE_(self);
    PT_FIBER_RUNS_(self);
    self->function(self);
    self->function = NULL;
    for (parent = self->parent; !parent->function;)
        parent = parent->parent;
    PT_TOOLS_END_(self, parent);
    pt_context_end(&self->context, &parent->context, pt_fiber_gone_);
}

PT_API void pt_fiber_init(struct pt_fiber *fiber, struct pt_fiber *parent, void *stack,
                          size_t bytes, pt_fiber_function function, void *argument)
{
    PT_ASSERT_(bytes >= PT_FIBER_LEAST_, "its stack has no room", "pt_fiber_init");
    fiber->parent = parent;
    fiber->function = function;
    fiber->argument = argument;
    pt_context_copy_fp_(&fiber->context, &parent->context);
    pt_context_make(&fiber->context, stack, bytes, pt_fiber_main_);
    PT_TOOLS_OPEN_(fiber, stack, bytes);
}

/* With PT_DEBUG, in C++: a fiber finds the exceptions that it left; see caught.h. */
PT_ALWAYS void pt_fiber_switch(struct pt_fiber *from, struct pt_fiber *to)
{
    PT_IF_(PT_AND_(PT_DEBUG, PT_HAS_CAUGHT_), const struct pt_caught_ left = *pt_caught_here_();)

    PT_TOOLS_LEAVE_(from, to);
    pt_context_switch(&from->context, &to->context);
    PT_TOOLS_ARRIVE_(from);
    PT_FIBER_RUNS_(from);
    PT_IF_(PT_AND_(PT_DEBUG, PT_HAS_CAUGHT_), pt_caught_check_(&left);)
}

#if PT_HAS_CAUGHT_
PT_ALWAYS void pt_fiber_switch_caught(struct pt_fiber *from, struct pt_fiber *to)
{
    struct pt_caught_ mine = pt_caught_leave_();

    pt_fiber_switch(from, to);
    pt_caught_back_(&mine);
}
#endif

PT_ALWAYS void pt_fiber_switch_fp(struct pt_fiber *from, struct pt_fiber *to)
{
    pt_context_swap_fp_(&from->context, &to->context);
    pt_fiber_switch(from, to);
}

PT_API bool pt_fiber_done(const struct pt_fiber *fiber)
{
    return !fiber->function;
}

PT_API void pt_fiber_close(struct pt_fiber *fiber)
{
    PT_TOOLS_CLOSE_(fiber);
}

PT_API PT_TOOLS_BLIND_ size_t pt_stack_used(const void *stack, size_t bytes)
{
    const volatile char *low = (const volatile char *)stack;
    size_t untouched = 0;

    PT_TOOLS_LOOK_();
    while (untouched < bytes && !low[untouched])
        untouched++;
    PT_TOOLS_LOOKED_(&untouched);
    return bytes - untouched;
}

PT_QUIET_CLOSE_

#endif
