/* process_memory.c - the memory of the process: its mappings, and the blocks of malloc in them
 * SPDX-License-Identifier: MIT
 *
 * Nothing here allocates by malloc. */
#define _GNU_SOURCE
#include "process_memory.h"

#include "malloc_blocks.h"
#include "maps.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__linux__) && defined(__GLIBC__) && UINTPTR_MAX > 0xffffffffu

enum { PAGE = 4096, AREAS = 65536, OWN = 4096 };
#define LARGE ((uintptr_t)1 << 20)  /* of larger mappings, only the pages that exist are read */
#define HUGE_ ((uintptr_t)64 << 30) /* too large to read in time: a sanitizer's */

/* The read of the description, without what the search and earlier calls have left on the stack. */
static size_t copy_memory(struct pt_memory *memory, uintptr_t from, size_t bytes)
{
    const struct pt_process_memory_ *it = (const struct pt_process_memory_ *)(void *)memory;
    ssize_t got = pread(it->file, memory->copy, bytes, (off_t)from);
    uintptr_t end = from + (got > 0 ? (size_t)got : 0);
    uintptr_t low = from > it->low ? from : it->low, high = end < it->frame ? end : it->frame;

    if (low < high)
        memset((char *)memory->copy + (low - from), 0, high - low);
    return end - from;
}

/* --- areas ----------------------------------------------------------------------------------- */

static bool put_area(struct pt_process_memory_ *it, uintptr_t start, uintptr_t end)
{
    if (it->area_count == it->area_room)
        return false;
    it->areas[it->area_count].start = (const void *)start;
    it->areas[it->area_count].end = (const void *)end;
    it->area_count++;
    return true;
}

/* Add the pages of a large mapping that exist: the file has a word for each, with two bits for
 * that. */
static bool add_pages(struct pt_process_memory_ *it, uintptr_t start, uintptr_t end)
{
    int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    uint64_t pages[512];
    size_t before = it->area_count;
    bool good = true;

    if (file < 0)
        return put_area(it, start, end);
    for (uintptr_t at = start; good && at < end;) {
        ssize_t got = pread(file, pages, sizeof pages, (off_t)(at / PAGE * sizeof pages[0]));

        if (got < (ssize_t)sizeof pages[0]) {
            good = put_area(it, at, end);
            break;
        }
        for (size_t i = 0; i < (size_t)got / sizeof pages[0] && at < end; i++, at += PAGE) {
            if (!(pages[i] >> 62))
                continue;
            if (it->area_count > before && it->areas[it->area_count - 1].end == (const void *)at)
                it->areas[it->area_count - 1].end = (const void *)(at + PAGE);
            else
                good = good && put_area(it, at, at + PAGE);
        }
    }
    close(file);
    return good;
}

static bool add_area(struct pt_process_memory_ *it, uintptr_t start, uintptr_t end)
{
    if (end - start > LARGE)
        return add_pages(it, start, end);
    return start == end || put_area(it, start, end);
}

/* Find the blocks of a mapping without a file; the rest of it is an area, if AREAS are wanted. */
static bool look_through(struct pt_process_memory_ *it, const struct pt_mapping_ *mapping,
                         pt_malloc_visitor_ *visit, bool areas)
{
    uintptr_t at = pt_malloc_visit_mapped_(it, mapping->start, mapping->end, visit);
    uintptr_t arena = (at + PT_MALLOC_ARENA_ - 1) / PT_MALLOC_ARENA_ * PT_MALLOC_ARENA_;

    for (; arena < mapping->end && arena >= at; arena += PT_MALLOC_ARENA_) {
        uintptr_t end, first = pt_malloc_arena_(it, arena, mapping->end, &end);

        if (!first)
            continue;
        if (areas && !add_area(it, at, first))
            return false;
        if (!pt_malloc_visit_(it, first, end, visit))
            return false;
        at = end;
    }
    return !areas || add_area(it, at, mapping->end);
}

/* Visit all blocks; and add the areas, if they are wanted. */
static pt_status walk(struct pt_process_memory_ *it, pt_malloc_visitor_ *visit, bool areas)
{
    const char *text = it->maps;
    struct pt_mapping_ mapping;
    uintptr_t first;
    bool heap = false;

    while (text < it->maps + it->maps_bytes) {
        text = pt_maps_parse_(text, &mapping);
        if (!mapping.writable || mapping.shared)
            continue;
        if (mapping.end - mapping.start > HUGE_)
            return PT_EIO;
        first = mapping.heap ? pt_malloc_heap_(it, mapping.start, mapping.end) : 0;
        if (first) {
            heap = true;
            if ((areas && !add_area(it, mapping.start, first)) ||
                !pt_malloc_visit_(it, first, mapping.end, visit))
                return PT_ENOMEM;
        } else if (mapping.file || mapping.heap) {
            if (areas && !add_area(it, mapping.start, mapping.end))
                return PT_ENOMEM;
        } else if (!look_through(it, &mapping, visit, areas)) {
            return PT_ENOMEM;
        }
    }
    return heap ? PT_OK : PT_EIO;
}

