/* 34-static-memory.c - how firmware does it: no malloc, no clock, and turns called by hand
 * SPDX-License-Identifier: MIT
 *
 * Without a port, the program itself runs the turns and sleeps between them.
 *
 *     PT_LOOP_STORAGE(n)  static memory for the queues of a loop with n tasks; one more is refused
 *     pt_loop_init        a loop without a port: the program tells it the time; pt_loop_use gives
 *                         it the memory
 *     pt_loop_turn        run one turn at the given time; returns the time at which it must be
 *                         called again
 *     pt_loop_idle        whether no task is ready, so that the program may sleep
 *     pt_time_before      compares two times, also where the clock wraps
 *
 * What to notice:
 *   - <pt/pt.h> alone is enough: nothing is linked, nothing allocated.
 *   - Until the next turn the program may sleep: here it would set a timer that wakes the
 *     processor.
 *   - First it checks pt_loop_idle: a task woken after the turn must not wait for the timer.
 *   - The queues need memory only if they are arrays, which is the default on a PC. By default a
 *     part links them through the tasks: then the storage is one byte, nothing is refused, and both
 *     lines about storage can be left out.
 *   - An interrupt does little: it sets a flag. A task checks the flag.
 *
 * Try: remove the call of pt_loop_idle, and always sleep. When does the click come? */
#include <pt/pt.h>

#include <stdio.h>

struct led {
    struct pt pt;
    pt_time period;
    bool on;
};

PT_ASYNC(led, self)
{
    for (;;) {
        self->on = !self->on;
        printf("led %s, ", self->on ? "on" : "off");
        PT_WAIT(self->period);
    }
}
PT_END

struct button {
    struct pt pt;
    bool pressed; /* set by the interrupt */
};

PT_ASYNC(button, self)
{
    for (;;) {
        while (!self->pressed)
            PT_PARK();
        self->pressed = false;
        printf("click, ");
    }
}
PT_END

static struct pt_loop loop;
static PT_LOOP_STORAGE(2) storage;
static PT_TASK(led) led_task, one_more;
static PT_TASK(button) button_task;

int main(void)
{
    pt_time now = (pt_time)0 - PT_MS(250); /* the clock will soon wrap, which must do no harm */
    pt_time start = now, press = now + PT_MS(500), next;

    pt_loop_init(&loop, now);
    pt_loop_use(&loop, &storage);
    PT_START(&loop, &led_task, led, .period = PT_MS(250));
    PT_START(&loop, &button_task, button);
    printf("a third task: %s\n", pt_status_name(PT_START(&loop, &one_more, led)));

    while (pt_time_before(now, start + PT_SEC(1))) {
        printf("%3u ms: ", (unsigned)((now - start) / PT_MS(1)));
        next = pt_loop_turn(&loop, now);
        if (now == press) { /* the interrupt, once */
            press = start;
            button_task.frame.pressed = true;
            pt_wake(&button_task.task);
        }
        if (pt_loop_idle(&loop)) {
            printf("sleep for %u ms\n", (unsigned)((next - now) / PT_MS(1)));
            now = next;
        } else {
            printf("no time to sleep\n");
        }
    }
    return 0;
}
