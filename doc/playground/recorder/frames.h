/* frames.h - the tasks of pt and their frames
 * SPDX-License-Identifier: MIT */
#ifndef PLAY_FRAMES_H
#define PLAY_FRAMES_H

#include "steps.h"

#include <pt/inspect.h>

static const char *play_task_name_(const struct pt_task *task)
{
    return pt_task_name(task);
}

/* A frame in another frame: it is awaited, or was, or will be. */
static void play_inner_frame_(const struct pt *frame)
{
    char text[32];

    if (!frame->fn)
        play_string_("a frame, not used yet");
    else if (frame->label == PT_LABEL_DONE_)
        play_string_("a frame, done");
    else {
        snprintf(text, sizeof text, "a frame, at label %u", (unsigned)frame->label);
        play_string_(text);
    }
}

/* The name of a code; the program's own have none. */
static const char *play_code_(int status)
{
    static char text[16];

    if (strcmp(pt_status_name((pt_status)status), "PT_STATUS_UNKNOWN"))
        return pt_status_name((pt_status)status);
    snprintf(text, sizeof text, "code %d", status);
    return text;
}

/* A block of a task: with a deadline, or of a group. */
static void play_scope_(const struct pt_scope *scope)
{
    if (scope->state == PT_SCOPE_CLOSED_)
        play_string_(scope->marks & PT_SCOPE_FIRED_ ? "over: its time had come" : "not open");
    else if (scope->marks & PT_SCOPE_LATE_)
        play_string_("open; its time has come");
    else if (scope->marks & PT_SCOPE_TIMED_)
        play_span_("open, until ", play_signed_(scope->deadline));
    else
        play_string_("open");
}

static size_t play_members_(const struct pt_group *group)
{
    size_t count = 0;

    for (const struct pt_node *node =
             group->members.end.prev ? pt_wait_queue_first_(&group->members) : NULL;
         node; node = pt_wait_queue_next_(&group->members, node))
        count++;
    return count;
}

static void play_group_(const struct pt_group *group)
{
    char text[48];

    snprintf(text, sizeof text, "%u tasks, %s", (unsigned)play_members_(group),
             play_code_(group->status));
    play_string_(text);
}

static void play_ticker_(const struct pt_ticker *ticker)
{
    play_span_("next at ", play_signed_(ticker->next));
}

static void play_label_(const struct pt *frame)
{
    char text[8];

    if (frame->label == PT_LABEL_START_)
        play_string_("start");
    else if (frame->label == PT_LABEL_DONE_)
        play_string_("done");
    else if (PT_CLEANUP && frame->label == PT_LABEL_FINALLY_)
        play_string_("cleanup");
    else {
        snprintf(text, sizeof text, "%u", (unsigned)frame->label);
        play_string_(text);
    }
}

/* The line of a frame: of its next statement; or of its last one, if it CALLS a function of C or is
 * no task's; or where it has suspended. 0: none in this program. */
static unsigned play_line_of_(const struct pt *frame, bool calls)
{
    const struct pt_site_ *site = pt_site_of_(frame);

    if (frame == play_at_frame_)
        return play_at_line_;
    if (calls && play_last_line_(frame))
        return play_last_line_(frame);
    if (!site || frame->label == PT_LABEL_START_ || frame->label == PT_LABEL_DONE_)
        return 0;
    return strcmp(site->file, PLAY_FILE) ? 0 : site->line;
}

static void play_frame_(const struct pt *frame, const char *name, unsigned line)
{
    const struct play_type_ *type = play_type_of_(frame);

    play_put_("{");
    play_key_("fn"), play_string_(type ? type->name : name ? name : "?");
    play_key_("label"), play_label_(frame);
    play_key_("line"), play_number_(line);
    play_key_("status"), play_string_(play_code_(frame->status));
    play_key_("at"), play_number_((long long)(uintptr_t)frame);
    if (type)
        play_fields_(type, frame);
    play_put_("}");
}

static void play_show_task_(const struct pt_task *task)
{
    const struct pt *frame = pt_task_top_(task);
    bool runs = pt_task_state(task) == PT_TASK_RUNNING;
    pt_time deadline;

    play_put_("{");
    play_key_("id"), play_number_(play_id_(task));
    play_key_("name"), play_string_(pt_task_name(task) ? pt_task_name(task) : "a task");
    play_key_("doing"), play_string_(pt_task_doing(task));
    if (pt_task_deadline(task, &deadline))
        play_key_("until"), play_time_text_(play_signed_(deadline));
    if (pt_task_parent(task))
        play_key_("parent"), play_number_(play_id_(pt_task_parent(task)));
    if ((task->state & PT_STATE_PAUSED_))
        play_key_("paused"), play_put_("true");
    if (pt_task_canceled(task))
        play_key_("canceled"), play_put_("true");
    play_key_("frames");
    play_put_("[");
    for (bool first = true; frame; frame = pt_caller_of_(frame), first = false) {
        play_next_();
        play_frame_(frame, pt_caller_of_(frame) ? NULL : pt_task_name(task),
                    play_line_of_(frame, runs && first && task == play_runs_ && play_at_line_));
    }
    play_put_("]");
    play_put_("}");
}

#endif
