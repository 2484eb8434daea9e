/* team.h - several loops, each in a thread of its own: one for each processor, say
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
 * The loops share nothing, so there is nothing to lock. What one wants of another it says by a mailbox or
 * a remote of that one's (mailbox.h, remote.h). Listeners with one address among them share its
 * connections: evenly on Linux, elsewhere as the system likes. */
#ifndef PT_TEAM_H
#define PT_TEAM_H

#include "system.h"

#include <pthread.h>

/* A loop of the team. Its system and loop are used as any other's, by its thread alone. */
struct pt_member {
    struct pt_system system;
    struct pt_loop loop;
    struct pt_remote halt; /* by which it is told to end */
    struct pt_team *team;  /* whose it is */
    pthread_t thread;      /* not of the first one */
    pt_status status;      /* what pt_loop_run said, there */
};

/* The team. It must not move while it is open. Written by the functions. */
struct pt_team {
    struct pt_member *members;
    unsigned count;
    pthread_mutex_t gate; /* held until there is a thread for each */
    bool complete;        /* there is; guarded by the gate */
};

#ifdef __cplusplus
extern "C" {
#endif

/* pt_team_open - COUNT loops, none of which runs yet; 0: as many as there are processors
 * POLLER and codes: as of pt_system_open; then nothing is open. */
PT_EXPORT pt_status pt_team_open(struct pt_team *team, unsigned count, const char *poller);

/* pt_team_run - run them all, once, the first one in this thread, until no task is alive in any
 * What was started in them before, they have. A loop that has ended takes no posts: PT_ECLOSED. PT_OK, or
 * what the first loop that failed said; PT_EIO with errno if there are not enough threads: then none of
 * them has run. */
PT_EXPORT pt_status pt_team_run(struct pt_team *team);

/* pt_team_halt - cancel all tasks of all loops, with PT_ECANCELED; from any thread, or a signal handler
 * Each loop does so in its next turn, and ends when they have. */
PT_EXPORT void pt_team_halt(struct pt_team *team);

/* pt_team_close - close the loops, of which none runs; no task may be alive, and no pt_io open */
PT_EXPORT void pt_team_close(struct pt_team *team);

#ifdef __cplusplus
}
#endif

#endif
