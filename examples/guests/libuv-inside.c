/* libuv-inside.c - libuv as a guest in pt: a task waits for its descriptor, and runs its callbacks
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - The descriptor is libuv's: it is borrowed, and stays open when the task ends.
 *   - Other tasks use libuv, too. If one starts something while the loop of libuv waits, an event
 *     tells the task to look again.
 *   - Callbacks of libuv run in the task, as any C function: they can wake tasks, but not wait. */
#include <pt/host.h>

#include <stdio.h>
#include <uv.h>

static struct pt_system sys;
static struct pt_event changed; /* a task has started something in libuv */

struct libuv {
    struct pt pt;
    uv_loop_t *loop;
    struct pt_io io;
    int timeout; /* milliseconds; -1: no timer */
    PT_SELECTION(3) next;
};

/* How long it may wait. uv_backend_timeout is 0, too, if there is nothing to wait for. */
static int timeout_of(const uv_loop_t *loop)
{
    return uv_loop_alive(loop) ? uv_backend_timeout(loop) : -1;
}

static PT_ASYNC(libuv, self)
{
    if (pt_io_borrow(&self->io, &sys, uv_backend_fd(self->loop)) != PT_OK)
        PT_RETURN(PT_EIO);
    for (;;) {
        uv_run(self->loop, UV_RUN_NOWAIT); /* the callbacks that are due */
        self->timeout = timeout_of(self->loop);
        if (!self->timeout) {
            PT_YIELD(); /* it has more to do: other tasks have their turn */
            continue;
        }
        PT_SELECT(&self->next, PT_CASE_READABLE(&self->io), PT_CASE_EVENT(&changed),
                  PT_CASE_IF(self->timeout > 0, PT_CASE_AFTER(PT_MS((pt_time)self->timeout))));
        pt_event_clear(&changed);
    }
    PT_FINALLY
    uv_run(self->loop, UV_RUN_NOWAIT); /* what was closed is gone */
    pt_io_close(&self->io);
}
PT_END

/* --- a program --- */

static PT_TASK(libuv) guest;
static uv_timer_t alarm_clock;

static void on_alarm(uv_timer_t *handle)
{
    puts("libuv: the alarm");
    pt_wake((struct pt_task *)handle->data);
}

struct asking {
    struct pt pt;
    int round;
};

static PT_ASYNC(asking, self)
{
    for (self->round = 1; self->round <= 3; self->round++) {
        PT_WAIT(PT_MS(1));
        printf("task: round %d\n", self->round);
        uv_timer_start(&alarm_clock, on_alarm, 1, 0);
        pt_event_set(&changed);
        PT_PARK();
    }
    uv_close((uv_handle_t *)&alarm_clock, NULL);
    pt_cancel(&guest.task, PT_ECANCELED);
}
PT_END

int main(void)
{
    static PT_TASK(asking) task;
    struct pt_loop loop;

    if (pt_system_open(&sys, &loop, NULL) != PT_OK)
        return 1;
    uv_timer_init(uv_default_loop(), &alarm_clock);
    alarm_clock.data = &task.task;
    PT_START(&loop, &guest, libuv, .loop = uv_default_loop());
    PT_START(&loop, &task, asking);
    pt_loop_run(&loop);
    pt_system_close(&sys);
    return uv_loop_close(uv_default_loop());
}
