/* frames.h - the frames, the tasks, and their positions in the script
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_FRAMES_H
#define MODEL_FRAMES_H

#include "convert.h"

#include <string.h>

/* The position of a function in the script. */
struct position {
    int actor, id, level, function, pc;
    bool cleanup;
    int begin[MODEL_NEST], slot[MODEL_NEST]; /* the blocks around it */
    const struct op *op;                     /* the current operation */
};

/* The memory of a frame for its waits. */
struct kit {
    PT_SELECTION(MODEL_CASES) choice;
    int values[MODEL_CASES]; /* one for each case; other operations use the first */
    int each;                /* how many values a loop still takes */
    struct pt_flags_wanted wanted;
    unsigned seen[MODEL_OBJECTS];
    struct pt_subscriber subscribers[MODEL_OBJECTS];
};

/* One frame for all functions, with two names: with a PT_FINALLY and without. */
#if PT_TIMEOUTS
#define SCOPES struct pt_scope scopes[MODEL_SLOTS];
#else
#define SCOPES
#endif
#if PT_HAS_SCOPES_
#define HELD struct pt_held held[MODEL_SLOTS];
#else
#define HELD
#endif
#if PT_GROUPS
#define GROUPS struct pt_group groups[MODEL_SLOTS];
#else
#define GROUPS
#endif
#define FRAME(name)                 \
    struct name {                   \
        struct pt pt;               \
        struct position at;         \
        SCOPES                      \
        HELD GROUPS struct kit kit; \
    }
FRAME(tidy);
FRAME(plain);

union frame {
    struct tidy tidy;
    struct plain plain;
};

static struct {
    const struct script *script;
    struct trace *trace;
    struct pt_loop loops[MODEL_LOOPS];
    PT_LOOP_STORAGE(16) storage[MODEL_LOOPS];
#if PT_NESTING
    struct pt_loop_async nests[MODEL_LOOPS]; /* the frame that runs each */
#endif
    pt_time clock; /* the script's time */
    int turn;      /* the current turn of the script */
    bool meddled[MODEL_MEDDLES];
    union {
        PT_TASK(tidy) tidy;
        PT_TASK(plain) plain;
    } slots[MODEL_TASKS];
    PT_POOL(tidy, MODEL_ITEMS) pool;
    union frame frames[MODEL_ACTORS][MODEL_LEVELS]; /* the awaited frames */
    int pooled;                                     /* tasks spawned from the pool so far */
} subject;

/* --- operands --- */

static bool is_tidy(int function)
{
    return subject.script->functions[function].tidy;
}

/* The running task of the innermost loop, or NULL. */
static struct pt_task *who_runs(void)
{
    int loop = MODEL_LOOPS - 1;

    while (loop && !pt_loop_current(&subject.loops[loop]))
        loop--;
    return pt_loop_current(&subject.loops[loop]);
}

static struct pt_task *task_named(int name)
{
    return name == MODEL_SELF ? who_runs() : &subject.slots[name].tidy.task;
}

static int loop_of(const struct pt_task *task)
{
    return (int)(task->loop - subject.loops);
}

/* The number of a task; MODEL_TASKS for every task of the pool. */
static int number_of(const struct pt_task *task)
{
    int number = 0;

    while (number < MODEL_TASKS && task != &subject.slots[number].tidy.task)
        number++;
    return number;
}

static inline struct tidy *frame_of(int name, int level)
{
    struct pt_task *task = task_named(name);
    int number = number_of(task);

    if (number == MODEL_TASKS)
        number += task != &subject.pool.items[0].task;
    if (level)
        return &subject.frames[number][level].tidy;
    return number < MODEL_TASKS ? &subject.slots[number].tidy.frame
                                : &subject.pool.items[number - MODEL_TASKS].frame;
}

#if PT_TIMEOUTS
static struct pt_scope *own_scope(int level, int slot)
{
    return &frame_of(MODEL_SELF, level)->scopes[slot];
}
#endif

#if PT_GROUPS
static struct pt_group *group_named(int name, int level, int slot)
{
    return &frame_of(name, level)->groups[slot];
}
#endif

/* --- positions --- */

static struct pt_task *task_at(const struct position *at)
{
    return at->actor < MODEL_TASKS ? &subject.slots[at->actor].tidy.task
                                   : &subject.pool.items[at->actor - MODEL_TASKS].task;
}

/* Each of these prepares a frame that is about to start, with an empty kit. */
static void renew(struct tidy *frame)
{
    memset(&frame->kit, 0, sizeof frame->kit);
}

static struct position base(int number)
{
    renew(&subject.slots[number].tidy.frame);
    return (struct position){.actor = number, .id = number, .function = number};
}

static struct position item(int function)
{
    int number = MODEL_TASKS + (int)(subject.pool.taken - subject.pool.items);

    renew(&subject.pool.taken->frame);
    return (struct position){.actor = number, .id = 100 + subject.pooled++, .function = function};
}

static union frame *within(const struct position *at)
{
    return &subject.frames[at->actor][at->level + 1];
}

static struct position inner(const struct position *at)
{
    renew(&within(at)->tidy);
    return (struct position){
        .actor = at->actor, .id = at->id, .level = at->level + 1, .function = at->op->arg[0]};
}

static const struct code *code_of(const struct position *at)
{
    const struct function *function = &subject.script->functions[at->function];

    return at->cleanup ? &function->cleanup : &function->body;
}

#endif
