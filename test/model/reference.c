/* reference.c - the reference scheduler: tasks, groups, alarms, turns
 * SPDX-License-Identifier: MIT */
#include "reference.h"

#include <limits.h>
#include <string.h>

struct reference model;

int number_of(const struct task *task)
{
    return (int)(task - model.tasks);
}

void make_ready(struct task *task)
{
    struct loop *loop = loop_of(task);

    task->doing = READY;
    task->pending = false;
    loop->queue[loop->queued++] = number_of(task);
    if (loop->host)
        force_wake(loop->host); /* the task that runs the loop has work */
}

bool spawn(struct task *task, int id, int function, int home)
{
    if (task->doing != DEAD)
        return false;
    memset(task, 0, sizeof *task);
    task->id = id;
    task->home = home;
    task->frames[0].function = function;
    task->frames[0].fired = -1;
    task->member_since = ++model.order;
    loop_of(task)->live++;
    make_ready(task);
    return true;
}

void end_park(struct task *task, int code)
{
    bool slept = sleeps(task);

    make_ready(task);
    if (!slept)
        return;
    task->frames[task->top].status = code;
    alarm_renew(task);
}

void wake(struct task *task)
{
    if (task->doing == PARKED)
        end_park(task, CODE_OK);
    else if (task->doing != DEAD)
        task->permit = true;
}

void resume(struct task *task)
{
    task->paused = false;
    if (task->doing == HELD)
        make_ready(task);
}

void cancel(struct task *task, int reason)
{
    if (task->doing == DEAD || task->canceled)
        return;
    task->canceled = true;
    task->reason = reason;
    resume(task);
    interrupt(task);
}

/* The first task that does DOING, or NULL. If DOING is GATHERING, only tasks that wait for GROUP. */
static struct task *first_waiter(enum doing doing, const struct group *group)
{
    struct task *first = NULL;

    for (int i = 0; i < MODEL_ACTORS; i++) {
        struct task *task = &model.tasks[i];

        if (task->doing == doing && (doing != GATHERING || task->gathered == group) &&
            (!first || task->since < first->since))
            first = task;
    }
    return first;
}

/* --- groups --- */

/* The next member of GROUP after SINCE, or NULL. If GROUP is NULL: the next task of LOOP that is in
 * no group. */
static struct task *next_member(const struct group *group, const struct loop *loop, long since)
{
    struct task *next = NULL;

    for (int i = 0; i < MODEL_ACTORS; i++) {
        struct task *task = &model.tasks[i];

        if (task->doing != DEAD && task->group == group && (group || loop_of(task) == loop) &&
            task->member_since > since && (!next || task->member_since < next->member_since))
            next = task;
    }
    return next;
}

static void cancel_members(const struct group *group, const struct loop *loop, int reason)
{
    long since = 0;

    for (struct task *task; (task = next_member(group, loop, since)); since = task->member_since)
        cancel(task, reason);
}

bool group_empty(const struct group *group)
{
    return !next_member(group, NULL, 0);
}

void group_cancel(struct group *group, int reason)
{
    struct task *owner = &model.tasks[group->owner];

    if (group->over || !group->open)
        return;
    group->over = true;
    if (group->decider < 0)
        group->status = reason;
    cancel_members(group, NULL, reason);
    for (int i = 0; group->open && i < owner->blocks; i++) {
        struct block *block = &owner->block[i];

        if (block->group && !block->leaving &&
            &model.groups[group->owner][block->level][block->slot] == group) {
            block->late = true;
            interrupt(owner);
        }
    }
}

/* Groups of a task in a cleanup: those that a cleanup has opened; and all, if it was canceled before. Then the
 * tasks below it. Returns whether anything was news. */
static bool cancel_tree(struct task *task, int reason)
{
    bool again = task->canceled, told = !task->group && !again;
    bool shielded = cleanups(task, task->top) > 0;

    for (int i = task->blocks - 1; i >= 0; i--) {
        struct block *block = &task->block[i];

        if (block->group && shielded && (again || block->cleanups) &&
            !group_of(task, block)->over) {
            group_cancel(group_of(task, block), reason);
            told = true;
        }
    }
    if (!task->group)
        cancel(task, reason);
    for (int i = task->blocks - 1; i >= 0; i--) {
        long since = 0;

        for (struct task *member;
             task->block[i].group &&
             (member = next_member(group_of(task, &task->block[i]), NULL, since));
             since = member->member_since)
            told |= cancel_tree(member, reason);
    }
    return told;
}

bool cancel_all(const struct loop *loop, int reason)
{
    const struct loop *inner = loop + 1;
    bool told = false;
    long since = 0;

    for (struct task *task; (task = next_member(NULL, loop, since)); since = task->member_since)
        told |= cancel_tree(task, reason);
    if (inner < model.loops + MODEL_LOOPS && inner->host && cleanups(inner->host, inner->host->top))
        told |= cancel_all(inner, reason);
    return told;
}

int group_accepts(const struct group *group, const struct task *task)
{
    if (!group->open || task->home != model.tasks[group->owner].home)
        return CODE_INVALID;
    return group->over ? CODE_CANCELED : CODE_OK;
}

