/* dump.h - a picture of a loop: what each task waits for, and where
 * SPDX-License-Identifier: MIT
 *
 *     pt_dump(&loop, print_text, stderr);
 *
 *     server: sleeps, 250 ms
 *         at server (server.c:40)
 *         connection: waits for room in a pool, timeout in 1000 ms
 *             at read_line (line.c:12)
 *             at connection (server.c:71)
 *
 * With PT_SITES a dump shows source lines, otherwise the numbers of suspensions. Where a running
 * task is now is not known: its innermost line, "since ...", is where it was resumed. With PT_SINCE
 * a line ends in how long the task has waited, ", for 40 ms so far";
 * without it only a park has that. */
#ifndef PT_DUMP_H
#define PT_DUMP_H

#include "inspect.h"

#if PT_INSPECT

/* pt_print - takes a piece of text; CONTEXT is what was passed with the function */
typedef void pt_print(void *context, const char *text);

/* pt_dump_task - print what a task does, and where; DEPTH: how far to indent it
 * Of a task that is done, the code, and with PT_SITES the line: of its PT_RETURN, or that of the
 * function that it called by PT_TRY; or that of its own body, if it was canceled. So after a
 * PT_JOIN, or a group that has failed, this tells who it was, as long as the task has its storage:
 *
 *     if (self->both.decider)               NULL: none has failed, or the group was canceled
 *         pt_dump_task(self->both.decider, 0, print_text, stderr);
 *
 *     left: is done, with PT_ECLOSED
 *         at ask (ask.c:31)
 *
 * A cleanup that waited has overwritten the line by its own. */
PT_API void pt_dump_task(const struct pt_task *task, unsigned depth, pt_print *print,
                         void *context);

/* pt_dump - print all tasks of a loop and where they are, each below its parent */
PT_API void pt_dump(const struct pt_loop *loop, pt_print *print, void *context);

/* --- implementation ------------------------------------------------------------------------ */

