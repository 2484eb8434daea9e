/* team.c - several loops, each in its own thread
 * SPDX-License-Identifier: MIT */
#include "../needs.h"

#include <pt/host/team.h>

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* --- opening and closing --------------------------------------------------------------------- */

static void halt(struct pt_remote *self, unsigned times)
{
    (void)times;
    pt_loop_cancel(self->loop, PT_ECANCELED);
}

static void close_members(struct pt_team *team)
{
    for (unsigned i = 0; i < team->count; i++)
        pt_system_close(&team->members[i].system);
    free(team->members);
    team->members = NULL;
    team->count = 0;
}

static pt_status open_members(struct pt_team *team, unsigned count, const char *poller)
{
    for (; team->count < count; team->count++) {
        struct pt_member *member = &team->members[team->count];
        pt_status status = pt_system_open(&member->system, &member->loop, poller);

        if (status != PT_OK)
            return status;
        pt_remote_open(&member->halt, &member->loop, halt, NULL);
        member->team = team;
        member->status = PT_OK;
    }
    return PT_OK;
}

pt_status pt_team_open(struct pt_team *team, unsigned count, const char *poller)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    pt_status status;
    int error;

    if (!count)
        count = processors > 0 ? (unsigned)processors : 1;
    team->count = 0;
    team->complete = false;
    team->members = calloc(count, sizeof *team->members);
    if (!team->members)
        return PT_ENOMEM;
    status = open_members(team, count, poller);
    if (status == PT_OK) {
        pthread_mutex_init(&team->gate, NULL);
        return PT_OK;
    }
    error = errno;
    close_members(team);
    errno = error;
    return status;
}

void pt_team_close(struct pt_team *team)
{
    if (!team->members)
        return;
    close_members(team);
    pthread_mutex_destroy(&team->gate);
}

/* --- running --------------------------------------------------------------------------------- */

/* Let a loop without tasks take no more posts; false: there is one. What it starts can wait for
 * other posts, so it must not be the last. */
static bool shut(struct pt_loop *loop)
{
    return pt_inbox_closed_(&loop->inbox) ||
           pt_link_replace_(&loop->inbox.first, NULL, (pt_link_ref_)(void *)&loop->inbox);
}

/* Run the loop, and all that its posts start. Posts to a loop that has ended get PT_ECLOSED. */
static pt_status run_to_the_end(struct pt_loop *loop)
{
    pt_status status = pt_loop_run(loop);

    while (status == PT_OK && !shut(loop)) {
        pt_loop_receive_(loop);
        status = pt_loop_run(loop);
    }
    return status;
}

static void *run(void *argument)
{
    struct pt_member *member = argument;
    bool complete;

    pthread_mutex_lock(&member->team->gate);
    complete = member->team->complete;
    pthread_mutex_unlock(&member->team->gate);
    if (complete)
        member->status = run_to_the_end(&member->loop);
    return NULL;
}

pt_status pt_team_run(struct pt_team *team)
{
    pt_status status = PT_OK;
    unsigned threads;
    int error = 0;

    PT_NEEDS_(team->members, "the team is not open: call pt_team_open", "pt_team_run");
    pthread_mutex_lock(&team->gate);
    for (threads = 1; !error && threads < team->count; threads += !error)
        error = pthread_create(&team->members[threads].thread, NULL, run, &team->members[threads]);
    team->complete = !error;
    pthread_mutex_unlock(&team->gate);
    run(&team->members[0]);
    while (threads-- > 1)
        pthread_join(team->members[threads].thread, NULL);
    errno = error;
    for (unsigned i = 0; !error && i < team->count && status == PT_OK; i++)
        status = team->members[i].status;
    return error ? PT_EIO : status;
}

void pt_team_halt(struct pt_team *team)
{
    for (unsigned i = 0; i < team->count; i++)
        pt_remote_post(&team->members[i].halt);
}
