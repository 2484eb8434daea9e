/* trace.c - a traced program in virtual time, whose steps take time; it saves its trace to a file
 * SPDX-License-Identifier: MIT
 *
 *     trace FILE            save the trace
 *     trace FILE abort      abort then, with the trace in a static variable
 *     trace FILE EVENTS     a ring of so many events
 *     trace FILE EVENTS two and another trace, in an array */
#include <stdint.h>

static uint64_t nanoseconds;
#define PT_TRACE_CLOCK() (nanoseconds)
#define PT_TRACE_TICKS_PER_SEC 1000000000
#include <pt/host.h>
#include <pt/inspect.h>

static struct pt_loop loop;
static struct pt_virtual world;
static struct pt_trace tracer, others[2];
static struct pt_trace_reader reader; /* what its name begins with is not its type */
static struct pt_trace_event ring[1000];
static PT_CHANNEL(int) numbers;
static struct pt_lock lock;

/* A step takes so long. */
static void work(unsigned microseconds)
{
    nanoseconds += microseconds * 1000u;
    world.now += PT_US(microseconds);
}

static bool idle(void *context, pt_time now, pt_time until)
{
    bool more = pt_virtual_idle_(context, now, until);

    nanoseconds += world.now - now;
    return more;
}

struct read_one {
    struct pt pt;
    int value;
};

static PT_ASYNC(read_one, self)
{
    PT_RECV(&numbers, &self->value);
    work(30);
    if (self->pt.status != PT_OK)
        PT_RETURN(self->pt.status);
}
PT_END

struct consumer {
    struct pt pt;
    struct read_one one;
};

static PT_ASYNC(consumer, self)
{
    do {
        PT_WAIT_COMPLETE(&self->one, read_one);
        PT_LOCK(&lock);
        work(200);
        PT_UNLOCK(&lock);
    } while (self->one.pt.status == PT_OK);
}
PT_END

struct producer {
    struct pt pt;
    int i;
};

static PT_ASYNC(producer, self)
{
    for (; self->i < 3; self->i++) {
        PT_WAIT_DEADLINE(PT_NOW() + PT_MS(1));
        PT_SEND(&numbers, &self->i);
        work(100);
    }
    pt_channel_close(&numbers.channel);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(producer) producer;
    static PT_TASK(consumer) consumers[2];
    int events = argc > 2 ? atoi(argv[2]) : 0;
    struct pt_trace_event head;

    pt_virtual_init(&world, 1, &pt_posix);
    world.port.idle = idle;
    pt_loop_open(&loop, &world.port);
    pt_channel_init(&numbers.channel, PT_PREFER_NEITHER);
    pt_lock_init(&lock);
    pt_trace_start(&tracer, &loop, ring, events > 0 ? (unsigned)events : 1000);
    pt_trace_read(&tracer, &reader, &head);
    if (argc > 3)
        pt_trace_start(&others[1], &loop, ring, 10);
    PT_START(&loop, &producer, producer);
    for (int i = 0; i < 2; i++)
        PT_START(&loop, &consumers[i], consumer);
    pt_loop_run(&loop);
    if (argc > 2 && !events)
        abort();
    return argc < 2 || pt_trace_save(&tracer, argv[1]) != PT_OK;
}
