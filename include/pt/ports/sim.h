/* sim.h - a simulated host for tests: time that jumps, and tasks in random order, by a seed
 * SPDX-License-Identifier: MIT
 *
 *     #include <pt/posix.h>
 *     #include <pt/sim.h>
 *
 *     static int keeps_its_promise(uint64_t seed, void *context)     0: it did
 *     {
 *         struct pt_sim sim;
 *         struct pt_loop loop;
 *
 *         pt_sim_init(&sim, seed, &pt_posix);
 *         pt_sim_open(&sim, &loop);
 *         PT_START(&loop, &task, rocket, .countdown = 3);
 *         pt_loop_run(&loop);
 *         pt_sim_close(&sim);
 *         return promise_broken;
 *     }
 *
 *     return pt_sim_search(keeps_its_promise, NULL, 10000) != 0;
 *
 * A correct program does not rely on the order in which ready tasks happen to run. The simulation
 * chooses that order, and how late timers are, at random; the same seed gives the same run. A seed
 * that fails is printed as PT_SEED=17; with that in the environment the search runs only this seed,
 * under a debugger as well. The choices are recorded and can be replayed without the seed.
 *
 *     PT_SEED=17 PT_RECORD=17.run ./test                    what led to each choice goes to 17.run
 *     PT_SEED=17 PT_RECORD=17.run PT_CHOICE=12 gdb ./test   stops before choice 12: info pt-tasks
 *
 * A file of PT_RECORD that exists is compared: the first choice that differs is reported. Then the
 * program depends on something that is not simulated, such as an address, a thread or a clock.
 *
 * Header-only, with libc; not for firmware. */
#ifndef PT_PORTS_SIM_H
#define PT_PORTS_SIM_H

#include "../inspect/observe.h"
#include "sim_record.h"
#include "sim_table.h"
#include "virtual.h"

PT_STATIC_ASSERT(PT_INSPECT, "sim.h needs PT_INSPECT");
PT_STATIC_ASSERT(PT_PORT, "sim.h needs PT_PORT");
PT_STATIC_ASSERT(PT_HAS_TIMERS_, "sim.h needs a timer queue: PT_TIMERS");

#if PT_INSPECT && PT_PORT && PT_HAS_TIMERS_

/* The maximum number of priority changes in a run of pt_sim_pct. */
#define PT_SIM_CHANGES_ 8

/* The simulated host. It must not move. */
struct pt_sim {
    /* Write these between pt_sim_init and pt_sim_open. */
    struct pt_virtual world; /* port, time, the program's random numbers; its first member */
    pt_time jitter;          /* timers are late by up to this, never early; 0 at first */
    bool in_order;           /* tasks run in the order of the ready queue, without pt_sim_pct */

    /* Read these at any time. */
    uint64_t hash;     /* of all choices and steps: equal for equal runs, hardly ever for others */
    uint64_t steps;    /* resumes so far */
    pt_status status;  /* PT_ENOMEM if memory ran out: then the run is not as it should be */
    uint32_t *choices; /* until pt_sim_close: what was chosen, where there was a choice ... */
    size_t chosen;     /* ... and how many choices there are */
    size_t differs; /* the first choice, from 1 up, that is not as in the file of PT_RECORD; or 0 */

    /* Private. */
    struct pt_observer observer;
    struct pt_loop *loop;
    struct pt_random order; /* random numbers for the choices */
    struct pt_sim_table_ tasks;
    size_t room; /* for choices */
    struct pt_sim_record_ record;
    const uint32_t *replayed;
    size_t replay_count;
    bool pct;
    unsigned changes, next_change;
    uint64_t change_at[PT_SIM_CHANGES_]; /* steps */
};

/* pt_sim_init - prepare a simulation: random numbers start from SEED, memory comes from MEMORY
 * Tasks run in random order, timers are punctual, the time begins at 0. */
PT_API void pt_sim_init(struct pt_sim *sim, uint64_t seed, const struct pt_port *memory);

/* pt_sim_pct - choose by priorities that only change DEPTH - 1 times, in the first STEPS resumes
 * Finds a bug that needs DEPTH steps in a certain order with a probability that does not shrink
 * with the number of possible orders (Burckhardt et al., "A randomized scheduler with probabilistic
 * guarantees of finding bugs", 2010). Only the order within a turn varies. DEPTH is 1 to 9. */
