/* copied.h - fibers that share one stack: what one has on it lies elsewhere while another runs
 * SPDX-License-Identifier: MIT
 *
 *     pt_copied_stack_init(&stack, memory, sizeof memory, resize, NULL);
 *     pt_copied_init(&a, &stack, &root, think, NULL);
 *     pt_copied_init(&b, &stack, &root, think, NULL);
 *     status = pt_copied_switch(&root, &a);           think(&a.fiber) runs, on the shared stack
 *                                                     until it does pt_fiber_switch(self, &root)
 *     status = pt_copied_switch(&root, &b);           a's bytes move out, and b runs where they were
 *
 * The shared stack may be as large as it likes: a fiber that is out takes what it had in use, 100 or 200
 * bytes mostly, and two lines of the cache. Nothing moves before another fiber of the same stack wants
 * to go on: one that comes back first finds all of it in place.
 *
 *          switched to                  another is switched to
 *     new ────────────► on the stack ────────────────────────► away
 *                         ▲ runs, or was left                    │
 *                         '──────────── switched to ─────────────'
 *
 * Bodies are ordinary functions. But the address of a local is good only while its fiber is on the stack:
 * nobody else may hold one, such as a list that a local is linked into, or who fills a buffer for it.
 * In C++ a fiber that is in a catch block, or in a destructor that a throw runs, leaves by
 * pt_copied_switch_caught (or pt_fiber_switch_caught: caught.h says why), and has what it caught when it goes on.
 *
 * Bytes are moved by a fiber of the shared stack's own, at its upper end: who runs on bytes cannot
 * replace them. A shared stack, with its fibers, belongs to one thread at a time. */
#ifndef PT_COPIED_H
#define PT_COPIED_H

#include "fiber.h"
#include "../base/status.h"

#if PT_CONTEXT == PT_CONTEXT_UCONTEXT
#error "copied.h: a ucontext does not say, in a portable way, how much of its stack is in use"
#endif

/* Bytes of the shared stack that its own fiber takes, with what it calls: resize. */
#ifndef PT_COPIED_MOVER
#define PT_COPIED_MOVER (PT_HAS_TOOLS_ ? 64 << 10 : PT_HOSTED ? 8 << 10 : 512)
#endif

/* Bytes below sp that a function which calls none may use: its red zone. */
#if (defined(__x86_64__) && !defined(_WIN32)) || (defined(__APPLE__) && defined(__aarch64__))
#define PT_COPIED_RED_ZONE_ 128
#else
#define PT_COPIED_RED_ZONE_ 0
#endif

/* A fiber on a shared stack; written by the functions. */
struct pt_copied {
    struct pt_fiber fiber;         /* its first member */
    struct pt_copied_stack *stack; /* where it runs */
    char *away;                    /* what it had there, while another has; from resize */
    uint32_t used, room;           /* bytes of that; 0 used: it has not begun */
};

/* A stack that fibers share; written by the functions. */
struct pt_copied_stack {
    struct pt_copied *owner; /* whose bytes lie on it, or NULL */
    struct pt_copied *next;  /* who is to be there */
    struct pt_fiber *from;   /* who asked for that */
    struct pt_fiber mover;   /* moves bytes, on the upper end of the memory */
    char *low;               /* the memory, and how much of it is shared */
    size_t bytes;
    void *(*resize)(void *context, void *block, size_t bytes);
    void *context;
    bool refused; /* there was no memory */
#if PT_HAS_TOOLS_
    struct pt_tools_ tools; /* what valgrind knows it by */
#endif
};

/* --- what the mover does --- */

enum { PT_COPIED_UNIT_ = 16 }; /* bytes on a stack are counted in these */

/* In place: for some 100 bytes, a call of memcpy takes longer than its work. */
PT_ALWAYS void pt_copied_copy_(char *to, const char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += PT_COPIED_UNIT_) {
        __builtin_memcpy(to + i, from + i, PT_COPIED_UNIT_);
        __asm__ volatile("" ::: "memory"); /* or it becomes that call */
    }
}

