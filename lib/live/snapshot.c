/* snapshot.c - what the tasks of a loop do, as lines of JSON, in pieces
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "snapshot.h"

#include <pt/host/io.h>

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* --- text ------------------------------------------------------------------------------------ */

void pt_live_put_(void *context, const char *text)
{
    struct pt_live_piece_ *piece = context;
    size_t length = strlen(text);

    if (length > sizeof piece->text - piece->used) {
        piece->over = true;
        return;
    }
    memcpy(piece->text + piece->used, text, length);
    piece->used += length;
}

static void put_key(struct pt_live_piece_ *piece, const char *key)
{
    if (piece->used && !strchr("{[\n", piece->text[piece->used - 1]))
        pt_live_put_(piece, ",");
    pt_live_put_(piece, "\"");
    pt_live_put_(piece, key);
    pt_live_put_(piece, "\":");
}

void pt_live_number_(struct pt_live_piece_ *piece, const char *key, uint64_t number)
{
    put_key(piece, key);
    pt_print_number_(pt_live_put_, piece, number);
}

/* A byte that is not ASCII stays: it can be a part of a letter in UTF-8, which is not cut. */
void pt_live_text_(struct pt_live_piece_ *piece, const char *key, const char *text)
{
    size_t length = strnlen(text, 128);
    char byte[7];

    while (length && (text[length] & 0xc0) == 0x80)
        length--;
    put_key(piece, key);
    pt_live_put_(piece, "\"");
    for (size_t i = 0; i < length; i++) {
        unsigned char code = (unsigned char)text[i];

        if (code < ' ' || code == '"' || code == '\\' || code == 0x7f)
            snprintf(byte, sizeof byte, "\\u%04x", code);
        else
            snprintf(byte, sizeof byte, "%c", code);
        pt_live_put_(piece, byte);
    }
    pt_live_put_(piece, "\"");
}

static void put_address(struct pt_live_piece_ *piece, const char *key, const void *pointer)
{
    char text[24];

    snprintf(text, sizeof text, "0x%llx", (unsigned long long)(uintptr_t)pointer);
    pt_live_text_(piece, key, text);
}

/* --- a task ---------------------------------------------------------------------------------- */

static const char *place(const struct pt *frame)
{
    switch (frame->label) {
    case PT_LABEL_START_: return "start";
    case PT_LABEL_FINALLY_: return "finally";
    case PT_LABEL_DONE_: return "done";
    default: return NULL;
    }
}

static void put_frame(struct pt_live_piece_ *piece, const struct pt *frame)
{
    const struct pt_site_ *site = place(frame) ? NULL : pt_site_of_(frame);

    pt_live_put_(piece, "{");
    pt_live_number_(piece, "label", frame->label);
    if (place(frame))
        pt_live_text_(piece, "place", place(frame));
    if (site) {
        pt_live_text_(piece, "function", site->function);
        pt_live_text_(piece, "file", site->file);
        pt_live_number_(piece, "line", site->line);
    }
    pt_live_put_(piece, "}");
}

enum { FRAMES = 32 }; /* the most in a line, from the innermost on */

static void put_frames(struct pt_live_piece_ *piece, const struct pt_task *task)
{
    const struct pt *frame = pt_task_top_(task);

    put_key(piece, "frames");
    pt_live_put_(piece, "[");
    for (int i = 0; frame && i < FRAMES; i++, frame = pt_caller_of_(frame)) {
        pt_live_put_(piece, i ? "," : "");
        put_frame(piece, frame);
    }
    pt_live_put_(piece, "]");
}

static uint64_t left(pt_time now, pt_time deadline)
{
    return pt_time_before(now, deadline)
               ? pt_milliseconds_(deadline - now, (uint64_t)(PT_TICKS_PER_SEC)-1)
               : 0;
}

static void put_times(struct pt_live_piece_ *piece, const struct pt_task *task)
{
    pt_time now = pt_loop_now_(task->loop), at = now;

    if (pt_task_sleeps_(task, &at))
        pt_live_number_(piece, "sleeps_ms", left(now, at));
    if (pt_task_limited_(task, false, &at))
        pt_live_number_(piece, "limit_ms", left(now, at));
    if (pt_task_waits_since_(task, &at))
        pt_live_number_(piece, "since_ms",
                        pt_time_before(at, now) ? pt_milliseconds_(now - at, 0) : 0);
}

/* What a waiting task waits for, if its descriptor or its task is known. */
static void put_wait(struct pt_live_piece_ *piece, const struct pt_task *task)
{
    unsigned why = task->why & PT_WHY_MASK_;

    if (pt_task_state(task) != PT_TASK_WAITING || !task->waiter.item)
        return;
    if (why == PT_WHY_IO)
        pt_live_number_(piece, "fd", (unsigned)((const struct pt_io *)task->waiter.item)->fd);
    else if (why == PT_WHY_JOIN)
        put_address(piece, "joins", task->waiter.item);
}

static unsigned depth_of(const struct pt_task *task)
{
    unsigned depth = 0;

    while ((task = pt_task_parent(task)))
        depth++;
    return depth;
}

