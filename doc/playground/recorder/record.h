/* record.h - the recorder: after each line and each opcode it writes down what the loops and their tasks hold
 * SPDX-License-Identifier: MIT
 *
 * It stands at the end of a program, behind the tables that the build makes of its structs. It only reads. */
#ifndef PLAY_RECORD_H
#define PLAY_RECORD_H

#include "values.h"

enum { PLAY_LOOPS = 4, PLAY_TASKS = 256, PLAY_DONE = 24 };

/* A loop that is open, with the observer that records it. */
struct play_loop_ {
    struct pt_observer observer; /* its first member */
    struct pt_loop *loop;        /* NULL: free */
    struct pt_random random;
    bool turning;
    size_t left; /* tasks of this turn that are still to run */
    int number;
};

/* A task, from the moment when it was first seen to its end. */
struct play_known_ {
    const struct pt_task *task;
    int id;
    bool alive;
    pt_status status;
    const char *name;
};

static struct play_loop_ play_loops_[PLAY_LOOPS];
static struct play_known_ play_known_[PLAY_TASKS];
static int play_count_, play_opened_;
static const struct pt_task *play_runs_;
static unsigned
    play_at_line_; /* the line that the running task is about to execute; 0: not known */

static struct play_known_ *play_task_(const struct pt_task *task)
{
    struct play_known_ *free = NULL;

    for (int i = 0; i < PLAY_TASKS && i < play_count_; i++)
        if (play_known_[i].alive && play_known_[i].task == task)
            return &play_known_[i];
    if (play_count_ < PLAY_TASKS) {
        free = &play_known_[play_count_];
        free->task = task;
        free->id = ++play_count_;
        free->alive = true;
        free->name = pt_task_name(task);
        return free;
    }
    play_stop_("too many tasks");
}

static int play_id_(const struct pt_task *task)
{
    return play_task_(task)->id;
}

/* --- values ---------------------------------------------------------------------------------------- */

/* A time or a delay, as people write it. */
static void play_time_text_(long long ticks)
{
    static const struct {
        long long ms;
        const char *unit;
        long long from;
    } units[] = {{3600000, " h", 2}, {60000, " min", 2}, {1000, " s", 1}, {1, " ms", 0}};
    long long ms = ticks / (long long)PT_MS(1);
    char text[40];

    if (ticks % (long long)PT_MS(1)) {
        snprintf(text, sizeof text, "%lld us", ticks / (long long)PT_US(1));
        play_string_(text);
        return;
    }
    for (size_t i = 0; i < 4; i++)
        if (ms % units[i].ms == 0 &&
            (ms / units[i].ms >= units[i].from || ms / units[i].ms <= -units[i].from)) {
            snprintf(text, sizeof text, "%lld%s", ms / units[i].ms, units[i].unit);
            break;
        }
    play_string_(text);
}

static long long play_signed_(pt_time time)
{
    return time > PT_DELAY_NEVER ? -(long long)(pt_time)(0 - time) : (long long)time;
}

/* What a pointer points to, without its address. */
static void play_pointer_(const void *pointer)
{
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
    snprintf(text, sizeof text, "-> %s", play_name_of_(pointer) ? play_name_of_(pointer) : "...");
    play_string_(text);
}

