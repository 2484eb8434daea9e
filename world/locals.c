/* locals.c - the __thread variables of a program: a block for each thread
 * SPDX-License-Identifier: MIT */
#include "threads.h"

#include "calls.h"

#include <dlfcn.h>
#include <link.h>

/* What the compiler's code asks for the address of such a variable. */
struct tls_index {
    unsigned long module, offset;
};

static const ElfW(Phdr) * find_locals(const struct link_map *map)
{
    const ElfW(Ehdr) *image = (const void *)map->l_addr;
    const ElfW(Phdr) *part = (const void *)((const char *)image + image->e_phoff);

    while (part->p_type != PT_TLS)
        part++;
    return part;
}

static char *new_locals(void *program)
{
    struct link_map *map;
    const ElfW(Phdr) * part;
    char *locals;

    if (dlinfo(program, RTLD_DI_LINKMAP, &map))
        abort();
    part = find_locals(map);
    locals = aligned_alloc(part->p_align,
                           (part->p_memsz + part->p_align - 1) / part->p_align * part->p_align);
    if (!locals)
        abort();
    memcpy(locals, (const char *)map->l_addr + part->p_vaddr, part->p_filesz);
    memset(locals + part->p_filesz, 0, part->p_memsz - part->p_filesz);
    return locals;
}

void *call___tls_get_addr(void *argument)
{
    const struct tls_index *index = argument;
    struct thread *self = running->thread;

    if (!self->locals)
        self->locals = new_locals(running->program);
    return self->locals + index->offset;
}
