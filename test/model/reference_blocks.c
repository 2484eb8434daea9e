/* reference_blocks.c - blocks, how they end, and how functions are left
 * SPDX-License-Identifier: MIT */
#include "reference_sync.h"

int cleanups(const struct task *task, int level)
{
    int count = 0;

    for (int i = 0; i <= level; i++)
        count += task->frames[i].phase > ENDING;
    return count;
}

/* A cancel has priority over all blocks, and an outer block over inner ones. Only blocks count that
 * were opened as deep in cleanups as the task is now, and none of a function that has returned. */
bool target(struct task *task, struct block **block)
{
    int depth = cleanups(task, task->top);

    *block = NULL;
    if (depth == 0 && task->canceled)
        return true;
    for (int i = 0; i < task->blocks; i++) {
        struct block *candidate = &task->block[i];

        if (candidate->late && candidate->cleanups == depth &&
            task->frames[candidate->level].phase != FINISHING) {
            *block = candidate;
            return true;
        }
    }
    return false;
}

/* Whether the task or one of its blocks must end, now or after a cleanup. */
bool threatened(const struct task *task)
{
    bool late = false;

    for (int i = 0; i < task->blocks; i++)
        late |= task->block[i].late;
    return late || task->canceled;
}

/* --- waiting --- */

/* If a waiting task must end, make it ready; the rest happens when it runs. */
void interrupt(struct task *task)
{
    struct block *block;

    task->served = false;
    if (task->doing <= HELD || task->handed || !target(task, &block))
        return; /* handed: it will get what it waits for, a condition's lock */
    if (task->doing == WAITING && task->wants[0].wish == WISH_CONDITION &&
        !lock_again(&task->wants[0])) {
        task->relocks = true;
        return;
    }
    leave(task);
    make_ready(task);
    alarm_renew(task);
}

void begin_wait(struct task *task, enum doing doing)
{
    task->doing = doing;
    task->since = ++model.order;
    interrupt(task);
}

/* The task's alarm goes off, with its own time even if the turn is late. A wait that is over
 * counts, unless a block was over earlier: then the task runs to its next wait. */
void expire(struct task *task)
{
    struct block *block;
    bool over = sleeps(task) && task->wake_at <= task->alarm_at;
    bool ready = task->doing <= HELD && loop_of(task)->current != task && !target(task, &block);
    bool any = false, before = false;

    for (int i = 0; i < task->blocks; i++) {
        block = &task->block[i];
        if (!block->timed || block->late || block->deadline > task->alarm_at)
            continue;
        block->late = any = true;
        before |= sleeps(task) ? block->deadline < task->wake_at : !ready;
    }
    task->handed |= any && !before;
    if (before)
        interrupt(task);
    if (over && sleeps(task) && task->doing == PARKED) {
        end_park(task, CODE_TIMED_OUT);
    } else if (over && sleeps(task)) {
        leave(task);
        make_ready(task);
    }
    alarm_renew(task);
}

/* --- leaving --- */

static struct block *innermost(struct task *task)
{
    return &task->block[task->blocks - 1];
}

struct group *group_of(const struct task *task, const struct block *block)
{
    return &model.groups[number_of(task)][block->level][block->slot];
}

void close_block(struct task *task)
{
    const struct block *block = innermost(task);

    task->blocks--;
    if (block->group)
        group_of(task, block)->open = false;
    else if (!block->hold)
        model.opened[number_of(task)][block->level][block->slot] = false;
    if (block->holds)
        unlock(block->object, task);
}

/* Close the blocks of the top frame inside UNTIL; false: the task waits for the tasks of a
 * group. */
bool close_blocks(struct task *task, const struct block *until)
{
    while (task->blocks && innermost(task) != until && innermost(task)->level == task->top) {
        struct block *block = innermost(task);

        if (block->group && !group_empty(group_of(task, block))) {
            block->leaving = true;
            group_cancel(group_of(task, block), CODE_CANCELED);
            task->gathered = group_of(task, block);
            task->doing = GATHERING;
            task->since = ++model.order;
            return false;
        }
        close_block(task);
    }
    return true;
}

/* The frame continues after its innermost block. */
void go_on_behind(struct task *task)
{
    struct frame *frame = &task->frames[task->top];
    struct block block = *innermost(task);

    close_block(task);
    log_left(task, &block);
    frame->pc = code_end(code_of(frame), block.begin) + 1;
    frame->stage = FETCH;
}

bool leave_group(struct task *task)
{
    struct block *block = innermost(task);

    block->leaving = true;
    if (group_empty(group_of(task, block))) {
        go_on_behind(task);
        return true;
    }
    task->frames[task->top].stage = LEAVE_GROUP;
    task->gathered = group_of(task, block);
    begin_wait(task, GATHERING);
    return false;
}

/* Leave the innermost block by its end or CONTINUE, or by BREAK, which ends its tasks. */
bool leave_block(struct task *task, bool by_break)
{
    struct block *block = innermost(task);

    if (!block->group) {
        go_on_behind(task);
        return true;
    }
    block->leaving = true;
    if (by_break && !group_empty(group_of(task, block)))
        group_cancel(group_of(task, block), CODE_CANCELED);
    return leave_group(task);
}

/* Each of these returns whether the task continues at once. */

bool complete(struct task *task)
{
    struct frame *frame = &task->frames[task->top];

    observe(task, POINT_RETURNED);
    model.told = true;
    frame->phase = FINISHING;
    if (!close_blocks(task, NULL))
        return false;
    if (task->top == 0) {
        end_task(task, frame->result);
        return false;
    }
    task->frames[--task->top].status = frame->result;
    if (!task->served && !unwind(task))
        return false;
    task->served &= task->frames[task->top].phase <= ENDING;
    observe(task, POINT_RESUMES);
    return true;
}

bool enter_cleanup(struct task *task)
{
    struct frame *frame = &task->frames[task->top];
    struct event *event;

    if (frame->function >= MODEL_LOOP)
        return end_loop(task);
    if (!model.script->functions[frame->function].tidy)
        return complete(task);
    frame->phase = CLEANUP;
    frame->stage = FETCH;
    frame->pc = 0;
    event = log_event(EVENT_CLEANUP, task);
    event->code = frame->result;
    for (int i = 0; i < task->blocks; i++)
        event->a += task->block[i].group && task->block[i].level == task->top;
    return true;
}

bool leave_function(struct task *task, int code)
{
    struct frame *frame = &task->frames[task->top];

    frame->result = code;
    if (frame->phase == CLEANUP)
        return complete(task);
    frame->phase = RETURNING;
    return close_blocks(task, NULL) && enter_cleanup(task);
}

/* End the functions inside the block that must end, or all, one by one. */
bool unwind(struct task *task)
{
    struct frame *top = &task->frames[task->top];
    struct block *block;

    if (!target(task, &block) || !top->started)
        return true; /* a task that has not run yet ends at its first wait */
    if (!close_blocks(task, block))
        return false;
    if (block && block->level == task->top) {
        block->late = false;
        top->stage = block->group ? LEAVE_GROUP : LEAVE_BLOCK;
        if (block->group)
            return true;
        block->fired = true;
        top->status = CODE_TIMED_OUT;
        return true;
    }
    top->result = !block ? task->reason : block->group ? CODE_CANCELED : CODE_TIMED_OUT;
    top->phase = ENDING;
    return true;
}
