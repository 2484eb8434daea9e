/* stack.h - the layout of a pool's memory, for the pool and for the report of an overflow
 * SPDX-License-Identifier: MIT */
#ifndef LIB_STACK_H
#define LIB_STACK_H

#include <pt/stack/stack.h>

/* A block of memory from the system: this header, then COUNT stacks, each above its guard.
 *
 *     block | guard, color, stack, top | guard, color, stack, top | ...
 *           '-------- stride ----------'
 *
 * The color is a gap of 0 to 30 cache lines, one line more in each next stack. */
struct pt_stack_block_ {
    struct pt_stack_block_ *next; /* the previous block */
    size_t bytes;                 /* of the whole block */
    size_t count;                 /* stacks that it has room for */
    size_t before;                /* stacks in all previous blocks */
    size_t first;                 /* bytes from here to the first guard */
};

enum { LINE = 64, COLOURS = 31 };

/* The top of stack NUMBER of a block. */
static inline struct pt_stack_top_ *top_of(const struct pt_stacks *stacks,
                                           struct pt_stack_block_ *block, size_t number)
{
    char *slot = (char *)block + block->first + number * stacks->stride;
    size_t colour = stacks->guard ? (block->before + number) % COLOURS * LINE : 0;

    return (struct pt_stack_top_ *)(void *)(slot + stacks->guard + colour + stacks->bytes);
}

/* Whether one more guard by mprotect may take mappings; the process needs some for other things.
 * Any thread may call this function and the next. */
bool pt_mappings_spare_(void);

/* Guards by mprotect were unmapped: count the mappings again. */
void pt_mappings_given_back_(void);

/* All pools, the latest first; changed under a lock, read without one. */
extern struct pt_stacks *pt_all_stacks_;

#endif