/* Room for USED bytes of a fiber, and not twice as many. */
PT_API bool pt_copied_fit_(struct pt_copied_stack *stack, struct pt_copied *copied, size_t used)
{
    void *away;

    if (PT_LIKELY(used <= copied->room && used >= copied->room / 2u))
        return true;
    away = stack->resize(stack->context, copied->away, used);
    if (!away)
        return used <= copied->room;
    copied->away = (char *)away;
    copied->room = (uint32_t)used;
    return true;
}

/* Move the owner's bytes away. False: no memory, and they stay.
 * Who left by pt_copied_switch just now has nothing in his red zone; for others, who knows. */
PT_API bool pt_copied_out_(struct pt_copied_stack *stack)
{
    struct pt_copied *owner = stack->owner;
    char *low;
    size_t used;

    if (!owner || pt_fiber_done(&owner->fiber))
        return true;
    low = (char *)owner->fiber.context.sp;
    if (PT_UNLIKELY(stack->from != &owner->fiber))
        low -= PT_COPIED_RED_ZONE_;
    low -= (uintptr_t)low % PT_COPIED_UNIT_;
    used = (size_t)(stack->low + stack->bytes - low);
    if (!pt_copied_fit_(stack, owner, used))
        return false;
    owner->used = (uint32_t)used;
    PT_TOOLS_REVEAL_(stack->low, stack->bytes);
    pt_copied_copy_(owner->away, low, used);
    return true;
}

/* Move in those of who is next, and make him the owner. */
PT_API void pt_copied_in_(struct pt_copied_stack *stack)
{
    struct pt_copied *next = stack->next;

    PT_TOOLS_WIPE_(stack->low, stack->bytes);
    if (PT_LIKELY(next->used))
        pt_copied_copy_(stack->low + stack->bytes - next->used, next->away, next->used);
    else
        pt_context_make(&next->fiber.context, stack->low, stack->bytes, pt_fiber_main_);
    stack->owner = next;
}

/* What the fiber of a shared stack does; its argument is the stack. */
PT_API void pt_copied_move_(struct pt_fiber *mover)
{
    struct pt_copied_stack *stack = (struct pt_copied_stack *)mover->argument;

    for (;;) {
        if (PT_UNLIKELY(!pt_copied_out_(stack))) {
            stack->refused = true;
            pt_fiber_switch(mover, stack->from);
            continue;
        }
        pt_copied_in_(stack);
        pt_fiber_switch(mover, &stack->next->fiber);
    }
}

/* Nobody was moved. */
PT_NOINLINE void pt_copied_refused_(struct pt_copied_stack *stack)
{
    stack->refused = false;
}

/* --- for the user --- */

/* pt_copied_switch - leave FROM, the fiber that calls, of whichever kind, and go on in TO
 * Returns when somebody switches to FROM. PT_ENOMEM: there was no memory for what another has on the
 * stack, and all is as it was. From a copied fiber to one of another kind goes pt_fiber_switch; from
 * another kind to a copied one, only this. Cost: O(bytes in use of both), or that of pt_fiber_switch if
 * TO was the last there. */
PT_ALWAYS pt_status pt_copied_switch(struct pt_fiber *from, struct pt_copied *to)
{
    struct pt_copied_stack *stack = to->stack;

    if (stack->owner == to) {
        pt_fiber_switch(from, &to->fiber);
        return PT_OK;
    }
    stack->next = to;
    stack->from = from;
    pt_fiber_switch(from, &stack->mover);
    if (PT_LIKELY(!stack->refused))
        return PT_OK;
    pt_copied_refused_(stack); /* a call, and no jump, for something stands behind it: */
    __asm__ volatile("");      /* a function with one in it has no red zone */
    return PT_ENOMEM;
}