PT_API void pt_sim_pct(struct pt_sim *sim, unsigned depth, uint64_t steps);

/* pt_sim_replay - choose as another run did: CHOICES are its choices, and must outlive this run
 * Where a choice is missing or not possible, the first task in line runs. The jitter and the
 * program's random numbers still come from the seed. */
PT_API void pt_sim_replay(struct pt_sim *sim, const uint32_t *choices, size_t count);

/* pt_sim_open - open a loop on the simulated host; then spawn, pt_loop_run, pt_sim_close
 * PT_CHOICE=12 in the environment stops the program before the twelfth choice, by SIGTRAP: for a
 * debugger. PT_RECORD=FILE writes a line for each choice, or compares with the lines of an earlier
 * run if there is such a file. Both are for one run: use them with PT_SEED. */
PT_API void pt_sim_open(struct pt_sim *sim, struct pt_loop *loop);

/* pt_sim_close - close the loop and free all memory; no task may be alive
 * After a deadlock, pt_loop_cancel ends the tasks, in a loop that its text shows. */
PT_API void pt_sim_close(struct pt_sim *sim);

/* --- implementation ------------------------------------------------------------------------ */

/* What is known about a task; NULL if there is no memory. */
PT_API struct pt_sim_task_ *pt_sim_meet_(struct pt_sim *sim, const struct pt_task *task)
{
    struct pt_sim_task_ *known = pt_sim_table_get_(&sim->tasks, task);

    if (!known)
        sim->status = PT_ENOMEM;
    return known;
}

PT_API struct pt_sim *pt_sim_of_(struct pt_observer *observer)
{
    return (struct pt_sim *)(void *)((char *)observer - offsetof(struct pt_sim, observer));
}

PT_API void pt_sim_hash_(struct pt_sim *sim, uint64_t fact)
{
    sim->hash = (sim->hash ^ fact) * 0x100000001b3u + (sim->hash >> 47);
}

/* Store a choice. */
PT_API void pt_sim_store_(struct pt_sim *sim, size_t choice)
{
    if (sim->chosen == sim->room) {
        const struct pt_port *port = &sim->world.port;
        size_t room = sim->room ? 2 * sim->room : 256;
        uint32_t *choices =
            (uint32_t *)port->resize(port->context, sim->choices, room * sizeof *choices);

        if (!choices) {
            sim->status = PT_ENOMEM;
            return;
        }
        sim->choices = choices;
        sim->room = room;
    }
    sim->choices[sim->chosen++] = (uint32_t)choice;
}

/* The task with the highest priority. Lowered priorities are 1 to PT_SIM_CHANGES_. */
PT_API size_t pt_sim_highest_(struct pt_sim *sim, const struct pt_choice *choice)
{
    uint64_t highest = 0;
    size_t picked = 0;

    for (size_t i = 0; i < choice->count; i++) {
        struct pt_sim_task_ *known = pt_sim_meet_(sim, pt_choice_task(choice, i));

        if (known && !known->priority)
            known->priority = PT_SIM_CHANGES_ + 1 + pt_random_next(&sim->order) / 2;
        if (known && known->priority > highest) {
            highest = known->priority;
            picked = i;
        }
    }
    return picked;
}

/* The next choice is the one PICKED: tell the record what led to it. */
PT_API void pt_sim_look_(struct pt_sim *sim, const struct pt_choice *choice, size_t picked)
{
    const char *name = pt_task_name(pt_choice_task(choice, picked));
    char line[160];

    snprintf(line, sizeof line, "%lu: %.60s of %lu, after %016llx\n",
             (unsigned long)(sim->chosen + 1), name ? name : "a task", (unsigned long)choice->count,
             (unsigned long long)sim->hash);
    pt_sim_record_add_(&sim->record, &sim->differs, sim->chosen + 1, line);
}

