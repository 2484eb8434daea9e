/* trace.c - a trace: each step of each task, and what woke it
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - pt_trace_start adds an observer; the ring is the program's. It keeps the last events.
 *   - pt_trace_read gives the oldest event that was not read, so that a part can send them away.
 *   - `what` of a WAKE and a SPAWN is the cause: 0 outside of the loop, 1 the task that runs, 2 a post.
 *   - pt_trace_save writes all that to a file, for pt-trace: a table, a timeline.
 *   - Here the counter counts the events. By default it is that of the processor. */
static unsigned long long recorded;
#define PT_TRACE_CLOCK() (recorded++)
#include <pt/posix.h>
#include <pt/host/save.h>

#include <stdio.h>

static struct pt_loop loop;
static PT_CHANNEL(int) numbers;

struct sender {
    struct pt pt;
    int number;
};

static PT_ASYNC(sender, self)
{
    for (; self->number > 0; self->number--) {
        PT_WAIT(PT_MS(10));
        PT_SEND(&numbers, &self->number);
    }
    pt_channel_close(&numbers.channel);
}
PT_END

struct receiver {
    struct pt pt;
    int number;
};

static PT_ASYNC(receiver, self)
{
    while (self->pt.status == PT_OK)
        PT_RECV(&numbers, &self->number);
}
PT_END

/* What is in an event depends on its kind: PT_TRACE_TABLE. */
static void print(const struct pt_trace_event *event)
{
    static const char *const kinds[] = {
#define NAME(name, text) #name,
        PT_TRACE_TABLE(NAME)
#undef NAME
    };

    printf("%-8s", kinds[event->kind]);
    switch ((enum pt_trace_kind)event->kind) {
    case PT_TRACE_NAME: printf("%.14s\n", (const char *)event + 2); break;
    case PT_TRACE_SUSPEND:
        printf("at %u, waits for %u\n", event->place, event->what & 0x7fu);
        break;
    default: printf("%d\n", (signed char)event->what);
    }
}

int main(int argc, char **argv)
{
    static PT_TASK(sender) sender;
    static PT_TASK(receiver) receiver;
    static struct pt_trace_event ring[64], event;
    static struct pt_trace trace;
    struct pt_trace_reader reader = {0, 0};
    struct pt_virtual clock;

    pt_virtual_init(&clock, 1, &pt_posix);
    pt_loop_open(&loop, &clock.port);
    pt_channel_init(&numbers.channel, PT_PREFER_NEITHER);
    pt_trace_start(&trace, &loop, ring, 64);
    PT_START(&loop, &sender, sender, .number = 2);
    PT_START(&loop, &receiver, receiver);
    pt_loop_run(&loop);
    pt_trace_stop(&trace);
    while (pt_trace_read(&trace, &reader, &event))
        print(&event);
    if (argc > 1 && pt_trace_save(&trace, argv[1]) != PT_OK)
        perror(argv[1]);
    pt_loop_close(&loop);
    return 0;
}