PT_API void pt_print_number_(pt_print *print, void *context, uint64_t number)
{
    char text[21], *digit = &text[20];

    *digit = '\0';
    do {
        *--digit = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    print(context, digit);
}

PT_API void pt_print_indent_(pt_print *print, void *context, unsigned depth)
{
    while (depth--)
        print(context, "    ");
}

/* Milliseconds in so many ticks; ROUND: what a part of one adds, in a thousandth of ticks. */
PT_API uint64_t pt_milliseconds_(uint64_t ticks, uint64_t round)
{
    const uint64_t second = PT_TICKS_PER_SEC;

    return ticks / second * 1000 + (ticks % second * 1000 + round) / second;
}

/* Print TEXT, and the time from NOW to a deadline. */
PT_API void pt_print_left_(pt_print *print, void *context, const char *text, pt_time now,
                           pt_time deadline)
{
    uint64_t left = pt_time_before(now, deadline) ? (pt_time)(deadline - now) : 0;

    print(context, text);
    pt_print_number_(print, context, pt_milliseconds_(left, (uint64_t)(PT_TICKS_PER_SEC)-1));
    print(context, " ms");
}

/* Print how long a task has waited, if that is known and at least a millisecond. */
PT_API void pt_print_since_(pt_print *print, void *context, const struct pt_task *task, pt_time now)
{
    pt_time since = now;
    uint64_t waited = pt_task_waits_since_(task, &since) && pt_time_before(since, now)
                          ? pt_milliseconds_((pt_time)(now - since), 0)
                          : 0;

    if (!waited)
        return;
    print(context, ", for ");
    pt_print_number_(print, context, waited);
    print(context, " ms so far");
}

/* Print how long a task sleeps or parks, from the last turn on, and the time until the
 * first deadline of its blocks. */
PT_API void pt_print_deadlines_(pt_print *print, void *context, const struct pt_task *task)
{
    pt_time now = pt_loop_now_(task->loop);
    pt_time deadline;

    if (pt_task_sleeps_(task, &deadline))
        pt_print_left_(print, context, ", ", now, deadline);
    if (pt_task_limited_(task, false, &deadline))
        pt_print_left_(print, context, ", timeout in ", now, deadline);
    pt_print_since_(print, context, task, now);
}

/* Print the source line where a frame last suspended. Returns whether it is known. */
PT_API bool pt_print_site_(pt_print *print, void *context, const struct pt *frame)
{
    const struct pt_site_ *site =
        pt_site_of_(frame); /* a program can store it, and libpt print it */

    if (!site)
        return false;
    print(context, site->function);
    print(context, " (");
    print(context, site->file);
    print(context, ":");
    pt_print_number_(print, context, site->line);
    print(context, ")");
    return true;
}

PT_API void pt_print_suspension_(pt_print *print, void *context, const struct pt *frame)
{
    if (pt_print_site_(print, context, frame))
        return;
    print(context, "suspension ");
    pt_print_number_(print, context, frame->label);
}

/* Print where a function is. A function that was written without the macros has no site. */
PT_API void pt_print_place_(pt_print *print, void *context, const struct pt *frame)
{
    if (frame->label == PT_LABEL_START_) {
        print(context, "its start");
    } else if (PT_CLEANUP && frame->label == PT_LABEL_FINALLY_) {
        print(context, "its PT_FINALLY");
    } else if (frame->label == PT_LABEL_DONE_) { /* it waits for its group */
        print(context, "its end");
    } else {
        pt_print_suspension_(print, context, frame);
    }
}

/* Print a line for each function that a task is in, the innermost first. */
PT_API void pt_dump_frames_(const struct pt_task *task, unsigned depth, pt_print *print,
                            void *context)
{
    const struct pt *frame = pt_task_top_(task);
    const char *relation = pt_task_state(task) == PT_TASK_RUNNING ? "since " : "at ";

    while (frame) {
        pt_print_indent_(print, context, depth);
        print(context, relation);
        pt_print_place_(print, context, frame);
        print(context, "\n");
        relation = "at ";
        frame = pt_caller_of_(frame);
    }
}

/* Print what else is known of a task that is alive. */
PT_API void pt_dump_more_(const struct pt_task *task, pt_print *print, void *context)
{
    pt_print_deadlines_(print, context, task);
    if ((task->state & (PT_STATE_PAUSED_ | PT_STATE_HELD_)) == PT_STATE_PAUSED_ && PT_PAUSE)
        print(context, ", is paused");
    if (pt_task_canceled(task))
        print(context, ", is canceled");
}

/* Print the code of an end, unless it is PT_OK: by its name, or as the program's own number. */
PT_API void pt_print_failure_(pt_status status, pt_print *print, void *context)
{
    if (status == PT_OK)
        return;
    print(context, ", with ");
    if (status <= PT_OK && status >= PT_EIO) {
        print(context, pt_status_name(status));
        return;
    }
    print(context, status < 0 ? "-" : "");
    pt_print_number_(print, context, (uint64_t)(status < 0 ? -status : status));
}

/* Print where a task ended, if that is known. */
PT_API void pt_dump_end_(const struct pt_task *task, unsigned depth, pt_print *print, void *context)
{
    if (!pt_site_of_(pt_task_top_(task)))
        return;
    pt_print_indent_(print, context, depth);
    print(context, "at ");
    (void)pt_print_site_(print, context, pt_task_top_(task));
    print(context, "\n");
}

PT_API void pt_dump_task(const struct pt_task *task, unsigned depth, pt_print *print, void *context)
{
    pt_print_indent_(print, context, depth);
    print(context, pt_task_name(task) ? pt_task_name(task) : "a task");
    print(context, ": ");
    print(context, pt_task_doing(task));
    if (pt_task_alive(task))
        pt_dump_more_(task, print, context);
    if (pt_task_done(task))
        pt_print_failure_(pt_task_status(task), print, context);
    print(context, "\n");
    if (pt_task_alive(task))
        pt_dump_frames_(task, depth + 1, print, context);
    if (pt_task_done(task) && pt_task_status(task) != PT_OK)
        pt_dump_end_(task, depth + 1, print, context);
}

/* Print the tasks of a loop, the outermost ones DEPTH deep. */
PT_API void pt_dump_from_(const struct pt_loop *loop, unsigned depth, pt_print *print,
                          void *context)
{
    const struct pt_task *parent = NULL;
    unsigned below = depth, left = pt_loop_live(loop);

    for (struct pt_task *task = pt_loop_task(loop, NULL); task; task = pt_loop_task(loop, task)) {
        const struct pt_task *up;

        if (!left-- || !pt_task_alive(task)) {
            pt_print_indent_(print, context, depth);
            print(context, "the list of tasks is damaged: was storage of a task that is alive "
                           "overwritten, or used again?\n");
            return;
        }
        up = pt_task_parent(task);
        if (up != parent) /* else a sibling, mostly: to find a parent takes O(its joiners) */
            for (parent = up, below = depth; up; up = pt_task_parent(up))
                below++;
        pt_dump_task(task, below, print, context);
    }
}

PT_API void pt_dump(const struct pt_loop *loop, pt_print *print, void *context)
{
    pt_dump_from_(loop, 0, print, context);
}

/* As pt_dump, below a line with the number of tasks: what pt-ps prints. */
PT_API void pt_dump_titled_(const struct pt_loop *loop, pt_print *print, void *context)
{
    print(context, "loop: ");
    pt_print_number_(print, context, pt_loop_live(loop));
    print(context, pt_loop_live(loop) == 1 ? " task\n" : " tasks\n");
    pt_dump_from_(loop, 1, print, context);
}

#endif
#endif
