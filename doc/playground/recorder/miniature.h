/* miniature.h - the recorder of a program on the book's miniature, from chapter 4 on: it has tasks and a loop
 * SPDX-License-Identifier: MIT
 *
 * It stands at the end of a program, as record.h does. What a chapter's pt.h lacks, it leaves out. */
#ifndef PLAY_MINIATURE_H
#define PLAY_MINIATURE_H

#include "hooks.h"
#include "steps.h"

struct play_loop_ {
    const struct pt_loop *loop; /* NULL: free */
    size_t left;                /* tasks of this turn that are still to run */
};

static struct play_loop_ play_loops_[PLAY_LOOPS];

/* --- frames ------------------------------------------------------------------------------------ */

static const char *play_task_name_(const struct pt_task *task)
{
    const struct play_type_ *type = play_type_of_(task->base);

    return type ? type->name : "a task";
}

static void play_label_text_(const struct pt *frame, char *text, size_t size)
{
    if (frame->label == 0)
        snprintf(text, size, "start");
    else if (frame->label == PT_AT_END)
        snprintf(text, size, "done");
#if PLAY_CHAPTER >= 9
    else if (frame->label == PT_AT_CLEANUP)
        snprintf(text, size, "cleanup");
#endif
    else
        snprintf(text, size, "%u", (unsigned)frame->label);
}

/* A frame in another frame: it is awaited, or was, or will be. */
static void play_inner_frame_(const struct pt *frame)
{
    char label[12], text[40];

    play_label_text_(frame, label, sizeof label);
    snprintf(text, sizeof text, "a frame, at label %s", label);
    play_string_(!frame->fn                  ? "a frame, not used yet"
                 : frame->label == PT_AT_END ? "a frame, done"
                                             : text);
}

/* The name of a code; the program's own have none. */
static const char *play_code_(int status)
{
#if PLAY_CHAPTER >= 6
    static const struct {
        int code;
        const char *name;
    } names[] = {{PT_OK, "PT_OK"},          {PT_ECANCELED, "PT_ECANCELED"},
                 {PT_EBUSY, "PT_EBUSY"},    {PT_EINVAL, "PT_EINVAL"},
                 {PT_ERANGE, "PT_ERANGE"},  {PT_EDEADLK, "PT_EDEADLK"},
                 {PT_ECLOSED, "PT_ECLOSED"}};
    static char text[16];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].code == status)
            return names[i].name;
    snprintf(text, sizeof text, "code %d", status);
    return text;
#else
    (void)status;
    return "";
#endif
}

static int play_status_(const struct pt *frame)
{
#if PLAY_CHAPTER >= 6
    return frame->status;
#else
    (void)frame;
    return 0;
#endif
}

static const struct pt *play_top_(const struct pt_task *task)
{
#if PLAY_CHAPTER >= 7
    return task->top;
#else
    return task->base;
#endif
}

/* The frame that awaits this one, or NULL. */
static const struct pt *play_caller_(const struct pt_task *task, const struct pt *frame)
{
#if PLAY_CHAPTER >= 7
    return frame == task->base ? NULL : frame->caller;
#else
    (void)task, (void)frame;
    return NULL;
#endif
}

static void play_frame_(const struct pt *frame, const char *name)
{
    const struct play_type_ *type = play_type_of_(frame);
    bool suspended = frame->label && frame->label != PT_AT_END;
    unsigned line = frame == play_at_frame_ ? play_at_line_
                    : suspended             ? play_last_line_(frame)
                                            : 0;
    char label[12];

    play_label_text_(frame, label, sizeof label);
    play_next_();
    play_put_("{");
    play_key_("fn"), play_string_(type ? type->name : name);
    play_key_("label"), play_string_(label);
    play_key_("line"), play_number_(line);
    play_key_("status"), play_string_(play_code_(play_status_(frame)));
    play_key_("at"), play_number_((long long)(uintptr_t)frame);
    if (type)
        play_fields_(type, frame);
    play_put_("}");
}

/* --- tasks ------------------------------------------------------------------------------------- */

#if PLAY_CHAPTER >= 8
/* What a task in lists waits for. */
static const char *play_waits_(const struct pt_task *task)
{
#if PLAY_CHAPTER >= 10
    if (task->count > 1)
        return "selects";
    for (size_t i = 0; i < play_objects_count_; i++) {
        const struct pt_channel *channel = (const struct pt_channel *)play_found_[i].at;

        if (play_found_[i].kind == 'C' && task->waiters[0].list == &channel->senders)
            return "sends to a channel";
        if (play_found_[i].kind == 'C' && task->waiters[0].list == &channel->receivers)
            return "receives from a channel";
    }
#else
    (void)task;
#endif
    return "joins a task";
}
#endif

