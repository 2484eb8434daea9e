/* 38-seed.c - a bug that needs a certain order of tasks, found by a seed
 * SPDX-License-Identifier: MIT
 *
 * At five a clerk writes a last letter, and a messenger takes the letters away.
 *
 *     struct pt_sim  a simulated host; pt_sim_init gives it a seed and memory
 *     pt_sim_open    open a loop on it; pt_sim_close closes the loop
 *     pt_sim_search  run a test with many seeds, until one fails
 *     pt_sim_replay  make the same choices as another run
 *     pt_sim_pct     make rare orders more likely
 *
 * What to notice:
 *   - Tasks that are ready in one turn run in queue order, but no program should rely on that.
 *   - A simulation picks a random order. A letter can be left: in queue order, none is.
 *   - A seed that fails is printed, and gives the same run each time.
 *
 * Try: run the program with PT_SEED=3 in its environment: the searches try this seed alone. */
#include <pt/posix.h>
#include <pt/sim.h>

static int letters, taken;

struct clerk {
    struct pt pt;
};

PT_ASYNC(clerk, self)
{
    PT_WAIT(PT_SEC(17 * 3600));
    letters++;
}
PT_END

struct messenger {
    struct pt pt;
    struct pt_task *asked; /* the clerk, or NULL */
};

PT_ASYNC(messenger, self)
{
    PT_WAIT(PT_SEC(17 * 3600));
    if (self->asked)
        PT_JOIN(self->asked); /* the fix */
    taken = letters;
}
PT_END

/* Simulate a day; returns how many letters are left. */
static int day(struct pt_sim *sim, bool asks)
{
    static PT_TASK(clerk) clerk;
    static PT_TASK(messenger) messenger;
    struct pt_loop loop;

    pt_sim_open(sim, &loop);
    PT_START(&loop, &clerk, clerk);
    PT_START(&loop, &messenger, messenger, .asked = asks ? &clerk.task : NULL);
    pt_loop_run(&loop);
    pt_sim_close(sim);
    return letters - taken;
}

static int any_day(uint64_t seed, void *asks)
{
    struct pt_sim sim;

    pt_sim_init(&sim, seed, &pt_posix);
    if (seed % 2 == 0)
        pt_sim_pct(&sim, 2, 4);
    return day(&sim, asks != NULL);
}

int main(void)
{
    static const uint32_t choices[] = {0, 1}; /* at first, and at five */
    struct pt_sim sim;
    uint64_t seed = pt_sim_search(any_day, NULL, 1000);

    printf("seed %u: %d stays behind\n", (unsigned)seed, any_day(seed, NULL));
    pt_sim_init(&sim, 1, &pt_posix);
    pt_sim_replay(&sim, choices, 2);
    printf("replayed: %d\n", day(&sim, false));
    pt_sim_init(&sim, 1, &pt_posix);
    sim.in_order = true;
    printf("in order: %d\n", day(&sim, false));
    printf("asked, all seeds: %u\n", (unsigned)pt_sim_search(any_day, &sim, 1000));
    return 0;
}
