/* glib-inside.c - GLib as a guest in pt: a task waits for what its main context waits for
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - GLib says anew before each wait which descriptors it waits for, and how long: a pollset keeps
 *     that. Adapters of libcurl, c-ares or hiredis set it by callbacks instead.
 *   - The descriptors are borrowed: any number of tasks and libraries can wait for them.
 *   - Other tasks use GLib, too: g_main_context_wakeup tells the task to look again. Threads need
 *     not call it: GLib does. */
#include <pt/host.h>

#include <glib.h>
#include <stdio.h>

enum { MOST = 16 };

static struct pt_system sys;

struct glib {
    struct pt pt;
    GMainContext *context;
    struct pt_pollset set;
    struct pt_pollset_wait next;
    GPollFD wanted[MOST];
    int count;
    gint priority;
};

/* Tell the set what GLib waits for now, instead of what it waited for before. */
static void ask(struct glib *self)
{
    gint timeout;

    for (int i = 0; i < self->count; i++)
        pt_pollset_set(&self->set, self->wanted[i].fd, 0);
    g_main_context_prepare(self->context, &self->priority);
    self->count = g_main_context_query(self->context, self->priority, &timeout, self->wanted, MOST);
    self->count = MIN(self->count, MOST); /* a program asks again, with more room */
    for (int i = 0; i < self->count; i++)
        pt_pollset_set(&self->set, self->wanted[i].fd, self->wanted[i].events);
    pt_pollset_after(&self->set, timeout < 0 ? PT_DELAY_NEVER : PT_MS((pt_time)timeout));
}

/* Tell GLib what has happened, and let it call back. */
static void answer(struct glib *self)
{
    for (int i = 0; i < self->count; i++)
        self->wanted[i].revents =
            self->wanted[i].fd == self->next.fd ? (gushort)self->next.events : 0;
    if (g_main_context_check(self->context, self->priority, self->wanted, self->count))
        g_main_context_dispatch(self->context);
}

static PT_ASYNC(glib, self)
{
    pt_pollset_open(&self->set, &sys);
    if (!g_main_context_acquire(self->context))
        PT_RETURN(PT_EBUSY);
    for (;;) {
        ask(self);
        PT_WAIT_COMPLETE(&self->next, pt_pollset_wait, .set = &self->set);
        answer(self);
    }
    PT_FINALLY
    g_main_context_release(self->context);
    pt_pollset_close(&self->set);
}
PT_END

/* --- a program --- */

static gboolean on_alarm(gpointer task)
{
    puts("GLib: the alarm");
    pt_wake((struct pt_task *)task);
    return G_SOURCE_REMOVE;
}

static PT_TASK(glib) guest;
static struct pt_loop loop;

struct asking {
    struct pt pt;
    int round;
};

static PT_ASYNC(asking, self)
{
    for (self->round = 1; self->round <= 3; self->round++) {
        PT_WAIT(PT_MS(1));
        printf("task: round %d\n", self->round);
        g_timeout_add(1, on_alarm, pt_loop_current(&loop));
        g_main_context_wakeup(guest.frame.context);
        PT_PARK();
    }
    pt_cancel(&guest.task, PT_ECANCELED);
}
PT_END

int main(void)
{
    static PT_TASK(asking) task;

    if (pt_system_open(&sys, &loop, NULL) != PT_OK)
        return 1;
    PT_START(&loop, &guest, glib, .context = g_main_context_default());
    PT_START(&loop, &task, asking);
    pt_loop_run(&loop);
    pt_system_close(&sys);
    return 0;
}