static void put_task(struct pt_live_piece_ *piece, const struct pt_task *task, unsigned depth)
{
    static const char *const states[] = {
#define STATE(name, text) #name,
        PT_TASK_STATE_TABLE(STATE)
#undef STATE
    };
    const struct pt_task *parent = pt_task_parent(task);

    pt_live_put_(piece, "{");
    put_address(piece, "task", task);
    if (parent)
        put_address(piece, "parent", parent);
    pt_live_number_(piece, "depth", depth);
    pt_live_text_(piece, "name", pt_task_name(task) ? pt_task_name(task) : "a task");
    pt_live_text_(piece, "state", states[pt_task_state(task)]);
    pt_live_text_(piece, "doing", pt_task_doing(task));
    put_wait(piece, task);
    put_times(piece, task);
    if ((task->state & (PT_STATE_PAUSED_ | PT_STATE_HELD_)) == PT_STATE_PAUSED_)
        pt_live_number_(piece, "paused", 1);
    if (pt_task_canceled(task))
        pt_live_number_(piece, "canceled", 1);
    put_frames(piece, task);
    pt_live_put_(piece, "}\n");
}

/* --- the loop -------------------------------------------------------------------------------- */

static void put_loop(struct pt_live_piece_ *piece, const struct pt_system *system)
{
    unsigned open = 0;
    struct rlimit limit = {0, 0};

    for (unsigned fd = 0; fd < system->count; fd++)
        open += system->places[fd].io != NULL;
    pt_live_put_(piece, "{");
    pt_live_number_(piece, "tasks", pt_loop_live(system->loop));
    pt_live_number_(piece, "ready", pt_loop_ready(system->loop));
    pt_live_number_(piece, "descriptors", open);
    if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur != RLIM_INFINITY)
        pt_live_number_(piece, "descriptor_limit", limit.rlim_cur);
    pt_live_number_(piece, "refused", system->refused);
    pt_live_put_(piece, "}\n");
}

static void put_steps(struct pt_live_piece_ *piece, const struct pt_steps_ *row)
{
    pt_live_put_(piece, "{");
    pt_live_text_(piece, "steps_of", row->name);
    pt_live_number_(piece, "steps", row->count);
    pt_live_number_(piece, "ns", row->ticks);
    pt_live_number_(piece, "longest_ns", row->longest);
    pt_live_put_(piece, "}\n");
}

enum { GAUGE_LINE = 1000 }; /* its longest */

static void put_gauge(struct pt_live_piece_ *piece, const struct pt_gauge *gauge)
{
    pt_live_put_(piece, "{");
    pt_live_text_(piece, "gauge", gauge->name);
    pt_live_number_(piece, "value", *gauge->value);
    pt_live_put_(piece, "}\n");
}

/* End the line that began at START; false: it did not fit, and is taken back. */
static bool end_line(struct pt_live_piece_ *piece, size_t start)
{
    bool fits = !piece->over;

    if (!fits)
        piece->used = start;
    piece->over = false;
    return fits;
}

/* The steps, the gauges that fit, and the last line. */
static void put_end(struct pt_live_piece_ *piece, const struct pt_gauge *gauge,
                    const struct pt_steps_table_ *steps)
{
    for (unsigned i = 0; steps->on && i <= PT_STEPS_NAMES_; i++)
        if (steps->rows[i].count)
            put_steps(piece, &steps->rows[i]);
    for (; gauge && piece->used < sizeof piece->text - 2 * GAUGE_LINE; gauge = gauge->next)
        put_gauge(piece, gauge);
    pt_live_put_(piece, "{");
    pt_live_number_(piece, "end_ns", pt_posix.now(NULL));
    if (gauge)
        pt_live_number_(piece, "cut", 1);
    pt_live_put_(piece, "}\n");
}

/* How long a piece may take; the clock is read after so many tasks. */
#define SHARE PT_US(250)
enum { TASKS_A_READING = 16 };

/* Write lines of tasks from the number FROM on, while time and room last. Returns the number of
 * the first that has no line. */
static unsigned put_tasks(struct pt_live_piece_ *piece, const struct pt_loop *loop, unsigned from)
{
    const struct pt_task *task = pt_loop_task(loop, NULL), *parent = NULL;
    pt_time began = pt_posix.now(NULL);
    unsigned number = 0, depth = 0;

    for (; task && number < PT_SNAPSHOT_TASKS_; number++, task = pt_loop_task(loop, task)) {
        size_t start = piece->used;

        if (number >= pt_loop_live(loop) || !pt_task_alive(task)) {
            pt_live_put_(piece, "{\"damaged\":1}\n");
            break;
        }
        if (number < from)
            continue;
        if (number > from && number % TASKS_A_READING == 0 && pt_posix.now(NULL) - began > SHARE)
            return number;
        if (number == from || pt_task_parent(task) != parent)
            depth = depth_of(task);
        parent = pt_task_parent(task);
        put_task(piece, task, depth);
        if (!end_line(piece, start)) /* an empty piece has room for any line */
            return number;
    }
    return PT_SNAPSHOT_TASKS_;
}

unsigned pt_snapshot_(struct pt_live_piece_ *piece, const struct pt_system *system, unsigned from,
                      const struct pt_gauge *gauges, const struct pt_steps_table_ *steps)
{
    piece->used = 0;
    piece->over = false;
    if (!from)
        put_loop(piece, system);
    if (from < PT_SNAPSHOT_TASKS_)
        return put_tasks(piece, system->loop, from);
    put_end(piece, gauges, steps);
    return 0;
}
