/* 63-profile.c - what a loop does, counted by an observer, with the names from pt's tables
 * SPDX-License-Identifier: MIT
 *
 * An observer (lesson 39) counts opcodes, and the reasons for which tasks wait.
 *
 *     PT_OP_TABLE          a list of X(name, ...), a row for each opcode; PT_OP_PARK is one of them
 *     PT_STATUS_TABLE      the same for codes
 *     PT_TASK_STATE_TABLE  the same for the states of a task
 *     PT_WHY_TABLE         the same for what a task can wait for: the values of enum pt_why
 *     pt_print             the type of a function that takes a text, and does with it what you want
 *
 * What to notice:
 *   - Your own X turns a table into what you need: here into names, and into a number of rows.
 *   - The tables are complete: when pt gets a new opcode, its name appears here, too.
 *   - report does not know where its text goes: to a file, a UART, a socket. pt_dump does the same.
 *
 * Try: remove the PT_WAIT. Why does no user wait for the lock then? */
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

PT_ASYNC(user, self)
{
    for (; self->times > 0; self->times--) {
        PT_LOCK(&lock);
        PT_WAIT(PT_MS(1));
        PT_UNLOCK(&lock);
    }
}
PT_END

int main(void)
{
    static PT_TASK(user) users[2];
    static struct profile profile;
    struct pt_loop loop;

    pt_lock_init(&lock);
    pt_loop_open(&loop, &pt_posix);
    profile.observer.returned = count;
    pt_loop_observe(&loop, &profile.observer);
    for (int i = 0; i < 2; i++)
        PT_START(&loop, &users[i], user, .times = 3);
    printf("a user is %s; ", states[pt_task_state(&users[0].task)]);
    printf("the loop ends with %s\n", codes[-pt_loop_run(&loop)]);
    report(&profile, to_file, stdout);
    pt_loop_close(&loop);
}
