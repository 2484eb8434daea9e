/* steps.h - the steps of a trace: what the recorder of pt and that of the book's miniature share
 * SPDX-License-Identifier: MIT
 *
 * record.h (pt) and miniature.h (the book) write the loops, their tasks, and the objects. */
#ifndef PLAY_STEPS_H
#define PLAY_STEPS_H

#include "values.h"

enum { PLAY_LOOPS = 4, PLAY_TASKS = 256, PLAY_DONE = 24 };

/* A task, from the moment when it was first seen to its end. */
struct play_known_ {
    const struct pt_task *task;
    int id;
    bool alive;
    int status;
    const char *name;
};

static struct play_known_ play_known_[PLAY_TASKS];
static int play_count_;
static const struct pt_task *play_runs_;

/* What each recorder writes in its own way. */
static const char *play_task_name_(const struct pt_task *task);
static const char *play_code_(int status);
static void play_loops_all_(void);
static void play_objects_all_(void);

/* What is known of a task. */
static struct play_known_ *play_task_(const struct pt_task *task)
{
    struct play_known_ *known;

    for (int i = 0; i < play_count_; i++)
        if (play_known_[i].alive && play_known_[i].task == task)
            return &play_known_[i];
    if (play_count_ == PLAY_TASKS)
        play_stop_("too many tasks");
    known = &play_known_[play_count_];
    known->task = task;
    known->id = ++play_count_;
    known->alive = true;
    known->name = play_task_name_(task);
    return known;
}

static int play_id_(const struct pt_task *task)
{
    return play_task_(task)->id;
}

#ifdef PT_MS /* the book has no clock before chapter 5 */

/* A time or a delay, with the unit that people would choose. BEFORE: words before it. */
static void play_span_(const char *before, long long ticks)
{
    static const struct {
        long long ms;
        const char *unit;
        long long from;
    } units[] = {{3600000, " h", 1}, {60000, " min", 1}, {1000, " s", 1}, {1, " ms", 0}};
    long long ms = ticks / (long long)PT_MS(1);
    char text[60];

    if (ticks % (long long)PT_MS(1)) {
        snprintf(text, sizeof text, "%s%lld us", before, ticks / (long long)(PT_MS(1) / 1000));
        play_string_(text);
        return;
    }
    for (size_t i = 0; i < 4; i++)
        if (ms % units[i].ms == 0 &&
            (ms / units[i].ms >= units[i].from || ms / units[i].ms <= -units[i].from)) {
            snprintf(text, sizeof text, "%s%lld%s", before, ms / units[i].ms, units[i].unit);
            break;
        }
    play_string_(text);
}

static void play_time_text_(long long ticks)
{
    play_span_("", ticks);
}

static long long play_signed_(pt_time time)
{
    return time > PT_DELAY_NEVER ? -(long long)(pt_time)(0 - time) : (long long)time;
}

#endif

/* What a pointer points to, without its address. */
static void play_pointer_(const void *pointer)
{
    const char *name = play_name_of_(pointer);
    char text[80];

    if (!pointer) {
        play_string_("NULL");
        return;
    }
    for (int i = 0; i < play_count_; i++)
        if (play_known_[i].task == pointer && play_known_[i].alive) {
            snprintf(text, sizeof text, "-> task %d", play_known_[i].id);
            play_string_(text);
            return;
        }
    for (size_t i = 0; !name && i < play_objects_count_; i++) {
        size_t before = (size_t)((const char *)play_found_[i].at - (const char *)pointer);
        size_t task = play_found_[i].item_size;

        if (play_found_[i].kind == 'X' && task && before - task <= sizeof(void *))
            name = play_found_[i].name; /* a PT_TASK: its frame is after the task */
    }
    snprintf(text, sizeof text, "-> %s", name ? name : "...");
    play_string_(text);
}

static void play_ended_list_(void)
{
    play_key_("ended");
    play_put_("[");
    for (int i = play_count_ > PLAY_DONE ? play_count_ - PLAY_DONE : 0; i < play_count_; i++)
        if (!play_known_[i].alive) {
            play_next_();
            play_put_("["), play_number_(play_known_[i].id), play_put_(",");
            play_string_(play_known_[i].name ? play_known_[i].name : "a task"), play_put_(",");
            play_string_(play_code_(play_known_[i].status)), play_put_("]");
        }
    play_put_("]");
}

/* One step of the trace. TASK and OP: 0 and NULL if there is none. */
static void play_step_(const char *kind, int task, const char *op)
{
    if (++play_steps_ > PLAY_STEPS)
        play_stop_("the program takes too many steps for this page");
    play_put_("{");
    play_key_("k"), play_string_(kind);
    play_key_("line"), play_number_(play_at_line_);
    if (task)
        play_key_("task"), play_number_(task);
    if (op)
        play_key_("op"), play_string_(op);
    play_key_("loops"), play_put_("["), play_loops_all_(), play_put_("]");
    play_objects_all_();
    play_ended_list_();
    play_put_("}");
    play_flush_();
}

/* Nothing is known of the next statement. */
static void play_nowhere_(void)
{
    play_at_line_ = 0;
    play_at_frame_ = NULL;
}

static void play_statement_(unsigned line)
{
    play_at_line_ = line;
    play_step_("line", play_runs_ ? play_id_(play_runs_) : 0, NULL);
}

void play_line_(unsigned line)
{
    play_at_frame_ = NULL;
    play_statement_(line);
}

void play_body_(const void *frame, unsigned line)
{
    play_place_(frame, line);
    play_statement_(line);
}

#endif
