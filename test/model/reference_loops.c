/* reference_loops.c - turns, nested loops and observers of the reference
 * SPDX-License-Identifier: MIT */
#include "reference.h"

#include <limits.h>
#include <string.h>

struct loop *loop_of(const struct task *task)
{
    return &model.loops[task->home];
}

/* --- observers --- */

static int meddle(struct loop *loop, enum point point)
{
    int number = (int)(loop - model.loops), call = loop->calls[point]++, chosen = 0;

    for (int i = 0; i < MODEL_MEDDLES; i++) {
        const struct meddle *meddle = &model.script->meddle[i];
        struct event *event;

        if (meddle->op.kind == OP_NOTHING || meddle->turn != model.turn || meddle->loop != number ||
            meddle->point != (int)point || (point != POINT_TURNED && meddle->call != call) ||
            model.meddled[i])
            continue;
        model.meddled[i] = true;
        event = log_event(EVENT_MEDDLE, NULL);
        event->a = (int)point;
        event->b = number;
        outside(meddle->op);
        chosen = meddle->choose;
    }
    return chosen;
}

void observe(const struct task *task, enum point point)
{
    meddle(loop_of(task), point);
}

/* --- time --- */

static struct task *first_alarm(const struct loop *loop)
{
    struct task *first = NULL;

    for (int i = 0; i < MODEL_ACTORS; i++) {
        struct task *task = &model.tasks[i];

        if (task->alarm && loop_of(task) == loop &&
            (!first || task->alarm_at < first->alarm_at ||
             (task->alarm_at == first->alarm_at && task->alarm_since < first->alarm_since)))
            first = task;
    }
    return first;
}

static void ring_alarms(const struct loop *loop)
{
    for (struct task *task; (task = first_alarm(loop)) && task->alarm_at <= loop->now;) {
        task->alarm = false;
        expire(task);
    }
}

/* When a delay is over that counts from here. One of 0 ends in the next turn. */
static int end_of(const struct loop *loop, int delay)
{
    int now = model.clock > loop->now ? model.clock : loop->now;

    return delay ? now + model.script->grain + delay : loop->now;
}

void settle(struct loop *loop)
{
    for (int i = 0; i < loop->sleepers; i++) {
        struct task *task = loop->sleeper[i];

        if (!task->pending)
            continue;
        task->pending = false;
        task->wake_at = end_of(loop, task->delay);
        alarm_renew(task);
    }
    loop->read |= loop->sleepers > 0;
    loop->read_at = loop->sleepers ? model.clock : loop->read_at;
    loop->sleepers = 0;
}

/* For how many delays of a loop a reading is, at most. */
static int most_sleepers(const struct loop *loop)
{
    bool scripted = model.script->most && loop == model.loops;

    return scripted ? model.script->most : sleepers_there();
}

void begin_delay(struct task *task, int delay)
{
    struct loop *loop = loop_of(task);

    task->delay = delay;
    if (loop->reads != READS_MANY) {
        task->wake_at = loop->reads == READS_EACH ? end_of(loop, delay) : loop->now + delay;
        alarm_renew(task);
        return;
    }
    if (loop->sleepers == most_sleepers(loop))
        settle(loop);
    task->pending = true;
    loop->sleeper[loop->sleepers++] = task;
}

void begin_alarm(struct task *task)
{
    settle(loop_of(task));
    alarm_renew(task);
}

void update(struct loop *loop)
{
    do {
        settle(loop);
        loop->now = model.clock;
        ring_alarms(loop);
        loop = loop->host ? loop_of(loop->host) : NULL;
    } while (loop && loop->now < model.clock);
}

int now_of(const struct task *task)
{
    struct loop *loop = loop_of(task);

    if (loop->old && loop->now < model.clock)
        update(loop);
    loop->old = false;
    return loop->now;
}

void slow_down(struct loop *loop, int ticks)
{
    if (!loop->slow)
        loop->slow_until = loop->now;
    else if (loop->now + ticks < loop->slow_until)
        loop->slow_until = loop->now + ticks; /* it came from a longer delay */
    loop->slow = ticks;
    if (loop->host)
        force_wake(loop->host);
}

