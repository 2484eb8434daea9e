/* process_memory.c - the memory of the process: its mappings, and in them the blocks of glibc's malloc
 * SPDX-License-Identifier: MIT
 *
 * A chunk of malloc has its size in the word before the block. Three low bits of that word say whether the chunk before
 * it is in use (1), whether it is a mapping of its own (2), and whether it is in an arena of a thread (4). Chunks
 * follow each other up to the top of the heap, so that a walk finds each, and is over exactly at the end of
 * the heap: else this is no heap, and counts as plain memory. Nothing here allocates by malloc. */
#define _GNU_SOURCE
#include "process_memory.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__linux__) && defined(__GLIBC__) && UINTPTR_MAX > 0xffffffffu

enum { HEAD = 16, IN_USE = 1, MAPPED = 2, BITS = 7, PAGE = 4096 };
enum { AREAS = 65536, WINDOW = 65536, OWN = 4096 };
#define ARENA ((uintptr_t)64 << 20) /* arenas of threads are aligned to this */
#define LARGE ((uintptr_t)1 << 20)  /* of larger mappings, only the pages that exist are read */
#define HUGE_ ((uintptr_t)64 << 30) /* too large to read in time: a sanitizer's */

static void *map(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

/* --- chunks ---------------------------------------------------------------------------------- */

/* Called for each block in use. TAIL: bytes behind it that it has, too. */
typedef bool visitor(struct pt_process_memory_ *it, uintptr_t start, uintptr_t end, uint8_t tail);

/* The word at an aligned ADDRESS; 0 if it cannot be read. */
static size_t word_at(struct pt_process_memory_ *it, uintptr_t address)
{
    if (address - it->window_start >= it->window_bytes) {
        ssize_t got = pread(it->file, it->window, WINDOW, (off_t)address);

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

/* Whether the memory from START to END is a sequence of chunks; the last one is the free top. */
static bool is_heap(struct pt_process_memory_ *it, uintptr_t start, uintptr_t end)
{
    while (start && start != end)
        start = next_chunk(it, start, end);
    return start == end;
}

/* What malloc writes into the second word of a block that it keeps for the thread's next malloc: such a
 * block looks as if it were in use. 0: this malloc keeps none. */
PT_READS_ALL_ static size_t find_key(void)
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

/* Visit the blocks of a heap. The first chunk is malloc's own: its lists of free blocks. The last word
 * of a block is in the next chunk; if that is free, malloc has a pointer to there. */
static bool visit_heap(struct pt_process_memory_ *it, uintptr_t start, uintptr_t end,
                       visitor *visit)
{
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

/* The first chunk of the heap that ends at END, in the page from START on; or 0. In front of it are the headers of an
 * arena, whose size depends on glibc, or the first thread's variables, if the program is linked statically. */
static uintptr_t first_chunk(struct pt_process_memory_ *it, uintptr_t start, uintptr_t end)
{
    for (uintptr_t first = start; first < start + PAGE; first += HEAD)
        if (next_chunk(it, first, end) && is_heap(it, first, end))
            return first;
    return 0;
}

/* --- mappings -------------------------------------------------------------------------------- */

struct mapping {
    uintptr_t start, end;
    bool writable, heap;
    bool file;   /* not memory without a name */
    bool shared; /* a file's or a device's, which others can read */
};

/* Whether a PATH, which can be NULL, is a file of a disk or a device. Memory that is shared without one has such a
 * name, too: a program can have its stacks there. */
static bool is_file(const char *path)
{
    static const char *const memory[] = {"/dev/zero", "/dev/shm/", "/memfd:", "/SYSV"};

    for (size_t i = 0; path && i < sizeof memory / sizeof memory[0]; i++)
        if (!strncmp(path, memory[i], strlen(memory[i])))
            return false;
    return path != NULL;
}

/* Parse the line at TEXT; returns the next one. */
static const char *parse(const char *text, struct mapping *mapping)
{
    const char *end = strchr(text, '\n'), *path;
    char *at;

    mapping->start = strtoul(text, &at, 16);
    mapping->end = strtoul(at + 1, &at, 16);
    mapping->writable = at[1] == 'r' && at[2] == 'w';
    path = memchr(at, '/', (size_t)(end - at));
    mapping->shared = at[4] == 's' && is_file(path);
    mapping->file = path != NULL;
    mapping->heap = !strncmp(end - 6, "[heap]", 6);
    return end + 1;
}

static bool read_maps(struct pt_process_memory_ *it)
{
    int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    ssize_t got = 0;

    if (file < 0)
        return false;
    it->maps_room = 64 << 20;
    it->maps = map(it->maps_room);
    while (it->maps && it->maps_bytes + PAGE < it->maps_room &&
           (got = read(file, it->maps + it->maps_bytes, PAGE)) > 0)
        it->maps_bytes += (size_t)got;
    close(file);
    return it->maps && !got && it->maps_bytes;
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

/* Add the pages of a large mapping that exist: the file has a word for each, with two bits for that. */
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

/* Blocks that are mappings of their own, at the start of a mapping. Returns where they end. */
static uintptr_t visit_mapped(struct pt_process_memory_ *it, const struct mapping *mapping,
                              visitor *visit)
{
    uintptr_t at = mapping->start;

    while (mapping->end - at >= PAGE) {
        size_t word = head(it, at), size = word & ~(size_t)BITS;

        if ((word & BITS) != MAPPED || word_at(it, at) || !size || size % PAGE ||
            size > mapping->end - at)
            break;
        visit(it, at + HEAD, at + size, 0);
        at += size;
    }
    return at;
}

/* Find the blocks of a mapping without a file; the rest of it is an area, if AREAS are wanted. */
static bool look_through(struct pt_process_memory_ *it, const struct mapping *mapping,
                         visitor *visit, bool areas)
{
    uintptr_t at = visit_mapped(it, mapping, visit);
    uintptr_t arena = (at + ARENA - 1) / ARENA * ARENA;

    for (; arena < mapping->end && arena >= at; arena += ARENA) {
        uintptr_t size = word_at(it, arena + 2 * sizeof size), end = arena + size;
        uintptr_t first = size && size <= ARENA && size % PAGE == 0 && end <= mapping->end
                              ? first_chunk(it, arena + 2 * HEAD, end)
                              : 0;

        if (!first)
            continue;
        if (areas && !add_area(it, at, first))
            return false;
        if (!visit_heap(it, first, end, visit))
            return false;
        at = end;
    }
    return !areas || add_area(it, at, mapping->end);
}

/* Visit all blocks; and add the areas, if they are wanted. */
static pt_status walk(struct pt_process_memory_ *it, visitor *visit, bool areas)
{
    const char *text = it->maps;
    struct mapping mapping;
    uintptr_t first;
    bool heap = false;

    while (text < it->maps + it->maps_bytes) {
        text = parse(text, &mapping);
        if (!mapping.writable || mapping.shared)
            continue;
        if (mapping.end - mapping.start > HUGE_)
            return PT_EIO;
        first = mapping.heap ? first_chunk(it, mapping.start, mapping.end) : 0;
        if (first) {
            heap = true;
            if ((areas && !add_area(it, mapping.start, first)) ||
                !visit_heap(it, first, mapping.end, visit))
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

    it->key = find_key();
    it->file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    it->window = map(2 * WINDOW);
    if (it->file < 0 || !it->window || !read_maps(it))
        return PT_EIO;
    status = walk(it, count_block, false);
    if (status != PT_OK)
        return status;
    room = it->memory.count + it->memory.count / 8 + more; /* other threads allocate meanwhile */
    it->piece_bytes = room * sizeof *pieces;
    it->area_room = AREAS;
    it->areas = map(AREAS * sizeof *it->areas);
    pieces = map(it->piece_bytes);
    pt_memory_init(&it->memory, it->areas, 0, pieces, room);
    it->memory.read = copy_memory;
    it->memory.copy = (uintptr_t *)(void *)(it->window + WINDOW);
    it->memory.copy_bytes = WINDOW;
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

/* Clear what the description has left in its window and on the stack. The search uses no more than these bytes of the
 * stack, and add_pages has used as many: so they belong to it. Nobody knows the size of a fiber's. */
__attribute__((noinline)) static void clear_own(struct pt_process_memory_ *it)
{
    volatile char own[OWN];

    for (size_t i = 0; i < sizeof own; i++)
        own[i] = 0;
    if (it->low > (uintptr_t)own)
        it->low = (uintptr_t)own;
    memset(it->window, 0, WINDOW);
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
        munmap(it->window, 2 * WINDOW);
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
