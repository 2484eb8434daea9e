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

#if defined(__GNUC__)
typedef uintptr_t __attribute__((__may_alias__)) pt_memory_word_;
#define PT_READS_ALL_ __attribute__((__no_sanitize_address__, __no_sanitize_thread__))
#else
typedef uintptr_t pt_memory_word_;
#define PT_READS_ALL_
#endif

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

/* --- reaching --- */

/* How many pieces start at or before ADDRESS. */
PT_API size_t pt_memory_rank_(const struct pt_memory *memory, uintptr_t address)
{
    size_t low = 0, high = memory->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (memory->pieces[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The innermost piece that has ADDRESS, or PT_NO_PIECE_. */
PT_API size_t pt_memory_piece_(const struct pt_memory *memory, uintptr_t address)
{
    size_t up = pt_memory_rank_(memory, address);

    while (up && memory->pieces[up - 1].end <= address)
        up = memory->pieces[up - 1].up;
    return up - 1; /* 0: none */
}

/* The block that has ADDRESS, or PT_NO_PIECE_. *OPEN: whether the system can use what is there. */
PT_API size_t pt_memory_block_(const struct pt_memory *memory, uintptr_t address, bool *open)
{
    size_t at = pt_memory_piece_(memory, address);

    *open = false;
    while (at != PT_NO_PIECE_ && memory->pieces[at].kind != PT_PIECE_BLOCK_) {
        *open = *open || memory->pieces[at].kind == PT_PIECE_OPEN_;
        at = memory->pieces[at].up - 1;
    }
    return at;
}

/* Whether something can use what is at ADDRESS. What is in no block always can be. */
PT_API bool pt_memory_reached_(const struct pt_memory *memory, uintptr_t address)
{
    bool open;
    size_t at = pt_memory_block_(memory, address, &open);

    return open || at == PT_NO_PIECE_ || memory->pieces[at].reached;
}

/* Whether ADDRESS is in the memory that was described. */
PT_API bool pt_memory_has_(const struct pt_memory *memory, uintptr_t address)
{
    for (size_t i = 0; i < memory->area_count; i++)
        if (address - (uintptr_t)memory->areas[i].start <
            (uintptr_t)memory->areas[i].end - (uintptr_t)memory->areas[i].start)
            return true;
    return pt_memory_piece_(memory, address) != PT_NO_PIECE_;
}

/* Something points to ADDRESS. */
PT_API void pt_memory_reach_(struct pt_memory *memory, uintptr_t address)
{
    bool open;
    size_t at = pt_memory_block_(memory, address, &open);

    if (at == PT_NO_PIECE_ || memory->pieces[at].reached)
        return;
    memory->pieces[at].reached = true;
    memory->pieces[at].next = memory->pending;
    memory->pending = at + 1;
}

/* Whether a word of [FROM, TO) points to BLOCK; PT_NO_PIECE_: reach all that the words point to. */
PT_READS_ALL_ PT_API bool pt_memory_words_in_place_(struct pt_memory *memory, uintptr_t from,
                                                    uintptr_t to, size_t block)
{
    struct probe {
        char first;
        void *word;
    };
    const size_t step = offsetof(struct probe, word);
    uintptr_t low = memory->count ? memory->pieces[0].start : 0;
    bool open;

    from = (from + step - 1) / step * step;
    for (; from < to && to - from >= sizeof(uintptr_t); from += step) {
        uintptr_t word = *(const volatile pt_memory_word_ *)from;

        if (word < low)
            continue;
        if (block == PT_NO_PIECE_)
            pt_memory_reach_(memory, word);
        else if (pt_memory_block_(memory, word, &open) == block)
            return true;
    }
    return false;
}

/* As pt_memory_words_in_place_, through copies if they are wanted. What cannot be read is left out
 * up to the next page. */
PT_API bool pt_memory_words_(struct pt_memory *memory, uintptr_t from, uintptr_t to, size_t block)
{
    const uintptr_t word = sizeof(uintptr_t), page = 4096;

    if (!memory->read)
        return pt_memory_words_in_place_(memory, from, to, block);
    for (from = (from + word - 1) / word * word; from < to && to - from >= word;) {
        size_t wanted = to - from < memory->copy_bytes ? to - from : memory->copy_bytes;
        size_t got = (memory->read)(memory, from, wanted / word * word) / word * word;

        if (pt_memory_words_in_place_(memory, (uintptr_t)memory->copy,
                                      (uintptr_t)memory->copy + got, block))
            return true;
        from = got ? from + got : (from / page + 1) * page;
    }
    return false;
}

/* As pt_memory_words_, without the pieces in [FROM, TO), of which NEXT is the first. */
PT_API bool pt_memory_read_(struct pt_memory *memory, uintptr_t from, uintptr_t to, size_t next,
                            size_t block)
{
    while (from < to) {
        uintptr_t stop = to;

        while (next < memory->count && memory->pieces[next].end <= from)
            next++; /* in the one before */
        if (next < memory->count && memory->pieces[next].start < to)
            stop = memory->pieces[next].start;
        if (stop > from && pt_memory_words_(memory, from, stop, block))
            return true;
        from = stop == to ? to : memory->pieces[next].end;
    }
    return false;
}

/* Read the blocks that were reached, and those that they lead to. */
PT_API void pt_memory_spread_(struct pt_memory *memory)
{
    while (memory->pending) {
        size_t at = memory->pending - 1;
        const struct pt_piece *piece = &memory->pieces[at];

        memory->pending = piece->next;
        pt_memory_read_(memory, piece->start, piece->end + piece->tail, at + 1, PT_NO_PIECE_);
    }
}

/* Reach all that the areas lead to. */
PT_API void pt_memory_read_areas_(struct pt_memory *memory)
{
    for (size_t i = 0; i < memory->area_count; i++) {
        uintptr_t start = (uintptr_t)memory->areas[i].start;
        size_t next = pt_memory_piece_(memory, start);

        if (next == PT_NO_PIECE_)
            next = pt_memory_rank_(memory, start);
        else /* it starts in a piece: the outermost one */
            while (memory->pieces[next].up)
                next = memory->pieces[next].up - 1;
        if (next < memory->count && memory->pieces[next].start < start) {
            start = memory->pieces[next].end;
            next++;
        }
        pt_memory_read_(memory, start, (uintptr_t)memory->areas[i].end, next, PT_NO_PIECE_);
    }
    pt_memory_spread_(memory);
}

#endif
#endif