#ifdef PT_CAUGHT_H
/* pt_copied_switch_caught - pt_copied_switch in a catch block, or in a destructor that a throw runs (C++)
 * The runtime has exceptions on its heap; which of them are the fiber's goes along on its stack. */
PT_ALWAYS pt_status pt_copied_switch_caught(struct pt_fiber *from, struct pt_copied *to)
{
    struct pt_caught_ mine = pt_caught_leave_();
    pt_status status = pt_copied_switch(from, to);

    pt_caught_back_(&mine);
    return status;
}
#endif

/* pt_copied_prefetch - have the bytes of a fiber that is away, the first 192, fetched into the cache
 * For who knows the next but some; its struct should be there already. */
PT_ALWAYS void pt_copied_prefetch(const struct pt_copied *copied)
{
    PT_PREFETCH(copied->away);
    PT_PREFETCH(copied->away + 64);
    PT_PREFETCH(copied->away + 128);
}

/* pt_copied_stack_init - the BYTES at MEMORY are a stack to share
 * PT_COPIED_MOVER of them are its own fiber's. RESIZE keeps what is moved out, as realloc would: it gets
 * CONTEXT, a block or NULL, and the bytes wanted, 0 to free it; it may return NULL for no memory, when the
 * old block stays. It is called on that fiber's stack. */
PT_API void pt_copied_stack_init(struct pt_copied_stack *stack, void *memory, size_t bytes,
                                 void *(*resize)(void *context, void *block, size_t bytes),
                                 void *context)
{
    char *top = (char *)(((uintptr_t)memory + bytes - PT_COPIED_MOVER) & ~(uintptr_t)63);

    if (bytes < PT_COPIED_MOVER + 64 + PT_FIBER_LEAST_)
        PT_PANIC("it has no room beside PT_COPIED_MOVER", "pt_copied_stack_init", 0);
    stack->owner = NULL;
    stack->low = (char *)memory;
    stack->bytes = (size_t)(top - stack->low);
    stack->resize = resize;
    stack->context = context;
    stack->refused = false;
    pt_context_get_fp(&stack->mover.context);
    pt_fiber_init(&stack->mover, &stack->mover, top, PT_COPIED_MOVER, pt_copied_move_, stack);
    PT_TOOLS_OPEN_(stack, memory, stack->bytes);
}

/* pt_copied_stack_close - the memory is the caller's again; all fibers of the stack are closed */
PT_API void pt_copied_stack_close(struct pt_copied_stack *stack)
{
    pt_fiber_close(&stack->mover);
    PT_TOOLS_CLOSE_(stack);
}

/* pt_copied_init - a fiber that calls FUNCTION when it is first switched to, on the shared STACK
 * Otherwise as pt_fiber_init; FUNCTION is handed &copied->fiber. PARENT goes on at its end, and is no
 * copied fiber. Cost: O(1), and the stack is not touched. */
PT_API void pt_copied_init(struct pt_copied *copied, struct pt_copied_stack *stack,
                           struct pt_fiber *parent, pt_fiber_function function, void *argument)
{
    copied->fiber.parent = parent;
    copied->fiber.function = function;
    copied->fiber.argument = argument;
    pt_context_copy_fp(&copied->fiber.context, &parent->context);
    copied->stack = stack;
    copied->away = NULL;
    copied->used = copied->room = 0;
    PT_TOOLS_SHARE_(&copied->fiber, stack->low, stack->bytes);
}

/* pt_copied_close - free what a fiber has away: it is done, or was left and is not to go on
 * Not by itself. Cost: a free. */
PT_API void pt_copied_close(struct pt_copied *copied)
{
    struct pt_copied_stack *stack = copied->stack;

    if (stack->owner == copied)
        stack->owner = NULL;
    if (copied->away)
        (void)stack->resize(stack->context, copied->away, 0);
    copied->away = NULL;
    copied->room = 0;
    PT_TOOLS_UNSHARE_(&copied->fiber);
}

#endif
