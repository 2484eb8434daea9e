/* fetch.c - gets a page from a server and writes it to a file
 * SPDX-License-Identifier: MIT
 *
 * It looks up the name without blocking, writes the file in a thread, and reads no faster than it
 * writes. The whole fetch has ten seconds. It succeeds if the whole page is in the file; if not, it
 * prints what has failed. */
#include <pt/host.h>
#include <pt/http_client.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct pt_system sys;
static struct pt_workers workers;
static struct pt_http_link links[2]; /* a redirect can lead to another server */
static struct pt_http_client client = {.system = &sys, .links = links, .count = 2};

struct fetch {
    struct pt pt;
    const char *url, *path;
    struct pt_scope limit;
    struct pt_http_call call;
    struct pt_reader page;
    struct pt_read_exactly part;
    struct pt_file_open file;
    struct pt_file_write write;
    struct pt_blocking close;
    off_t size;
    int error; /* the errno of the close, or 0 */
    char in[4096], out[2048], data[1 << 16];
};

/* Runs in a thread. A network's file system can tell only now that the disk is full. */
static void close_file(void *argument)
{
    struct fetch *self = (struct fetch *)argument;

    self->error = close(self->file.fd) ? errno : 0;
    self->file.fd = -1;
}

static PT_ASYNC(fetch, self)
{
    self->file.fd = -1;
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(10)) {
        PT_TRY(&self->call, pt_http_call, .client = &client, .url = self->url, .streams = true,
               .redirects = 5, .in = self->in, .in_size = sizeof self->in, .out = self->out,
               .out_size = sizeof self->out);
        if (self->call.status != 200)
            PT_RETURN(PT_EFAILED);
        PT_TRY(&self->file, pt_file_open, .workers = &workers, .path = self->path,
               .flags = O_WRONLY | O_CREAT | O_TRUNC);
        pt_reader_init(&self->page, pt_http_call_body(&self->call), NULL, 0);
        do {
            PT_WAIT_COMPLETE(&self->part, pt_read_exactly, .reader = &self->page,
                             .data = self->data, .size = sizeof self->data);
            if (self->pt.status != PT_OK && self->pt.status != PT_ECLOSED) /* the end of the page */
                PT_RETURN(self->pt.status);
            PT_TRY(&self->write, pt_file_write, .workers = &workers, .fd = self->file.fd,
                   .data = self->data, .size = self->part.got, .offset = self->size);
            self->size += (off_t)self->part.got;
        } while (self->part.got == sizeof self->data);
        PT_TRY(&self->close, pt_blocking, .workers = &workers, .work = close_file,
               .argument = self);
        if (self->error)
            PT_RETURN(PT_EIO);
    }
    PT_RETURN(pt_timed_out(&self->limit) ? (pt_status)PT_ETIMEDOUT : self->pt.status);
    PT_FINALLY
    pt_http_call_end(&self->call);
    if (self->file.fd >= 0)
        close(self->file.fd);
}
PT_END

/* Print why it has failed. */
static void tell(const struct fetch *self, pt_status status)
{
    int error = self->file.error    ? self->file.error
                : self->write.error ? self->write.error
                                    : self->error;

    if (error)
        fprintf(stderr, "fetch: %s: %s\n", self->path, strerror(error));
    else if (status == PT_EFAILED && !self->call.why)
        fprintf(stderr, "fetch: %s: the server replies %d\n", self->url, self->call.status);
    else
        fprintf(stderr, "fetch: %s: %s\n", self->url,
                self->call.why ? self->call.why : pt_status_text(status));
}

int main(int argc, char **argv)
{
    static PT_TASK(fetch) task;
    struct pt_loop loop;
    pt_status status;

    if (argc != 3) {
        bool help = argc == 2 && !strcmp(argv[1], "--help");

        fputs("usage: fetch URL FILE\n\nGets a page and writes it to FILE.\n",
              help ? stdout : stderr);
        return help ? 0 : 2;
    }
    if ((status = pt_system_open(&sys, &loop, NULL)) != PT_OK ||
        (status = pt_workers_open(&workers, &sys, 1)) != PT_OK) {
        fprintf(stderr, "fetch: %s\n", status == PT_EIO ? strerror(errno) : pt_status_text(status));
        return 1;
    }
    PT_START(&loop, &task, fetch, .url = argv[1], .path = argv[2]);
    pt_loop_run(&loop);
    status = pt_task_status(&task.task);
    if (status != PT_OK)
        tell(&task.frame, status);
    pt_http_client_close(&client);
    pt_workers_close(&workers);
    pt_system_close(&sys);
    return status != PT_OK;
}
