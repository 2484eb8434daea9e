/* silent.h - included before a program: searches each loop that it runs for stuck tasks, again and again
 * SPDX-License-Identifier: MIT */
#ifndef SILENT_H
#define SILENT_H

#include <pt/host.h>
#include <pt/inspect.h>

#include <stdio.h>

static inline void silent_print(void *context, const char *text)
{
    fputs(text, (FILE *)context);
}

static inline void silent_search(struct pt_loop *loop, const char *when)
{
    FILE *file = fopen(SILENT_FILE, "a");

    if (!file)
        return;
    setvbuf(file, NULL, _IONBF, 0);
    fprintf(file, "searched %s: %s\n", __BASE_FILE__, when);
    pt_print_stuck(loop, silent_print, file);
    fclose(file);
}

struct silent_observer {
    struct pt_observer observer;
    unsigned turns;
};

static inline void silent_turned(struct pt_observer *observer, struct pt_loop *loop)
{
    struct silent_observer *self = (struct silent_observer *)(void *)observer;

    self->turns++;
    if (!(self->turns & (self->turns - 1)))
        silent_search(loop, "in a turn");
}

/* silent_begin - search in LOOP from now on */
static inline void silent_begin(struct pt_loop *loop, struct silent_observer *observer)
{
    *observer = (struct silent_observer){{NULL, NULL, NULL, NULL, silent_turned, NULL}, 0};
    pt_loop_observe(loop, &observer->observer);
}

/* silent_end - search a last time; returns STATUS, with which the loop has ended */
static inline pt_status silent_end(struct pt_loop *loop, struct silent_observer *observer,
                                   pt_status status)
{
    pt_loop_ignore(loop, &observer->observer);
    silent_search(loop, "at the end");
    return status;
}

static inline pt_status silent_run(struct pt_loop *loop)
{
    struct silent_observer observer;

    silent_begin(loop, &observer);
    return silent_end(loop, &observer, (pt_loop_run)(loop));
}

static inline pt_status silent_run_until_signal(struct pt_system *system, struct pt_task *task)
{
    struct silent_observer observer;

    silent_begin(system->loop, &observer);
    return silent_end(system->loop, &observer, (pt_run_until_signal)(system, task));
}

#undef pt_loop_run
#define pt_loop_run(loop) silent_run(loop)
#define pt_run_until_signal(system, task) silent_run_until_signal(system, task)

#endif