/* Choose the next task: as the replayed run did, by priority, in order, or at random. */
PT_API size_t pt_sim_pick_(struct pt_observer *observer, const struct pt_choice *choice)
{
    struct pt_sim *sim = pt_sim_of_(observer);
    size_t picked = 0;

    if (choice->count == 1)
        return 0;
    if (sim->replayed) {
        if (sim->chosen < sim->replay_count && sim->replayed[sim->chosen] < choice->count)
            picked = sim->replayed[sim->chosen];
    } else if (sim->pct) {
        picked = pt_sim_highest_(sim, choice);
    } else if (!sim->in_order) {
        picked = (size_t)pt_random_below(&sim->order, choice->count);
    }
    if (sim->record.file || sim->record.stop_at)
        pt_sim_look_(sim, choice, picked);
    pt_sim_store_(sim, picked);
    pt_sim_hash_(sim, picked);
    return picked;
}

/* Hash what tells runs apart: which task, its opcode, its place, the time. Lower the priorities
 * that change at this step. */
PT_API void pt_sim_returned_(struct pt_observer *observer, struct pt_task *task, enum pt_opcode op)
{
    struct pt_sim *sim = pt_sim_of_(observer);
    struct pt_sim_task_ *known = pt_sim_meet_(sim, task);

    pt_sim_hash_(sim, known ? known->id : 0);
    pt_sim_hash_(sim, (uint64_t)op);
    pt_sim_hash_(sim, pt_task_top_(task)->label);
    pt_sim_hash_(sim, sim->world.now);
    while (sim->next_change < sim->changes && sim->change_at[sim->next_change] == sim->steps) {
        if (known)
            known->priority = PT_SIM_CHANGES_ - sim->next_change;
        sim->next_change++;
    }
    sim->steps++;
}

PT_API void pt_sim_ended_(struct pt_observer *observer, struct pt_task *task)
{
    struct pt_sim *sim = pt_sim_of_(observer);
    struct pt_sim_task_ *known = pt_sim_table_find_(&sim->tasks, task);

    if (known)
        pt_sim_table_drop_(&sim->tasks, known);
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

PT_API void pt_sim_init(struct pt_sim *sim, uint64_t seed, const struct pt_port *memory)
{
    memset(sim, 0, sizeof *sim);
    pt_virtual_init(&sim->world, seed, memory);
    sim->world.port.idle = pt_sim_idle_;
    sim->order.state = ~seed; /* not the program's: a replay must not change those */
    sim->tasks.port = &sim->world.port;
    sim->observer.pick = pt_sim_pick_;
    sim->observer.returned = pt_sim_returned_;
    sim->observer.ended = pt_sim_ended_;
    sim->hash = 0xcbf29ce484222325u;
}

PT_API void pt_sim_pct(struct pt_sim *sim, unsigned depth, uint64_t steps)
{
    sim->pct = true;
    sim->changes = depth > PT_SIM_CHANGES_ + 1 ? PT_SIM_CHANGES_ : depth ? depth - 1 : 0;
    for (unsigned i = 0; i < sim->changes; i++) {
        uint64_t at = pt_random_below(&sim->order, steps ? steps : 1);
        unsigned place = i;

        for (; place && sim->change_at[place - 1] > at; place--)
            sim->change_at[place] = sim->change_at[place - 1];
        sim->change_at[place] = at;
    }
}

PT_API void pt_sim_replay(struct pt_sim *sim, const uint32_t *choices, size_t count)
{
    static const uint32_t none = 0;

    sim->replayed = choices ? choices : &none;
    sim->replay_count = count;
}

PT_API void pt_sim_open(struct pt_sim *sim, struct pt_loop *loop)
{
    pt_sim_record_open_(&sim->record);
    pt_loop_open(loop, &sim->world.port);
    sim->loop = loop;
    pt_loop_observe(loop, &sim->observer);
}

PT_API void pt_sim_close(struct pt_sim *sim)
{
    const struct pt_port *port = &sim->world.port;

    pt_loop_ignore(sim->loop, &sim->observer);
    pt_loop_close(sim->loop);
    pt_sim_table_free_(&sim->tasks);
    pt_sim_record_close_(&sim->record, &sim->differs, sim->chosen);
    if (sim->choices)
        port->resize(port->context, sim->choices, 0);
    sim->choices = NULL;
    sim->room = sim->chosen = 0;
}

#endif
#endif
