/* 22-ticker.c - a ticker: regular intervals without drift; an alarm: once, after a delay
 * SPDX-License-Identifier: MIT
 *
 * A ticker is for what a task does again and again; an alarm needs no body of its own.
 *
 *     struct pt_ticker      a period; pt_ticker_start sets its start, its length, and its policy
 *     PT_WAIT_TICK          wait for the next tick; the ticker's `missed` counts those that came
 *                           too late
 *     enum pt_ticks_policy  what happens after a long step: PT_TICKS_BURST gives all missed ticks
 *                           at once; PT_TICKS_DELAY one, and the next a whole period later;
 *                           PT_TICKS_SKIP one, and the next at its regular time
 *     pt_alarm              a coroutine that calls a function or triggers an event after a delay,
 *                           and then again after each period, if it has one
 *
 * What to notice:
 *   - A ticker adds its period to the last deadline, not to the time at which the task ran: delays
 *     do not add up.
 *   - The step at 2 s takes until 5.5 s and misses ticks.
 *   - An alarm is a task like any other: cancel it to stop it.
 *
 * Try: let the long step take 500 ms. Do the policies still differ? */
#include <pt/posix.h>

#include <stdio.h>

#define SAY(...) (printf("%3.1f s  ", (double)PT_NOW() / PT_SEC(1)), printf(__VA_ARGS__))

struct metronome {
    struct pt pt;
    struct pt_ticker ticker;
    const char *name;
    enum pt_ticks_policy policy;
};

PT_ASYNC(metronome, self)
{
    pt_ticker_start(&self->ticker, PT_NOW(), PT_SEC(1), self->policy);
    while (PT_NOW() < PT_SEC(7)) {
        PT_WAIT_TICK(&self->ticker);
        SAY("%s, missed %u\n", self->name, self->ticker.missed);
        if (PT_NOW() == PT_SEC(2))
            PT_WAIT(PT_MS(3500));
    }
}
PT_END

static struct pt_event bell;

static void ring(void *text)
{
    puts((const char *)text);
}

struct sleeper {
    struct pt pt;
    PT_TASK(pt_alarm) once, snooze;
    int rings;
};

PT_ASYNC(sleeper, self)
{
    PT_SPAWN(&self->once, pt_alarm, .delay = PT_MS(2500), .call = ring,
             .argument = (void *)"       the postman rings");
    PT_SPAWN(&self->snooze, pt_alarm, .delay = PT_SEC(2), .period = PT_SEC(1), .event = &bell);
    for (self->rings = 1; self->rings <= 3; self->rings++) {
        PT_WAIT_EVENT(&bell);
        SAY("the bell, for the %d. time\n", self->rings);
    }
    pt_cancel(&self->snooze.task, PT_ECANCELED);
}
PT_END

int main(void)
{
    static PT_TASK(metronome) one, two, three;
    static PT_TASK(sleeper) four;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &one, metronome, .name = "burst", .policy = PT_TICKS_BURST);
    PT_START(&loop, &two, metronome, .name = "    delay", .policy = PT_TICKS_DELAY);
    PT_START(&loop, &three, metronome, .name = "        skip", .policy = PT_TICKS_SKIP);
    pt_loop_run(&loop);
    PT_START(&loop, &four, sleeper);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
