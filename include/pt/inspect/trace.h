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

#include "observe.h"

/* --- the counter --------------------------------------------------------------------------- */

/* PT_TRACE_CLOCK() - the counter, of 32 bits or more; a program can define it before it includes pt
 * On a PC the default is the counter of the processor: TSC on x86, CNTVCT on AArch64. Elsewhere it
 * is the time of the turn, in ticks: fine enough to see waits, but each step seems to take no time.
 *
 * A Cortex-M3 counts its cycles at 0xe0001004 (DWT), other parts have a timer. A program that
 * sleeps for longer than a counter of 32 bits takes to wrap loses whole rounds of it.
 *
 * In virtual time the counter shows what the computer took. For the loop's time, in a program on a
 * PC:
 *
 *     #define PT_TRACE_CLOCK() (trace->loop->now)
 *     #define PT_TRACE_TICKS_PER_SEC PT_TICKS_PER_SEC */
#ifndef PT_TRACE_CLOCK
#define PT_TRACE_CLOCK() pt_trace_counter_(trace)
#define PT_TRACE_RATE_ pt_trace_rate_()
#else
#define PT_TRACE_RATE_ 0
#endif

/* How often the counter counts in a second; 0: not known, pt_trace_save measures it. */
#ifndef PT_TRACE_TICKS_PER_SEC
#define PT_TRACE_TICKS_PER_SEC PT_TRACE_RATE_
#endif

#if PT_TRACE

/* --- events -------------------------------------------------------------------------------- */

/* What an event can be. Where an event has no task of its own, the task is the one that runs. */
#define PT_TRACE_TABLE(X)                                                                       \
    X(NONE, "nothing was written here")                                                         \
    X(RESUME, "the task OBJECT runs, from the suspension PLACE on")                             \
    X(SUSPEND, "it stops in the function OBJECT, at PLACE, for WHAT")                           \
    X(AWAIT, "it awaits the function OBJECT at PLACE, which runs at once")                      \
    X(RETURN, "the function OBJECT returns the code WHAT to the one that awaits it")            \
    X(WAKE, "the task OBJECT becomes ready; WHAT tells by whom")                                \
    X(SPAWN, "the task OBJECT is new, and ready; WHAT as in WAKE; its NAME follows")            \
    X(TIMER, "the task OBJECT becomes ready: its time has come")                                \
    X(POST, "the callback of the remote OBJECT runs, for PLACE posts")                          \
    X(POLL, "no task is ready: the loop waits, until the next event")                           \
    X(END, "the task OBJECT is done, with the code WHAT; its NAME follows")                     \
    X(NAME, "from byte 2 on 14 letters of a text; WHAT counts from 0, 128 more if it goes on")  \
    X(TIME, "the counter is OBJECT; PLACE whole rounds of 32 bits from the last event")         \
    X(LOST, "so many events were overwritten before they were read")                            \
    X(HEAD, "the first of a file: TIME is the magic, WHAT the version, PLACE a pointer's size") \
    X(RATE, "the counter counts so often in a second; 0: not known")                            \
    X(STAMP, "at TIME of the counter the clock showed so many nanoseconds")                     \
    X(ALIVE, "when the file was saved the task OBJECT was alive; its NAME follows")             \
    X(SITE, "a place OBJECT of a SUSPEND is line TIME of a file; NAMEs: function, file")        \
    X(MAP, "a part of a program is at OBJECT, TIME pages long; PAGE and NAME follow")           \
    X(PAGE, "where that part is in its file, in bytes")                                         \
    X(BLOCK, "the task OBJECT was ready and waits, at PLACE, for WHAT; it has taken no step")

/* PT_TRACE_RESUME and so on: the names of the table. */
enum pt_trace_kind {
#define PT_TRACE_ENUM_(name, text) PT_TRACE_##name,
    PT_TRACE_TABLE(PT_TRACE_ENUM_)
#undef PT_TRACE_ENUM_
};

/* An event. A file of a trace is these, as the part or the PC has them in memory, HEAD first.
 *
 * WHAT of a SUSPEND: 0 the task stays ready, 1 it sleeps, 2 it is parked, 3 it joins a task,
 * and so on as in PT_WHY_TABLE (park.h); 128 more: OBJECT is the place of PT_SITES. In a BLOCK
 * 0 is: it is paused. WHAT of a WAKE: 0 something outside of the turns did it, as a poller; 1
 * the task that runs; 2 a post. */
