/* trace.h - a trace: what each task did and what woke it, 16 bytes an event, in a ring in memory
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_trace trace;
 *     static struct pt_trace_event ring[4096];
 *
 *     pt_trace_start(&trace, &loop, ring, 4096);           between turns
 *     pt_loop_run(&loop);
 *     pt_trace_stop(&trace);
 *     pt_trace_save(&trace, "rockets.pt");                 on a PC: pt/host/save.h
 *
 * Then `pt-trace rockets.pt` prints for each coroutine how long it ran, was ready and
 * waited, and for what; or it writes a timeline. A new event overwrites the oldest one, so a
 * ring of any size has the last part of the run. `pt-trace PID` and `pt-trace CORE` read the
 * ring of a process or of a core.
 *
 * A small part sends the events away, each as its 16 bytes, and what
 * arrives is a file for pt-trace:
 *
 *     struct pt_trace_reader reader = {0, 0};
 *     struct pt_trace_event event;
 *
 *     while (pt_trace_read(&trace, &reader, &event))
 *         uart_write(&event, sizeof event);
 *
 * The times are those of a counter, PT_TRACE_CLOCK. A trace is an observer (observe.h): it only
 * looks, and a loop that has none does not pay for it. */
#ifndef PT_TRACE_H
#define PT_TRACE_H

#include "trace_ring.h"

#if PT_TRACE

/* pt_trace_start - record what happens in a loop, in a ring of SIZE events; between turns
 * The ring must outlive the trace; with 0 events PT_DEBUG stops. O(SIZE). */
PT_API void pt_trace_start(struct pt_trace *trace, struct pt_loop *loop,
                           struct pt_trace_event *events, unsigned size);

/* pt_trace_stop - stop recording; the ring can still be read */
PT_API void pt_trace_stop(struct pt_trace *trace);

/* --- reading ------------------------------------------------------------------------------- */

/* How far a trace was read: zero before the first read. */
struct pt_trace_reader {
    pt_trace_time next; /* how many events were read or lost */
    uint8_t head;       /* how many of those that begin a file */
};

/* pt_trace_read - copy the next event, the oldest first; false if there is none; O(1)
 * It begins with HEAD, RATE, TIME and STAMP, so that whatever comes is a file of a
 * trace. If the ring was faster, the next event is LOST. In the loop's thread; a task
 * may do it, which adds events. */
PT_API bool pt_trace_read(const struct pt_trace *trace, struct pt_trace_reader *reader,
                          struct pt_trace_event *event);

/* --- implementation ------------------------------------------------------------------------ */

/* The trace of an observer, its first member. A step can be over without a call: so each call
 * that is of something else ends what the trace has stored of it. */
PT_ALWAYS struct pt_trace *pt_trace_of_(struct pt_observer *observer)
{
    return (struct pt_trace *)(void *)observer;
}

PT_ALWAYS uint64_t pt_trace_function_(const struct pt *frame)
{
    return (uint64_t)(uintptr_t)frame->fn;
}

/* PLACE of an event: where FRAME is. Reserved labels get the numbers that they have in 16 bits. */
PT_ALWAYS unsigned pt_trace_place_(const struct pt *frame)
{
    return frame->label > PT_LABEL_LAST_ ? frame->label | 0xff00u : frame->label;
}

PT_API void pt_trace_resumes_(struct pt_observer *observer, struct pt_task *task)
{
    struct pt_trace *trace = pt_trace_of_(observer);
    bool goes_on = trace->going == task;

    trace->going = trace->due = NULL;
    trace->posts = false;
    if (!goes_on)
        pt_trace_add_(trace, PT_TRACE_RESUME, 0, pt_trace_place_(pt_task_top_(task)),
                      pt_trace_address_(task));
}

/* What a task waits for, as a SUSPEND tells it. */
PT_ALWAYS unsigned pt_trace_wait_(const struct pt_task *task)
{
    if (task->state & PT_STATE_QUEUED_)
        return (unsigned)PT_TRACE_WAITS_ + task->why;
    if (pt_task_parked_(task))
        return 2;
    return task->state & PT_STATE_SLEEPING_ ? 1 : 0;
}