int group_add(struct group *group, struct task *task)
{
    if (task->doing == DEAD || group_accepts(group, task) == CODE_INVALID)
        return CODE_INVALID;
    for (const struct group *above = group; above; above = model.tasks[above->owner].group)
        if (number_of(task) == above->owner)
            return CODE_DEADLOCK;
    if (task->group)
        return CODE_BUSY;
    task->group = group;
    task->member_since = ++model.order;
    if (group->over)
        cancel(task, CODE_CANCELED);
    return CODE_OK;
}

static void group_ended(struct group *group, const struct task *task, int status)
{
    bool failed = status != CODE_OK;
    bool decides = group->policy == POLICY_FIRST ||
                   (group->policy == POLICY_ALL_OR_NONE && failed) ||
                   (group->policy == POLICY_FIRST_SUCCESS && !failed);

    if (!group->over && (decides || (failed && group->status == CODE_OK))) {
        group->status = status;
        group->decider = number_of(task);
    }
    if (decides)
        group_cancel(group, CODE_CANCELED);
    for (struct task *waiter; group_empty(group) && (waiter = first_waiter(GATHERING, group));)
        make_ready(waiter);
}

/* --- the end of a task --- */

static void pool_release(void)
{
    struct task *waiter = first_waiter(QUEUEING, NULL);

    model.used--;
    if (waiter) {
        model.granted++;
        waiter->handed = true;
        make_ready(waiter);
    }
}

void end_task(struct task *task, int status)
{
    struct group *group = task->group;

    task->doing = DEAD;
    task->done = true;
    task->paused = task->alarm = false;
    task->end_status = status;
    task->group = NULL;
    loop_of(task)->live--;
    serve_ended(task, status);
    if (group)
        group_ended(group, task, status);
    observe(task, POINT_ENDED);
    if (number_of(task) >= MODEL_TASKS)
        pool_release();
}

/* --- time --- */

void alarm_set(struct task *task, int at)
{
    if (task->alarm && task->alarm_at <= at)
        return;
    task->alarm = true;
    task->alarm_at = at;
    task->alarm_since = ++model.order;
}

int first_deadline(const struct task *task)
{
    int at = sleeps(task) ? task->wake_at : INT_MAX;

    for (int i = 0; i < task->blocks; i++)
        if (task->block[i].timed && !task->block[i].late && task->block[i].deadline < at)
            at = task->block[i].deadline;
    return at;
}

/* Arm a sleep now; for a block keep an earlier alarm; otherwise disarm. */
void alarm_renew(struct task *task)
{
    int at = first_deadline(task);

    if (at == INT_MAX || (sleeps(task) && at == task->wake_at))
        task->alarm = false;
    if (at < INT_MAX)
        alarm_set(task, at);
}

/* --- the run --- */

static void log_turn(int next, int nap)
{
    struct event *event = log_event(EVENT_TURN, NULL);

    event->a = next;
    event->b = nap;
    for (int i = 0; i < MODEL_TASKS; i++) {
        const struct task *task = &model.tasks[i];
        bool alive = task->doing != DEAD;
        unsigned all = (unsigned)alive | (unsigned)task->done << 1 |
                       (unsigned)(op_there(OP_PAUSE) && (!alive || task->paused)) << 2 |
                       (unsigned)task->canceled << 3 |
                       (unsigned)(task->done ? task->end_status : CODE_INVALID) << 4;

        event->all |= (uint64_t)all << 8 * i;
    }
}

/* How long to sleep before the turn at NEXT. A reading for sleepers is newer than the loop's time. */
static int nap_until(struct loop *loop, int next)
{
    int now =
        loop->read && next != INT_MAX && loop->now < loop->read_at ? loop->read_at : loop->now;

    if (loop->old)
        return NAP_NONE;
    loop->read = false;
    if (next == INT_MAX)
        return NAP_ENDLESS;
    return next == loop->now || next <= now ? NAP_NONE : next - now;
}

static void run_turn(struct loop *loop, bool by_hand)
{
    int next;

    loop->reads = by_hand ? READS_NEVER : model.script->dear ? READS_MANY : READS_EACH;
    loop->read = false;
    next = turn(loop, model.clock, by_hand ? 0 : steps_there());
    log_turn(next, by_hand ? NAP_NONE : nap_until(loop, next));
}

void reference_run(const struct script *script, struct trace *trace)
{
    memset(&model, 0, sizeof model);
    model.script = script;
    model.trace = trace;
    model.running = -1;
    trace_begin(trace);
    objects_begin();
    for (int i = 0; i < MODEL_TASKS; i++)
        if (script->started & 1u << i)
            spawn(&model.tasks[i], i, i, script->home[i]);
    for (model.turn = 0; model.turn < script->turns; model.turn++) {
        for (int i = 0; i < MODEL_LOOPS; i++)
            memset(model.loops[i].calls, 0, sizeof model.loops[i].calls);
        outside(script->turn[model.turn].outside);
        model.clock += script->turn[model.turn].jump;
        run_turn(&model.loops[0], script->turn[model.turn].by_hand || !clock_there());
        model.running = -1;
        log_objects();
    }
}
