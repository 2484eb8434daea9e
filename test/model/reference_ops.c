/* reference_ops.c - the operations of a script, as the reference executes them
 * SPDX-License-Identifier: MIT */
#include "reference.h"

struct event *log_event(enum event_kind kind, const struct task *task)
{
    struct event *event = trace_add(model.trace, kind);

    event->task = -1;
    event->time = model.loops[task ? task->home : 0].now;
    for (int i = 0; i < MODEL_LOOPS; i++) {
        event->ready += model.loops[i].queued;
        event->live += model.loops[i].live;
    }
    for (int wish = 0; wish < WISHES; wish++)
        for (int i = 0; i < MODEL_OBJECTS; i++)
            if (wish < WISH_END || wish > WISH_UNTIL)
                event->waiting += waiting_for((enum wish)wish, i);
    if (task) {
        const struct frame *frame = &task->frames[task->top];

        event->task = task->id;
        event->function = frame->function;
        event->op = frame->pc;
        event->cleanup = frame->phase == CLEANUP;
    }
    return event;
}

void log_left(const struct task *task, const struct block *block)
{
    const struct group *group = &model.groups[number_of(task)][block->level][block->slot];
    struct event *event = log_event(EVENT_LEFT, task);

    event->op = block->begin;
    event->a = block->fired;
    if (block->group) {
        event->b = group->decider < MODEL_TASKS ? group->decider : MODEL_TASKS;
        event->code = group->status;
    }
}

const struct code *code_of(const struct frame *frame)
{
    const struct function *function = &model.script->functions[frame->function];

    return frame->phase == CLEANUP ? &function->cleanup : &function->body;
}

/* --- operands --- */

static struct task *task_named(int name)
{
    return &model.tasks[name == MODEL_SELF ? model.running : name];
}

static struct group *group_named(int name, int level, int slot)
{
    return &model.groups[number_of(task_named(name))][level][slot];
}

/* --- operations; each returns whether the task continues at once --- */

static void go_to_sleep(struct task *task, enum doing doing)
{
    task->doing = doing;
    task->timed = doing == PARKED;
    task->since = ++model.order;
}

static bool sleep_for(struct task *task, int delay)
{
    go_to_sleep(task, SLEEPING);
    begin_delay(task, delay);
    interrupt(task);
    return false;
}

bool sleep_until(struct task *task, int time)
{
    int now = loop_of(task)->now;

    go_to_sleep(task, SLEEPING);
    task->wake_at = time > now ? time : now;
    begin_alarm(task);
    interrupt(task);
    return false;
}

bool park(struct task *task)
{
    task->timed = false;
    if (task->permit) {
        task->permit = false;
        make_ready(task);
    } else {
        begin_wait(task, PARKED);
    }
    return false;
}

static bool park_for(struct task *task, int delay)
{
    task->frames[task->top].status = CODE_OK;
    if (task->permit)
        return park(task);
    go_to_sleep(task, PARKED);
    begin_delay(task, delay);
    interrupt(task);
    return false;
}

static bool park_until(struct task *task, int time)
{
    int now = loop_of(task)->now;

    task->frames[task->top].status = CODE_OK;
    if (task->permit)
        return park(task);
    go_to_sleep(task, PARKED);
    task->wake_at = time > now ? time : now;
    begin_alarm(task);
    interrupt(task);
    return false;
}

/* The opcode was carried out, and the task continues at once. */
static bool goes_on(const struct task *task)
{
    observe(task, POINT_RETURNED);
    observe(task, POINT_RESUMES);
    return true;
}

static bool await(struct task *task, int function)
{
    struct frame *frame = &task->frames[++task->top];

    *frame = (struct frame){.function = function, .started = true, .fired = -1};
    return goes_on(task);
}

/* A block of a task that runs gets a deadline. */
static void limit(struct task *task, int deadline)
{
    if (!task->alarm || deadline < task->alarm_at || !shortcuts_there())
        settle(loop_of(task));
    alarm_set(task, deadline);
}

