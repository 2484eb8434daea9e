/* reference_wants.c - the operations on objects, as the reference executes them
 * SPDX-License-Identifier: MIT */
#include "reference_sync.h"

enum wish wish_of(int kind)
{
    switch (kind) {
    case OP_JOIN: return WISH_END;
    case OP_WAIT_EVENT: return WISH_EVENT;
    case OP_ACQUIRE:
    case OP_TRY_ACQUIRE: return WISH_UNIT;
    case OP_LOCK:
    case OP_HOLD:
    case OP_TRY_LOCK: return WISH_LOCK;
    case OP_WAIT_CONDITION:
    case OP_WAIT_RWLOCK: return WISH_CONDITION;
    case OP_SEND:
    case OP_TRY_SEND: return WISH_SEND;
    case OP_RECV:
    case OP_RECV_EACH:
    case OP_TRY_RECV: return WISH_RECEIVE;
    case OP_PUSH:
    case OP_TRY_PUSH: return WISH_PUSH;
    case OP_POP:
    case OP_POP_EACH:
    case OP_TRY_POP: return WISH_POP;
    case OP_WAIT_FLAGS: return WISH_FLAGS;
    case OP_WAIT_BARRIER: return WISH_BARRIER;
    case OP_WAIT_LATEST: return WISH_NEWS;
    case OP_WAIT_BROADCAST: return WISH_BROADCAST;
    case OP_LOCK_SHARED:
    case OP_TRY_SHARED: return WISH_SHARED;
    case OP_LOCK_EXCLUSIVE:
    case OP_TRY_EXCLUSIVE: return WISH_EXCLUSIVE;
    default: return WISHES;
    }
}

static int join(struct want *want, const struct task *task)
{
    struct task *other = &model.tasks[want->object == MODEL_SELF ? model.running : want->object];

    want->object = number_of(other);
    if (other == task)
        return CODE_DEADLOCK;
    if (other->doing != DEAD)
        return CODE_AGAIN;
    return other->done ? other->end_status : CODE_INVALID;
}

static int take_unit(int object)
{
    if (!objects.units[object])
        return CODE_AGAIN;
    objects.units[object]--;
    return CODE_OK;
}

int attempt(struct task *task, struct want *want)
{
    const struct frame *frame = &task->frames[task->top];
    int object = want->object;

    switch (want->wish) {
    case WISH_EVENT: return objects.set[object] ? CODE_OK : CODE_AGAIN;
    case WISH_UNIT: return take_unit(object);
    case WISH_LOCK: return lock(object, task);
    case WISH_SEND: return send(object, want->value);
    case WISH_RECEIVE: return receive(object, task);
    case WISH_PUSH: return push(object, want->value);
    case WISH_POP: return pop(object, task);
    case WISH_END: return join(want, task);
    case WISH_AFTER:
    case WISH_UNTIL:
        return want->value == 0 ? CODE_OK : want->value == MODEL_LONG ? CODE_RANGE : CODE_AGAIN;
    case WISH_CONDITION: return let_go(want, task);
    case WISH_FLAGS: return look_at_flags(want, task);
    case WISH_BARRIER: return meet(object);
    case WISH_NEWS: return objects.told[object] == frame->seen[object] ? CODE_AGAIN : CODE_OK;
    case WISH_BROADCAST: return objects.sent[object] == frame->heard[object] ? CODE_AGAIN : CODE_OK;
    case WISH_SHARED: return lock_shared(object, task);
    case WISH_EXCLUSIVE: return lock_exclusive(object, task);
    default: return CODE_AGAIN;
    }
}

int value_of(enum wish wish)
{
    return wish == WISH_SEND || wish == WISH_PUSH ? ++objects.tags : -1;
}

/* --- one wait --- */

static void log_value(const struct task *task, int a, int b)
{
    struct event *event = log_event(EVENT_VALUE, task);

    event->code = task->frames[task->top].status;
    event->a = a;
    event->b = b;
}

/* Take the next value of a broadcast, or the oldest that it still keeps. */
static void hear(struct task *task, int object)
{
    struct frame *frame = &task->frames[task->top];
    int behind = objects.sent[object] - frame->heard[object];
    int missed = behind > MODEL_KEEPS ? behind - MODEL_KEEPS : 0;

    frame->heard[object] += missed + 1;
    frame->status = missed ? CODE_OVERRUN : CODE_OK;
    log_value(task, frame->heard[object], missed);
}

bool take_wanted(struct task *task, const struct op *op)
{
    struct frame *frame = &task->frames[task->top];
    int object = op->arg[0];

    frame->stage = FETCH;
    switch (op->kind) {
    case OP_RECV:
    case OP_POP:
    case OP_WAIT_FLAGS: log_value(task, task->came, 0); break;
    case OP_SELECT:
    case OP_SELECT_TWO:
        if (frame->fired < 0) /* otherwise a case was ready at once */
            frame->fired = task->case_due;
        log_value(task, frame->fired, task->came);
        break;
    case OP_SELECT_NOW: log_value(task, frame->fired, task->came); break;
    case OP_WAIT_LATEST:
        frame->seen[object] = objects.told[object];
        log_value(task, objects.latest[object], 0);
        break;
    case OP_WAIT_BROADCAST: hear(task, object); break;
    default: break;
    }
    return true;
}

/* Begin a wait that will continue at STAGE. */
static bool rest(struct task *task, enum stage stage)
{
    task->frames[task->top].stage = stage;
    task->frames[task->top].status = CODE_OK;
    begin_wait(task, WAITING);
    return false;
}

