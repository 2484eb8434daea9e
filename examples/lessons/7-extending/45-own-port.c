/* 45-own-port.c - your own port: where time and events come from
 * SPDX-License-Identifier: MIT
 *
 * This machine's clock is a variable. Its only device is a key that bounces and is pressed twice.
 *
 *     struct pt_port  a table: how to tell the time, how to sleep, how to get memory (here: none)
 *     PT_US           microseconds, in ticks
 *     PT_DELAY_NEVER  a delay that means never
 *
 * What to notice:
 *   - The idle step sleeps until a deadline or an event, whichever is first. It is the only place
 *     where events enter: it wakes the task that waits for them.
 *   - A wake while the task is not parked is kept. So the shutter checks what the key has done, and
 *     forgets what it did while the shutter was open.
 *   - UNTIL is NOW + PT_DELAY_NEVER when no task waits for a time. If no event can come either,
 *     idle returns false, and pt_loop_run ends with PT_EDEADLK.
 *
 * Try: let the shutter stay open for 1000 us. How many clicks are there? */
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

PT_ASYNC(shutter, self)
{
    for (;;) {
        for (self->pressed = false; !self->pressed;)
            PT_PARK();
        printf("%4u us  click", (unsigned)(PT_NOW() / PT_US(1)));
        PT_WAIT(self->open);
        printf(", and clack at %u us\n", (unsigned)(PT_NOW() / PT_US(1)));
    }
}
PT_END

int main(void)
{
    static const pt_time presses[] = {PT_US(100), PT_US(130), PT_US(900), 0};
    static PT_LOOP_STORAGE(1) storage;
    static PT_TASK(shutter) shutter_task;
    struct machine machine = {{machine_now, machine_idle, NULL, &machine, NULL, NULL, 0, false},
                              0,
                              presses,
                              &shutter_task.task,
                              &shutter_task.frame.pressed};
    struct pt_loop loop;

    pt_loop_open(&loop, &machine.port);
    pt_loop_use(&loop, &storage);
    PT_START(&loop, &shutter_task, shutter, .open = PT_US(500));
    printf("%s\n", pt_status_name(pt_loop_run(&loop)));
    return 0;
}
