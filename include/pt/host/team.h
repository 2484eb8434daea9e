/* team.h - several loops, each in its own thread: one for each processor, for example
 * SPDX-License-Identifier: MIT
 *
 *     pt_team_open(&team, 0, NULL);
 *     for (unsigned i = 0; i < team.count; i++) {
 *         pt_listen(&servers[i].io, &team.members[i].system, address, length, true);
 *         PT_START(&team.members[i].loop, &servers[i].task, serve, .io = &servers[i].io);
 *     }
 *     pt_team_run(&team);
 *     pt_team_close(&team);
 *
 * The loops share nothing, so there is nothing to lock. A loop reaches another loop by a mailbox or
 * a remote of that loop (mailbox.h, remote.h). Listeners on the same address share its connections:
 * evenly on Linux; on other systems the kernel decides.
 *
 * The loops run in libpt: for ThreadSanitizer, which does not see how these take posts, compile the
 * sources of lib along with the program. */
#ifndef PT_TEAM_H
#define PT_TEAM_H

#include "system.h"

#include <pthread.h>

/* A loop of the team. As with any loop, only its own thread uses it and its system. */
struct pt_member {
    struct pt_system system;
    struct pt_loop loop;
    struct pt_remote halt; /* pt_team_halt posts it */
    struct pt_team *team;
    pthread_t thread; /* the first member has none */
    pt_status status; /* what its pt_loop_run returned */
};

/* The team. It must not move while it is open. Only the functions write its fields. */
struct pt_team {
    struct pt_member *members;
    unsigned count;
    pthread_mutex_t gate; /* held until all threads are created */
    bool complete;        /* all threads are created; guarded by the gate */
};

/* pt_team_open - open COUNT loops, which do not run yet; 0: one for each processor
 * POLLER, codes, and what is open on an error: as pt_system_open. */
PT_EXPORT pt_status pt_team_open(struct pt_team *team, unsigned count, const char *poller);

/* pt_team_run - run all loops once, the first in this thread, each until it has no task alive
 * Start tasks in the loops before. A loop that has ended takes no posts: PT_ECLOSED. Nor does it
 * take that of pt_team_halt, so a team runs once. PT_OK, or the code of the first loop that failed;
 * PT_EIO with errno if a thread cannot be created: then no loop has run. */
PT_EXPORT pt_status pt_team_run(struct pt_team *team);

/* pt_team_halt - cancel all tasks of all loops with PT_ECANCELED
 * Any thread or signal handler may call it; it must have returned before pt_team_close. Each loop
 * cancels its tasks in its next turn, and ends when they have ended. */
PT_EXPORT void pt_team_halt(struct pt_team *team);

/* pt_team_close - close the loops; none may run, no task may be alive, and no pt_io open
 * If one is, the program stops as in pt_system_close. No effect if they are closed,
 * or if pt_team_open failed. */
PT_EXPORT void pt_team_close(struct pt_team *team);

#endif
