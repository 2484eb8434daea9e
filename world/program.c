/* program.c - a process: its copy of a program, its begin and its end
 * SPDX-License-Identifier: MIT
 *
 * Each start loads a copy of the image of its own, from a file in memory, since the dynamic linker
 * loads one file once: so each process has its own static variables, and each start fresh ones. */
#include "threads.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static void fail(const char *what, const char *name)
{
    world_failed(2, "%s: %s", name, what);
}

/* --- copies ---------------------------------------------------------------------------------- */

/* A file in memory with the bytes of the image. */
static int copy_image(const char *image)
{
    int from = open(image, O_RDONLY | O_CLOEXEC), to = memfd_create("machine", MFD_CLOEXEC);
    struct stat about;
    ssize_t copied = 1;

    if (from < 0 || to < 0 || fstat(from, &about))
        fail("cannot be read", image);
    for (off_t left = about.st_size; left > 0 && copied > 0; left -= copied)
        copied = sendfile(to, from, NULL, (size_t)left);
    close(from);
    return to;
}

/* A program that was loaded, for one start. It stays until the world ends: to unload it takes longer than to load it.
 * So does its file: the linker would take another one of the same number for this one. */
struct copy {
    struct copy *next;
    void *program;
    int file;
};

static void *load(struct world *world, const char *image)
{
    struct copy *copy = world_memory(world, sizeof *copy);
    char path[64];

    copy->file = copy_image(image);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), copy->file); /* for gdb, too */
    copy->program = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!copy->program)
        fail(dlerror(), image);
    copy->next = world->copies;
    world->copies = copy;
    return copy->program;
}

void programs_unload(struct world *world)
{
    for (const struct copy *copy = world->copies; copy; copy = copy->next) {
        dlclose(copy->program);
        close(copy->file);
    }
}

/* --- begin and end ----------------------------------------------------------------------------------- */

static void run(struct pt_fiber *self)
{
    const struct thread *thread = self->argument;
    struct process *process = thread->process;
    int count = 0, (*entry)(int, char **);
    void (*construct)(int, char **, char **);

    *(void **)&entry = dlsym(process->program, "main");
    *(void **)&construct = dlsym(process->program, "world_construct");
    if (!entry)
        fail("has no main", process->words[0]);
    while (process->words[count])
        count++;
    construct(count, process->words, process->environment);
    machine_end(entry(count, process->words) & 255, 0);
}

/* A copy of a list of texts, in one block of memory. */
static char **copy_of(char *const *texts)
{
    size_t count = 0, size = 0;
    char **copy, *to;

    for (; texts[count]; count++)
        size += strlen(texts[count]) + 1;
    copy = malloc((count + 1) * sizeof *copy + size);
    if (!copy)
        abort();
    to = (char *)&copy[count + 1];
    for (size_t i = 0; i < count; i++) {
        copy[i] = to;
        to = stpcpy(to, texts[i]) + 1;
    }
    copy[count] = NULL;
    return copy;
}

/* Its children go on without it, and nobody asks for those that have ended. */
static void leave_children(struct process *parent)
{
    struct process *next;

    for (struct process *process = parent->machine->processes; process; process = next) {
        next = process->next;
        if (process->parent != parent)
            continue;
        process->parent = NULL;
        if (process->cleared)
            process_free(process);
    }
}

/* CRASH: neither its peers nor its parent are told. */
static void clear(struct process *process, bool crash)
{
    struct world_machine *machine = process->machine;

    files_drop(process, crash);
    threads_free(process);
    memory_free_all(process);
    leave_children(process);
    if (process == machine->first) {
        machine->first = NULL;
        machine->paused = false;
    }
    free(process->words);
    free(process->given);
    process->cleared = true;
    if (crash)
        process->parent = NULL;
    process_told(process);
    if (!process->parent)
        process_free(process);
}

struct process *process_new(struct world_machine *machine, const char *image, char *const *words,
                            char *const *environment)
{
    struct process *process = calloc(1, sizeof *process), **last = &machine->processes;

    if (!process)
        abort();
    process->machine = machine;
    process->clear = clear;
    process->number = process->group = ++machine->last_process;
    process->program = load(machine->world, image);
    process->words = copy_of(words);
    process->environment = process->given = copy_of(environment);
    while (*last)
        last = &(*last)->next;
    *last = process;
    thread_new(process, STACK, run);
    return process;
}