/* --- turns --- */

/* Take the next of the BATCH first ready tasks; an observer may choose. */
static struct task *take(struct loop *loop, int batch)
{
    int chosen = meddle(loop, POINT_PICK) % batch, number = loop->queue[chosen];

    memmove(&loop->queue[chosen], &loop->queue[chosen + 1],
            (size_t)(--loop->queued - chosen) * sizeof loop->queue[0]);
    return &model.tasks[number];
}

static void run_one(struct loop *loop, struct task *task)
{
    struct frame *top = &task->frames[task->top];

    if (task->paused) {
        task->doing = HELD;
        return;
    }
    if (task->relocks)
        task->handed = task->relocks = false; /* it is ended, now that it has the lock */
    task->served = task->handed && threatened(task) && top->phase <= ENDING;
    if (top->phase == RETURNING && !close_blocks(task, NULL))
        return;
    if (task->handed || unwind(task)) {
        loop->current = task;
        run(task);
    }
    loop->current = NULL;
}

/* The time at which the loop next has something to do; INT_MAX: only after a wake. */
static int next_turn(const struct loop *loop)
{
    struct task *first = first_alarm(loop);
    int next;

    while (!loop->queued && first && first_deadline(first) == INT_MAX && !idle_alarms_there()) {
        first->alarm = false;
        first = first_alarm(loop);
    }
    next = loop->queued ? loop->now : first ? first->alarm_at : INT_MAX;
    return loop->slow && next < loop->slow_until ? loop->slow_until : next;
}

static void run_batch(struct loop *loop)
{
    for (int batch = loop->queued; batch > 0; batch--)
        run_one(loop, take(loop, batch));
}

/* Whether the next batch may run on the same reading of the clock. */
static bool goes_on(struct loop *loop, int steps)
{
    const struct task *first = first_alarm(loop);

    return loop->queued && loop->queued <= steps && !loop->slow && !script_meddles(model.script) &&
           !loop->sleepers && !(first && first->alarm_at <= loop->now);
}

int turn(struct loop *loop, int now, int steps)
{
    loop->now = now;
    loop->old = false;
    if (loop->slow && now < loop->slow_until && loop->slow_until <= now + loop->slow)
        return loop->slow_until; /* one that is further away comes from an earlier, longer delay */
    if (loop->slow)
        loop->slow_until = now + loop->slow;
    ring_alarms(loop);
    for (;; loop->old = true) {
        steps -= loop->queued;
        run_batch(loop);
        if (!goes_on(loop, steps))
            break;
    }
    meddle(loop, POINT_TURNED);
    settle(loop);
    return next_turn(loop);
}

/* --- a loop in a task --- */

static bool rest_until(struct task *task, const struct loop *inner, int next)
{
    if (next == inner->now)
        make_ready(task);
    else if (next == INT_MAX)
        return park(task);
    else
        return sleep_until(task, next);
    return false;
}

bool run_loop(struct task *task)
{
    struct frame *frame = &task->frames[task->top];
    struct loop *inner = &model.loops[frame->function - MODEL_LOOP];
    int running = model.running, next;

    inner->host = task;
    inner->reads = loop_of(task)->reads;
    next = turn(inner, now_of(task), 0);
    model.running = running;
    model.told = false;
    if (inner->live)
        return rest_until(task, inner, next);
    inner->host = NULL;
    frame->phase = CLEANUP;
    return complete(task);
}

/* Something ends the task that runs a loop: end the tasks of that loop too. */
bool end_loop(struct task *task)
{
    struct frame *frame = &task->frames[task->top];
    struct loop *inner = &model.loops[frame->function - MODEL_LOOP];

    frame->phase = CLEANUP;
    if (op_there(OP_CANCEL)) {
        cancel_all(inner, CODE_CANCELED);
        return true;
    }
    inner->host = NULL;
    return complete(task);
}

/* Wake a task, whatever it waits for. */
void force_wake(struct task *task)
{
    if (task->doing != PARKED && task->doing != SLEEPING)
        return;
    task->doing = READY;
    make_ready(task);
    alarm_renew(task);
}
