/* stack.h - where the stacks of a pool lie: what the pool and the report of an overflow share
 * SPDX-License-Identifier: MIT */
#ifndef LIB_STACK_H
#define LIB_STACK_H

#include <pt/stack/stack.h>

/* Memory of the system: this, and then COUNT stacks, each above its guard.
 *
 *     block | guard, colour, stack, top | guard, colour, stack, top | ...
 *           '-------- stride -----------'
 *
 * The colour is what the next one lies higher by than this one, in multiples of a line. */
struct pt_stack_block_ {
    struct pt_stack_block_ *next; /* the one before it */
    size_t bytes;                 /* of all */
    size_t count;                 /* stacks that it has room for */
    size_t before;                /* stacks in all blocks before it */
    size_t first;                 /* bytes from here to the first guard */
};

enum { LINE = 64, COLOURS = 31 };

/* The top of the stack with this number in a block. */
static inline struct pt_stack_top_ *top_of(const struct pt_stacks *stacks,
                                           struct pt_stack_block_ *block, size_t number)
{
    char *slot = (char *)block + block->first + number * stacks->stride;
    size_t colour = stacks->guard ? (block->before + number) % COLOURS * LINE : 0;

    return (struct pt_stack_top_ *)(void *)(slot + stacks->guard + colour + stacks->bytes);
}

/* Whether there may be one more guard by mprotect: it takes mappings, and the process needs some for others.
 * Any thread, as the next. */
bool pt_mappings_spare_(void);

/* Guards by mprotect are no more. */
void pt_mappings_given_back_(void);

/* All pools, the latest first; it changes under a lock, and is read without. */
extern struct pt_stacks *pt_all_stacks_;

#endif
