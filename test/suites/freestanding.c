/* freestanding.c - uses bodies, tasks and loops, without a C library
 * SPDX-License-Identifier: MIT
 *
 * It has no blocks, such as PT_WITH_TIMEOUT, and nothing of sync/.
 *
 * test/suites/cross compiles and links this for several parts and configurations; it is not run. */
#include <pt/inspect.h>
#include <pt/inspect/prometheus.h>
#include <pt/pt.h>

void start(void);
volatile pt_time the_clock;
volatile int sink;

struct range {
    struct pt pt;
    int next, end;
};

static PT_ASYNC(range, self)
{
    for (; self->next < self->end; self->next++)
        PT_YIELD();
#if PT_CLEANUP
    PT_FINALLY
    sink = self->next;
#endif
}
PT_END

#if PT_SUBGENERATORS
struct ranges {
    struct pt pt;
    struct range range;
};

static PT_ASYNC(ranges, self)
{
    PT_YIELD_FROM(&self->range, range, .next = 0, .end = 3);
}
PT_END
#endif

static int blink(pt_label *label)
{
    PT_BARE(*label)
    {
        for (;;) {
            PT_BARE_YIELD(1);
            PT_BARE_YIELD(0);
        }
    }
    PT_BARE_END(-1);
}

struct worker {
    struct pt pt;
    int steps;
};

PT_DECLARE(worker);

#if PT_POOLS
static PT_POOL(worker, 2) pool;
#endif

struct boss {
    struct pt pt;
    struct worker inner;
    PT_TASK(worker) child;
};

static PT_ASYNC(boss, self)
{
    PT_SPAWN(&self->child, worker, .steps = 2);
    if (self->pt.status != PT_OK)
        PT_RETURN(self->pt.status);
#if PT_POOLS
    PT_SPAWN_FROM(&pool, worker, .steps = 1);
    PT_SPAWN_WHEN_FREE(&pool, worker, .steps = 1);
#endif
#if PT_AWAIT
    PT_WAIT_COMPLETE(&self->inner, worker, .steps = 3);
    PT_TRY(&self->inner, worker, .steps = 3);
#endif
#if PT_TIMERS != PT_TIMERS_NONE
    PT_WAIT(PT_MS(5));
    PT_WAIT_DEADLINE((pt_time)(PT_NOW() + PT_MS(5)));
#endif
#if PT_JOINS
    PT_JOIN(&self->child.task);
#endif
    PT_PARK();
#if PT_TIMED_PARKS
    PT_PARK_FOR(PT_MS(5));
    PT_PARK_DEADLINE((pt_time)(PT_NOW() + PT_MS(5)));
#endif
}
PT_END

PT_ASYNC(worker, self)
{
    while (self->steps-- > 0)
        PT_YIELD();
}
PT_END

static struct pt_loop loop;
static PT_LOOP_STORAGE(6) storage;
static PT_TASK(boss) boss_task;

static void generators(void)
{
    static struct range numbers;
    static pt_label label;
#if PT_SUBGENERATORS
    static struct ranges all;

    PT_INIT(&all, ranges);
    while (pt_next(&all.pt))
        sink = all.range.next;
#endif

    PT_INIT(&numbers, range, .next = 1, .end = 4);
    while (pt_next(&numbers.pt))
        sink = numbers.next;
    PT_INIT(&numbers, range, PT_KEEP, .end = 6);
    pt_send(&numbers, .next = 2);
#if PT_CLEANUP
    pt_close(&numbers.pt);
#endif
    sink = blink(&label);
}

#if PT_NESTING
static struct pt_loop inner;
static PT_LOOP_STORAGE(2) inner_storage;
static PT_TASK(pt_loop_async) inner_task;
static PT_TASK(worker) inner_worker;

static void nested(void)
{
    pt_loop_init(&inner, the_clock);
    pt_loop_use(&inner, &inner_storage);
    PT_START(&inner, &inner_worker, worker, .steps = 5);
    PT_START(&loop, &inner_task, pt_loop_async, .loop = &inner);
}
#endif

#if defined(PT_CRITICAL_ENTER)
static pt_time board_now(void)
{
    return (pt_time)the_clock;
}

static void board_sleep_until(pt_time until)
{
    sink = (int)until;
}
#endif

#if PT_TRACE
static struct pt_trace trace;
static struct pt_trace_event events[2], trace_event;
static struct pt_trace_reader trace_reader;
#endif

void start(void)
{
    generators();
    pt_loop_init(&loop, the_clock);
    pt_loop_use(&loop, &storage);
    PT_START(&loop, &boss_task, boss);
#if PT_NESTING
    nested();
#endif
#if PT_POOLS
    PT_START_FROM(&loop, &pool, worker, .steps = 1);
#endif
#if PT_SLOWMO
    pt_loop_slow(&loop, PT_MS(1));
#endif
#if PT_PAUSE
    pt_pause(&boss_task.task);
    pt_resume(&boss_task.task);
#endif
#if PT_TRACE
    pt_trace_start(&trace, &loop, events, 2);
#endif
    for (;;) {
        pt_loop_turn(&loop, the_clock);
#if PT_TRACE
        sink = pt_trace_read(&trace, &trace_reader, &trace_event);
#endif
#if defined(PT_CRITICAL_ENTER)
        pt_loop_turn_and_sleep(&loop, board_now, board_sleep_until);
#endif
        pt_wake(&boss_task.task);
#if PT_CANCEL
        pt_cancel(&boss_task.task, PT_ECANCELED);
#endif
        sink = pt_task_done(&boss_task.task) ? pt_task_status(&boss_task.task) : 1;
#if PT_CENSUS
        sink = (int)(pt_loop_ready(&loop) + pt_loop_live(&loop));
        sink = pt_loop_current(&loop) == NULL;
#endif
    }
}
