/* copied.h - fibers that share one stack: each is moved out while another one uses it
 * SPDX-License-Identifier: MIT
 *
 *     pt_copied_stack_init(&stack, memory, sizeof memory, resize, NULL);
 *     pt_copied_init(&a, &stack, &root, think, NULL);
 *     pt_copied_init(&b, &stack, &root, think, NULL);
 *     status = pt_copied_switch(&root, &a);           think(&a.fiber) runs, on the shared stack
 *                                                     until it does pt_fiber_switch(self, &root)
 *     status = pt_copied_switch(&root, &b);           a's bytes move out, and b runs in their place
 *
 * However large the shared stack is, a fiber that is away takes only the bytes that it had in use,
 * usually 100 or 200, and two cache lines. Nothing moves until another fiber of the same stack
 * is switched to: a fiber that continues before that finds its bytes in place.
 *
 *          switched to                  another is switched to
 *     new ────────────► on the stack ────────────────────────► away
 *                         ▲ runs, or was left                    │
 *                         '──────────── switched to ─────────────'
 *
 * Bodies are ordinary functions. But the address of a local is valid only while its fiber is on the
 * stack, so nothing else may hold one: no list that links a local, no device or task that fills a
 * local buffer. In C++ a fiber in a catch block, or in a destructor that a throw runs, leaves by
 * pt_copied_switch_caught (or pt_fiber_switch_caught, see caught.h), and keeps what it caught.
 *
 * A copied fiber may run others on top of it: a root of its own (pt_fiber_root), a loop with native
 * tasks. Until it runs itself again, these must not switch to another fiber of the same stack: they
 * do not tell how much of the stack is in use. PT_DEBUG stops there.
 *
 * A fiber cannot overwrite the stack it is running on, so each shared stack has a fiber of its own
 * at the upper end, the mover, which moves the bytes. A shared stack, with its fibers, belongs to
 * one thread at a time. */
#ifndef PT_COPIED_H
#define PT_COPIED_H

#include "fiber.h"
#include "../base/status.h"

PT_STATIC_ASSERT(
    PT_CONTEXT != PT_CONTEXT_UCONTEXT,
    "copied.h: a ucontext does not say, in a portable way, how much of its stack is in use");

/* Bytes of the shared stack for the mover and for resize, which it calls. */
#ifndef PT_COPIED_MOVER
#define PT_COPIED_MOVER (PT_HAS_TOOLS_ ? 64 << 10 : PT_HOSTED ? 8 << 10 : 512)
#endif

/* A fiber on a shared stack; written by the functions. */
struct pt_copied {
    struct pt_fiber fiber;         /* the first member */
    struct pt_copied_stack *stack; /* where it runs */
    char *away;                    /* memory from resize for its bytes, while it is away */
    uint32_t used, room;           /* bytes in use and allocated there; 0 used: it has not begun */
};

/* A stack that fibers share; written by the functions. */
struct pt_copied_stack {
    struct pt_copied *owner; /* the fiber that has its bytes on it, or NULL */
    struct pt_copied *next;  /* the fiber to move in */
    struct pt_fiber *from;   /* the fiber that asked for that */
    struct pt_fiber mover;   /* moves the bytes; runs on the upper end of the memory */
    char *low;               /* the memory, and how much of it is shared */
    size_t bytes;
    void *(*resize)(void *context, void *block, size_t bytes);
    void *context;
    bool refused;                                  /* there was no memory */
    PT_IF_(PT_HAS_TOOLS_, struct pt_tools_ tools;) /* for valgrind */
};

/* pt_copied_stack_init - make a shared stack of the BYTES at MEMORY
 * PT_COPIED_MOVER of them are for the mover. RESIZE allocates memory for what is moved out, as
 * realloc does: it gets CONTEXT, a block or NULL, and the bytes wanted, 0 to free the block. If
 * there is no memory it returns NULL and keeps the old block. It runs on the mover's stack. */
PT_API void pt_copied_stack_init(struct pt_copied_stack *stack, void *memory, size_t bytes,
                                 void *(*resize)(void *context, void *block, size_t bytes),
                                 void *context);

/* pt_copied_stack_close - give the memory back to the caller
 * All fibers of the stack must be closed. */
PT_API void pt_copied_stack_close(struct pt_copied_stack *stack);

/* pt_copied_init - make a fiber that calls FUNCTION on the shared STACK, at the first switch to it
 * Otherwise as pt_fiber_init; FUNCTION gets &copied->fiber. PARENT continues at its end, and must
 * not be a copied fiber. Cost: O(1); the stack is not touched. */
PT_API void pt_copied_init(struct pt_copied *copied, struct pt_copied_stack *stack,
                           struct pt_fiber *parent, pt_fiber_function function, void *argument);

/* pt_copied_switch - leave FROM, the calling fiber, of any kind, and continue in TO
 * Returns when a fiber switches to FROM. PT_ENOMEM: there was no memory to move out the fiber that
 * is on the stack; nothing has changed. To switch to a copied fiber, always use this; from a copied
 * fiber to one of another kind, pt_fiber_switch. Cost: O(bytes in use of both), or that of
 * pt_fiber_switch if TO is still on the stack. */
