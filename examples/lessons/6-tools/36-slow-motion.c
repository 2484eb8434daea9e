/* 36-slow-motion.c - watch a program turn by turn
 * SPDX-License-Identifier: MIT
 *
 * A turn runs each ready task once. In slow motion, the loop lets some time pass after each turn.
 * The program does not change, and a person can follow it.
 *
 *     pt_loop_slow  set how much time lies between two turns at least; 0: full speed
 *
 * What to notice:
 *   - The hare never waits; the tortoise waits 100 ms for each step. At full speed the hare is done
 *     before any time has passed.
 *   - In slow motion, turns are at least 250 ms apart: the hare needs a second.
 *   - A wait that is over sooner ends with the next turn.
 *   - Neither body was changed, and the steps of one turn keep their order.
 *
 * Try: let the tortoise wait for 600 ms. Which of the two wins in slow motion? */
#include <pt/posix.h>

#include <stdio.h>

#define SAY(text) printf("%5u ms  %s\n", (unsigned)(PT_NOW() / PT_MS(1)), text)

struct hare {
    struct pt pt;
    int steps;
};

PT_ASYNC(hare, self)
{
    for (self->steps = 0; self->steps < 4; self->steps++) {
        SAY("hare");
        PT_YIELD();
    }
    SAY("hare is there");
}
PT_END

struct tortoise {
    struct pt pt;
    int steps;
};

PT_ASYNC(tortoise, self)
{
    for (self->steps = 0; self->steps < 4; self->steps++) {
        SAY("      tortoise");
        PT_WAIT(PT_MS(100));
    }
    SAY("      tortoise is there");
}
PT_END

static void race(const char *title, pt_time delay)
{
    static PT_TASK(hare) hare_task;
    static PT_TASK(tortoise) tortoise_task;
    struct pt_virtual world;
    struct pt_loop loop;

    puts(title);
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    pt_loop_slow(&loop, delay);
    PT_START(&loop, &hare_task, hare);
    PT_START(&loop, &tortoise_task, tortoise);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
}

int main(void)
{
    race("full speed", 0);
    race("slow motion", PT_MS(250));
    return 0;
}
