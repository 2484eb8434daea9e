/* expanded/45-own-port.c - lesson 45 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     A port is below the opcodes: a body and a port do not know each other. */
#include <pt/pt.h>

#include <stdio.h>

struct machine {
    struct pt_port port;
    pt_time now;
    const pt_time *press; /* when the key is pressed next; 0: never again */
    struct pt_task *listener;
    bool *pressed;
};

static pt_time machine_now(void *context)
{
    return ((struct machine *)context)->now;
}

static bool machine_idle(void *context, pt_time now, pt_time until)
{
    struct machine *machine = (struct machine *)context;

    if (*machine->press && pt_time_before(*machine->press, until)) {
        machine->now = *machine->press++;
        *machine->pressed = true;
        pt_wake(machine->listener);
    } else if (until - now == PT_DELAY_NEVER) {
        return false;
    } else {
        machine->now = until;
    }
    return true;
}

struct shutter {
    struct pt pt;
    pt_time open;
    bool pressed;
};

static pt_op PT_FN(shutter)(struct pt *pt, struct pt_task *task)
{
    struct shutter *self = (struct shutter *)pt;

    switch (pt->label) {
    case 0:
        for (;;) {
            for (self->pressed = false; !self->pressed;) {
                pt->label = 1;
                return (pt_op){PT_OP_PARK};
    case 1:;
            }
            printf("%4u us  click", (unsigned)(pt_now_(task) / PT_US(1)));
            if (!pt_wait_(task, self->open))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 2;
            return (pt_op){PT_OP_WAIT};
    case 2:
            printf(", and clack at %u us\n", (unsigned)(pt_now_(task) / PT_US(1)));
        }
    }
    return pt_end_(pt);
}

int main(void)
{
    static const pt_time presses[] = {PT_US(100), PT_US(130), PT_US(900), 0};
    static PT_LOOP_STORAGE(1) storage;
    static PT_TASK(shutter) shutter_task;
    struct machine machine = {
        {machine_now, machine_idle, NULL, &machine, NULL, NULL, 0, false}, 0, presses, &shutter_task.task,
        &shutter_task.frame.pressed};
    struct pt_loop loop;

    pt_loop_open(&loop, &machine.port);
    pt_loop_use(&loop, &storage);
    PT_START(&loop, &shutter_task, shutter, .open = PT_US(500));
    printf("%s\n", pt_status_name(pt_loop_run(&loop)));
    return 0;
}
