/* core.c - what the examples in the heads of the core's headers need: examples.awk puts them in
 * SPDX-License-Identifier: MIT */
#define PT_CRITICAL_ENTER() 0u /* board.h */
#define PT_CRITICAL_LEAVE(state) ((void)(state))
#include <pt/classic/adapter.h>
#include <pt/inspect.h>
#include <pt/inspect/prometheus.h>
#include <pt/sim.h>
#include <pt/threads.h>

#include <stdio.h>

static struct pt_loop loop, outer, inner;
static pt_time now, next;

/* --- coroutine, base ----------------------------------------------------------------------- */

void use(int number);
void heads_of_coroutine(void);

//@ coroutine/coroutine.h 1
//@ coroutine/coroutine.h 2

void heads_of_coroutine(void)
{
    static struct range range;

    //@ coroutine/coroutine.h 3
}

struct tree {
    const struct tree *left, *right;
    int number;
};
//@ coroutine/generator.h 1
//@ coroutine/generator.h 2

void heads_of_generator(const struct tree *root);
void heads_of_generator(const struct tree *root)
{
    static struct walk levels[8];
    const struct tree *at;

    //@ coroutine/generator.h 3
}

struct watch_weather {
    struct pt pt;
};
PT_DECLARE(watch_weather);
struct countdown {
    struct pt pt;
    int from;
};
struct launch {
    struct pt pt;
    PT_TASK(watch_weather) weather;
    struct countdown count;
};

//@ coroutine/task.h 1
//@ coroutine/task.h 2

bool board_has_input(void);
struct input {
    struct pt pt;
};

PT_ASYNC(input, self)
{
    //@ coroutine/park.h 1
}
PT_END

//@ coroutine/bare.h 1

/* --- loop ---------------------------------------------------------------------------------- */

struct blink {
    struct pt pt;
    pt_time period;
};
PT_DECLARE(blink);
struct rocket {
    struct pt pt;
    pt_time delay;
    int countdown;
};
PT_DECLARE(rocket);
struct order {
    int amount;
};
pt_time ticks(void);
void mask_interrupts(void), unmask_interrupts(void), sleep_until(pt_time until);
void heads_of_loop(void), head_of_loop(void), head_of_run(void), head_of_virtual(void);
#define clock ticks
#define loop firmware

//@ loop/loop.h 1

void head_of_loop(void)
{
    //@ loop/loop.h 2
}
#undef clock
#undef loop

pt_time board_now(void);
void board_sleep_until(pt_time until), head_of_board(void);

void head_of_board(void)
{
    //@ ports/board.h 1
}

void heads_of_loop(void)
{
    static PT_TASK(pt_loop_async) inner_task;
    static PT_TASK(blink) storage;

    {
        //@ loop/storage.h 1
        //@ loop/storage.h 2
    }
    //@ run/nest.h 1
    //@ loop/wake.h 1
}

void head_of_run(void)
{
    static PT_TASK(rocket) task;

    //@ run/turn.h 1
    //@ run/run.h 1
    //@ ports/posix.h 1
    //@ base/port.h 1
}

void head_of_virtual(void)
{
    //@ ports/virtual.h 2
    (void)world;
}

struct head_of_cancel {
    struct pt pt;
    PT_TASK(blink) worker;
};
PT_ASYNC(head_of_cancel, self)
{
    //@ scope/cancel.h 1
}
PT_END

struct pt_io {
    int fd;
};
struct read_line {
    struct pt pt;
    struct pt_io *io;
};
PT_DECLARE(read_line);
#define REST               \
    struct read_line line; \
    struct pt_io io;
//@ scope/timeout.h 1
#undef REST
PT_ASYNC(fetch, self)
{
    //@ scope/timeout.h 2
}
PT_END

struct ask {
    struct pt pt;
    int host;
};
PT_DECLARE(ask);
//@ scope/group.h 1
PT_ASYNC(search, self)
{
    //@ scope/group.h 2
}
PT_END

static PT_CHANNEL(struct order) orders;
static struct pt_event closing;
#define REST
//@ sync/select.h 1
#undef REST
PT_ASYNC(serve, self)
{
    //@ sync/select.h 2
}
PT_END

struct connection {
    struct pt pt;
    int fd;
};
PT_DECLARE(connection);
//@ loop/pool.h 1
static int fd;
struct head_of_pool {
    struct pt pt;
    struct pt_task *peer;
};
PT_ASYNC(head_of_pool, self)
{
    //@ loop/pool.h 2 3 4
}
PT_END

struct debounce {
    struct pt pt;
};
static PT_TASK(debounce) debounce;
void head_of_remote(void);
//@ run/remote.h 1
//@ run/waker.h 1
void head_of_remote(void)
{
    //@ run/remote.h 2 3
    //@ run/waker.h 2 3
}

void oracle_ask(void (*answered)(void *user, int answer), void *user);
//@ run/foreign.h 1 2 3 4
struct head_of_foreign {
    struct pt pt;
    struct pt_foreign asking;
};
PT_ASYNC(head_of_foreign, self)
{
    //@ run/foreign.h 5
}
PT_END

/* --- sync ---------------------------------------------------------------------------------- */

void heads_of_sync(void);

struct head_of_event {
    struct pt pt;
};
//@ sync/event.h 1
PT_ASYNC(head_of_event, self)
{
    //@ sync/event.h 2
}
PT_END

struct account {
    struct pt_lock lock;
};
struct head_of_lock {
    struct pt pt;
    struct account *account;
};
PT_ASYNC(head_of_lock, self)
{
    //@ sync/lock.h 1
}
PT_END

struct head_of_channel {
    struct pt pt;
    int next, number;
};
PT_ASYNC(head_of_channel, self)
{
    //@ sync/channel.h 1 2
}
PT_END