struct pt_trace_event {
    uint8_t kind;    /* enum pt_trace_kind */
    uint8_t what;    /* a number; of a code of pt, its 8 bits */
    uint16_t place;  /* a suspension of its function; 0xfffe: its PT_FINALLY, 0xffff: its end */
    uint32_t time;   /* the low bits of the counter */
    uint64_t object; /* an address, or a number */
};

/* --- recording ----------------------------------------------------------------------------- */

/* The counter, or a number of events, as a trace keeps it. A part has 32 bits. */
typedef PT_CHOOSE_(PT_HOSTED, uint64_t, uint32_t) pt_trace_time;

/* A trace. Read the middle part. */
struct pt_trace {
    struct pt_observer observer; /* its first member; private */

    struct pt_loop *loop;          /* the loop */
    struct pt_trace_event *events; /* the ring; the caller owns it */
    unsigned size;                 /* how many events it holds */
    unsigned at;                   /* where the next one goes */
    pt_trace_time count;           /* how many were written; on a part it wraps */
    pt_trace_time last;            /* the counter at the last one */
    uint64_t rate;                 /* PT_TRACE_TICKS_PER_SEC */

    pt_trace_time first;         /* the counter at the start; private, as what follows */
    uint64_t first_clock;        /* and the clock, in nanoseconds */
    pt_trace_time turned;        /* the counter at the end of the last turn */
    uint64_t clock;              /* and the clock, in ticks, that do not wrap */
    const struct pt_task *going; /* the task that goes on in the same step, or NULL */
    const struct pt_task *due;   /* the task whose timer is due, or NULL */
    bool posts;                  /* whether callbacks of remotes run */
};

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

#define PT_TRACE_MAGIC_ 0x50745472uL /* it also tells the order of bytes */

enum {
    PT_TRACE_VERSION_ = 1,
    PT_TRACE_LETTERS_ = 14, /* of a NAME */
    PT_TRACE_PIECES_ = 4,   /* NAMEs of one text; the rest is cut off */
    PT_TRACE_MORE_ = 0x80,  /* in WHAT */
    PT_TRACE_WAITS_ = 3     /* WHAT of the first of PT_WHY_TABLE */
};

/* The time of the turn, continued where it wraps. */
PT_API pt_trace_time pt_trace_turn_(const struct pt_trace *trace)
{
    if (!PT_HAS_TIMERS_)
        return trace->last;
    return trace->last + (pt_trace_time)(pt_time)(pt_loop_now_(trace->loop) - (pt_time)trace->last);
}

/* The counter of a processor, and how often it counts in a second; 0: not known. */
#if PT_HOSTED && defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define pt_trace_counter_(trace) __builtin_ia32_rdtsc()
#define pt_trace_rate_() 0
#elif PT_HOSTED && defined(__GNUC__) && defined(__aarch64__)
PT_ALWAYS uint64_t pt_trace_counter_(const struct pt_trace *trace)
{
    uint64_t count;

    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
}

PT_ALWAYS uint64_t pt_trace_rate_(void)
{
    uint64_t rate;

    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(rate));
    return rate;
}
#else
#define pt_trace_counter_(trace) pt_trace_turn_(trace)
#define pt_trace_rate_() PT_TICKS_PER_SEC
#endif

PT_ALWAYS uint64_t pt_trace_address_(const volatile void *address)
{
    return (uint64_t)(uintptr_t)address;
}

PT_ALWAYS void pt_trace_fill_(struct pt_trace_event *event, uint64_t time, unsigned kind,
                              unsigned what, unsigned place, uint64_t object)
{
    event->time = (uint32_t)time;
    event->kind = (uint8_t)kind;
    event->what = (uint8_t)what;
    event->place = (uint16_t)place;
    event->object = object;
}

/* The place of the next event. */
PT_ALWAYS struct pt_trace_event *pt_trace_slot_(struct pt_trace *trace)
{
    struct pt_trace_event *event = &trace->events[trace->at];

    if (++trace->at == trace->size)
        trace->at = 0;
    trace->count++;
    return event;
}

/* The counter seems to be behind the last event, at NOW: it has 32 bits and has wrapped; or it is
 * that of another processor, which is a little late. */
