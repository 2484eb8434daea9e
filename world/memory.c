/* memory.c - the memory of a program: it is gone with the program
 * SPDX-License-Identifier: MIT */
#include "kernel.h"

#include "calls.h"

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
    block->next = here->blocks;
    block->link = &here->blocks;
    if (block->next)
        block->next->link = &block->next;
    here->blocks = block;
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

void memory_free_all(struct world_machine *machine)
{
    for (struct block *next, *block = machine->blocks; block; block = next) {
        next = block->next;
        free(block);
    }
    machine->blocks = NULL;
}
