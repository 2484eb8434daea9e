/* trace_ring.h - the events of a trace, the counter that times them, the ring that has them
 * SPDX-License-Identifier: MIT */
#ifndef PT_TRACE_RING_H
#define PT_TRACE_RING_H

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

#endif
#endif
