/* memory.h - which memory a program can still reach, from its globals, its stack and its live tasks
 * SPDX-License-Identifier: MIT
 *
 *     extern char _sdata[], _ebss[], _sstack[], _estack[];          from the linker script
 *
 *     static struct pt_piece pieces[64];
 *     const struct pt_area areas[] = {{_sdata, _ebss}, {_sstack, _estack}};
 *     struct pt_memory memory = {0};
 *
 *     pt_memory_init(&memory, areas, 2, pieces, 64);
 *     pt_loop_find_stuck(&loop, &memory, found, NULL);              stuck.h
 *
 * A word that looks like a pointer counts as one: a number that happens to be an address hides a
 * task that is stuck, but never makes a live one seem stuck. On a PC libpt describes the memory of
 * the process, with the blocks of malloc: host/find_stuck.h. */
#ifndef PT_MEMORY_H
#define PT_MEMORY_H

#include "inspect.h"

#if PT_INSPECT && PT_CHANNELS

/* Memory that the program can always reach: from START, up to but not including END. */
struct pt_area {
    const void *start, *end;
};

/* A piece of memory that is reached only if something points into it. Written by the functions. */
struct pt_piece {
    uintptr_t start, end;
    size_t up;    /* 1 + the number of the piece around it, or 0 */
    size_t next;  /* the same of the next piece to read */
    uint8_t kind; /* PT_PIECE_BLOCK_ and so on */
    uint8_t tail; /* bytes behind its end that it has, too, but to which nothing points */
    bool reached; /* whether something points to it */
};

/* A description of the memory, for one search. Filled in by pt_memory_init and pt_memory_add. */
struct pt_memory {
    const struct pt_area *areas;
    size_t area_count;
    struct pt_piece *pieces;
    size_t room;    /* for how many pieces there is storage */
    size_t count;   /* how many there are */
    size_t pending; /* 1 + the number of the first piece that is reached and not yet read, or 0 */

    /* Copy up to BYTES from FROM to `copy`, which has room for copy_bytes; returns how many, 0 if
     * nothing can be read there. NULL: the memory is read in place. For memory that can vanish. */
    size_t (*read)(struct pt_memory *memory, uintptr_t from, size_t bytes);
    uintptr_t *copy;
    size_t copy_bytes;
};

/* pt_memory_init - describe a memory: COUNT areas, and storage for ROOM pieces; O(1)
 * A search adds a piece for the loop, one for each task, three for one from a pool, and one for a
 * trace. Areas and pieces are the caller's, and must exist until the search is done. */
PT_API void pt_memory_init(struct pt_memory *memory, const struct pt_area *areas, size_t count,
                           struct pt_piece *pieces, size_t room);

/* pt_memory_add - add a block of BYTES at START that is reached only by a pointer into it; O(1)
 * A block of a heap, for example. Blocks in a block are allowed, overlaps are not. Returns whether
 * there was room. */
PT_API bool pt_memory_add(struct pt_memory *memory, const void *start, size_t bytes);

/* --- implementation ------------------------------------------------------------------------ */

enum {
    PT_PIECE_BLOCK_, /* its words are read once it is reached */
    PT_PIECE_TASK_,  /* the control block of a task: not read. A pointer to it reaches its block */
    PT_PIECE_LINKS_, /* pt's own: the same */
    PT_PIECE_OPEN_   /* the same, but reached from the start: the system can use it */
};

#define PT_NO_PIECE_ ((size_t)-1)

typedef uintptr_t PT_ALIASES_ pt_memory_word_;

PT_API void pt_memory_init(struct pt_memory *memory, const struct pt_area *areas, size_t count,
                           struct pt_piece *pieces, size_t room)
{
    memory->areas = areas;
    memory->area_count = count;
    memory->pieces = pieces;
    memory->room = room;
    memory->count = memory->pending = 0;
    memory->read = NULL;
    memory->copy = NULL;
    memory->copy_bytes = 0;
}

PT_API bool pt_memory_put_(struct pt_memory *memory, const void *start, size_t bytes, uint8_t kind)
{
    struct pt_piece *piece = &memory->pieces[memory->count];

    if (memory->count == memory->room)
        return false;
    memory->count++;
    piece->start = (uintptr_t)start;
    piece->end = (uintptr_t)start + bytes;
    piece->kind = kind;
    piece->tail = 0;
    piece->reached = false;
    return true;
}

PT_API bool pt_memory_add(struct pt_memory *memory, const void *start, size_t bytes)
{
    return pt_memory_put_(memory, start, bytes, PT_PIECE_BLOCK_);
}

/* --- in the order of their addresses, each before the pieces in it --- */

/* A block can be just one of the other pieces: then it is around that piece. */
PT_API bool pt_piece_before_(const struct pt_piece *a, const struct pt_piece *b)
{
    if (a->start != b->start)
        return a->start < b->start;
    return a->end > b->end || (a->end == b->end && a->kind < b->kind);
}

PT_API void pt_pieces_sift_(struct pt_piece *pieces, size_t at, size_t count)
{
    struct pt_piece moved = pieces[at];
    size_t child;

    while ((child = 2 * at + 1) < count) {
        if (child + 1 < count && pt_piece_before_(&pieces[child], &pieces[child + 1]))
            child++;
        if (!pt_piece_before_(&moved, &pieces[child]))
            break;
        pieces[at] = pieces[child];
        at = child;
    }
    pieces[at] = moved;
}

PT_API void pt_pieces_sort_(struct pt_piece *pieces, size_t count)
{
    struct pt_piece last;

    for (size_t at = count / 2; at-- > 0;)
        pt_pieces_sift_(pieces, at, count);
    while (count > 1) {
        last = pieces[--count];
        pieces[count] = pieces[0];
        pieces[0] = last;
        pt_pieces_sift_(pieces, 0, count);
    }
}

/* Keep one of equal pieces: each task of a pool has described the pool. Else the way out of a pool
 * would be as long as it has tasks. */
PT_API void pt_memory_unite_(struct pt_memory *memory)
{
    struct pt_piece *pieces = memory->pieces;
    size_t kept = 0;

    for (size_t i = 0; i < memory->count; i++)
        if (!kept || pieces[kept - 1].start != pieces[i].start ||
            pieces[kept - 1].end != pieces[i].end || pieces[kept - 1].kind != pieces[i].kind)
            pieces[kept++] = pieces[i];
    memory->count = kept;
}

/* Sort the pieces, find which is in which, and clear what was reached. */
PT_API void pt_memory_begin_(struct pt_memory *memory)
{
    struct pt_piece *pieces = memory->pieces;

    pt_pieces_sort_(pieces, memory->count);
    pt_memory_unite_(memory);
    memory->pending = 0;
    for (size_t i = 0; i < memory->count; i++) {
        size_t up = i;

        while (up && pieces[up - 1].end <= pieces[i].start)
            up = pieces[up - 1].up;
        pieces[i].up = up;
        pieces[i].reached = false;
    }
}

#endif
#endif
