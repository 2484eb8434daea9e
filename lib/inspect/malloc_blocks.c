/* malloc_blocks.c - the blocks that glibc's malloc has handed out
 * SPDX-License-Identifier: MIT
 *
 * A chunk of malloc has its size in the word before the block. Three low bits of that word say
 * whether the chunk before it is in use (1), whether it is a mapping of its own (2), and whether it
 * is in an arena of a thread (4). Chunks follow each other up to the top of the heap, so that a
 * walk finds each, and is over exactly at the end of the heap: else this is no heap, and counts as
 * plain memory. */
#define _GNU_SOURCE
#include "malloc_blocks.h"

#include <stdlib.h>
#include <unistd.h>

#if defined(__linux__) && defined(__GLIBC__) && UINTPTR_MAX > 0xffffffffu

enum { HEAD = 16, IN_USE = 1, MAPPED = 2, BITS = 7, PAGE = 4096 };

/* The word at an aligned ADDRESS; 0 if it cannot be read. */
static size_t word_at(struct pt_process_memory_ *it, uintptr_t address)
{
    if (address - it->window_start >= it->window_bytes) {
        ssize_t got = pread(it->file, it->window, PT_MALLOC_WINDOW_, (off_t)address);

        it->window_start = address;
        it->window_bytes = got > 0 ? (size_t)got / sizeof(size_t) * sizeof(size_t) : 0;
        if (!it->window_bytes)
            return 0;
    }
    return *(const size_t *)(const void *)(it->window + (address - it->window_start));
}

static size_t head(struct pt_process_memory_ *it, uintptr_t chunk)
{
    return word_at(it, chunk + sizeof(size_t));
}

/* The next chunk of a heap that ends at END; 0: this is no chunk. */
static uintptr_t next_chunk(struct pt_process_memory_ *it, uintptr_t chunk, uintptr_t end)
{
    size_t word, size;

    if (end - chunk < 2 * HEAD)
        return 0;
    word = head(it, chunk);
    size = word & ~(size_t)BITS;
    if (size < 2 * HEAD || size % HEAD || size > end - chunk || (word & MAPPED))
        return 0;
    return chunk + size;
}

/* Whether the memory from START to END is a sequence of chunks; the last one is the free top. */
static bool is_heap(struct pt_process_memory_ *it, uintptr_t start, uintptr_t end)
{
    while (start && start != end)
        start = next_chunk(it, start, end);
    return start == end;
}

PT_READS_ALL_ size_t pt_malloc_key_(void)
{
    const size_t mark = 0x5eed;
    volatile size_t *block = malloc(3 * sizeof *block);
    uintptr_t address = (uintptr_t)block;
    size_t key;

    if (!block)
        return 0;
    block[1] = mark;
    free((void *)block);
    key = ((const volatile size_t *)address)[1];
    return key == mark ? 0 : key;
}

/* Whether CHUNK is in use; the chunk behind it says that. */
static bool in_use(struct pt_process_memory_ *it, uintptr_t chunk, uintptr_t end)
{
    uintptr_t next = next_chunk(it, chunk, end);

    return next && next != end && (head(it, next) & IN_USE);
}

bool pt_malloc_visit_(struct pt_process_memory_ *it, uintptr_t start, uintptr_t end,
                      pt_malloc_visitor_ *visit)
{
    /* The first chunk is malloc's own: its lists of free blocks. The last word of a block is in the
     * next chunk; if that is free, malloc has a pointer to there. */
    for (uintptr_t chunk = next_chunk(it, start, end), next; chunk && chunk != end; chunk = next) {
        bool shared;

        next = next_chunk(it, chunk, end);
        if (!next || next == end || !in_use(it, chunk, end) ||
            (it->key && head(it, chunk + HEAD) == it->key))
            continue;
        shared = in_use(it, next, end);
        if (!visit(it, chunk + HEAD, next + (shared ? sizeof(size_t) : 0),
                   shared ? 0 : sizeof(size_t)))
            return false;
    }
    return true;
}

uintptr_t pt_malloc_heap_(struct pt_process_memory_ *it, uintptr_t start, uintptr_t end)
{
    for (uintptr_t first = start; first < start + PAGE; first += HEAD)
        if (next_chunk(it, first, end) && is_heap(it, first, end))
            return first;
    return 0;
}

uintptr_t pt_malloc_arena_(struct pt_process_memory_ *it, uintptr_t at, uintptr_t end,
                           uintptr_t *last)
{
    uintptr_t size = word_at(it, at + 2 * sizeof size);

    *last = at + size;
    return size && size <= PT_MALLOC_ARENA_ && size % PAGE == 0 && *last <= end
               ? pt_malloc_heap_(it, at + 2 * HEAD, *last)
               : 0;
}

uintptr_t pt_malloc_visit_mapped_(struct pt_process_memory_ *it, uintptr_t at, uintptr_t end,
                                  pt_malloc_visitor_ *visit)
{
    while (end - at >= PAGE) {
        size_t word = head(it, at), size = word & ~(size_t)BITS;

        if ((word & BITS) != MAPPED || word_at(it, at) || !size || size % PAGE || size > end - at)
            break;
        visit(it, at + HEAD, at + size, 0);
        at += size;
    }
    return at;
}

#else

typedef int pt_malloc_is_unknown_here_;

#endif
