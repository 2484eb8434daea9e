/* sim.h - a simulated host for tests: time that jumps, chance in the order of tasks, all from a seed
 * SPDX-License-Identifier: MIT
 *
 *     static int keeps_its_promise(uint64_t seed, void *context)     0: it did
 *     {
 *         struct pt_sim sim;
 *         struct pt_loop loop;
 *
 *         pt_sim_init(&sim, seed);
 *         pt_sim_open(&sim, &loop);
 *         PT_START(&loop, ...);
 *         pt_loop_run(&loop);
 *         pt_sim_close(&sim);
 *         return promise_broken;
 *     }
 *
 *     return pt_sim_search(keeps_its_promise, NULL, 10000) != 0;
 *
 * A program that is right whatever comes first must not rely on the order in which tasks that are
 * ready happen to run. Here chance chooses it, and how late timers are; the same seed is the same
 * run. A seed that fails is printed as PT_SEED=17; with that in the environment the search runs it
 * alone, under a debugger as well. What was chosen is recorded and can be replayed without the seed.
 *
 * Header-only, with libc; not for firmware. It uses malloc. */
#ifndef PT_SIM_H
#define PT_SIM_H

#include "sim_table.h"

#include <stdio.h>
#include <string.h>

#if !PT_INSPECT || !PT_PORT || PT_TIMERS == PT_TIMERS_NONE
#error "sim.h needs PT_INSPECT, PT_PORT and a timer queue"
#endif

/* The most changes of priority in a run of pt_sim_pct. */
#define PT_SIM_CHANGES 8

/* The simulated host. Members that are not marked may be read at any time; those marked "set" may
 * be written between pt_sim_init and pt_sim_open. */
struct pt_sim {
    struct pt_virtual world;     /* port, time and chance; set world.now: when it starts */
    struct pt_observer observer; /* private */
    struct pt_loop *loop;        /* private */
    uint64_t seed;               /* that of pt_sim_init */
    pt_time jitter;              /* set: timers are up to so many ticks late; 0 */
    bool in_order;               /* set: tasks run first come, first served; false */

    uint64_t hash;    /* of all steps: who, opcode, where, when; equal runs have equal hashes */
    uint64_t steps;   /* resumes so far */
    pt_status status; /* PT_ENOMEM if it lacked memory, and the run is not what it should be */

    uint32_t *choices; /* what was chosen, where there was a choice: an index into the ready */
    size_t chosen;     /* how many */
    size_t room;       /* private */

    const uint32_t *replayed; /* private, as all that follow */
    size_t replay_count;
    bool pct;
    uint64_t change_at[PT_SIM_CHANGES]; /* steps */
    unsigned changes, next_change;
    struct pt_sim_table tasks;
};

/* What is known of a task; NULL without memory. */
PT_API struct pt_sim_task *pt_sim_meet_(struct pt_sim *sim, const struct pt_task *task)
{
    struct pt_sim_task *known = pt_sim_table_get(&sim->tasks, task);

    if (!known)
        sim->status = PT_ENOMEM;
    else if (!known->priority)
        known->priority = PT_SIM_CHANGES + 1 + pt_random_next(&sim->world.random) / 2;
    return known;
}

/* --- choosing ------------------------------------------------------------------------------ */

PT_API void pt_sim_record_(struct pt_sim *sim, size_t choice)
{
    if (sim->chosen == sim->room) {
        size_t room = sim->room ? 2 * sim->room : 256;
        uint32_t *choices = (uint32_t *)realloc(sim->choices, room * sizeof *choices);

        if (!choices) {
            sim->status = PT_ENOMEM;
            return;
        }
        sim->choices = choices;
        sim->room = room;
    }
    sim->choices[sim->chosen++] = (uint32_t)choice;
}

/* The first of those with the highest priority; at some steps the highest becomes the lowest. */
PT_API size_t pt_sim_pick_pct_(struct pt_sim *sim, const struct pt_choice *choice)
{
    uint64_t highest = 0;
    size_t picked = 0;

    for (size_t i = 0; i < choice->count; i++) {
        const struct pt_sim_task *known = pt_sim_meet_(sim, pt_choice_task(choice, i));

        if (known && known->priority > highest) {
            highest = known->priority;
            picked = i;
        }
    }
    while (highest && sim->next_change < sim->changes &&
           sim->steps >= sim->change_at[sim->next_change])
        pt_sim_meet_(sim, pt_choice_task(choice, picked))->priority =
            PT_SIM_CHANGES - sim->next_change++;
    return picked;
}

PT_API size_t pt_sim_pick_(struct pt_observer *observer, const struct pt_choice *choice)
{
    struct pt_sim *sim =
        (struct pt_sim *)(void *)((char *)observer - offsetof(struct pt_sim, observer));
    size_t picked = 0;

    if (choice->count == 1)
        return 0;
    if (sim->replayed) {
        if (sim->chosen < sim->replay_count && sim->replayed[sim->chosen] < choice->count)
            picked = sim->replayed[sim->chosen];
    } else if (sim->pct) {
        picked = pt_sim_pick_pct_(sim, choice);
    } else if (!sim->in_order) {
        picked = (size_t)pt_random_below(&sim->world.random, choice->count);
    }
    pt_sim_record_(sim, picked);
    return picked;
}

