/* stack.h - stacks for fibers: pooled, with a guard below each, or small and packed; needs libpt
 * SPDX-License-Identifier: MIT
 *
 *     pt_stacks_init(&stacks, 64 << 10, PT_STACKS_GUARDED);
 *     stack = pt_stack_take(&stacks, "parser");                 NULL: stacks.error is the reason
 *     pt_fiber_init(&fiber, &root, stack, stacks.bytes, parse, NULL);
 *     ...
 *     pt_stack_give(&stacks, stack);
 *     pt_stacks_close(&stacks);
 *
 * A pool has stacks of one size, and belongs to one thread. The stack that was given back last is
 * taken first, while it is still in the cache. Memory goes back to the system when the pool is
 * closed. The tops of neighboring stacks are offset by some cache lines: tops at equal offsets
 * would all compete for the same few lines of the cache.
 *
 *     guarded     whole pages, which take memory when touched; the page below each stack faults
 *     packed      no guards, hardly more bytes than asked for: for bodies with known needs.
 *                 Signal handlers need an alternate stack (SA_ONSTACK); overflows are not detected
 *
 * A guard by mprotect takes two of the process's mappings (vm.max_map_count, 65,530 by default).
 * Pools leave one mapping in 16 to malloc, threads and libraries, so there can be 30,000 such
 * stacks. Counting the mappings takes milliseconds if there are many; a process does it about a
 * dozen times.
 *
 * A guard is one page. A function with more locals than that can step over it, unless it was
 * compiled with -fstack-clash-protection, as distributions do. */
#ifndef PT_STACK_H
#define PT_STACK_H

#include "../base/strict.h"
#include "fiber.h"
#include "../base/status.h"

/* Kinds of pools: no guards; guards; guards by mprotect only, as on Linux before 6.13. */
#define PT_STACKS_PACKED 0
#define PT_STACKS_GUARDED 1
#define PT_STACKS_MPROTECT 2

/* A pool; written by the functions. */
struct pt_stacks {
    size_t bytes;                   /* of each stack: at least what was asked for */
    struct pt_stack_top_ *returned; /* stacks that were given back, the latest first */
    const char *error;              /* why there was no stack or task, in words */
    int kind;                       /* PT_STACKS_* */
    size_t guard, stride;           /* bytes of a guard, and from one stack to the next */
    struct pt_stack_block_ *blocks; /* memory from the system, the latest first */
    size_t opened;                  /* stacks of the latest block that were taken so far */
    struct pt_stacks *next;         /* in the list of all pools, where pt_overflow_watch looks */
};

/* pt_stacks_init - make a pool of stacks of at least BYTES each, of a KIND
 * It allocates nothing yet. The pool must not move until it is closed, and a pool that is open
 * stops the program. Any thread. Cost: O(open pools). */
PT_EXPORT void pt_stacks_init(struct pt_stacks *stacks, size_t bytes, int kind);

/* pt_stacks_close - give all memory back to the system; no stack of the pool may be in use
 * No effect if it is closed, or zeroed and never initialized: such a pool has no stack to take. */
PT_EXPORT void pt_stacks_close(struct pt_stacks *stacks);

/* pt_stack_take - take a stack of stacks->bytes; its lowest address, or NULL
 * NAME is for reports, and must live as long as the pool. Cost: O(1); the first time for each stack
 * one or two system calls. */
PT_API void *pt_stack_take(struct pt_stacks *stacks, const char *name);

/* pt_stack_give - give a stack back to its pool; O(1)
 * Its contents stay, so its high-water mark (pt_stack_used) counts all its users. */
PT_API void pt_stack_give(struct pt_stacks *stacks, void *stack);

/* pt_overflow_watch - report a stack that overflows into its guard, with the name of the stack
 * It writes to standard error, once; then the program dies of the signal as it would have anyway. A
 * write past the upper end of a stack hits the guard of the stack above, and the report names the
 * stack above; a second line then warns of this. The handler is the process's, but the
 * alternate stack that it runs on is the calling thread's: call this in each thread with fibers.
 * Other faults go to the previous handler, and a signal that was sent (raise, kill) has its
 * previous effect. PT_ENOMEM: there is no memory for the alternate stack. A thread's own
 * alternate stack, set before or later, stays in use. */
PT_EXPORT pt_status pt_overflow_watch(void);

/* pt_overflow_unwatch - free the alternate stack that pt_overflow_watch gave to this thread */
PT_EXPORT void pt_overflow_unwatch(void);

/* --- implementation ------------------------------------------------------------------------ */

/* What is above each stack. */
struct pt_stack_top_ {
    struct pt_stack_top_ *next; /* while it is unused */
    const char *name;           /* as last given to pt_stack_take */
};

/* A stack that was never used, or NULL. */
PT_EXPORT void *pt_stack_open_(struct pt_stacks *stacks, const char *name);

PT_API void *pt_stack_take(struct pt_stacks *stacks, const char *name)
{
    struct pt_stack_top_ *top = stacks->returned;

    if (PT_UNLIKELY(!top))
        return pt_stack_open_(stacks, name);
    stacks->returned = top->next;
    top->name = name;
    return (char *)top - stacks->bytes;
}

PT_API void pt_stack_give(struct pt_stacks *stacks, void *stack)
{
    struct pt_stack_top_ *top = (struct pt_stack_top_ *)(void *)((char *)stack + stacks->bytes);

    top->next = stacks->returned;
    stacks->returned = top;
}

#endif
