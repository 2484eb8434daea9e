/* save.h - write a trace to a file, for pt-trace
 * SPDX-License-Identifier: MIT
 *
 *     if (pt_trace_save(&trace, "server.pt") != PT_OK)
 *         perror("server.pt");
 *
 *     $ pt-trace server.pt                             a table
 *     $ pt-trace --json server.pt >server.json         for ui.perfetto.dev
 *
 * It needs no libpt. */
#ifndef PT_SAVE_H
#define PT_SAVE_H

#include "../base/compiler.h"
PT_QUIET_OPEN_
#include "../inspect/trace.h"

#if PT_TRACE

#include <stdio.h>
#include <string.h>

/* pt_trace_save - write what a trace holds to the file PATH, which is replaced
 * Between turns, or in a task; the trace can go on. Also writes the names of the tasks that are
 * alive and, on Linux, where the program is in memory, so that pt-trace finds the functions. PT_OK,
 * or PT_EIO: see errno. O(events). */
PT_API pt_status pt_trace_save(const struct pt_trace *trace, const char *path);

/* --- implementation ------------------------------------------------------------------------ */

enum { PT_SAVE_SITES_ = 512, PT_SAVE_LINE_ = 1024 };

/* A file that is written. Errors are checked at the end. */
struct pt_save_ {
    FILE *file;
    unsigned count;                 /* places that were written */
    uint64_t sites[PT_SAVE_SITES_]; /* which */
};

PT_API void pt_save_event_(const struct pt_save_ *save, unsigned kind, unsigned what, uint64_t time,
                           uint64_t object)
{
    struct pt_trace_event event;

    pt_trace_fill_(&event, time, kind, what, 0, object);
    fwrite(&event, sizeof event, 1, save->file);
}

PT_API void pt_save_text_(const struct pt_save_ *save, const char *text)
{
    size_t left = strlen(text);

    for (unsigned piece = 0; piece < PT_TRACE_MORE_ && (left || !piece); piece++) {
        size_t letters = left < PT_TRACE_LETTERS_ ? left : (size_t)PT_TRACE_LETTERS_;
        struct pt_trace_event event;

        left -= letters;
        pt_trace_fill_(&event, 0, PT_TRACE_NAME, piece | (left ? (unsigned)PT_TRACE_MORE_ : 0u), 0,
                       0);
        memcpy((char *)(void *)&event + 2, text, letters);
        text += letters;
        fwrite(&event, sizeof event, 1, save->file);
    }
}

/* The place of a SUSPEND, at its first use. */
PT_API void pt_save_site_(struct pt_save_ *save, uint64_t object)
{
    const struct pt_site_ *site = (const struct pt_site_ *)(uintptr_t)object;

    for (unsigned i = 0; i < save->count; i++)
        if (save->sites[i] == object)
            return;
    if (save->count < PT_SAVE_SITES_)
        save->sites[save->count++] = object;
    pt_save_event_(save, PT_TRACE_SITE, 0, site->line, object);
    pt_save_text_(save, site->function);
    pt_save_text_(save, site->file);
}

PT_API void pt_save_events_(struct pt_save_ *save, const struct pt_trace *trace)
{
    struct pt_trace_reader reader = {0, 0};
    struct pt_trace_event event;

    while (pt_trace_read(trace, &reader, &event)) {
        if (event.kind == PT_TRACE_SUSPEND && (event.what & PT_TRACE_MORE_))
            pt_save_site_(save, event.object);
        fwrite(&event, sizeof event, 1, save->file);
    }
}

/* Where the program and its libraries are in memory: lines of Linux. Elsewhere there are none. */
PT_API void pt_save_maps_(const struct pt_save_ *save)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[PT_SAVE_LINE_], mode[5];
    unsigned long start, end, offset;
    int at;

    while (maps && fgets(line, sizeof line, maps)) {
        at = 0;
        if (sscanf(line, "%lx-%lx %4s %lx %*s %*s %n", &start, &end, mode, &offset, &at) < 4 ||
            !at || mode[2] != 'x' || line[at] != '/')
            continue;
        line[strcspn(line, "\n")] = '\0';
        pt_save_event_(save, PT_TRACE_MAP, 0, (end - start) / 4096, start);
        pt_save_event_(save, PT_TRACE_PAGE, 0, 0, offset);
        pt_save_text_(save, line + at);
    }
    if (maps)
        fclose(maps);
}

PT_API void pt_save_tasks_(const struct pt_save_ *save, const struct pt_loop *loop)
{
    for (struct pt_task *task = pt_loop_task(loop, NULL); task; task = pt_loop_task(loop, task)) {
        pt_save_event_(save, PT_TRACE_ALIVE, 0, 0, pt_trace_address_(task));
        pt_save_text_(save, pt_task_name(task) ? pt_task_name(task) : "a task");
    }
}

/* The clock at a time of the counter: now, or at the last turn if nobody can be asked. */
PT_API void pt_save_stamp_(const struct pt_save_ *save, const struct pt_trace *trace)
{
    uint64_t at = trace->turned, clock = trace->clock;

#if PT_PORT
    const struct pt_port *port = trace->loop->port;

    if (port) {
        at = pt_trace_now_(trace);
        clock = pt_trace_clock_(trace, port->now(port->context));
    }
#endif
    pt_save_event_(save, PT_TRACE_TIME, 0, trace->last, trace->last);
    pt_save_event_(save, PT_TRACE_TIME, 0, at, at);
    pt_save_event_(save, PT_TRACE_STAMP, 0, at, pt_trace_nanoseconds_(clock));
}

PT_API pt_status pt_trace_save(const struct pt_trace *trace, const char *path)
{
    struct pt_save_ save;
    bool failed;

    save.file = fopen(path, "wb");
    save.count = 0;
    if (!save.file)
        return PT_EIO;
    pt_save_events_(&save, trace);
    pt_save_stamp_(&save, trace);
    pt_save_tasks_(&save, trace->loop);
    pt_save_maps_(&save);
    failed = ferror(save.file);
    return fclose(save.file) || failed ? (pt_status)PT_EIO : (pt_status)PT_OK;
}

#endif

PT_QUIET_CLOSE_

#endif