/* --- telling runs apart -------------------------------------------------------------------- */

PT_API void pt_sim_returned_(struct pt_observer *observer, struct pt_task *task, enum pt_opcode op)
{
    struct pt_sim *sim =
        (struct pt_sim *)(void *)((char *)observer - offsetof(struct pt_sim, observer));
    const struct pt *top = pt_task_top_(task);
    struct pt_sim_task *known = pt_sim_meet_(sim, task);
    const uint64_t facts[] = {known ? known->id : 0, (uint64_t)op, top->label, sim->world.now};

    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        sim->hash = (sim->hash ^ facts[i]) * 0x100000001b3u + (sim->hash >> 47);
    sim->steps++;
#if PT_AWAIT
    if (top->caller)
        return;
#endif
    if (op == PT_OP_DONE && known)
        pt_sim_table_drop(&sim->tasks, known);
}

/* Timers are late, never early. */
PT_API bool pt_sim_idle_(void *context, pt_time now, pt_time until)
{
    struct pt_sim *sim = (struct pt_sim *)context; /* its first member is the world */

    if (!pt_virtual_idle_(context, now, until))
        return false;
    if (sim->jitter)
        sim->world.now += (pt_time)pt_random_below(&sim->world.random, (uint64_t)sim->jitter + 1);
    return true;
}

/* --- a run --------------------------------------------------------------------------------- */

/* pt_sim_init - a simulation whose chance begins at SEED; random order, no jitter, time from 0 */
PT_API void pt_sim_init(struct pt_sim *sim, uint64_t seed)
{
    memset(sim, 0, sizeof *sim);
    pt_virtual_init(&sim->world, seed, &pt_posix);
    sim->world.port.idle = pt_sim_idle_;
    sim->observer.pick = pt_sim_pick_;
    sim->observer.returned = pt_sim_returned_;
    sim->seed = seed;
    sim->hash = 0xcbf29ce484222325u;
}

/* pt_sim_pct - choose by priorities that only change DEPTH - 1 times, in the first STEPS resumes
 * Finds a bug that needs DEPTH steps in a certain order with a probability that does not shrink
 * with the number of such orders (Burckhardt et al., "A randomized scheduler with probabilistic
 * guarantees of finding bugs", 2010). The freedom is that within a turn. DEPTH is 1 to 9. */
PT_API void pt_sim_pct(struct pt_sim *sim, unsigned depth, uint64_t steps)
{
    sim->pct = true;
    sim->changes = depth > PT_SIM_CHANGES + 1 ? PT_SIM_CHANGES : depth ? depth - 1 : 0;
    for (unsigned i = 0; i < sim->changes; i++) {
        uint64_t at = pt_random_below(&sim->world.random, steps ? steps : 1);
        unsigned place = i;

        for (; place && sim->change_at[place - 1] > at; place--)
            sim->change_at[place] = sim->change_at[place - 1];
        sim->change_at[place] = at;
    }
}

/* pt_sim_replay - choose as another run did: its choices and their number, which outlive this one
 * What is not said, or not possible, is the first in line. Jitter still comes from the seed. */
PT_API void pt_sim_replay(struct pt_sim *sim, const uint32_t *choices, size_t count)
{
    static const uint32_t none = 0;

    sim->replayed = choices ? choices : &none;
    sim->replay_count = count;
}

/* pt_sim_open - open a loop on the simulated host; then spawn, pt_loop_run, pt_sim_close */
PT_API void pt_sim_open(struct pt_sim *sim, struct pt_loop *loop)
{
    pt_loop_open(loop, &sim->world.port);
    sim->loop = loop;
    pt_loop_observe(loop, &sim->observer);
}

/* pt_sim_close - close the loop, in which no task is alive, and free what was recorded */
PT_API void pt_sim_close(struct pt_sim *sim)
{
    pt_loop_ignore(sim->loop, &sim->observer);
    pt_loop_close(sim->loop);
    pt_sim_table_free(&sim->tasks);
    free(sim->choices);
    sim->choices = NULL;
    sim->room = sim->chosen = 0;
}

/* --- many runs ----------------------------------------------------------------------------- */

/* pt_sim_test - runs what is to be tested with a seed; 0: nothing was wrong */
typedef int pt_sim_test(uint64_t seed, void *context);

/* pt_sim_search - run TEST with the seeds 1 to COUNT, or with PT_SEED of the environment alone
 * Stops at the first that fails, prints it to stderr as PT_SEED=..., and returns it; 0: none did.
 * A PT_SEED that is no number from 1 up fails at once, as UINT64_MAX. */
PT_API uint64_t pt_sim_search(pt_sim_test *test, void *context, uint64_t count)
{
    const char *chosen = getenv("PT_SEED");
    uint64_t seed = 1;

    if (chosen) {
        char *end;

        seed = strtoull(chosen, &end, 10);
        if (end == chosen || *end || seed == 0) {
            fprintf(stderr, "pt_sim_search: PT_SEED=%s is not a number from 1 up\n", chosen);
            return UINT64_MAX;
        }
        count = seed;
    }
    for (; seed <= count; seed++)
        if (test(seed, context)) {
            fprintf(stderr, "PT_SEED=%llu\n", (unsigned long long)seed);
            return seed;
        }
    return 0;
}

#endif
