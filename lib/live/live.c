/* live.c - opens and closes what serves the tasks of a loop, and answers it in the loop's thread
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../sites.h"

#include "../faults.h"
#include "../fork.h"
#include "../needs.h"
#include "server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- in the program's loop ------------------------------------------------------------------- */

static void answer(struct pt_remote *self, unsigned times)
{
    struct pt_live_server_ *server = self->target;

    (void)times;
    if (server->question.steps)
        pt_steps_start_(&server->steps, server->shown->loop);
    server->next = pt_snapshot_(&server->piece, server->shown, server->question.from,
                                server->live->gauges, &server->steps);
    (void)pt_remote_post(&server->answered);
}

/* Nobody asks for snapshots again and again. */
static void quiet(struct pt_remote *self, unsigned times)
{
    struct pt_live_server_ *server = self->target;

    (void)times;
    pt_steps_stop_(&server->steps);
}

/* --- the thread ------------------------------------------------------------------------------ */

static void stop(struct pt_remote *self, unsigned times)
{
    (void)times;
    pt_loop_cancel(self->loop, PT_ECANCELED);
}

static void *serve(void *argument)
{
    struct pt_live_server_ *server = argument;

    (void)pt_loop_run(&server->loop);
    return NULL;
}

/* The signals of the program belong to other threads. Returns 0 or an errno. */
static int start_thread(struct pt_live_server_ *server)
{
    sigset_t mask, before;
    int error;

    pt_all_but_faults_(&mask);
    pthread_sigmask(SIG_SETMASK, &mask, &before);
    error = pthread_create(&server->thread, NULL, serve, server);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

/* --- opening and closing --------------------------------------------------------------------- */

static struct pt_live_server_ *new_server(struct pt_live *live, struct pt_system *system,
                                          const char *path)
{
    struct pt_live_server_ *server = calloc(1, sizeof *server);

    if (!server)
        return NULL;
    server->path = malloc(strlen(path) + 1);
    if (!server->path) {
        free(server);
        return NULL;
    }
    strcpy(server->path, path);
    server->live = live;
    server->shown = system;
    server->forks = pt_forks_();
    return server;
}

static void free_server(struct pt_live_server_ *server)
{
    free(server->path);
    free(server);
}

/* Open the remotes. Nothing is posted before the thread runs. */
static void open_remotes(struct pt_live_server_ *server)
{
    pt_remote_open(&server->stop, &server->loop, stop, NULL);
    pt_remote_open(&server->answered, &server->loop, pt_live_answered_, server);
    pt_remote_open(&server->ask, server->shown->loop, answer, server);
    pt_remote_open(&server->quiet, server->shown->loop, quiet, server);
}

/* Each close does what was posted, which can post to the next: ask, answered, quiet. */
static void close_remotes(struct pt_live_server_ *server)
{
    pt_remote_close(&server->ask);
    pt_remote_close(&server->answered);
    pt_remote_close(&server->quiet);
    pt_remote_close(&server->stop);
}

/* Serve on the socket, which is open. Returns 0 or an errno. */
static int begin(struct pt_live_server_ *server)
{
    int error;

    pt_semaphore_init(&server->turn, 1, 1);
    open_remotes(server);
    PT_START(&server->loop, &server->acceptor, pt_live_accept_, .server = server);
    error = start_thread(server);
    if (!error)
        return 0;
    pt_live_remove_(server);
    pt_loop_cancel(&server->loop, PT_ECANCELED);
    (void)pt_loop_run(&server->loop);
    close_remotes(server);
    return error;
}

/* Open the server's loop, its socket and its thread. An error is in errno. */
static pt_status open_server(struct pt_live_server_ *server)
{
    pt_status status = pt_system_open(&server->system, &server->loop, NULL);

    if (status != PT_OK)
        return status;
    status = pt_live_listen_(server);
    if (status == PT_OK && (errno = begin(server)))
        status = PT_EIO;
    if (status != PT_OK) {
        int error = errno;

        pt_system_close(&server->system);
        errno = error;
    }
    return status;
}

pt_status pt_live_open(struct pt_live *live, struct pt_system *system, const char *path)
{
    pt_status status;

    PT_NEEDS_SYSTEM_(system, "pt_live_open");
    memset(live, 0, sizeof *live);
    if (pt_forked_since_(system->forks))
        return PT_EPERM;
    live->server = new_server(live, system, path);
    if (!live->server)
        return PT_ENOMEM;
    status = open_server(live->server);
    if (status == PT_OK)
        return PT_OK;
    live->error = status == PT_EIO ? errno : 0;
    free_server(live->server);
    live->server = NULL;
    return status;
}

void pt_live_gauge(struct pt_live *live, struct pt_gauge *gauge, const char *name,
                   const unsigned *value)
{
    struct pt_gauge **last = &live->gauges;

    while (*last)
        last = &(*last)->next;
    gauge->name = name;
    gauge->value = value;
    gauge->next = NULL;
    *last = gauge;
}

/* In a forked process the thread is the parent's, and so is the socket. What the thread has posted
 * is in the copy of the program's inbox. */
static void close_copy(struct pt_live_server_ *server)
{
    for (unsigned fd = 0; fd < server->system.count; fd++)
        if (server->system.places[fd].io)
            close((int)fd);
    if (server->shown->loop)
        pt_loop_drop_posts_(server->shown->loop);
    pt_system_close(&server->system);
}

void pt_live_close(struct pt_live *live)
{
    struct pt_live_server_ *server = live->server;

    if (!server)
        return;
    live->server = NULL;
    live->gauges = NULL;
    if (pt_forked_since_(server->forks)) {
        close_copy(server);
    } else {
        pt_live_remove_(server);
        (void)pt_remote_post(&server->stop);
        pthread_join(server->thread, NULL);
        close_remotes(server);
        pt_steps_stop_(&server->steps);
        pt_system_close(&server->system);
    }
    free_server(server);
}
