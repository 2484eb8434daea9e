/* record.h - the recorder: after each line and each opcode it writes down what the loops and their tasks hold
 * SPDX-License-Identifier: MIT
 *
 * It stands at the end of a program, after the tables that the build makes of its structs. It only reads. */
#ifndef PLAY_RECORD_H
#define PLAY_RECORD_H

#include "objects.h"

/* A loop that is open, with the observer that records it. */
struct play_loop_ {
    struct pt_observer observer; /* its first member */
    struct pt_loop *loop;        /* NULL: free */
    struct pt_random random;
    bool turning;
    size_t left; /* tasks of this turn that are still to run */
    int number;
};

static struct play_loop_ play_loops_[PLAY_LOOPS];
static int play_opened_;

/* The heap's array: the task and the time of each entry. */
static void play_timers_(const struct pt_loop *loop)
{
    const struct pt_heap *heap = &loop->timers.heap;

    play_key_("timers");
    play_put_("[");
    for (unsigned i = 0; i < heap->count; i++) {
        play_next_();
        play_put_("[");
        play_number_(play_id_(pt_task_of_timer_(heap->entries[i].index)));
        play_put_(",");
        play_time_text_(play_signed_(pt_heap_deadline_(heap, i)));
        play_put_(",");
        play_number_(play_signed_(pt_heap_deadline_(heap, i)));
        play_put_("]");
    }
    play_put_("]");
}

/* The tasks that have begun to sleep, and whose timers are not armed yet (loop/sleepers.h). */
static void play_sleepers_(const struct pt_loop *loop)
{
    const struct pt_sleepers_ *sleepers = &loop->sleepers;

    play_key_("sleepers");
    play_put_("[");
    for (unsigned i = sleepers->most; i-- > sleepers->room;) {
        if (sleepers->tasks[i]) {
            play_next_();
            play_number_(play_id_(sleepers->tasks[i]));
        }
    }
    play_put_("]");
}

static void play_ready_(const struct play_loop_ *its)
{
    const struct pt_ready_ *ready = &its->loop->ready;

    play_key_("ready");
    play_put_("[");
    for (unsigned i = ready->head; i != ready->tail; i++) {
        play_next_();
        play_number_(play_id_(pt_task_of(ready->ring[i & ready->mask])));
    }
    play_put_("]");
    play_key_("left"), play_number_(its->turning ? (long long)its->left : 0);
}

static void play_loop_(const struct play_loop_ *its)
{
    const struct pt_loop *loop = its->loop;

    play_next_();
    play_put_("{");
    play_key_("id"), play_number_(its->number);
    play_key_("now"), play_time_text_(play_signed_(loop->now));
    play_key_("ticks"), play_number_(play_signed_(loop->now));
    play_key_("current"), play_number_(loop->current ? play_id_(loop->current) : 0);
    play_key_("live"), play_number_(loop->live);
    play_key_("ways"), play_number_(4);
    play_ready_(its);
    play_timers_(loop);
    play_sleepers_(loop);
    play_key_("tasks");
    play_put_("[");
    for (struct pt_task *task = pt_loop_task(loop, NULL); task; task = pt_loop_task(loop, task)) {
        play_next_();
        play_show_task_(task);
    }
    play_put_("]");
    play_put_("}");
}

static void play_loops_all_(void)
{
    for (size_t i = 0; i < PLAY_LOOPS; i++)
        if (play_loops_[i].loop)
            play_loop_(&play_loops_[i]);
}

/* --- hooks ----------------------------------------------------------------------------------------- */

static size_t play_pick_(struct pt_observer *observer, const struct pt_choice *choice)
{
    struct play_loop_ *its = (struct play_loop_ *)(void *)observer;

    its->turning = true;
    its->left = choice->count;
    return play_seed_ ? (size_t)pt_random_below(&its->random, choice->count) : 0;
}

static void play_resumes_(struct pt_observer *observer, struct pt_task *task)
{
    struct play_loop_ *its = (struct play_loop_ *)(void *)observer;

    if (its->left)
        its->left--;
    play_runs_ = task;
    play_nowhere_();
    play_step_("resume", play_id_(task), NULL);
}

static void play_returned_(struct pt_observer *observer, struct pt_task *task, enum pt_opcode op)
{
    struct play_loop_ *its = (struct play_loop_ *)(void *)observer;

    play_nowhere_();
    play_runs_ = its->loop->current;
    play_step_("op", play_id_(task), pt_op_name(op));
}

static void play_ended_(struct pt_observer *observer, struct pt_task *task)
{
    struct play_known_ *known = play_task_(task);

    (void)observer;
    known->status = pt_task_status(task);
    known->name = pt_task_name(task);
    known->alive = false;
    play_runs_ = NULL;
    play_step_("end", known->id, play_code_(known->status));
}

static void play_turned_(struct pt_observer *observer, struct pt_loop *loop)
{
    struct play_loop_ *its = (struct play_loop_ *)(void *)observer;

    (void)loop;
    its->turning = false;
    play_runs_ = loop->host;
    play_nowhere_();
    play_step_("turn", 0, NULL);
}

void play_open_(struct pt_loop *loop)
{
    struct play_loop_ *its = NULL;

    for (size_t i = PLAY_LOOPS; i--;)
        if (!play_loops_[i].loop || play_loops_[i].loop == loop)
            its = &play_loops_[i];
    if (!its)
        play_stop_("too many loops");
    memset(its, 0, sizeof *its);
    its->observer.pick = PLAY_OWN_ORDER ? NULL : play_pick_;
    its->observer.resumes = play_resumes_;
    its->observer.returned = play_returned_;
    its->observer.ended = play_ended_;
    its->observer.turned = play_turned_;
    its->loop = loop;
    its->number = ++play_opened_;
    its->random.state = play_seed_;
    pt_loop_observe(loop, &its->observer);
    if (play_opened_ == 1)
        for (const struct play_object_ *object = play_table_; object->name; object++)
            play_announce_(object);
    play_step_("open", 0, NULL);
}

void play_close_(struct pt_loop *loop)
{
    for (size_t i = 0; i < PLAY_LOOPS; i++)
        if (play_loops_[i].loop == loop)
            play_loops_[i].loop = NULL;
    play_step_("close", 0, NULL);
}

#endif
