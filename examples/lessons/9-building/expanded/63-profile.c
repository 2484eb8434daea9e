/* expanded/63-profile.c - lesson 63 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_OP_TABLE(NAME)    NAME of each row: "YIELD", "WAIT", ...; the tables are still here
 *     PT_LOCK              store a label and return PARK, if the lock is not free
 *     PT_UNLOCK            a function */
#include <pt/inspect.h>
#include <pt/posix.h>

#include <stdio.h>

#define NAME(name, ...) #name,
#define ONE(...) +1
static const char *const names[] = {PT_OP_TABLE(NAME) PT_WHY_TABLE(NAME)};
static const char *const codes[] = {PT_STATUS_TABLE(NAME)}; /* of 0, -1, -2 ... */
static const char *const states[] = {PT_TASK_STATE_TABLE(NAME)};
enum { OPS = 0 PT_OP_TABLE(ONE), ALL = OPS PT_WHY_TABLE(ONE) };

struct profile {
    struct pt_observer observer; /* the first member */
    unsigned counts[ALL];        /* of opcodes, then of reasons to wait */
};

static void count(struct pt_observer *observer, struct pt_task *task, enum pt_opcode op)
{
    struct profile *profile = (struct profile *)(void *)observer;
    profile->counts[op]++;
    if (op == PT_OP_PARK && pt_task_state(task) == PT_TASK_WAITING)
        profile->counts[OPS + (enum pt_why)task->why]++;
}

static void report(const struct profile *profile, pt_print *print, void *context)
{
    char line[60];

    for (int i = 0; i < ALL; i++) {
        snprintf(line, sizeof line, "%3u  %s\n", profile->counts[i], names[i]);
        if (profile->counts[i])
            print(context, line);
    }
}

static void to_file(void *file, const char *text)
{
    fputs(text, (FILE *)file);
}

static struct pt_lock lock;

struct user {
    struct pt pt;
    int times;
};

static pt_op PT_FN(user)(struct pt *pt, struct pt_task *task)
{
    struct user *self = (struct user *)pt;

    switch (pt->label) {
    case 0:
        for (; self->times > 0; self->times--) {
            if (pt_lock_must_wait_(task, pt, &lock)) {
                pt->label = 1;
                return (pt_op){task->state & PT_STATE_QUEUED_ ? PT_OP_PARK : PT_OP_YIELD};
            case 1: pt_task_take_(task);
            }
            pt_wait_(task, PT_MS(1));
            pt->label = 2;
            return (pt_op){PT_OP_WAIT};
        case 2: pt->status = pt_lock_release(&lock, task);
        }
    }
    return pt_end_(pt);
}