static const char *play_doing_(const struct pt_task *task)
{
    if (task->loop->current == task)
        return "runs";
    switch (task->state) {
    case PT_READY: return "is ready";
#if PLAY_CHAPTER >= 5
    case PT_SLEEPING: return "sleeps";
#endif
#if PLAY_CHAPTER >= 8
    case PT_PARKED: return "is parked";
    case PT_LISTED: return play_waits_(task);
#endif
    default: return "is done";
    }
}

static void play_show_task_(const struct pt_task *task)
{
    play_next_();
    play_put_("{");
    play_key_("id"), play_number_(play_id_(task));
    play_key_("name"), play_string_(play_task_name_(task));
    play_key_("doing"), play_string_(play_doing_(task));
#if PLAY_CHAPTER >= 5
    if (task->state == PT_SLEEPING)
        play_key_("until"), play_time_text_(play_signed_(task->at));
#endif
#if PLAY_CHAPTER >= 9
    if (task->canceled)
        play_key_("canceled"), play_put_("true");
#endif
    play_key_("frames");
    play_put_("[");
    for (const struct pt *frame = play_top_(task); frame; frame = play_caller_(task, frame))
        play_frame_(frame, play_task_name_(task));
    play_put_("]");
    play_put_("}");
}

/* --- the loop ---------------------------------------------------------------------------------- */

static void play_list_(const struct pt_list *list)
{
    play_put_("[");
    for (const struct pt_waiter *one = list->first; one;
         one = one == list->last ? NULL : one->next) {
        play_next_();
        play_number_(play_id_(one->task));
    }
    play_put_("]");
}

#if PLAY_CHAPTER >= 5
/* The clock, and the heap's array: the task and the time of each entry. */
static void play_time_(const struct pt_loop *loop)
{
    play_key_("now"), play_time_text_(play_signed_(loop->now));
    play_key_("ticks"), play_number_(play_signed_(loop->now));
    play_key_("ways"), play_number_(2);
    play_key_("timers");
    play_put_("[");
    for (size_t i = 0; i < loop->sleeping; i++) {
        play_next_();
        play_put_("[");
        play_number_(play_id_(loop->sleepers[i]));
        play_put_(",");
        play_time_text_(play_signed_(loop->sleepers[i]->at));
        play_put_(",");
        play_number_(play_signed_(loop->sleepers[i]->at));
        play_put_("]");
    }
    play_put_("]");
}
#endif

static void play_loop_(const struct play_loop_ *its)
{
    const struct pt_loop *loop = its->loop;
    bool runs = loop->current && loop->current->state != PT_ENDED;

    play_next_();
    play_put_("{");
    play_key_("id"), play_number_(its - play_loops_ + 1);
    play_key_("current"), play_number_(runs ? play_id_(loop->current) : 0);
    play_key_("live"), play_number_(loop->live);
    play_key_("ready"), play_list_(&loop->ready);
    play_key_("left"), play_number_((long long)its->left);
#if PLAY_CHAPTER >= 5
    play_time_(loop);
#endif
    play_key_("tasks");
    play_put_("[");
    for (int i = 0; i < play_count_; i++)
        if (play_known_[i].alive && play_known_[i].task->loop == loop)
            play_show_task_(play_known_[i].task);
    play_put_("]");
    play_put_("}");
}

static void play_loops_all_(void)
{
    for (size_t i = 0; i < PLAY_LOOPS && play_loops_[i].loop; i++)
        play_loop_(&play_loops_[i]);
}

static struct play_loop_ *play_loop_of_(const struct pt_loop *loop)
{
    for (size_t i = 0; i < PLAY_LOOPS; i++)
        if (!play_loops_[i].loop || play_loops_[i].loop == loop)
            return &play_loops_[i];
    play_stop_("too many loops");
}

/* --- what tasks meet at ------------------------------------------------------------------------ */

