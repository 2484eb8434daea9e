/* machine.c - a machine: its begin, crashes, pauses, signals, and its end with the world
 * SPDX-License-Identifier: MIT */
#include "network.h"
#include "threads.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 32 };

int world_load_most = INT_MAX;

static void fail(const char *what, const char *name)
{
    world_failed(2, "%s: %s", name, what);
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
    struct world_machine *machine = world_memory(world, sizeof *machine);

    if (world->count == MACHINES)
        fail("no room for one more machine", name);
    machine->world = world;
    machine->name = name;
    machine->image = image;
    machine->words = loaded(world, words);
    machine->status = -1;
    machine->last_process = 100 * (world->count + 1);
    machine->capacity = NEVER;
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
    char *nothing = NULL, *words[WORDS + 2] = {(char *)machine->name},
         *text = strdup(machine->words), *rest = text;
    int count = 1;

    if (machine->state == RUNS || !text)
        fail("it runs already: world_crash it first", machine->name);
    while (count <= WORDS && (words[count] = strsep(&rest, " ")))
        count += *words[count] != '\0';
    words[count] = NULL;
    machine->first = process_new(machine, machine->image, words, &nothing);
    free(text);
    machine->state = RUNS;
    machine->status = -1;
    machine->last_port = (in_port_t)(32768 + world_chance(machine->world, 20000));
    machine->started = machine->world->now - WORLD_S - world_chance(machine->world, 1000 * WORLD_S);
    console_open(machine->first);
    trace(machine, "starts %s", machine->words);
    machine_wake(machine);
}

void world_crash(struct world_machine *machine)
{
    machine->state = OFF;
    trace(machine, "crashes");
    while (machine->processes)
        machine->processes->clear(machine->processes, true);
    disk_crash(machine);
}

void world_signal(struct world_machine *machine, int number)
{
    if (machine->state == RUNS)
        process_signal(machine->first, number, 0);
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
    for (struct process *process = machine->processes; process; process = process->next)
        for (struct thread *thread = process->threads; thread; thread = thread->next) {
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

    for (int fd = 0; machine->first && fd < machine->first->descriptors; fd++)
        count += machine->first->files[fd] != NULL;
    return count;
}

int world_processes(const struct world_machine *machine)
{
    int count = 0;

    for (const struct process *process = machine->processes; process; process = process->next)
        count += !process->cleared;
    return count;
}

struct process *process_at(const struct world_machine *machine, int skip)
{
    struct process *process = machine->processes;

    while (process && (process->cleared || skip--))
        process = process->next;
    return process;
}

void world_close(struct world *world)
{
    for (int i = 0; i < world->count; i++)
        if (world->machines[i]->processes)
            world_crash(world->machines[i]);
    connections_free(world);
    datagrams_free(world);
    programs_unload(world);
    for (int i = 0; i < world->count; i++) {
        disk_free(world->machines[i]);
        free(world->machines[i]->output);
        free(world->machines[i]->words);
    }
    world_free(world);
}