PT_API void pt_trace_suspend_(struct pt_trace *trace, const struct pt_task *task)
{
    const struct pt *top = pt_task_top_(task);
    const struct pt_site_ *site = PT_SITES ? pt_site_of_(top) : NULL;
    unsigned wait = pt_trace_wait_(task);

    if (site)
        pt_trace_add_(trace, PT_TRACE_SUSPEND, wait | PT_TRACE_MORE_, pt_trace_place_(top),
                      pt_trace_address_(site));
    else
        pt_trace_add_(trace, PT_TRACE_SUSPEND, wait, pt_trace_place_(top), pt_trace_function_(top));
}

#if PT_AWAIT
/* TASK has returned WAIT_COMPLETE: it awaits the frame that is on top now, if that
 * was not refused (pt_can_await_). */
PT_API void pt_trace_awaits_(struct pt_trace *trace, const struct pt_task *task)
{
    const struct pt *top = pt_task_top_(task);

    trace->going = task;
    if (top != (const struct pt *)task->node.link.operand)
        return;
    pt_trace_add_(trace, PT_TRACE_AWAIT, 0, pt_trace_place_(top->caller), pt_trace_function_(top));
}

/* TASK has returned DONE, which has no effect yet. For its last frame `ended` follows. */
PT_API void pt_trace_returns_(struct pt_trace *trace, const struct pt_task *task)
{
    const struct pt *top = pt_task_top_(task);

    if (!pt_caller_of_(top))
        return;
    trace->going = task;
    pt_trace_add_(trace, PT_TRACE_RETURN, (uint8_t)top->status, 0, pt_trace_function_(top));
}
#else
#define pt_trace_awaits_(trace, task) ((void)0)
#define pt_trace_returns_(trace, task) ((void)0)
#endif

PT_API void pt_trace_returned_(struct pt_observer *observer, struct pt_task *task,
                               enum pt_opcode op)
{
    struct pt_trace *trace = pt_trace_of_(observer);

    if (op == PT_OP_WAIT_COMPLETE)
        pt_trace_awaits_(trace, task);
    else if (op == PT_OP_DONE)
        pt_trace_returns_(trace, task);
    else if (op == PT_OP_SPAWN)
        trace->going = task;
    else
        pt_trace_suspend_(trace, task);
}

PT_API void pt_trace_woken_(struct pt_observer *observer, struct pt_task *task, bool spawned)
{
    struct pt_trace *trace = pt_trace_of_(observer);
    unsigned by = trace->loop->current ? 1 : trace->posts ? 2 : 0;

    if (spawned)
        pt_trace_add_named_(trace, PT_TRACE_SPAWN, by, task);
    else if (trace->due == task)
        pt_trace_add_(trace, PT_TRACE_TIMER, 0, 0, pt_trace_address_(task));
    else
        pt_trace_add_(trace, PT_TRACE_WAKE, by, 0, pt_trace_address_(task));
    trace->due = NULL;
}

PT_API void pt_trace_blocked_(struct pt_observer *observer, struct pt_task *task)
{
    struct pt_trace *trace = pt_trace_of_(observer);

    trace->going = NULL;
    pt_trace_add_(trace, PT_TRACE_BLOCK, task->state & PT_STATE_HELD_ ? 0 : pt_trace_wait_(task),
                  pt_trace_place_(pt_task_top_(task)), pt_trace_address_(task));
}

PT_API void pt_trace_expired_(struct pt_observer *observer, struct pt_task *task, pt_time at)
{
    pt_trace_of_(observer)->due = task;
}

PT_API void pt_trace_posted_(struct pt_observer *observer, pt_posted_remote_ *remote,
                             unsigned times)
{
    struct pt_trace *trace = pt_trace_of_(observer);

    trace->posts = true;
    pt_trace_add_(trace, PT_TRACE_POST, 0, times > UINT16_MAX ? UINT16_MAX : times,
                  pt_trace_address_(remote));
}