PT_COLD pt_trace_time pt_trace_behind_(const struct pt_trace *trace, uint64_t now)
{
    return now >> 32 ? trace->last : trace->last + (uint32_t)(now - trace->last);
}

/* The counter, at NOW, is more than 32 bits away from the last event. */
PT_COLD pt_trace_time pt_trace_jump_(struct pt_trace *trace, uint64_t now)
{
    uint64_t rounds = (now - trace->last) >> 32;

    if (rounds >> 31)
        return pt_trace_behind_(trace, now);
    pt_trace_fill_(pt_trace_slot_(trace), now, PT_TRACE_TIME, 0,
                   rounds > UINT16_MAX ? UINT16_MAX : (unsigned)rounds, now);
    return (pt_trace_time)now;
}

/* The counter now. */
PT_API pt_trace_time pt_trace_now_(const struct pt_trace *trace)
{
    pt_trace_time now = (pt_trace_time)PT_TRACE_CLOCK();

    return PT_HOSTED && (uint64_t)(now - trace->last) >> 63 ? pt_trace_behind_(trace, now) : now;
}

/* Add an event. */
PT_ALWAYS void pt_trace_add_(struct pt_trace *trace, unsigned kind, unsigned what, unsigned place,
                             uint64_t object)
{
    pt_trace_time now = (pt_trace_time)PT_TRACE_CLOCK();

    if (PT_HOSTED && PT_UNLIKELY((uint64_t)(now - trace->last) >> 32))
        now = pt_trace_jump_(trace, now);
    trace->last = now;
    pt_trace_fill_(pt_trace_slot_(trace), now, kind, what, place, object);
}

/* Add a text, in pieces. */
PT_COLD void pt_trace_add_text_(struct pt_trace *trace, const char *text)
{
    unsigned piece = 0;

    do {
        struct pt_trace_event *event = pt_trace_slot_(trace);
        char *letters = (char *)(void *)event + 2;

        pt_trace_fill_(event, 0, PT_TRACE_NAME, piece, 0, 0);
        for (int i = 0; i < PT_TRACE_LETTERS_ && *text; i++)
            letters[i] = *text++;
        if (*text && piece + 1 < PT_TRACE_PIECES_)
            event->what |= PT_TRACE_MORE_;
    } while (*text && ++piece < PT_TRACE_PIECES_);
}

/* Add an event of a task, and its name. */
PT_API void pt_trace_add_named_(struct pt_trace *trace, unsigned kind, unsigned what,
                                const struct pt_task *task)
{
    pt_trace_add_(trace, kind, what, 0, pt_trace_address_(task));
    pt_trace_add_text_(trace, pt_task_name(task) ? pt_task_name(task) : "a task");
}

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
    const struct pt_site_ *site =
        PT_IF_(PT_SITES, pt_site_of_(top)) PT_IF_(PT_NOT_(PT_SITES), NULL);
    unsigned wait = pt_trace_wait_(task);

    if (site)
        pt_trace_add_(trace, PT_TRACE_SUSPEND, wait | PT_TRACE_MORE_, pt_trace_place_(top),
                      pt_trace_address_(site));
    else
        pt_trace_add_(trace, PT_TRACE_SUSPEND, wait, pt_trace_place_(top), pt_trace_function_(top));
}

#if PT_AWAIT
/* TASK has returned WAIT_COMPLETE: it awaits the frame that is on top now, if that
 * was not refused (pt_nests_). */
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

/* One of the events that begin a file. */
PT_API void pt_trace_head_(const struct pt_trace *trace, uint8_t number,
                           struct pt_trace_event *event)
{
    switch (number) {
    case 0:
        pt_trace_fill_(event, PT_TRACE_MAGIC_, PT_TRACE_HEAD, PT_TRACE_VERSION_, sizeof(void *),
                       pt_trace_address_(trace->loop));
        break;
    case 1: pt_trace_fill_(event, 0, PT_TRACE_RATE, 0, 0, trace->rate); break;
    case 2: pt_trace_fill_(event, trace->first, PT_TRACE_TIME, 0, 0, trace->first); break;
    default: pt_trace_fill_(event, trace->first, PT_TRACE_STAMP, 0, 0, trace->first_clock); break;
    }
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
