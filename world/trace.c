/* trace.c - what happened: the hash of it, lines to read, lines for pt-sim
 * SPDX-License-Identifier: MIT */
#include "kernel.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void hash(struct world *world, const void *data, size_t size)
{
    for (const unsigned char *byte = data; size--; byte++)
        world->hash = (world->hash ^ *byte) * UINT64_C(0x100000001b3);
}

/* FROM and SENT are those of a message, else NULL and 0. */
static void line(struct world_machine *machine, const struct world_machine *from, uint64_t sent,
                 const char *format, va_list arguments)
{
    struct world *world = machine->world;
    char text[512];

    vsnprintf(text, sizeof text, format, arguments);
    hash(world, &world->now, sizeof world->now);
    hash(world, machine->name, strlen(machine->name));
    hash(world, text, strlen(text));
    if (world->shown)
        fprintf(world->shown, "%14.6f ms  %-10s %s\n", (double)world->now / 1e6, machine->name,
                text);
    if (world->told)
        fprintf(world->told, "%llu\t%d\t%d\t%llu\t%s\n", (unsigned long long)world->now,
                machine->number, from ? from->number : 0, (unsigned long long)sent, text);
}

void trace(struct world_machine *machine, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    line(machine, NULL, 0, format, arguments);
    va_end(arguments);
}

void trace_message(struct world_machine *machine, const struct world_machine *from, uint64_t sent,
                   const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    line(machine, from, sent, format, arguments);
    va_end(arguments);
}

void world_show(struct world *world, FILE *to)
{
    world->shown = to;
}

void world_tell(struct world *world, FILE *to)
{
    world->told = to;
}

uint64_t world_hash(const struct world *world)
{
    return world->hash ^ world->random;
}

/* --- verdicts -------------------------------------------------------------------------------- */

struct tallies *world_tallies; /* of the runner, which counts over all its runs */
void (*world_verdict)(const char *text);

void world_failed(int status, const char *format, ...)
{
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "world: %s\n", text);
    if (world_verdict)
        world_verdict(text);
    exit(status);
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

void world_check(struct world *world, bool holds, const char *text)
{
    if (!holds)
        world_failed(1, "%.6f ms: not so: %s", (double)world->now / 1e6, text);
}

const char *tally_name(enum tally what)
{
#define TALLY_TEXT(name, text) text,
    static const char *const names[] = {TALLIES(TALLY_TEXT)};

    return names[what];
}

void tally(enum tally what, bool effect)
{
    if (!world_tallies)
        return;
    __atomic_fetch_add(&world_tallies->tried[what], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&world_tallies->effective[what], effect, __ATOMIC_RELAXED);
}