PT_ALWAYS pt_status pt_copied_switch(struct pt_fiber *from, struct pt_copied *to);

#if PT_HAS_CAUGHT_
/* pt_copied_switch_caught - pt_copied_switch in a catch block or a destructor that a throw runs
 * For C++. The runtime keeps exceptions on the heap; the fiber's record of them moves with its
 * stack. */
PT_ALWAYS pt_status pt_copied_switch_caught(struct pt_fiber *from, struct pt_copied *to);
#endif

/* pt_copied_close - free the memory of a fiber that is done, or was left for good
 * A fiber cannot close itself. Cost: a free. */
PT_API void pt_copied_close(struct pt_copied *copied);

/* pt_copied_prefetch - prefetch the first 192 bytes of a fiber that is away
 * For a scheduler that knows a fiber some switches ahead; its struct should be in the cache
 * already. */
PT_ALWAYS void pt_copied_prefetch(const struct pt_copied *copied);

/* --- implementation ------------------------------------------------------------------------ */

enum { PT_COPIED_UNIT_ = 16 }; /* bytes are moved in units of this size */

/* Inline: for some 100 bytes, calling memcpy takes longer than the copy. */
PT_ALWAYS void pt_copied_copy_(char *to, const char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += PT_COPIED_UNIT_) {
        __builtin_memcpy(to + i, from + i, PT_COPIED_UNIT_);
        __asm__ volatile("" ::: "memory"); /* or it becomes a call of memcpy */
    }
}

/* Make room for USED bytes of a fiber, and not for more than twice as many. */
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

/* Move the owner's bytes away; false if there is no memory: then they stay.
 * A fiber that just left by pt_copied_switch has an empty red zone; any other may have used it. */
PT_API bool pt_copied_out_(struct pt_copied_stack *stack)
{
    struct pt_copied *owner = stack->owner;
    char *low;
    size_t used;

    if (!owner || pt_fiber_done(&owner->fiber))
        return true;
    low = (char *)owner->fiber.context.sp;
    PT_ASSERT_(low, "a copied fiber must itself leave its stack: what it runs cannot leave it",
               "pt_copied_switch");
    if (PT_UNLIKELY(stack->from != &owner->fiber))
        low -= PT_CONTEXT_RED_ZONE_;
    low -= (uintptr_t)low % PT_COPIED_UNIT_;
    used = (size_t)(stack->low + stack->bytes - low);
    if (!pt_copied_fit_(stack, owner, used))
        return false;
    owner->used = (uint32_t)used;
    PT_TOOLS_REVEAL_(stack->low, stack->bytes);
    pt_copied_copy_(owner->away, low, used);
    return true;
}

/* Move in the bytes of the next fiber, and make it the owner. */
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

/* The function of the mover; its argument is the shared stack. */
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

/* Nothing was moved: clear the flag. */
PT_NOINLINE void pt_copied_refused_(struct pt_copied_stack *stack)
{
    stack->refused = false;
}

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
    pt_context_get_fp_(&stack->mover.context);
    pt_fiber_init(&stack->mover, &stack->mover, top, PT_COPIED_MOVER, pt_copied_move_, stack);
    PT_TOOLS_OPEN_(stack, memory, stack->bytes);
}

PT_API void pt_copied_stack_close(struct pt_copied_stack *stack)
{
    pt_fiber_close(&stack->mover);
    PT_TOOLS_CLOSE_(stack);
}

PT_API void pt_copied_init(struct pt_copied *copied, struct pt_copied_stack *stack,
                           struct pt_fiber *parent, pt_fiber_function function, void *argument)
{
    copied->fiber.parent = parent;
    copied->fiber.function = function;
    copied->fiber.argument = argument;
    pt_context_copy_fp_(&copied->fiber.context, &parent->context);
    copied->stack = stack;
    copied->away = NULL;
    copied->used = copied->room = 0;
    PT_TOOLS_SHARE_(&copied->fiber, stack->low, stack->bytes);
}

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
    pt_copied_refused_(stack); /* a call, not a jump, because an asm follows: */
    __asm__ volatile("");      /* a function that calls another has no red zone */
    return PT_ENOMEM;
}

#if PT_HAS_CAUGHT_
PT_ALWAYS pt_status pt_copied_switch_caught(struct pt_fiber *from, struct pt_copied *to)
{
    struct pt_caught_ mine = pt_caught_leave_();
    pt_status status = pt_copied_switch(from, to);

    pt_caught_back_(&mine);
    return status;
}
#endif

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

PT_ALWAYS void pt_copied_prefetch(const struct pt_copied *copied)
{
    PT_PREFETCH(copied->away);
    PT_PREFETCH(copied->away + 64);
    PT_PREFETCH(copied->away + 128);
}

#endif
