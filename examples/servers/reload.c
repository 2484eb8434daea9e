/* reload.c - a server that starts its next version at SIGHUP, and loses no connection
 * SPDX-License-Identifier: MIT
 *
 *     ./reload 127.0.0.1:7007             build it again, then: kill -HUP PID
 *
 * What to notice:
 *   - The next process has the listener at 3, as from systemd: LISTEN_FDS. So both accept from one
 *     queue, no client is refused, and what waits in the queue is not lost.
 *   - At 4 it has a pipe, to which it writes a byte when it serves. If it does not within a minute,
 *     it is killed, and this process goes on; it is killed, too, if this process ends meanwhile.
 *   - Then `reload` ends, and with it the group: pt_serve closes its copy of the listener, and the
 *     present clients have ten minutes to end; after a SIGTERM, five seconds. */
#include <pt/host.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct pt_system sys;
static struct pt_io listener;
static struct pt_signals signals;
static const char **words; /* this program and its arguments */

/* --- a client: each line comes back, with the number of the process --------------------------- */

#define QUIET PT_SEC(60) /* after which a client is gone, or dead */

struct echo {
    struct pt pt;
    struct pt_io io;
    struct pt_reader in;
    struct pt_writer out;
    struct pt_read_line line;
    struct pt_flush flush;
    struct pt_scope quiet;
    char room[256], text[640];
};

static PT_ASYNC(echo, self)
{
    pt_reader_init(&self->in, pt_io_stream(&self->io), self->room, sizeof self->room);
    pt_writer_init(&self->out, pt_io_stream(&self->io), self->text, sizeof self->text);
    for (;;) {
        PT_WITH_TIMEOUT(&self->quiet, QUIET)
            PT_TRY(&self->line, pt_read_line, .reader = &self->in);
        if (pt_timed_out(&self->quiet))
            break;
        PT_PRINTF(&self->out, "%ld: %s\n", (long)getpid(), self->line.text);
        PT_TRY(&self->flush, pt_flush, .writer = &self->out);
    }
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

static struct pt_task *start(struct pt_loop *loop, struct pt_io *peer, void *context)
{
    (void)context;
    return PT_START_NEW(loop, echo, .io = pt_io_take(peer)) == PT_OK ? loop->taken : NULL;
}

/* --- the next process ------------------------------------------------------------------------- */

/* One attempt: start it, and wait until it serves; else, whatever ends this, it is killed. */
struct attempt {
    struct pt pt;
    struct pt_process next;
    struct pt_io ready; /* this end of its pipe */
    struct pt_scope limit;
    struct pt_wait_process end;
    size_t got; /* 1: it serves */
    char byte;
};

/* Start it; whether that has succeeded. */
static bool start_next(struct attempt *self)
{
    static const char *const variables[] = {"LISTEN_FDS=1", "LISTEN_PID", "READY_FD=4", NULL};
    int ends[2], handed[] = {listener.fd, -1, -1};

    if (pipe(ends)) {
        self->next.error = errno;
        return false;
    }
    handed[1] = ends[1];
    self->next.words = words;
    self->next.variables = variables;
    self->next.handed = handed;
    if (pt_io_open(&self->ready, &sys, ends[0]) != PT_OK)
        close(ends[0]);
    else if (pt_process_start(&self->next, &sys) != PT_OK)
        pt_io_close(&self->ready);
    close(ends[1]); /* so that the end of the next process is the end of its pipe */
    return self->ready.system != NULL;
}

static PT_ASYNC(attempt, self)
{
    if (!start_next(self))
        PT_RETURN(PT_EIO);
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(60))
        PT_READ(&self->ready, &self->byte, 1, &self->got);
    PT_FINALLY
    pt_io_close(&self->ready);
    if (self->next.pid && !self->got) {
        kill(self->next.pid, SIGKILL);
        PT_WAIT_COMPLETE(&self->end, pt_wait_process, .system = &sys, .pid = self->next.pid);
    }
}
PT_END

struct reload {
    struct pt pt;
    struct pt_serve *server; /* of this process */
    struct attempt attempt;
    int number;
};

static PT_ASYNC(reload, self)
{
    for (;;) {
        PT_WAIT_SIGNAL(&signals, &self->number);
        PT_WAIT_COMPLETE(&self->attempt, attempt);
        if (self->attempt.got)
            break;
        fprintf(stderr, "%ld goes on: the next process does not serve: %s\n", (long)getpid(),
                self->attempt.next.error ? strerror(self->attempt.next.error) : "gone or slow");
    }
    self->server->grace = PT_SEC(600);
}
PT_END

/* Whether no process waits for this one, or it has been told that this one serves. */
static bool tell_ready(void)
{
    if (!getenv("READY_FD"))
        return true;
    return write(4, "", 1) == 1 && close(4) == 0;
}

/* --- all -------------------------------------------------------------------------------------- */

struct both {
    struct pt pt;
    struct pt_group group;
    PT_TASK(pt_serve) server;
    PT_TASK(reload) reload;
};

static PT_ASYNC(both, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_FIRST) {
        PT_SPAWN_IN(&self->group, &self->server, pt_serve, .listener = &listener, .start = start,
                    .grace = PT_SEC(5));
        PT_SPAWN_IN(&self->group, &self->reload, reload, .server = &self->server.frame);
    }
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(both) task;
    const char *at = getenv("LISTEN_FDS") ? "fd:3" : argc > 1 ? argv[1] : "127.0.0.1:7007";
    struct pt_address address;
    char text[PT_ADDRESS_TEXT];
    struct pt_loop loop;
    pt_status status;

    words = (const char **)argv;
    if ((status = pt_system_open(&sys, &loop, NULL)) != PT_OK ||
        (status = pt_listen_at(&listener, &sys, at)) != PT_OK) {
        fprintf(stderr, "reload: %s: %s\n", at, pt_io_error_text(&listener, status));
        return 1;
    }
    if (pt_io_local(&listener, &address) != PT_OK || pt_signals_open(&signals, &sys) != PT_OK ||
        pt_signals_watch(&signals, SIGHUP) != PT_OK)
        return 1;
    printf("%ld: listening at %s\n", (long)getpid(), pt_address_text(&address, text, sizeof text));
    fflush(stdout);
    if (!tell_ready())
        return 1;
    PT_START(&loop, &task, both);
    pt_run_until_signal(&sys, &task.task);
    pt_signals_close(&signals);
    pt_system_close(&sys);
    printf("%ld: closed\n", (long)getpid());
    return 0;
}
