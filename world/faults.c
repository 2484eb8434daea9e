/* faults.c - faults by the seed: each has a time, a kind, machines and a span of its own
 * SPDX-License-Identifier: MIT
 *
 * They take their chance from the seed and their number alone. So a fault that is left out changes nothing before its
 * time, and no other fault. */
#include "network.h"

#include <stdlib.h>

/* What can happen to a machine that has no peer: the last faults. */
enum { FIRST_ALONE = TALLY_CRASH };

struct fault {
    struct event event; /* its begin, then its end */
    struct world *world;
    int number;
    enum tally kind;
    struct world_machine *one, *other;
    uint64_t span, spare; /* SPARE: bytes that a full disk has room for */
    bool begun, stopped;  /* STOPPED: it has ended the program of ONE */
};

const char *world_faults_kept;
int world_faults_sooner, world_faults_shorter;

/* Whether a comma-separated list of numbers has this one. */
static bool kept(int number)
{
    const char *list = world_faults_kept;
    char *end;

    while (list && *list) {
        if (strtol(list, &end, 10) == number && end != list)
            return true;
        list = *end ? end + 1 : end;
    }
    return !list;
}

/* --- what each kind does --------------------------------------------------------------------- */

/* A kill is of one of the machine's processes; one that its own program has started is not started again. */
static bool stop(struct fault *fault)
{
    struct world_machine *machine = fault->one;
    int count = world_processes(machine);
    struct process *victim = machine->first;

    if (count && fault->kind == TALLY_KILL)
        victim = process_at(machine, (int)fault->spare % count);
    if (!victim)
        return false;
    fault->stopped = victim == machine->first;
    machine->returns |= fault->stopped;
    if (fault->kind == TALLY_CRASH)
        world_crash(machine);
    else
        process_signal(victim, SIGKILL, 0);
    return true;
}

/* Returns whether it does something. */
static bool begin(struct fault *fault)
{
    struct world_machine *one = fault->one, *other = fault->other;
    bool talk = connections_between(one, other);

    switch (fault->kind) {
    case TALLY_RESET: world_reset(one, other); return talk;
    case TALLY_CUT: world_cut(other, one); /* fall through */
    case TALLY_HALF_CUT: world_cut(one, other); return talk;
    case TALLY_SLOW: fault->world->slowness = 100; return fault->world->connections != NULL;
    case TALLY_CRASH:
    case TALLY_KILL: return stop(fault);
    case TALLY_FULL: world_fill(one, fault->spare); return one->disk != NULL;
    default: world_pause(one); return one->state == RUNS;
    }
}

static void end(struct fault *fault)
{
    struct world_machine *one = fault->one, *other = fault->other;

    switch (fault->kind) {
    case TALLY_RESET: break;
    case TALLY_CUT: world_heal(other, one); /* fall through */
    case TALLY_HALF_CUT: world_heal(one, other); break;
    case TALLY_SLOW: fault->world->slowness = 1; break;
    case TALLY_PAUSE: world_resume(one); break;
    case TALLY_FULL: world_fill(one, NEVER); break;
    default:
        if (fault->stopped && one->state != RUNS)
            world_start(one);
        one->returns &= !fault->stopped;
    }
}

static void fire(struct event *event)
{
    struct fault *fault = (struct fault *)(void *)event;

    if (fault->begun) {
        end(fault);
        return;
    }
    fault->begun = true;
    trace(fault->one, "fault %d: %s, for %.3f ms", fault->number, tally_name(fault->kind),
          (double)fault->span / 1e6);
    tally(fault->kind, begin(fault));
    event_at_order(fault->world, event, event->at + fault->span, 0);
}

/* --- for tests ------------------------------------------------------------------------------- */

/* The last fault is for disks. */
static uint64_t faults_of(const struct world *world)
{
    for (int i = 0; i < world->count; i++)
        if (world->machines[i]->disk)
            return FAULTS;
    return TALLY_FULL;
}

void world_disturb(struct world *world, int count, uint64_t span)
{
    uint64_t faults = faults_of(world);

    for (int i = 0; i < count; i++) {
        struct fault *fault = world_memory(world, sizeof *fault);
        int number = world->disturbances++;
        uint64_t state = (world->seed << 20) + (uint64_t)number, machines = (uint64_t)world->count,
                 after;

        chance_from(&state, 2);
        fault->world = world;
        fault->number = number;
        fault->event.fire = fire;
        fault->kind =
            (enum tally)(machines > 1 ? chance_from(&state, faults)
                                      : chance_from(&state, faults - FIRST_ALONE) + FIRST_ALONE);
        fault->one = world->machines[chance_from(&state, machines)];
        fault->other = world->machines[chance_from(&state, machines)];
        if (fault->other == fault->one)
            fault->other = world->machines[(uint64_t)fault->one->number % machines];
        fault->span = chance_from(&state, WORLD_MS << (1 + chance_from(&state, 13)));
        fault->spare = fault->span % 200;
        fault->span >>= world_faults_shorter;
        after = chance_from(&state, span >> chance_from(&state, 10)) >> world_faults_sooner;
        if (kept(number))
            event_at_order(world, &fault->event, world->now + after, 0);
    }
}
