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