static const struct play_type_ *play_type_of_(const struct pt *frame)
{
    for (const struct play_type_ *type = play_types_; type->name; type++)
        if (frame->fn && type->fn == frame->fn)
            return type;
    return NULL;
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
static const char *play_code_(pt_status status)
{
    static char text[16];

    if (strcmp(pt_status_name(status), "PT_STATUS_UNKNOWN"))
        return pt_status_name(status);
    snprintf(text, sizeof text, "code %d", status);
    return text;
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

static void play_frame_(const struct pt *frame, const char *name, unsigned line)
{
    const struct play_type_ *type = play_type_of_(frame);
    const struct pt_site_ *site = pt_site_of_(frame);

    if (!line && site && frame->label != PT_LABEL_START_ && frame->label != PT_LABEL_DONE_)
        line = site->line;
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

/* --- tasks, queues, objects ------------------------------------------------------------------------ */

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
    for (bool first = true; frame; frame = frame->caller, first = false) {
        play_next_();
        play_frame_(frame, frame->caller ? NULL : pt_task_name(task),
                    runs && first && task == play_runs_ ? play_at_line_ : 0);
    }
    play_put_("]");
    play_put_("}");
}

static void play_node_(const struct pt_node *node)
{
    struct pt_node *its = (struct pt_node *)(uintptr_t)node;

    play_next_();
    if (pt_waiter_selects_(its))
        play_number_(play_id_(((struct pt_case_ *)(void *)its)->select->task));
    else
        play_number_(play_id_(pt_task_of(its)));
}

static void play_queue_(const char *name, const struct pt_wait_queue_ *queue)
{
    play_next_();
    play_put_("["), play_string_(name), play_put_(",[");
    if (queue->end.prev)
        for (const struct pt_node *node = pt_wait_queue_first_(queue); node;
             node = pt_wait_queue_next_(queue, node))
            play_node_(node);
    play_put_("]]");
}

/* A list holds the task that came last first. */
static void play_list_(const char *name, const struct pt_wait_list_ *list)
{
    const struct pt_node *nodes[32];
    size_t count = 0;

    for (const struct pt_node *node = list->first; node && count < 32; node = node->link.next)
        nodes[count++] = node;
    play_next_();
    play_put_("["), play_string_(name), play_put_(",[");
    while (count--)
        play_node_(nodes[count]);
    play_put_("]]");
}

static void play_fact_(const char *name, long long number)
{
    char text[24];

    snprintf(text, sizeof text, "%lld", number);
    play_next_();
    play_put_("["), play_string_(name), play_put_(","), play_string_(text), play_put_("]");
}

static void play_said_(const char *name, bool fact)
{
    play_next_();
    play_put_("["), play_string_(name), play_put_(","), play_string_(fact ? "yes" : "no"),
        play_put_("]");
}

static void play_holder_(const char *name, const struct pt_task *task)
{
    play_next_();
    play_put_("["), play_string_(name), play_put_(","), play_pointer_(task), play_put_("]");
}

/* The sides at which tasks wait. */
static void play_sides_(const struct play_object_ *object)
{
    const void *at = object->at;

    switch (object->kind) {
    case 'C':
        play_queue_("senders", &((const struct pt_channel_ *)at)->senders);
        play_queue_("receivers", &((const struct pt_channel_ *)at)->receivers);
        break;
    case 'Q':
        play_queue_("pushers", &((const struct pt_queue_ *)at)->pushers);
        play_queue_("poppers", &((const struct pt_queue_ *)at)->poppers);
        break;
    case 'E': play_list_("waiters", &((const struct pt_event *)at)->waiters); break;
    case 'L': play_queue_("waiters", &((const struct pt_lock *)at)->waiters); break;
    case 'S': play_queue_("waiters", &((const struct pt_semaphore *)at)->waiters); break;
    case 'N': play_queue_("waiters", &((const struct pt_condition *)at)->waiters); break;
    case 'F': play_queue_("waiters", &((const struct pt_flags *)at)->waiters); break;
    case 'R': play_list_("waiters", &((const struct pt_barrier *)at)->waiters); break;
    case 'B': play_list_("waiters", &((const struct pt_broadcast_ *)at)->waiters); break;
    case 'P': play_queue_("waiters", &((const struct pt_pool *)at)->waiters); break;
    case 'W':
        play_list_("readers", &((const struct pt_rwlock *)at)->readers);
        play_queue_("writers", &((const struct pt_rwlock *)at)->writers);
        break;
    default: break;
    }
}

/* What else is known of an object. */
static void play_facts_(const struct play_object_ *object)
{
    const void *at = object->at;

    switch (object->kind) {
    case 'C': play_said_("closed", ((const struct pt_channel_ *)at)->closed); break;
    case 'Q':
        play_fact_("values", ((const struct pt_queue_ *)at)->count);
        play_fact_("places", ((const struct pt_queue_ *)at)->capacity);
        play_said_("closed", ((const struct pt_queue_ *)at)->closed);
        break;
    case 'E': play_said_("set", ((const struct pt_event *)at)->set); break;
    case 'L': play_holder_("holder", ((const struct pt_lock *)at)->owner); break;
    case 'S':
        play_fact_("free", ((const struct pt_semaphore *)at)->count);
        play_fact_("of", ((const struct pt_semaphore *)at)->limit);
        break;
    case 'F': play_fact_("bits", ((const struct pt_flags *)at)->bits); break;
    case 'R':
        play_fact_("waiting", ((const struct pt_barrier *)at)->waiting);
        play_fact_("parties", ((const struct pt_barrier *)at)->parties);
        break;
    case 'B': play_fact_("sent", ((const struct pt_broadcast_ *)at)->count); break;
    case 'P': play_fact_("used", ((const struct pt_pool *)at)->used); break;
    case 'W':
        play_holder_("writer", ((const struct pt_rwlock *)at)->writer);
        play_fact_("reading", ((const struct pt_rwlock *)at)->reading);
        break;
    default: break;
    }
}

/* The values in a queue, the oldest first. */
static void play_items_(const struct play_object_ *object)
{
    const struct pt_queue_ *queue = (const struct pt_queue_ *)object->at;

    play_key_("items");
    play_put_("[");
    for (unsigned i = 0; queue->items && i < queue->count && i < 16; i++) {
        unsigned place = (queue->first + i) % queue->capacity;

        play_next_();
        play_one_value_(object->item,
                        (const unsigned char *)queue->items + place * object->item_size,
                        object->item_size);
    }
    play_put_("]");
}

static void play_show_object_(const struct play_object_ *object)
{
    play_next_();
    play_put_("{");
    play_key_("name"), play_string_(object->name);
    play_key_("kind"), play_string_(object->word);
    play_key_("sides"), play_put_("["), play_sides_(object), play_put_("]");
    play_key_("facts"), play_put_("["), play_facts_(object), play_put_("]");
    if (object->kind == 'Q')
        play_items_(object);
    play_put_("}");
}

/* A frame that no loop runs: a generator's, or of a program with a scheduler of its own. */
static bool play_alone_(const struct play_object_ *object)
{
    if (object->kind != 'X')
        return false;
    for (int i = 0; i < play_count_; i++)
        if ((const char *)play_known_[i].task <= (const char *)object->at &&
            (const char *)object->at < (const char *)(play_known_[i].task + 1) + sizeof(void *))
            return false;
    return play_type_of_((const struct pt *)object->at) != NULL;
}

static void play_objects_all_(void)
{
    play_key_("objects");
    play_put_("[");
    for (size_t i = 0; i < play_objects_count_; i++)
        if (play_found_[i].kind != 'X')
            play_show_object_(&play_found_[i]);
    play_put_("]");
    play_key_("alone");
    play_put_("[");
    for (size_t i = 0; i < play_objects_count_; i++)
        if (play_alone_(&play_found_[i])) {
            play_next_();
            play_frame_((const struct pt *)play_found_[i].at, play_found_[i].name, 0);
        }
    play_put_("]");
}

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
        play_time_text_(play_signed_(pt_heap_at_(heap, i)));
        play_put_(",");
        play_number_(play_signed_(pt_heap_at_(heap, i)));
        play_put_("]");
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
    play_ready_(its);
    play_timers_(loop);
    play_key_("tasks");
    play_put_("[");
    for (struct pt_task *task = pt_loop_task(loop, NULL); task; task = pt_loop_task(loop, task)) {
        play_next_();
        play_show_task_(task);
    }
    play_put_("]");
    play_put_("}");
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
    play_key_("loops");
    play_put_("[");
    for (size_t i = 0; i < PLAY_LOOPS; i++)
        if (play_loops_[i].loop)
            play_loop_(&play_loops_[i]);
    play_put_("]");
    play_objects_all_();
    play_ended_list_();
    play_put_("}");
    play_flush_();
}

/* --- hooks ----------------------------------------------------------------------------------------- */

void play_line_(unsigned line)
{
    play_at_line_ = line;
    play_step_("line", play_runs_ ? play_id_(play_runs_) : 0, NULL);
}

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
    play_at_line_ = 0;
    play_step_("resume", play_id_(task), NULL);
}

static void play_returned_(struct pt_observer *observer, struct pt_task *task, enum pt_opcode op)
{
    struct play_loop_ *its = (struct play_loop_ *)(void *)observer;

    play_at_line_ = 0;
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
    play_at_line_ = 0;
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
