/* fiber.h - coroutines on stacks of their own, without a loop: each switches to any other
 * SPDX-License-Identifier: MIT
 *
 *     static void think(struct pt_fiber *self)
 *     {
 *         puts("A 1");
 *         pt_fiber_switch(self, self->argument);      goes on when somebody switches here
 *         puts("A 2");
 *     }                                               the end: its parent goes on
 *
 *     pt_fiber_root(&root);
 *     pt_fiber_init(&a, &root, stack, sizeof stack, think, &b);
 *     pt_fiber_switch(&root, &a);
 *
 * Who runs is who was handed `self`, and he says so at each switch: nothing here is kept for a thread,
 * so a fiber that was left may go on in another one. Storage and stacks are the caller's; stack.h has
 * stacks with guards, and this header needs neither libpt nor an operating system. The sanitizers of
 * the compiler are told of each switch, and with PT_VALGRIND 1 valgrind of each stack.
 *
 *               init                  switch to it
 *     (no fiber) ───► stands at its function ───► runs ◄──────► left
 *                                                  │    switch
 *                                       it returns ▼
 *                                                done: its parent runs  */
#ifndef PT_STACK_FIBER_H
#define PT_STACK_FIBER_H

#include "context.h"
#include "tools.h"

/* With PT_DEBUG, in C++: whether a fiber that goes on finds the exceptions that it left. caught.h */
#if PT_DEBUG && defined(__cplusplus) && defined(__EXCEPTIONS)
#define PT_CAUGHT_LEAVE_() const struct pt_caught_ pt_left_ = *pt_caught_here_()
#define PT_CAUGHT_ARRIVE_() pt_caught_check_(&pt_left_)
#else
#define PT_CAUGHT_LEAVE_() ((void)0)
#define PT_CAUGHT_ARRIVE_() ((void)0)
#endif

struct pt_fiber;

/* pt_fiber_function - what a fiber does; its parent goes on when it returns */
typedef void (*pt_fiber_function)(struct pt_fiber *self);

/* A fiber: a line of the cache, apart from its stack. Written by the functions. */
struct pt_fiber {
    struct pt_context context;  /* where it goes on; its first member */
    struct pt_fiber *parent;    /* who goes on at its end; anybody may change it */
    pt_fiber_function function; /* what it does; NULL when it is done */
    void *argument;             /* the user's */
#if PT_HAS_TOOLS_
    struct pt_tools_ tools; /* what sanitizers know it by */
#endif
};

/* pt_fiber_switch - leave FROM, the fiber that calls, and go on in TO
 * Returns when somebody switches to FROM. TO must be left or new: a fiber that is done stops the
 * program. In a catch block of C++: pt_fiber_switch_caught, below; PT_DEBUG stops where that was forgotten.
 * Cost: O(1), a dozen instructions in place. */
PT_ALWAYS void pt_fiber_switch(struct pt_fiber *from, struct pt_fiber *to);

#if defined(__cplusplus) && defined(__EXCEPTIONS)
#include "caught.h"
#endif

PT_ALWAYS void pt_fiber_switch(struct pt_fiber *from, struct pt_fiber *to)
{
    PT_CAUGHT_LEAVE_();
    PT_TOOLS_LEAVE_(from, to);
    pt_context_switch(&from->context, &to->context);
    PT_TOOLS_ARRIVE_(from);
    PT_CAUGHT_ARRIVE_();
}

/* pt_fiber_switch_fp - the same, and each keeps its floating-point environment: rounding, exceptions
 * For a fiber that changes its own, and those that it switches with. A new fiber has that of its
 * parent, as it was when the parent was last left so or made. */
PT_ALWAYS void pt_fiber_switch_fp(struct pt_fiber *from, struct pt_fiber *to)
{
    pt_context_swap_fp(&from->context, &to->context);
    pt_fiber_switch(from, to);
}

/* pt_fiber_done - whether its function has returned */
PT_API bool pt_fiber_done(const struct pt_fiber *fiber)
{
    return !fiber->function;
}

/* Where a fiber goes on that is done. */
PT_API void pt_fiber_gone_(struct pt_context *context)
{
    (void)context;
    PT_PANIC("a fiber that is done was switched to", "pt_fiber_switch", 0);
}

/* The first code on a new stack: nothing stands above it. */
PT_NOINLINE void pt_fiber_main_(struct pt_context *context)
{
    struct pt_fiber *self = (struct pt_fiber *)(void *)context, *parent;

    PT_TOOLS_ARRIVE_(self);
    self->function(self);
    self->function = NULL;
    for (parent = self->parent; !parent->function;)
        parent = parent->parent;
    PT_TOOLS_END_(self, parent);
    pt_context_end(&self->context, &parent->context, pt_fiber_gone_);
}

/* What a root does: it is never called, and tells a root from a fiber that is done. */
PT_API void pt_fiber_root_body_(struct pt_fiber *self)
{
    (void)self;
}

/* pt_fiber_root - ROOT is the calling thread on its own stack: the first switch is made from it
 * It is its own parent, and is never done. */
PT_API void pt_fiber_root(struct pt_fiber *root)
{
    pt_context_get_fp(&root->context);
    root->parent = root;
    root->function = pt_fiber_root_body_;
    root->argument = NULL;
    PT_TOOLS_ROOT_(root);
}

/* Fewer bytes are no stack: somebody forgot them, or counts in something else. */
#define PT_FIBER_LEAST_ (16 * sizeof(void *))

/* pt_fiber_init - a fiber that calls FUNCTION when it is first switched to, on the BYTES at STACK
 * PARENT goes on at its end, or the nearest of its parents that is not done. How large a stack has to
 * be is up to what it calls: printf wants 8 KB, a signal handler without an alternate stack as much.
 * ARGUMENT is found in self->argument. Fiber and stack are the caller's, who may take both back when
 * it is done, and whenever it is left: nothing of it runs then any more. Cost: O(1), and the first
 * touch of the stack's end. */
PT_API void pt_fiber_init(struct pt_fiber *fiber, struct pt_fiber *parent, void *stack,
                          size_t bytes, pt_fiber_function function, void *argument)
{
    PT_ASSERT_(bytes >= PT_FIBER_LEAST_, "its stack has no room", "pt_fiber_init");
    fiber->parent = parent;
    fiber->function = function;
    fiber->argument = argument;
    pt_context_copy_fp(&fiber->context, &parent->context);
    pt_context_make(&fiber->context, stack, bytes, pt_fiber_main_);
    PT_TOOLS_OPEN_(fiber, stack, bytes);
}

/* pt_fiber_close - tell the tools that the fiber is no more, before its storage or stack is used anew
 * A fiber that is done or left, and is not to go on. Costs nothing where no tool is told. */
PT_API void pt_fiber_close(struct pt_fiber *fiber)
{
    (void)fiber;
    PT_TOOLS_CLOSE_(fiber);
}

/* pt_stack_used - the most bytes of a stack that were ever in use, to within the zeros in the last
 * The stack must have been zero before its first use, as static memory and fresh pages are. What was
 * on it counts until somebody clears it. Cost: O(bytes that were not used). */
PT_API PT_TOOLS_BLIND_ size_t pt_stack_used(const void *stack, size_t bytes)
{
    const volatile char *low = (const volatile char *)stack;
    size_t unused = 0;

    PT_TOOLS_LOOK_();
    while (unused < bytes && !low[unused])
        unused++;
    PT_TOOLS_LOOKED_(&unused);
    return bytes - unused;
}

#endif
