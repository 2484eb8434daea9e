/* in-libuv.c - pt as a guest in the loop of libuv
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - Three handles: the descriptor of pt, a timer for its next deadline, and a prepare handle,
 *     which libuv calls just before each wait: it sets the timer.
 *   - A callback of libuv wakes a task, and a task starts a timer of libuv: one thread, two loops.
 *   - When no task is alive, the handles are closed, and libuv's loop ends. */
#include <pt/host.h>

#include <stdio.h>
#include <uv.h>

static struct pt_system sys;
static struct pt_loop loop;

/* --- the adapter --- */

static uv_poll_t readable;
static uv_prepare_t before_wait;
static uv_timer_t deadline;

static void dispatch(void)
{
    if (pt_system_dispatch(&sys, 16))
        return;
    uv_close((uv_handle_t *)&readable, NULL);
    uv_close((uv_handle_t *)&before_wait, NULL);
    uv_close((uv_handle_t *)&deadline, NULL);
}

static void on_readable(uv_poll_t *handle, int status, int events)
{
    (void)handle, (void)status, (void)events;
    dispatch();
}

static void on_deadline(uv_timer_t *handle)
{
    (void)handle;
    dispatch();
}

static void set_deadline(uv_prepare_t *handle)
{
    int timeout = pt_system_timeout(&sys);

    uv_update_time(handle->loop);
    uv_timer_stop(&deadline);
    if (timeout >= 0)
        uv_timer_start(&deadline, on_deadline, (uint64_t)timeout, 0);
}

static int start_guest(uv_loop_t *host)
{
    uv_prepare_init(host, &before_wait);
    uv_timer_init(host, &deadline);
    uv_prepare_start(&before_wait, set_deadline);
    return uv_poll_init(host, &readable, pt_system_fd(&sys)) ||
           uv_poll_start(&readable, UV_READABLE, on_readable);
}

/* --- a program --- */

static uv_timer_t alarm_clock;

static void on_alarm(uv_timer_t *handle)
{
    puts("libuv: the alarm");
    pt_wake((struct pt_task *)handle->data);
}

struct guest {
    struct pt pt;
    int round;
};

static PT_ASYNC(guest, self)
{
    for (self->round = 1; self->round <= 3; self->round++) {
        PT_WAIT(PT_MS(1));
        printf("guest: round %d\n", self->round);
        uv_timer_start(&alarm_clock, on_alarm, 1, 0);
        PT_PARK();
    }
    uv_close((uv_handle_t *)&alarm_clock, NULL);
}
PT_END

int main(void)
{
    static PT_TASK(guest) task;
    uv_loop_t *host = uv_default_loop();

    if (pt_system_open(&sys, &loop, "epoll") != PT_OK || start_guest(host))
        return 1;
    uv_timer_init(host, &alarm_clock);
    alarm_clock.data = &task.task;
    PT_START(&loop, &task, guest);
    uv_run(host, UV_RUN_DEFAULT);
    pt_system_close(&sys);
    return uv_loop_close(host);
}