/* A frame that no task runs: it is declared in the program, and has a function. */
static bool play_alone_(const struct play_object_ *object)
{
    if (object->kind != 'X' || !play_type_of_((const struct pt *)object->at))
        return false;
    for (int i = 0; i < play_count_; i++) {
        const struct pt_task *task = play_known_[i].task;

        if (object->at == task->base)
            return false;
        for (const struct pt *frame = play_known_[i].alive ? play_top_(task) : NULL; frame;
             frame = play_caller_(task, frame))
            if (object->at == frame)
                return false;
    }
    return true;
}

#if PLAY_CHAPTER >= 10
static void play_channel_(const struct play_object_ *object)
{
    const struct pt_channel *channel = (const struct pt_channel *)object->at;

    play_next_();
    play_put_("{");
    play_key_("name"), play_string_(object->name);
    play_key_("kind"), play_string_(object->word);
    play_key_("sides");
    play_put_("[[\"senders\","), play_list_(&channel->senders);
    play_put_("],[\"receivers\","), play_list_(&channel->receivers), play_put_("]]");
    play_key_("facts");
    play_put_(channel->closed ? "[[\"closed\",\"yes\"]]" : "[[\"closed\",\"no\"]]");
    play_put_("}");
}
#endif

static void play_objects_all_(void)
{
    play_key_("objects");
    play_put_("[");
#if PLAY_CHAPTER >= 10
    for (size_t i = 0; i < play_objects_count_; i++)
        if (play_found_[i].kind == 'C')
            play_channel_(&play_found_[i]);
#endif
    play_put_("]");
    play_key_("alone");
    play_put_("[");
    for (size_t i = 0; i < play_objects_count_; i++)
        if (play_alone_(&play_found_[i]))
            play_frame_((const struct pt *)play_found_[i].at, play_found_[i].name);
    play_put_("]");
}

/* --- hooks ------------------------------------------------------------------------------------- */

void play_opens_(const struct pt_loop *loop)
{
    for (const struct play_object_ *object = play_table_; object->name; object++)
        play_announce_(object);
    *play_loop_of_(loop) = (struct play_loop_){.loop = loop};
    play_step_("open", 0, NULL);
}

void play_begins_(const struct pt_loop *loop, const struct pt_task *task)
{
    play_task_(task);
    if (!play_loop_of_(loop)->loop) /* chapter 4 does not open its loop */
        play_opens_(loop);
}

/* A number below LIMIT; each seed has its own row of them. */
static size_t play_below_(size_t limit)
{
    static uint32_t state;

    if (!state)
        state = play_seed_ * 2654435761u;
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    return state % limit;
}

/* A turn begins. With a seed, its tasks change places: they were ready at the same time. */
void play_turns_(struct pt_loop *loop)
{
    struct play_loop_ *its = play_loop_of_(loop);
    struct pt_waiter *ready[PLAY_TASKS];

    its->left = 0;
    for (struct pt_waiter *one = loop->ready.first; one && its->left < PLAY_TASKS;
         one = one == loop->ready.last ? NULL : one->next)
        ready[its->left++] = one;
    if (!play_seed_ || its->left < 2)
        return;
    for (size_t i = its->left - 1; i > 0; i--) {
        size_t other = play_below_(i + 1);
        struct pt_waiter *one = ready[i];

        ready[i] = ready[other], ready[other] = one;
    }
    for (size_t i = 0; i < its->left; i++)
        ready[i]->next = i + 1 < its->left ? ready[i + 1] : NULL;
    loop->ready.first = ready[0];
    loop->ready.last = ready[its->left - 1];
}

void play_resumes_(const struct pt_loop *loop, const struct pt_task *task)
{
    play_loop_of_(loop)->left--;
    play_runs_ = task;
    play_nowhere_();
    play_step_("resume", play_id_(task), NULL);
}

void play_returned_(const struct pt *frame, const struct pt_task *task, int what)
{
#if PLAY_CHAPTER < 6
    static const char *const names[] = {"false", "true"};
#else
    static const char *const names[] = {"DONE", "YIELD", "WAIT", "SPAWN", "AWAIT", "PARK"};
#endif

    (void)frame;
    play_nowhere_();
    play_step_("op", play_id_(task), names[what]);
}

void play_ended_(const struct pt_task *task)
{
    struct play_known_ *known = play_task_(task);

    known->status = play_status_(task->base);
    known->alive = false;
    play_runs_ = NULL;
    play_step_("end", known->id, play_code_(known->status));
}

void play_turned_(void)
{
    play_runs_ = NULL;
    play_nowhere_();
    play_step_("turn", 0, NULL);
}

#endif
