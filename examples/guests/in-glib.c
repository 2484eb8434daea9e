/* in-glib.c - pt as a guest in the main loop of GLib: in a GTK program, for example
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - A source of GLib asks the same three questions: how long may I wait (prepare), is there
 *     something to do (check), do it (dispatch).
 *   - A callback of GLib wakes a task, and a task adds a timeout of GLib: one thread, two loops.
 *   - A dispatch makes at most 16 turns: then GLib's other sources have their turn. */
#include <pt/host.h>

#include <glib-unix.h>
#include <stdio.h>

static struct pt_system sys;
static struct pt_loop loop;
static GMainLoop *host;

/* --- the adapter --- */

static gboolean prepare(GSource *source, gint *timeout)
{
    (void)source;
    *timeout = pt_system_timeout(&sys);
    return *timeout == 0;
}

struct guest_source {
    GSource source;
    gpointer tag; /* of the descriptor */
};

static gboolean check(GSource *source)
{
    return g_source_query_unix_fd(source, ((struct guest_source *)source)->tag) ||
           pt_system_timeout(&sys) == 0;
}

static gboolean dispatch(GSource *source, GSourceFunc callback, gpointer data)
{
    (void)source, (void)callback, (void)data;
    if (!pt_system_dispatch(&sys, 16))
        g_main_loop_quit(host);
    return G_SOURCE_CONTINUE;
}

static GSource *start_guest(void)
{
    static GSourceFuncs functions = {prepare, check, dispatch, NULL, NULL, NULL};
    GSource *source = g_source_new(&functions, sizeof(struct guest_source));

    ((struct guest_source *)source)->tag =
        g_source_add_unix_fd(source, pt_system_fd(&sys), G_IO_IN);
    g_source_attach(source, NULL);
    return source;
}

/* --- a program --- */

static gboolean on_alarm(gpointer storage)
{
    puts("GLib: the alarm");
    pt_wake((struct pt_task *)storage);
    return G_SOURCE_REMOVE;
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
        g_timeout_add(1, on_alarm, pt_loop_current(&loop));
        PT_PARK();
    }
}
PT_END

int main(void)
{
    static PT_TASK(guest) task;
    GSource *source;

    if (pt_system_open(&sys, &loop, "epoll") != PT_OK)
        return 1;
    host = g_main_loop_new(NULL, FALSE);
    source = start_guest();
    PT_START(&loop, &task, guest);
    g_main_loop_run(host);
    g_source_destroy(source);
    g_source_unref(source);
    g_main_loop_unref(host);
    pt_system_close(&sys);
    return 0;
}
