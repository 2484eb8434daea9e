/* 24-flags.c - a word of flags, and a barrier where tasks meet
 * SPDX-License-Identifier: MIT
 *
 * Flags are several events in one word. A barrier waits for tasks, not for bits.
 *
 *     struct pt_flags         a word of bits: pt_flags_init, pt_flags_set, pt_flags_clear
 *     PT_WAIT_FLAGS           wait for some bits: for one of them with PT_FLAGS_ANY, for all with
 *                             PT_FLAGS_ALL
 *     struct pt_flags_wanted  a field of the frame; after the wait, its `found` has the bits that
 *                             were set
 *     PT_FLAGS_CLEAR          consume those bits: the hatch opens once for a knock
 *     struct pt_barrier       where tasks meet; pt_barrier_init sets how many
 *     PT_WAIT_BARRIER         wait until that many have come
 *
 * What to notice:
 *   - Without PT_FLAGS_CLEAR, bits stay set until pt_flags_clear, and let every task continue.
 *   - A barrier holds tasks until the last one comes. Then all continue. It can be used again.
 *
 * Try: let the barrier wait for three. What does pt_loop_run return? */
#include <pt/posix.h>

#include <stdio.h>

#define MINUTES(n) PT_SEC(60 * (n))
#define SAY(...) (printf("T%+3d min  ", (int)(PT_NOW() / MINUTES(1)) - 13), printf(__VA_ARGS__))

enum { FUEL = 1, OXYGEN = 2, KNOCK = 4, BELL = 8 };

static struct pt_flags ready;
static struct pt_barrier stages;

struct hatch {
    struct pt pt;
    struct pt_flags_wanted wanted;
    int times;
};

PT_ASYNC(hatch, self)
{
    for (self->times = 1; self->times <= 2; self->times++) {
        PT_WAIT_FLAGS(&ready, &self->wanted, KNOCK | BELL, PT_FLAGS_ANY | PT_FLAGS_CLEAR);
        SAY("the hatch opens: a %s\n", self->wanted.found == BELL ? "bell" : "knock");
    }
}
PT_END

struct engine {
    struct pt pt;
    struct pt_flags_wanted wanted;
    pt_time takes;
    int number;
};

PT_ASYNC(engine, self)
{
    PT_WAIT_FLAGS(&ready, &self->wanted, FUEL | OXYGEN, PT_FLAGS_ALL);
    SAY("engine %d warms up\n", self->number);
    PT_WAIT(self->takes);
    PT_WAIT_BARRIER(&stages);
    SAY("engine %d starts\n", self->number);
    PT_WAIT(self->takes);
    PT_WAIT_BARRIER(&stages);
    SAY("engine %d drops\n", self->number);
}
PT_END

struct tower {
    struct pt pt;
};

PT_ASYNC(tower, self)
{
    pt_flags_set(&ready, FUEL | KNOCK);
    PT_WAIT(MINUTES(5));
    pt_flags_clear(&ready, FUEL);
    SAY("a leak\n");
    pt_flags_set(&ready, OXYGEN | BELL);
    PT_WAIT(MINUTES(5));
    pt_flags_set(&ready, FUEL);
}
PT_END

int main(void)
{
    static PT_TASK(hatch) a;
    static PT_TASK(tower) b;
    static PT_TASK(engine) c, d;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_flags_init(&ready);
    pt_barrier_init(&stages, 2);
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &a, hatch);
    PT_START(&loop, &b, tower);
    PT_START(&loop, &c, engine, .number = 1, .takes = MINUTES(2));
    PT_START(&loop, &d, engine, .number = 2, .takes = MINUTES(3));
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