struct job {
    int number;
};
struct head_of_queue {
    struct pt pt;
    struct job job;
};
PT_ASYNC(head_of_queue, self)
{
    //@ sync/queue.h 1 2
}
PT_END

enum { RADIO_RX = 1, RADIO_ERROR = 2 };
static struct pt_flags radio;
struct head_of_flags {
    struct pt pt;
    struct pt_flags_wanted want;
};
PT_ASYNC(head_of_flags, self)
{
    //@ sync/flags.h 1 2
}
PT_END

static struct pt_barrier ready;
struct head_of_barrier {
    struct pt pt;
};
PT_ASYNC(head_of_barrier, self)
{
    //@ sync/barrier.h 1
}
PT_END

struct head_of_rwlock {
    struct pt pt;
};
static struct {
    struct pt_rwlock guard;
} * map;
PT_ASYNC(head_of_rwlock, self)
{
    //@ sync/rwlock.h 1 2
}
PT_END

struct write_row {
    struct pt pt;
    int amount;
};
PT_DECLARE(write_row);
struct head_of_held {
    struct pt pt;
    struct account *account;
    struct pt_held held;
    struct pt_scope limit;
    struct write_row row;
};
PT_ASYNC(head_of_held, self)
{
    //@ sync/held.h 2
}
PT_END

struct reading {
    int value;
};
void heads_of_sync(void)
{
    static struct reading reading;

    //@ sync/broadcast.h 1
    pt_latest_set(&air, reading);
    pt_broadcast_send(&ticker, 1);
}

static uint8_t byte;
static int overruns;
struct head_of_ring {
    struct pt pt;
    uint8_t byte;
};
PT_ASYNC(head_of_ring, self)
{
    //@ sync/ring.h 1 2 3 4
}
PT_END

#define order letter
#define orders letters
static struct pt_mailbox orders;
//@ sync/mailbox.h 1
static struct order *order;
struct head_of_mailbox {
    struct pt pt;
    struct pt_mail *mail;
};
PT_ASYNC(head_of_mailbox, self)
{
    //@ sync/mailbox.h 2 3 4
}
PT_END
#undef order
#undef orders

void sample(unsigned missed), ring(void *argument);
static int bell;
struct head_of_ticker {
    struct pt pt;
    struct pt_ticker ticker;
    PT_TASK(pt_alarm) alarm;
};
PT_ASYNC(head_of_ticker, self)
{
    //@ sync/ticker.h 1 2
}
PT_END

struct user {
    int number;
};
static struct {
    struct user *user;
} * request;
struct render {
    struct pt pt;
};
PT_DECLARE(render);
struct head_of_local {
    struct pt pt;
    struct pt_local user;
    struct render page;
};
//@ scope/local.h 1
PT_ASYNC(head_of_local, self)
{
    {
        //@ scope/local.h 2
    } {
        //@ scope/local.h 3
        (void)user;
    }
}
PT_END

/* --- inspect, ports, queue, base -------------------------------------------------------------- */

void print_text(void *file, const char *text);
void report(struct pt_observer *self, struct pt_task *task);
void complain(struct pt_watch *watch, struct pt_task *task, pt_time ticks);
void head_of_inspect(void), head_of_observe(void), head_of_watch(void), head_of_heap(void);
int head_of_sim(void), head_of_random(uint64_t seed), head_of_status(struct head_of_event *self);

void head_of_inspect(void)
{
    struct pt_task *task;

    //@ inspect/inspect.h 1
    //@ inspect/dump.h 1
    //@ inspect/stuck.h 1
}

static pt_stuck_found found;

static void found(void *context, const struct pt_stuck *stuck)
{
}

void head_of_memory(void)
{
    //@ inspect/memory.h 1 2 3
}

//@ inspect/keep.h 1
void head_of_keep(void)
{
    static char buffer[8];
    struct device {
        char *buffer;
    };
    static struct device *device;

    //@ inspect/keep.h 2
}

void head_of_observe(void)
{
    //@ inspect/observe.h 1 2
}

void head_of_watch(void)
{
    //@ inspect/watch.h 1 2
}

void head_of_heap(void)
{
    static struct pt_node node;

    //@ queue/heap.h 1
}

int head_of_random(uint64_t seed)
{
    uint64_t roll;

    //@ ports/random.h 1
    return (int)roll;
}

int head_of_status(struct head_of_event *self)
{
    //@ base/status.h 1
    return 0;
}

static PT_TASK(rocket) task;
static bool promise_broken;
int head_of_sim(void);
//@ ports/sim.h 2 3

int head_of_sim(void)
{
    //@ ports/sim.h 4
}

char blink_step(void *state);
void head_of_adapter(void);
static void *blink_state;
#define led thread
//@ classic/adapter.h 2
void head_of_adapter(void)
{
    //@ classic/adapter.h 3
}

void head_of_trace(void), uart_write(const void *bytes, size_t size);
#define pt_trace_save(trace, path) ((void)0) /* of host/save.h */
#define ring ring_of_events
//@ inspect/trace.h 1
void head_of_trace(void)
{
    //@ inspect/trace.h 2 3 4
}

//@ inspect/histogram.h 1
pt_time head_of_histogram(pt_time ticks);
pt_time head_of_histogram(pt_time ticks)
{
    pt_time worst;

    //@ inspect/histogram.h 2
    return worst;
}

void head_of_metrics(void), send_text(void *context, const char *text);
static void *io;
//@ inspect/metrics.h 1
void head_of_metrics(void)
{
    //@ inspect/metrics.h 2
}

static struct pt_metrics server, jobs;
void head_of_prometheus(void);
void head_of_prometheus(void)
{
    //@ inspect/prometheus.h 1 3 4
}