/* Open a block; an error ends the function. */
static bool open_block(struct task *task, const struct op *op, int begin)
{
    struct frame *frame = &task->frames[task->top];
    bool group = op->kind == OP_GROUP;
    int self = number_of(task), slot = op->arg[0], problem = CODE_OK;
    struct block block = {.level = task->top, .slot = slot, .begin = begin, .group = group};
    bool inner = task->blocks && task->block[task->blocks - 1].level == task->top;
    int delay = op->arg[1];

    if (inner) /* the script gives it a deadline, which may be past */
        delay = delay < 2 ? 0 : delay - 2;
    if (inner && !group)
        now_of(task);

    if (!group && delay == MODEL_LONG)
        problem = CODE_RANGE;
    else if (group ? model.groups[self][task->top][slot].open : model.opened[self][task->top][slot])
        problem = CODE_BUSY;
    if (problem) {
        frame->status = problem;
        return leave_function(task, problem);
    }
    block.cleanups = cleanups(task, task->top);
    block.late = !group && delay == 0;
    block.timed = !group && delay != 0 && delay != MODEL_NEVER;
    if (block.late)
        task->served = task->frames[task->top].phase <= ENDING;
    block.deadline = (block.timed ? now_of(task) : 0) + delay;
    task->block[task->blocks++] = block;
    if (group) {
        model.groups[self][task->top][slot] =
            (struct group){.open = true, .owner = self, .decider = -1, .policy = op->arg[1]};
    } else {
        model.opened[self][task->top][slot] = true;
        if (block.timed)
            limit(task, block.deadline);
    }
    return true;
}

static bool take_held(struct task *task)
{
    task->frames[task->top].stage = FETCH;
    task->block[task->blocks - 1].holds = true;
    return true;
}

/* Open a block that holds a lock; an error ends the function. Its pt_held is free, since it is in no
 * other such block. */
static bool hold(struct task *task, const struct op *op, int begin)
{
    struct frame *frame = &task->frames[task->top];

    task->block[task->blocks++] = (struct block){.level = task->top,
                                                 .slot = op->arg[0],
                                                 .begin = begin,
                                                 .hold = true,
                                                 .object = op->arg[1],
                                                 .cleanups = cleanups(task, task->top)};
    if (!wait_or_not(task, op, TAKE_HELD))
        return false;
    if (frame->status == CODE_OK)
        return take_held(task);
    close_block(task);
    return leave_function(task, frame->status);
}

static bool rearm(struct task *task, int level, int slot, int delay)
{
    struct frame *frame = &task->frames[task->top];

    frame->status = CODE_INVALID;
    for (int i = 0; i < task->blocks; i++) {
        struct block *block = &task->block[i];

        if (block->group || block->hold || block->level != level || block->slot != slot)
            continue;
        frame->status = delay >= MODEL_NEVER ? CODE_RANGE : CODE_OK;
        if (frame->status != CODE_OK)
            continue;
        if (delay)
            block->deadline = now_of(task) + delay;
        block->timed = delay != 0;
        block->late = delay == 0;
        if (block->late)
            task->served = task->frames[task->top].phase <= ENDING;
        if (block->timed)
            limit(task, block->deadline);
    }
    return true;
}

/* Start a task of the pool; its item is already taken. */
static bool spawn_item(struct task *task, const struct op *op)
{
    struct frame *frame = &task->frames[task->top];
    struct task *item = &model.tasks[MODEL_TASKS];

    while (item->doing != DEAD)
        item++;
    model.used++;
    spawn(item, 100 + model.pooled++, op->arg[0], task->home);
    frame->stage = FETCH;
    frame->status = CODE_OK;
    goes_on(task);
    if (op->kind == OP_POOL_IN)
        frame->status = group_add(group_named(MODEL_SELF, op->arg[1], op->arg[2]), item);
    return true;
}