/* Two tasks have met, and the other one runs first, unless this task will end at its next wait. */
static bool defers(struct task *task, const struct want *want)
{
    struct block *block;

    if (target(task, &block))
        return false;
    return (want->wish == WISH_SEND && want->object == CHANNEL_RECEIVER) ||
           (want->wish == WISH_RECEIVE && want->object == CHANNEL_SENDER);
}

bool wait_or_not(struct task *task, const struct op *op, enum stage stage)
{
    struct frame *frame = &task->frames[task->top];
    struct want want = {.wish = wish_of(op->kind), .object = op->arg[op->kind == OP_HOLD]};

    want.value =
        want.wish == WISH_FLAGS || want.wish == WISH_CONDITION ? op->arg[1] : value_of(want.wish);
    want.how = op->kind == OP_WAIT_RWLOCK ? HELD_TO_WRITE : op->arg[2];
    task->wanted = 0;
    task->select = task->timed = false;
    task->came = -1;
    frame->status = attempt(task, &want);
    if (frame->status == CODE_AGAIN) {
        wait_for(task, &want);
        return rest(task, stage);
    }
    if (frame->status == CODE_OK && defers(task, &want)) {
        frame->stage = stage;
        task->handed = true;
        make_ready(task);
        return false;
    }
    return true;
}

/* A loop over values, until the wait fails or it has enough of them. */
bool take_each(struct task *task, const struct op *op, bool came)
{
    struct frame *frame = &task->frames[task->top];

    frame->stage = FETCH;
    for (;; came = false) {
        if (!came && !wait_or_not(task, op, TAKE_EACH))
            return false;
        if (frame->status != CODE_OK)
            return true;
        log_value(task, task->came, 0);
        if (--frame->each < 0)
            return true;
    }
}

/* --- selects --- */

static bool is_time(const struct want *want)
{
    return want->wish == WISH_AFTER || want->wish == WISH_UNTIL;
}

static struct want want_of(int number)
{
    struct want want = {.wish = (enum wish)(number / CASE_OPERANDS),
                        .object = number % CASE_OPERANDS};

    if (want.object >= CASE_OFF && want.wish < WISH_END)
        return (struct want){.wish = WISHES};
    want.value = value_of(want.wish);
    if (want.wish == WISH_AFTER)
        want.value = want.object == CASE_LONG ? MODEL_LONG : want.object;
    if (want.wish == WISH_UNTIL)
        want.value = want.object < CASE_PAST    ? 0
                     : want.object == CASE_LONG ? MODEL_NEVER
                                                : want.object - CASE_PAST;
    return want;
}

/* Enter all queues; of the cases with times, wait only for the earliest. */
static bool select_waits(struct task *task, const struct want *wants, int count)
{
    struct frame *frame = &task->frames[task->top];

    task->wanted = 0;
    task->select = true;
    task->timed = false;
    frame->fired = -1;
    for (int i = 0; i < count; i++) {
        wait_for(task, &wants[i]);
        if (is_time(&wants[i]) && wants[i].value != MODEL_NEVER &&
            (!task->timed || wants[i].value < wants[task->case_due].value)) {
            task->timed = true;
            task->wake_at = loop_of(task)->now + wants[i].value;
            task->case_due = i;
        }
    }
    frame->stage = TAKE_WANTED;
    frame->status = CODE_OK;
    task->doing = WAITING;
    if (task->timed)
        begin_alarm(task);
    interrupt(task);
    return false;
}

static bool select(struct task *task, const struct op *op)
{
    struct frame *frame = &task->frames[task->top];
    int count = op->kind == OP_SELECT ? 3 : 2, start = frame->fired + 1;
    struct want wants[MODEL_CASES];

    for (int i = 0; i < count; i++)
        wants[i] = want_of(op->arg[i]);
    for (int i = 0; i < count; i++)
        if (is_time(&wants[i]))
            now_of(task);
    task->came = -1;
    start = start < count ? start : 0;
    for (int i = 0; i < count; i++) {
        int at = (start + i) % count, code = attempt(task, &wants[at]);

        if (code == CODE_AGAIN)
            continue;
        frame->fired = at;
        frame->status = code;
        return take_wanted(task, op);
    }
    if (op->kind != OP_SELECT_NOW)
        return select_waits(task, wants, count);
    frame->fired = -1;
    frame->status = CODE_AGAIN;
    return take_wanted(task, op);
}

/* --- operations --- */

bool sync_op(struct task *task, const struct op *op)
{
    switch (op->kind) {
    case OP_SELECT:
    case OP_SELECT_TWO:
    case OP_SELECT_NOW: return select(task, op);
    case OP_RECV_EACH:
    case OP_POP_EACH: task->frames[task->top].each = op->arg[1]; return take_each(task, op, false);
    case OP_SUBSCRIBE:
        task->frames[task->top].heard[op->arg[0]] = objects.sent[op->arg[0]];
        return true;
    case OP_JOIN:
    case OP_WAIT_EVENT:
    case OP_ACQUIRE:
    case OP_LOCK:
    case OP_WAIT_CONDITION:
    case OP_WAIT_RWLOCK:
    case OP_SEND:
    case OP_RECV:
    case OP_PUSH:
    case OP_POP:
    case OP_WAIT_FLAGS:
    case OP_WAIT_BARRIER:
    case OP_WAIT_LATEST:
    case OP_WAIT_BROADCAST:
    case OP_LOCK_SHARED:
    case OP_LOCK_EXCLUSIVE: return wait_or_not(task, op, TAKE_WANTED) && take_wanted(task, op);
    default: sync_act(*op, task); return true;
    }
}
