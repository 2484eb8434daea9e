/* fetch.c - gets a page from a server and writes it to a file
 * SPDX-License-Identifier: MIT
 *
 * It looks up the name without blocking and writes the file in a thread. The whole fetch has ten
 * seconds. It succeeds if the whole page is in the file. */
#include <pt/host.h>

#include <errno.h>

#include "http_reply.h"

static struct pt_system sys;
static struct pt_workers workers;

struct fetch {
    struct pt pt;
    const char *host, *port, *path, *file;
    struct pt_scope limit;
    struct pt_resolve lookup;
    struct pt_io io;
    struct pt_write_all put;
    struct pt_read_exactly page;
    struct pt_blocking call;
    int error; /* the errno of the file, or 0 */
    char request[512], text[1 << 16], status[64];
    const char *body;
};

/* Runs in a thread, because a disk can be slow. */
static void save(void *argument)
{
    struct fetch *self = (struct fetch *)argument;
    size_t size = self->page.got - (size_t)(self->body - self->text);
    FILE *file = fopen(self->file, "w");
    bool written = file && fwrite(self->body, 1, size, file) == size;

    if (!written)
        self->error = errno;
    if (file && fclose(file) && written) /* a full disk can show only here */
        self->error = errno;
}

static PT_ASYNC(fetch, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(10)) {
        PT_TRY(&self->lookup, pt_resolve, .system = &sys, .host = self->host, .service = self->port,
               .family = AF_INET);
        if (pt_socket(&self->io, &sys, AF_INET, SOCK_STREAM, 0) != PT_OK)
            PT_RETURN(PT_EIO);
        PT_CONNECT(&self->io, (struct sockaddr *)&self->lookup.addresses[0].name,
                   self->lookup.addresses[0].length);
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
        snprintf(self->request, sizeof self->request,
                 "GET %s HTTP/1.0\r\nHost: %s\r\nConnection: close\r\n\r\n", self->path,
                 self->host);
        PT_TRY(&self->put, pt_write_all, .io = &self->io, .data = self->request,
               .size = strlen(self->request));
        PT_WAIT_COMPLETE(&self->page, pt_read_exactly, .io = &self->io, .data = self->text,
                         .size = sizeof self->text - 1);
        if (self->pt.status != PT_ECLOSED) /* the page must end, and fit */
            PT_RETURN(self->pt.status == PT_OK ? (pt_status)PT_ERANGE : self->pt.status);
        self->body = parse_reply(self->text, self->page.got, self->status);
        if (!self->body || *self->status != '2')
            PT_RETURN(PT_EINVAL);
        pt_io_close(&self->io);
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
    if (pt_system_open(&sys, &loop, NULL) != PT_OK || pt_workers_open(&workers, &sys, 1) != PT_OK)
        return 1;
    PT_START(&loop, &task, fetch, .host = argv[1], .port = argv[2], .path = argv[3],
             .file = argv[4]);
    pt_loop_run(&loop);
    status = pt_task_status(&task.task);
    if (task.frame.error)
        fprintf(stderr, "fetch: %s: %s\n", argv[4], strerror(task.frame.error));
    else if (status == PT_EINVAL)
        fprintf(stderr, "fetch: not a whole page: %s\n", task.frame.status);
    else if (status != PT_OK)
        fprintf(stderr, "fetch: %s\n", pt_status_text(status));
    pt_workers_close(&workers);
    pt_system_close(&sys);
    return status != PT_OK;
}
