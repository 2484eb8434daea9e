/* fetch.c - gets a page from a server and writes it to a file
 * SPDX-License-Identifier: MIT
 *
 * It looks up the name without blocking and writes the file in a thread. The whole fetch has ten
 * seconds. It succeeds if the whole page is in the file; if not, it prints what has failed. */
#include <pt/host.h>

#include <errno.h>

#include "http_reply.h"

static struct pt_system sys;
static struct pt_workers workers;

struct fetch {
    struct pt pt;
    const char *host, *port, *path, *file;
    struct pt_scope limit;
    struct pt_dial dial;
    struct pt_io io;
    struct pt_writer out;
    struct pt_flush flush;
    struct pt_reader in;
    struct pt_read_exactly page;
    struct pt_blocking call;
    const char *doing; /* what it does; printed if that fails */
    int error;         /* the errno of the file, or 0 */
    char to[280], request[512], text[1 << 16], status[64];
    const char *body;
    size_t size; /* of the body */
};

/* Runs in a thread, because a disk can be slow. */
static void save(void *argument)
{
    struct fetch *self = (struct fetch *)argument;
    FILE *file = fopen(self->file, "w");
    bool written = file && fwrite(self->body, 1, self->size, file) == self->size;

    if (!written)
        self->error = errno ? errno : EIO;
    if (file && fclose(file) && written) /* a full disk can show only here */
        self->error = errno;
}

static PT_ASYNC(fetch, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(10)) {
        self->doing = "the connection";
        snprintf(self->to, sizeof self->to, "%s:%s", self->host, self->port);
        PT_TRY(&self->dial, pt_dial, .io = &self->io, .system = &sys, .to = self->to);
        self->doing = "the request";
        pt_writer_init(&self->out, pt_io_stream(&self->io), self->request, sizeof self->request);
        PT_PRINTF(&self->out, "GET %s HTTP/1.0\r\nHost: %s\r\nConnection: close\r\n\r\n",
                  self->path, self->host);
        PT_TRY(&self->flush, pt_flush, .writer = &self->out);
        self->doing = "the page";
        pt_reader_init(&self->in, pt_io_stream(&self->io), NULL, 0);
        PT_WAIT_COMPLETE(&self->page, pt_read_exactly, .reader = &self->in, .data = self->text,
                         .size = sizeof self->text - 1);
        if (self->pt.status != PT_ECLOSED) /* the page must end, and fit */
            PT_RETURN(self->pt.status == PT_OK ? (pt_status)PT_ERANGE : self->pt.status);
        self->size = self->page.got;
        self->body = parse_reply(self->text, &self->size, self->status);
        if (!self->body || *self->status != '2')
            PT_RETURN(PT_EINVAL);
        pt_io_close(&self->io);
        self->doing = self->file;
        PT_TRY(&self->call, pt_blocking, .workers = &workers, .work = save, .argument = self);
        if (self->error)
            PT_RETURN(PT_EIO);
    }
    if (pt_timed_out(&self->limit))
        PT_RETURN(PT_ETIMEDOUT);
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

/* Why it has failed. */
static const char *reason(const struct fetch *self, pt_status status)
{
    if (status == PT_EINVAL && self->body)
        return self->status; /* the server's words */
    if (status == PT_EINVAL && !self->io.error)
        return "not a whole reply";
    return status == PT_EIO && self->error ? strerror(self->error)
                                           : pt_io_error_text(&self->io, status);
}

int main(int argc, char **argv)
{
    static PT_TASK(fetch) task;
    struct pt_loop loop;
    pt_status status;

    if (argc != 5) {
        fputs("usage: fetch HOST PORT PATH FILE\n\nGets a page and writes it to FILE.\n",
              argc == 2 && !strcmp(argv[1], "--help") ? stdout : stderr);
        return argc == 2 && !strcmp(argv[1], "--help") ? 0 : 2;
    }
    if ((status = pt_system_open(&sys, &loop, NULL)) != PT_OK ||
        (status = pt_workers_open(&workers, &sys, 1)) != PT_OK) {
        fprintf(stderr, "fetch: %s\n", status == PT_EIO ? strerror(errno) : pt_status_text(status));
        return 1;
    }
    PT_START(&loop, &task, fetch, .host = argv[1], .port = argv[2], .path = argv[3],
             .file = argv[4]);
    pt_loop_run(&loop);
    status = pt_task_status(&task.task);
    if (status != PT_OK)
        fprintf(stderr, "fetch: %s: %s\n", task.frame.doing, reason(&task.frame, status));
    pt_workers_close(&workers);
    pt_system_close(&sys);
    return status != PT_OK;
}
