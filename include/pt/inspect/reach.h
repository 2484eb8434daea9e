/* reach.h - which pieces of the memory something points to
 * SPDX-License-Identifier: MIT */
#ifndef PT_REACH_H
#define PT_REACH_H

#include "memory.h"

#if PT_INSPECT && PT_CHANNELS

/* --- implementation ------------------------------------------------------------------------ */

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
