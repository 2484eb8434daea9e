/* expanded/34-static-memory.c - lesson 34 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     In a loop that never ends, the switch jumps into the loop. */
#include <pt/pt.h>

#include <stdio.h>

struct led {
    struct pt pt;
    pt_time period;
    bool on;
};

static pt_op PT_FN(led)(struct pt *pt, struct pt_task *task)
{
    struct led *self = (struct led *)pt;

    switch (pt->label) {
    case 0:
        for (;;) {
            self->on = !self->on;
            printf("led %s, ", self->on ? "on" : "off");
            if (!pt_wait_(task, self->period))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 1;
            return (pt_op){PT_OP_WAIT};
    case 1:;
        }
    }
    return pt_end_(pt);
}

struct button {
    struct pt pt;
    bool pressed; /* set by the interrupt */
};

static pt_op PT_FN(button)(struct pt *pt, struct pt_task *task)
{
    struct button *self = (struct button *)pt;

    (void)task;
    switch (pt->label) {
    case 0:
        for (;;) {
            while (!self->pressed) {
                pt->label = 1;
                return (pt_op){PT_OP_PARK};
    case 1:;
            }
            self->pressed = false;
            printf("click, ");
        }
    }
    return pt_end_(pt);
}

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
