/* memory.c - the memory of a program: it is gone with the program
 * SPDX-License-Identifier: MIT */
#include "kernel.h"

#include "calls.h"

#include <errno.h>

/* Before each block that a program has: a member of its machine's list. */
struct block {
    struct block *next, **link;
    size_t size;
    _Alignas(max_align_t) char bytes[];
};

static struct block *block_of(void *bytes)
{
    return (struct block *)(void *)((char *)bytes - offsetof(struct block, bytes));
}

void *call_malloc(size_t size)
{
    struct block *block = size < PTRDIFF_MAX / 2 ? malloc(sizeof *block + size) : NULL;

    if (!block)
        return NULL;
    block->size = size;
    block->next = running->blocks;
    block->link = &running->blocks;
    if (block->next)
        block->next->link = &block->next;
    running->blocks = block;
    return block->bytes;
}

void call_free(void *bytes)
{
    struct block *block;

    if (!bytes)
        return;
    block = block_of(bytes);
    *block->link = block->next;
    if (block->next)
        block->next->link = block->link;
    free(block);
}

void *call_calloc(size_t count, size_t size)
{
    size_t bytes;
    void *block = __builtin_mul_overflow(count, size, &bytes) ? NULL : call_malloc(bytes);

    return block ? memset(block, 0, bytes) : NULL;
}

void *call_realloc(void *bytes, size_t size)
{
    void *fresh = call_malloc(size);
    size_t old = bytes ? block_of(bytes)->size : 0;

    if (!fresh || !bytes)
        return fresh;
    memcpy(fresh, bytes, old < size ? old : size);
    call_free(bytes);
    return fresh;
}

char *call_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = call_malloc(size);

    return copy ? memcpy(copy, text, size) : NULL;
}

/* --- whole pages: for stacks ----------------------------------------------------------------- */

struct mapping {
    struct mapping *next;
    void *memory;
    size_t size;
};

void *call_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    struct mapping *mapping;

    if (at || !(flags & MAP_ANONYMOUS))
        world_unknown("mmap of a file, or at an address");
    mapping = malloc(sizeof *mapping);
    if (!mapping)
        abort();
    mapping->memory = mmap(NULL, size, protection, flags, -1, 0);
    if (mapping->memory == MAP_FAILED) {
        free(mapping);
        return MAP_FAILED;
    }
    mapping->size = size;
    mapping->next = running->mappings;
    running->mappings = mapping;
    return mapping->memory;
}

int call_munmap(void *memory, size_t size)
{
    for (struct mapping *mapping, **link = &running->mappings; (mapping = *link);
         link = &mapping->next)
        if (mapping->memory == memory && mapping->size == size) {
            *link = mapping->next;
            free(mapping);
            return munmap(memory, size);
        }
    world_unknown("munmap of a part of a mapping");
}

int call_mprotect(void *memory, size_t size, int protection)
{
    return mprotect(memory, size, protection);
}

/* Advice is ignored, and guards are not known, as before Linux 6.13. */
int call_madvise(void *memory, size_t size, int advice)
{
    return advice <= MADV_DONTDUMP ? 0 : (int)result(-EINVAL);
}

void memory_free_all(struct process *process)
{
    for (struct block *next, *block = process->blocks; block; block = next) {
        next = block->next;
        free(block);
    }
    process->blocks = NULL;
    while (process->mappings) {
        struct mapping *mapping = process->mappings;

        process->mappings = mapping->next;
        munmap(mapping->memory, mapping->size);
        free(mapping);
    }
}