static bool pool(struct task *task, const struct op *op)
{
    struct frame *frame = &task->frames[task->top];

    if (MODEL_ITEMS - model.used > model.granted)
        return spawn_item(task, op);
    frame->status = op->kind == OP_POOL_TRY ? CODE_NO_ROOM : CODE_BUSY;
    if (op->kind == OP_POOL_TRY)
        return true;
    frame->stage = TAKE_ITEM;
    begin_wait(task, QUEUEING);
    return false;
}

static bool join_group(struct task *task, struct group *group)
{
    struct frame *frame = &task->frames[task->top];

    frame->status = task->group == group ? CODE_DEADLOCK : CODE_OK;
    if (frame->status != CODE_OK || group_empty(group))
        return true;
    task->gathered = group;
    begin_wait(task, GATHERING);
    return false;
}

static void pause(struct task *task)
{
    task->paused = task->doing != DEAD;
}

/* An operation on other tasks, by a task or from outside all tasks. */
static void act(struct op op, const struct task *by)
{
    switch (op.kind) {
    case OP_WAKE: wake(task_named(op.arg[0])); break;
    case OP_PAUSE: pause(task_named(op.arg[0])); break;
    case OP_RESUME: resume(task_named(op.arg[0])); break;
    case OP_CANCEL: cancel(task_named(op.arg[0]), op.arg[1]); break;
    case OP_CANCEL_ALL: {
        bool told = cancel_all(&model.loops[0], op.arg[0]);

        log_event(EVENT_CODE, by)->code = told;
        break;
    }
    case OP_SLOW: slow_down(&model.loops[op.arg[0]], op.arg[1]); break;
    case OP_GROUP_CANCEL:
        group_cancel(group_named(op.arg[0], op.arg[1], op.arg[2]), op.arg[3]);
        break;
    case OP_GROUP_ADD: {
        int code = group_add(group_named(op.arg[0], op.arg[1], op.arg[2]), task_named(op.arg[3]));

        log_event(EVENT_CODE, by)->code = code;
        break;
    }
    case OP_NOBODY:
        if (op.arg[0] != NOBODY_JOINS)
            log_event(EVENT_CODE, by)->code = for_nobody(op.arg[0], op.arg[1]);
        break;
    default: break;
    }
}

void outside(struct op op)
{
    if (op.kind >= OP_WAIT_EVENT && op.kind < OP_NEST)
        sync_act(op, NULL);
    else if (op.kind == OP_SPAWN)
        log_event(EVENT_CODE, NULL)->code =
            spawn(&model.tasks[op.arg[0]], op.arg[0], op.arg[0], model.script->home[op.arg[0]])
                ? CODE_OK
                : CODE_BUSY;
    else
        act(op, NULL);
}

static bool spawn_other(struct task *task, const struct op *op)
{
    struct frame *frame = &task->frames[task->top];
    struct task *other = task_named(op->arg[0]);

    if (op->kind == OP_SPAWN_IN) {
        frame->status = group_accepts(group_named(MODEL_SELF, op->arg[1], op->arg[2]), task);
        if (frame->status != CODE_OK)
            return true;
    }
    frame->status = CODE_BUSY;
    if (spawn(other, number_of(other), number_of(other), task->home)) {
        frame->status = CODE_OK;
        goes_on(task);
    }
    if (op->kind == OP_SPAWN_IN && frame->status == CODE_OK)
        frame->status = group_add(group_named(MODEL_SELF, op->arg[1], op->arg[2]), other);
    return true;
}

/* The task runs the next loop, unless there is none or another task runs it. */
static bool nest(struct task *task)
{
    int inner = task->home + 1;

    return inner == MODEL_LOOPS || model.loops[inner].host ? true : await(task, MODEL_LOOP + inner);
}