/* --- opening and closing --------------------------------------------------------------------- */

static bool count_block(struct pt_process_memory_ *it, uintptr_t start, uintptr_t end, uint8_t tail)
{
    (void)start;
    (void)end;
    (void)tail;
    it->memory.count++;
    return true;
}

static bool add_block(struct pt_process_memory_ *it, uintptr_t start, uintptr_t end, uint8_t tail)
{
    struct pt_memory *memory = &it->memory;

    if (!pt_memory_add(memory, (const void *)start, end - start))
        return false;
    memory->pieces[memory->count - 1].tail = tail;
    return true;
}

static pt_status describe(struct pt_process_memory_ *it, size_t more)
{
    struct pt_piece *pieces;
    size_t room;
    pt_status status;

    it->key = pt_malloc_key_();
    it->file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    it->window = pt_map_(2 * PT_MALLOC_WINDOW_);
    if (it->file < 0 || !it->window || !pt_maps_read_(it))
        return PT_EIO;
    status = walk(it, count_block, false);
    if (status != PT_OK)
        return status;
    room = it->memory.count + it->memory.count / 8 + more; /* other threads allocate meanwhile */
    it->piece_bytes = room * sizeof *pieces;
    it->area_room = AREAS;
    it->areas = pt_map_(AREAS * sizeof *it->areas);
    pieces = pt_map_(it->piece_bytes);
    pt_memory_init(&it->memory, it->areas, 0, pieces, room);
    it->memory.read = copy_memory;
    it->memory.copy = (uintptr_t *)(void *)(it->window + PT_MALLOC_WINDOW_);
    it->memory.copy_bytes = PT_MALLOC_WINDOW_;
    return it->areas && pieces ? walk(it, add_block, true) : (pt_status)PT_ENOMEM;
}

/* The lowest address of the thread's own stack, if the caller runs on it; otherwise `frame`. */
static uintptr_t stack_of_thread(const struct pt_process_memory_ *it)
{
    pthread_attr_t attributes;
    void *stack = NULL;
    size_t bytes = 0;

    if (!pthread_getattr_np(pthread_self(), &attributes)) {
        pthread_attr_getstack(&attributes, &stack, &bytes);
        pthread_attr_destroy(&attributes);
    }
    return it->frame - (uintptr_t)stack < bytes ? (uintptr_t)stack : it->frame;
}

/* Clear what the description has left in its window and on the stack. The search uses no more than
 * these bytes of the stack, and add_pages has used as many: so they belong to it. Nobody knows the
 * size of a fiber's. */
__attribute__((noinline)) static void clear_own(struct pt_process_memory_ *it)
{
    volatile char own[OWN];

    for (size_t i = 0; i < sizeof own; i++)
        own[i] = 0;
    if (it->low > (uintptr_t)own)
        it->low = (uintptr_t)own;
    memset(it->window, 0, PT_MALLOC_WINDOW_);
}

pt_status pt_process_memory_open_(struct pt_process_memory_ *it, const void *frame, size_t more)
{
    pt_status status;

    memset(it, 0, sizeof *it);
    it->frame = (uintptr_t)frame;
    it->low = stack_of_thread(it);
    status = describe(it, more);
    if (status != PT_OK)
        pt_process_memory_close_(it);
    else
        clear_own(it);
    return status;
}

void pt_process_memory_close_(struct pt_process_memory_ *it)
{
    if (it->memory.pieces)
        munmap(it->memory.pieces, it->piece_bytes);
    if (it->areas)
        munmap(it->areas, AREAS * sizeof *it->areas);
    if (it->maps)
        munmap(it->maps, it->maps_room);
    if (it->window)
        munmap(it->window, 2 * PT_MALLOC_WINDOW_);
    if (it->file >= 0)
        close(it->file);
}

#else

pt_status pt_process_memory_open_(struct pt_process_memory_ *it, const void *frame, size_t more)
{
    (void)it;
    (void)frame;
    (void)more;
    return PT_EIO;
}

void pt_process_memory_close_(struct pt_process_memory_ *it)
{
    (void)it;
}

#endif
