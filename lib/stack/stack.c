/* stack.c - pools of stacks, in memory from the system
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#include "../fork.h"
#include "stack.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102 /* Linux 6.13: a guard that is no mapping of its own */
#endif
#ifndef MAP_STACK
#define MAP_STACK 0
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

enum { LEAST = 16, MOST = 16 << 20, HUGE_PAGE = 2 << 20 };

/* More than any system has, but its sums do not wrap: a larger request gets no stack. */
#define TOO_MANY (SIZE_MAX / 8 * 7)

struct pt_stacks *pt_all_stacks_;

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* Whether a pool is in the list. A second time there, it would lead back to itself, and the report
 * of a fault would never come to its end. */
static bool is_open(const struct pt_stacks *stacks)
{
    const struct pt_stacks *open;

    pt_mutex_lock_(PT_MUTEX_PROCESS_);
    open = pt_all_stacks_;
    while (open && open != stacks)
        open = open->next;
    pt_mutex_unlock_(PT_MUTEX_PROCESS_);
    return open;
}

void pt_stacks_init(struct pt_stacks *stacks, size_t bytes, int kind)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), top = sizeof(struct pt_stack_top_), whole;

    if (is_open(stacks))
        PT_PANIC("the pool is open: call pt_stacks_close first", "pt_stacks_init", 0);
    *stacks = (struct pt_stacks){.kind = kind};
    bytes = bytes < TOO_MANY ? bytes : TOO_MANY;
    if (kind == PT_STACKS_PACKED) { /* an odd number of cache lines */
        stacks->stride = round_up(bytes + top, LINE) | LINE;
        stacks->bytes = stacks->stride - top;
    } else { /* an odd number of pages, with room for the color of each stack */
        whole = round_up(bytes + top + (COLOURS - 1) * LINE, page);
        stacks->guard = page;
        stacks->stride = (page + whole) | page;
        stacks->bytes = stacks->stride - page - top - (COLOURS - 1) * LINE;
    }
    pt_mutex_lock_(PT_MUTEX_PROCESS_);
    stacks->next = pt_all_stacks_;
    __atomic_store_n(&pt_all_stacks_, stacks, __ATOMIC_RELEASE);
    pt_mutex_unlock_(PT_MUTEX_PROCESS_);
}

void pt_stacks_close(struct pt_stacks *stacks)
{
    struct pt_stacks **link = &pt_all_stacks_;
    struct pt_stack_block_ *block = stacks->blocks, *next;

    if (!stacks->stride) /* it is not open */
        return;
    pt_mutex_lock_(PT_MUTEX_PROCESS_);
    while (*link != stacks)
        link = &(*link)->next;
    __atomic_store_n(link, stacks->next, __ATOMIC_RELEASE);
    pt_mutex_unlock_(PT_MUTEX_PROCESS_);
    for (; block; block = next) {
        next = block->next;
        munmap(block, block->bytes);
    }
    if (stacks->kind == PT_STACKS_MPROTECT)
        pt_mappings_given_back_();
    stacks->blocks = NULL;
    stacks->returned = NULL;
    stacks->stride = 0;
}

/* Put a block with room for twice as many stacks as the previous one at the front of the list. */
static bool grow(struct pt_stacks *stacks)
{
    struct pt_stack_block_ *last = stacks->blocks, *block;
    size_t count = last ? last->count * 2 : LEAST;
    size_t first = stacks->guard ? stacks->guard : LINE, bytes;
    void *memory;

    if (!stacks->stride) {
        stacks->error = "the pool is not open: call pt_stacks_init";
        return false;
    }
    if (count > MOST / stacks->stride)
        count = stacks->stride < MOST ? MOST / stacks->stride : 1;
    bytes = first + count * stacks->stride;
    if (bytes > HUGE_PAGE) { /* round up to huge pages, which the kernel aligns */
        bytes = round_up(bytes, HUGE_PAGE);
        count = (bytes - first) / stacks->stride;
    }
    memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        stacks->error = "mmap: no memory, or no address space, or no mapping (vm.max_map_count)";
        return false;
    }
#ifdef MADV_NOHUGEPAGE /* a guarded stack uses a page or so, not 512; packed stacks use all */
    madvise(memory, bytes, stacks->guard || bytes < HUGE_PAGE ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
#endif
    block = memory;
    block->next = last;
    block->bytes = bytes;
    block->count = count;
    block->before = last ? last->before + last->count : 0;
    block->first = first;
    stacks->opened = 0;
    __atomic_store_n(&stacks->blocks, block, __ATOMIC_RELEASE);
    return true;
}

/* Make the page at GUARD fault on access. */
static bool install(struct pt_stacks *stacks, void *guard)
{
    if (stacks->kind == PT_STACKS_GUARDED) {
        if (!madvise(guard, stacks->guard, MADV_GUARD_INSTALL))
            return true;
        stacks->kind = PT_STACKS_MPROTECT; /* the kernel does not know it */
    }
    if (pt_mappings_spare_() && !mprotect(guard, stacks->guard, PROT_NONE))
        return true;
    stacks->error =
        "mprotect: no more mappings (vm.max_map_count) but those that are left for malloc: "
        "before Linux 6.13 each guarded stack needs two; take packed ones, or raise the limit";
    return false;
}

void *pt_stack_open_(struct pt_stacks *stacks, const char *name)
{
    struct pt_stack_block_ *block = stacks->blocks;
    struct pt_stack_top_ *top;

    if (!block || stacks->opened == block->count) {
        if (!grow(stacks))
            return NULL;
        block = stacks->blocks;
    }
    if (stacks->guard &&
        !install(stacks, (char *)block + block->first + stacks->opened * stacks->stride))
        return NULL;
    top = top_of(stacks, block, stacks->opened++);
    top->name = name;
    return (char *)top - stacks->bytes;
}