static bool carry_out(struct task *task, const struct op *op, int at)
{
    switch (op->kind) {
    case OP_YIELD: make_ready(task); return false;
    case OP_WAIT:
        return op->arg[0] >= MODEL_NEVER ? leave_function(task, CODE_RANGE)
                                         : sleep_for(task, op->arg[0]);
    case OP_UNTIL: now_of(task); return sleep_until(task, op->arg[0]);
    case OP_PARK: return park(task);
    case OP_PARK_FOR:
        return op->arg[0] >= MODEL_NEVER ? leave_function(task, CODE_RANGE)
                                         : park_for(task, op->arg[0]);
    case OP_PARK_UNTIL: now_of(task); return park_until(task, op->arg[0]);
    case OP_SPAWN:
    case OP_SPAWN_IN: return spawn_other(task, op);
    case OP_AWAIT: return await(task, op->arg[0]);
    case OP_POOL:
    case OP_POOL_IN:
    case OP_POOL_TRY: return pool(task, op);
    case OP_TIMED:
    case OP_GROUP: return open_block(task, op, at);
    case OP_HOLD: return hold(task, op, at);
    case OP_END:
    case OP_CONTINUE: return leave_block(task, false);
    case OP_BREAK: return leave_block(task, true);
    case OP_REARM: return rearm(task, op->arg[0], op->arg[1], op->arg[2]);
    case OP_GROUP_JOIN: return join_group(task, group_named(op->arg[0], op->arg[1], op->arg[2]));
    case OP_RETURN: return leave_function(task, op->arg[0]);
    case OP_NEST: return nest(task);
    case OP_UPDATE:
        model.clock += op->arg[1];
        if (op->arg[0] <= task->home)
            update(&model.loops[task->home - op->arg[0]]);
        return true;
    case OP_WORK: model.clock += op->arg[0]; return true;
    case OP_NOBODY:
        if (op->arg[0] == NOBODY_JOINS && op_there(OP_GROUP_JOIN))
            task->frames[task->top].status = CODE_INVALID;
        break;
    default: break;
    }
    if (op->kind == OP_JOIN || (op->kind >= OP_WAIT_EVENT && op->kind < OP_NEST) ||
        op->kind == OP_WAIT_RWLOCK)
        return sync_op(task, op);
    act(*op, task);
    return true;
}

static bool step(struct task *task)
{
    struct frame *frame = &task->frames[task->top];
    const struct code *code;

    if (frame->phase == ENDING)
        return enter_cleanup(task);
    if (frame->function >= MODEL_LOOP)
        return frame->phase == FINISHING ? complete(task) : run_loop(task);
    code = code_of(frame);
    if (frame->phase == RETURNING)
        return close_blocks(task, NULL) && enter_cleanup(task);
    if (frame->phase == FINISHING)
        return complete(task);
    switch (frame->stage) {
    case TAKE_ITEM: model.granted--; return spawn_item(task, &code->ops[frame->pc - 1]);
    case LEAVE_GROUP: return leave_group(task);
    case LEAVE_BLOCK: go_on_behind(task); return true;
    case TAKE_WANTED: return take_wanted(task, &code->ops[frame->pc - 1]);
    case TAKE_HELD: return take_held(task);
    case TAKE_EACH: return take_each(task, &code->ops[frame->pc - 1], true);
    default: break;
    }
    log_event(EVENT_STEP, task)->code = frame->status;
    if (frame->pc == code->count)
        return frame->phase == CLEANUP ? complete(task) : enter_cleanup(task);
    frame->pc++;
    return carry_out(task, &code->ops[frame->pc - 1], frame->pc - 1);
}

void run(struct task *task)
{
    model.running = number_of(task);
    model.told = false;
    observe(task, POINT_RESUMES);
    task->handed = false;
    task->frames[task->top].started = true;
    while (step(task))
        model.told = false;
    if (!model.told)
        observe(task, POINT_RETURNED);
}
