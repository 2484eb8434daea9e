/* machine.c - a machine: its copy of a program, its begin, crashes and ends
 * SPDX-License-Identifier: MIT
 *
 * Each start loads a copy of the image of its own, from a file in memory, since the dynamic linker
 * loads one file once: so each machine has its own static variables, and each start fresh ones. */
#include "threads.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WORDS = 32,
    CALLS = 10000000 /* that a program may make without a wait */
};

struct world_machine *here;

int world_load_most = INT_MAX;

static void fail(const char *what, const char *name)
{
    world_failed(2, "%s: %s", name, what);
}

void world_unknown(const char *format, ...)
{
    char what[200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    world_failed(3, "%s, at %.6f ms: the simulator does not have this call: %s",
                 here ? here->name : "no machine", here ? (double)here->world->now / 1e6 : 0, what);
}

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

static void load(struct world_machine *machine)
{
    struct copy *copy = malloc(sizeof *copy);
    char path[64];

    if (!copy)
        abort();
    copy->file = copy_image(machine->image);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), copy->file); /* for gdb, too */
    copy->program = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!copy->program)
        fail(dlerror(), machine->image);
    copy->next = machine->world->copies;
    machine->world->copies = copy;
    machine->program = copy->program;
}

static void unload_all(struct world *world)
{
    for (struct copy *next, *copy = world->copies; copy; copy = next) {
        next = copy->next;
        dlclose(copy->program);
        close(copy->file);
        free(copy);
    }
}

static void run(struct pt_fiber *self)
{
    const struct thread *thread = self->argument;
    struct world_machine *machine = thread->machine;
    char text[512], *words[WORDS + 2], *rest = text;
    int count = 0, (*entry)(int, char **);

    *(void **)&entry = dlsym(machine->program, "main");
    if (!entry)
        fail("has no main", machine->image);
    snprintf(text, sizeof text, "%s %s", machine->name, machine->words);
    while (count < WORDS && (words[count] = strsep(&rest, " ")))
        count += *words[count] != '\0';
    words[count] = NULL;
    machine_end(entry(count, words));
}

void machine_clear(struct world_machine *machine, bool crash)
{
    for (int fd = 0; fd < machine->descriptors; fd++) {
        struct file *file = machine->files[fd];

        machine->files[fd] = NULL;
        if (file)
            file_drop(file, crash);
    }
    machine->descriptors = 0;
    threads_free(machine, crash);
    memory_free_all(machine);
    memset(machine->actions, 0, sizeof machine->actions);
    memset(machine->keys, 0, sizeof machine->keys);
    machine->pending = 0;
    machine->paused = false;
}

void machine_calls(void)
{
    if (++here->calls > CALLS)
        fail("its program makes calls for ever, and does not wait", here->name);
}

static void ended(struct world_machine *machine, int status)
{
    machine->state = ENDED;
    machine->status = status;
    trace(machine, "ends with status %d", status);
}

void machine_end(int status)
{
    struct world_machine *self = here;

    ended(self, status);
    pt_fiber_switch(&self->thread->fiber, &self->world->root);
    abort(); /* nothing switches back */
}

/* --- for tests ------------------------------------------------------------------------------- */

/* WORDS without the braces around loads, each of which is world_load_most at most. */
static char *loaded(const struct world *world, const char *words)
{
    char *text = malloc(strlen(words) + 1), *to = text;

    if (!text)
        abort();
    while (*words) {
        char *end;
        long load;

        if (*words != '{') {
            *to++ = *words++;
            continue;
        }
        load = strtol(words + 1, &end, 10);
        if (*end != '}' || load < 1)
            fail("a load is a number in braces", words);
        if (world->told)
            fprintf(world->told, "load\t%ld\n", load);
        to += sprintf(to, "%ld", load < world_load_most ? load : world_load_most);
        words = end + 1;
    }
    *to = '\0';
    return text;
}

struct world_machine *world_add(struct world *world, const char *name, const char *image,
                                const char *words)
{
    struct world_machine *machine = calloc(1, sizeof *machine);

    if (!machine || world->count == MACHINES)
        fail("no room for one more machine", name);
    machine->world = world;
    machine->name = name;
    machine->image = image;
    machine->words = loaded(world, words);
    machine->status = -1;
    machine->spare = NEVER;
    machine->output = calloc(1, 1);
    machine->drift = (int64_t)world_chance(world, 201) - 100;
    machine->wall = (int64_t)world_chance(world, 2 * WORLD_S) - (int64_t)WORLD_S;
    world->machines[world->count] = machine;
    machine->number = ++world->count;
    if (world->told)
        fprintf(world->told, "machine\t%d\t%s\n", machine->number, name);
    return machine;
}

void world_start(struct world_machine *machine)
{
    if (machine->state == RUNS)
        fail("it runs already: world_crash it first", machine->name);
    load(machine);
    thread_new(machine, STACK, run);
    machine->state = RUNS;
    machine->status = -1;
    machine->starts++;
    machine->last_port = (in_port_t)(32768 + world_chance(machine->world, 20000));
    machine->started = machine->world->now - WORLD_S - world_chance(machine->world, 1000 * WORLD_S);
    console_open(machine);
    trace(machine, "starts %s", machine->words);
    machine_wake(machine);
}

void world_crash(struct world_machine *machine)
{
    bool ran = machine->state == RUNS;

    machine->state = OFF;
    trace(machine, "crashes");
    if (ran)
        machine_clear(machine, true);
    disk_crash(machine);
}

void world_signal(struct world_machine *machine, int number)
{
    if (machine->state != RUNS)
        return;
    trace(machine, "gets signal %d", number);
    if (number == SIGKILL) {
        ended(machine, 128 + number);
        machine_clear(machine, false);
        return;
    }
    signal_send(machine, number);
}

void world_pause(struct world_machine *machine)
{
    trace(machine, "is paused");
    machine->paused = machine->state == RUNS;
}

void world_resume(struct world_machine *machine)
{
    trace(machine, "is resumed");
    machine->paused = false;
    for (struct thread *thread = machine->threads; thread; thread = thread->next) {
        if (thread->owed)
            thread_wake(thread);
        thread->owed = false;
    }
}

int world_status(const struct world_machine *machine)
{
    return machine->status;
}

const char *world_output(const struct world_machine *machine)
{
    return machine->output;
}

int world_descriptors(const struct world_machine *machine)
{
    int count = 0;

    for (int fd = 0; fd < machine->descriptors; fd++)
        count += machine->files[fd] != NULL;
    return count;
}

void world_close(struct world *world)
{
    for (int i = 0; i < world->count; i++)
        if (world->machines[i]->state == RUNS)
            world_crash(world->machines[i]);
    faults_free(world);
    connections_free(world);
    datagrams_free(world);
    unload_all(world);
    for (int i = 0; i < world->count; i++) {
        disk_free(world->machines[i]);
        free(world->machines[i]->output);
        free(world->machines[i]->words);
        free(world->machines[i]);
    }
    free(world->heap);
    free(world);
}