PT_API void pt_trace_ended_(struct pt_observer *observer, struct pt_task *task)
{
    struct pt_trace *trace = pt_trace_of_(observer);

    trace->going = NULL;
    pt_trace_add_named_(trace, PT_TRACE_END, (uint8_t)pt_task_top_(task)->status, task);
}

/* The clock of the loop in ticks, continued to NOW. */
PT_API uint64_t pt_trace_clock_(const struct pt_trace *trace, pt_time now)
{
    pt_time clock = (pt_time)trace->clock;

    return pt_time_before(clock, now) ? trace->clock + (pt_time)(now - clock) : trace->clock;
}

PT_API void pt_trace_turned_(struct pt_observer *observer, struct pt_loop *loop)
{
    struct pt_trace *trace = pt_trace_of_(observer);
    bool polled = trace->events[(trace->at ? trace->at : trace->size) - 1].kind == PT_TRACE_POLL;

    trace->going = trace->due = NULL;
    trace->posts = false;
    if (pt_loop_idle(loop) && !polled)
        pt_trace_add_(trace, PT_TRACE_POLL, 0, 0, 0);
    trace->turned = polled ? pt_trace_now_(trace) : trace->last;
    if (PT_HAS_TIMERS_)
        trace->clock = pt_trace_clock_(trace, pt_loop_now_(loop));
}

PT_API uint64_t pt_trace_nanoseconds_(uint64_t ticks)
{
    const uint64_t second = PT_TICKS_PER_SEC;

    return ticks / second * 1000000000u + ticks % second * 1000000000u / second;
}

PT_API void pt_trace_start(struct pt_trace *trace, struct pt_loop *loop,
                           struct pt_trace_event *events, unsigned size)
{
    PT_ASSERT_(size > 0, "the ring has no room for an event", "pt_trace_start");
    pt_observer_clear_(&trace->observer);
    trace->observer.resumes = pt_trace_resumes_;
    trace->observer.returned = pt_trace_returned_;
    trace->observer.ended = pt_trace_ended_;
    trace->observer.turned = pt_trace_turned_;
    trace->observer.woken = pt_trace_woken_;
    trace->observer.blocked = pt_trace_blocked_;
    trace->observer.expired = pt_trace_expired_;
    trace->observer.posted = pt_trace_posted_;
    trace->observer.notes = events;
    trace->observer.notes_bytes = size * sizeof *events;
    trace->loop = loop;
    trace->events = events;
    trace->size = size;
    trace->at = 0;
    trace->count = 0;
    trace->rate = PT_TRACE_TICKS_PER_SEC;
    trace->going = trace->due = NULL;
    trace->posts = false;
    for (unsigned i = 0; i < size; i++)
        pt_trace_fill_(&events[i], 0, PT_TRACE_NONE, 0, 0, 0);
    trace->clock = pt_loop_now_(loop);
    if (pt_loop_port_(loop))
        trace->clock = pt_loop_port_(loop)->now(pt_loop_port_(loop)->context);
    trace->first_clock = pt_trace_nanoseconds_(trace->clock);
    trace->last = 0;
    trace->first = trace->last = trace->turned = (pt_trace_time)PT_TRACE_CLOCK();
    pt_loop_observe(loop, &trace->observer);
}

PT_API void pt_trace_stop(struct pt_trace *trace)
{
    pt_loop_ignore(trace->loop, &trace->observer);
}

PT_API bool pt_trace_read(const struct pt_trace *trace, struct pt_trace_reader *reader,
                          struct pt_trace_event *event)
{
    pt_trace_time left = trace->count - reader->next;
    const struct pt_trace_event *from;

    if (reader->head < 4) {
        pt_trace_head_(trace, reader->head++, event);
        return true;
    }
    if (left > trace->size) {
        reader->next += left - trace->size;
        pt_trace_fill_(event, 0, PT_TRACE_LOST, 0, 0, left - trace->size);
        return true;
    }
    if (!left)
        return false;
    from = &trace->events[trace->at >= left ? trace->at - left : trace->at + trace->size - left];
    pt_trace_fill_(event, from->time, from->kind, from->what, from->place,
                   from->object); /* no memcpy */
    reader->next++;
    return true;
}

#endif
#endif
