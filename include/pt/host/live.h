/* live.h - a program on a PC shows its tasks to pt-ps while it runs, on a Unix socket; needs libpt
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_live live;
 *
 *     pt_live_open(&live, &sys, "/run/user/1000/server.live");
 *     pt_loop_run(&loop);
 *     pt_live_close(&live);
 *
 *     $ pt-ps --live /run/user/1000/server.live
 *
 * It shows what pt_dump prints, how long steps take, descriptors, and the program's own gauges. The
 * program does not stop, and needs neither gdb nor debug information.
 *
 * A thread of libpt serves the socket, on a loop of its own. So the program's loop has no task of
 * it and ends as before, no client can hold it up, and a step that does not end is reported.
 * For each piece of a snapshot the thread posts to the program's loop, which spends about a
 * quarter of a millisecond on it. So a snapshot of many tasks takes several turns: a task that
 * starts, ends or moves meanwhile can be missing in it. It lists the first 10,000 tasks, and counts
 * all.
 *
 * What it costs: without a client nothing but the sleeping thread. Only while a client asks for
 * snapshots again and again, the loop has a pt_watch, which takes two readings of the clock a step.
 *
 * What is off: how long a task has waited needs PT_SINCE (without it that is known of a park
 * alone), and the lines of the program's functions need PT_SITES; libpt's own have them.
 *
 * A path belongs to one process: while the old version of a program ends its clients, pt_live_open
 * at its path fails in the new one (EADDRINUSE). A path with the number of the process, getpid(),
 * shows both. If it must stay the same, the new version calls unlink(2) before pt_live_open. Then
 * the old one keeps the clients that it has, and its close leaves the new socket.
 *
 * The socket carries lines, each a JSON object: doc/debugging.md lists them. Only the user who runs
 * the program may connect, and root. At most four clients are served; one that asks nothing for
 * ten seconds, or has not taken a piece of a snapshot after ten, is dropped. */
#ifndef PT_HOST_LIVE_H
#define PT_HOST_LIVE_H

#include "system.h"

struct pt_live_server_;

/* A number of the program, which clients see by its name. */
struct pt_gauge {
    const char *name;
    const unsigned *value;
    struct pt_gauge *next; /* written by pt_live_gauge */
};

/* What serves a loop. It must not move while it is open. Read error; the functions write it all. */
struct pt_live {
    struct pt_live_server_ *server; /* NULL: closed */
    struct pt_gauge *gauges;
    int error; /* the errno of the last PT_EIO */
};

/* pt_live_open - show the tasks of the loop of SYSTEM on a new socket at PATH, with mode 0600
 * In the loop's thread, between turns or in a task. A socket there that nobody serves is replaced.
 * PT_OK; PT_EIO with live->error: EADDRINUSE if it is served, or is no socket, ENAMETOOLONG if PATH
 * is longer than about 100 bytes, or whatever else the system refuses; PT_ENOMEM; PT_EPERM if the
 * system belongs to a parent process. On an error nothing is open, and nothing is at PATH that was
 * not there. */
PT_EXPORT pt_status pt_live_open(struct pt_live *live, struct pt_system *system, const char *path);

/* pt_live_gauge - also show the number *VALUE as NAME; in the loop's thread, after pt_live_open
 * It is read in the loop's thread, when a client asks. GAUGE, NAME and VALUE must exist until
 * pt_live_close. O(gauges): they are shown in the order of these calls, as many as fit in some
 * 50 KB; of NAME up to 128 bytes.
 *
 *     pt_live_gauge(&live, &used, "connections", &pool.pool.used); */
PT_EXPORT void pt_live_gauge(struct pt_live *live, struct pt_gauge *gauge, const char *name,
                             const unsigned *value);

/* pt_live_close - disconnect the clients, end the thread, remove the socket; in the loop's thread
 * Before pt_system_close. It waits for no client. In a forked process it leaves the parent's socket
 * alone. No effect if it is closed, if pt_live_open failed, or if LIVE is zero. */
PT_EXPORT void pt_live_close(struct pt_live *live);

#endif
