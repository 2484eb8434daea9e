/* stack.h - stacks for fibers: pooled, with a guard below each, or small and packed; needs libpt
 * SPDX-License-Identifier: MIT
 *
 *     pt_stacks_init(&stacks, 64 << 10, PT_STACKS_GUARDED);
 *     stack = pt_stack_take(&stacks, "parser");                 NULL: stacks.error says why
 *     pt_fiber_init(&fiber, &root, stack, stacks.bytes, parse, NULL);
 *     ...
 *     pt_stack_give(&stacks, stack);
 *     pt_stacks_close(&stacks);
 *
 * A pool has stacks of one size, and belongs to one thread. What is given back is taken next, still in
 * the cache; memory goes back to the system when the pool is closed. The tops of stacks lie at odd
 * multiples of a cache line from each other: equal ones would all want the same few lines of the cache.
 *
 *     guarded     whole pages, of which those that were touched take memory; below each one that faults
 *     packed      no guard, and no more bytes than were asked for: for bodies that are known. A signal
 *                 handler needs an alternate stack then (SA_ONSTACK), and nothing sees an overflow
 *
 * A guard by mprotect takes two of the process's mappings (vm.max_map_count, 65,530 by default), and a pool
 * takes no more of them than leave one in 16 to malloc, threads and libraries: 30,000 stacks. To count them
 * takes milliseconds where there are many; it is done a dozen times in all.
 *
 * A guard is one page. A function with more locals than that can step over it, unless it was compiled
 * with -fstack-clash-protection, as distributions do. */
#ifndef PT_STACK_H
#define PT_STACK_H

#include "../base/export.h"
#include "fiber.h"
#include "../base/status.h"

/* Kinds of pools: no guards; guards; guards by mprotect alone, as on Linux before 6.13. */
#define PT_STACKS_PACKED 0
#define PT_STACKS_GUARDED 1
#define PT_STACKS_MPROTECT 2

/* What lies above each stack. */
struct pt_stack_top_ {
    struct pt_stack_top_ *next; /* while nobody has it */
    const char *name;           /* who has it, or had it last */
};

/* A pool; written by the functions. */
struct pt_stacks {
    size_t bytes;                   /* of each stack: at least what was asked for */
    struct pt_stack_top_ *unused;   /* stacks that were given back, the latest first */
    const char *error;              /* why there was no stack, in words; static */
    int kind;                       /* PT_STACKS_* */
    size_t guard, stride;           /* bytes of a guard, and from one stack to the next */
    struct pt_stack_block_ *blocks; /* memory of the system, the latest first */
    size_t opened;                  /* stacks of the latest that were taken so far */
    struct pt_stacks *next;         /* all pools, for who looks for the owner of an address */
};

#ifdef __cplusplus
extern "C" {
#endif

/* pt_stacks_init - a pool of stacks of at least BYTES each, of a KIND
 * Nothing is allocated yet. The pool must not move until it is closed. Any thread. */
PT_EXPORT void pt_stacks_init(struct pt_stacks *stacks, size_t bytes, int kind);

/* pt_stacks_close - give all memory back to the system; nobody may have a stack of the pool any more */
PT_EXPORT void pt_stacks_close(struct pt_stacks *stacks);

/* A stack that was not in use before, or NULL. */
PT_EXPORT void *pt_stack_open_(struct pt_stacks *stacks, const char *name);

/* pt_overflow_watch - report a stack that overflows into its guard, with the name of who has it
 * On standard error, once; then the program dies of the signal as it would have without. What is written past
 * the upper end of a stack meets the guard of the stack above, whose name is told; a second line says that it may
 * be so. The handler is the process's; the alternate stack on which it runs is the calling thread's, so that each
 * thread with fibers calls this. Other faults go to the handler that was there before, and a signal that was
 * sent (raise, kill) does what it would have done without. PT_ENOMEM without memory for the alternate
 * stack; a thread that has one keeps it, and one that the program sets later. */
PT_EXPORT pt_status pt_overflow_watch(void);

/* pt_overflow_unwatch - free the alternate stack that pt_overflow_watch gave to this thread */
PT_EXPORT void pt_overflow_unwatch(void);

#ifdef __cplusplus
}
#endif

/* pt_stack_take - the lowest address of a stack of stacks->bytes, or NULL
 * NAME says who has it, for reports; it must last as long. Cost: O(1); the first time for each stack one
 * or two system calls. */
PT_API void *pt_stack_take(struct pt_stacks *stacks, const char *name)
{
    struct pt_stack_top_ *top = stacks->unused;

    if (PT_UNLIKELY(!top))
        return pt_stack_open_(stacks, name);
    stacks->unused = top->next;
    top->name = name;
    return (char *)top - stacks->bytes;
}

/* pt_stack_give - give a stack back to its pool; O(1)
 * What was on it stays there, so its high-water mark (pt_stack_used) is of all who had it. */
PT_API void pt_stack_give(struct pt_stacks *stacks, void *stack)
{
    struct pt_stack_top_ *top = (struct pt_stack_top_ *)(void *)((char *)stack + stacks->bytes);

    top->next = stacks->unused;
    stacks->unused = top;
}

#endif
