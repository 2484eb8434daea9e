/* get.c - a page by HTTPS, to standard output
 * SPDX-License-Identifier: MIT
 *
 *     cc get.c $(pkg-config --cflags --libs pt-tls) -o get && ./get example.org /
 *     ./get example.test / 127.0.0.1:7443 ca.pem
 *
 *   - A connection of TLS is a stream like any other: a pt_writer prints the request to it.
 *   - The page has no length here, so its end must be told from a connection that is cut. */
#include <pt/tls.h>

#include <stdio.h>

static struct pt_system sys;
static struct pt_loop loop;
static struct pt_tls_context context;

struct get {
    struct pt pt;
    const char *host, *path;
    char *at;
    struct pt_dial dial;
    struct pt_io io;
    struct pt_tls tls;
    struct pt_writer out;
    struct pt_flush flush;
    struct pt_scope limit;
    size_t got;
    char data[4096];
};

static PT_ASYNC(get, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(30)) {
        PT_TRY(&self->dial, pt_dial, .io = &self->io, .system = &sys, .to = self->at);
        if (pt_tls_open(&self->tls, &context, &self->io, self->host) != PT_OK)
            PT_RETURN(PT_ENOMEM);
        pt_writer_init(&self->out, pt_tls_stream(&self->tls), self->data, sizeof self->data);
        PT_PRINTF(&self->out, "GET %s HTTP/1.0\r\nHost: %s\r\n\r\n", self->path, self->host);
        PT_TRY(&self->flush, pt_flush, .writer = &self->out);
        do {
            PT_TLS_READ(&self->tls, self->data, sizeof self->data, &self->got);
            fwrite(self->data, 1, self->got, stdout);
        } while (self->pt.status == PT_OK);
        if (self->pt.status != PT_ECLOSED)
            PT_RETURN(self->pt.status);
    }
    if (pt_timed_out(&self->limit))
        PT_RETURN(PT_ETIMEDOUT);
    PT_FINALLY
    if (self->pt.result != PT_OK)
        fprintf(stderr, "get: %s: %s\n", self->at,
                self->tls.io ? pt_tls_error_text(&self->tls, self->pt.result)
                             : pt_io_error_text(&self->io, self->pt.result));
    pt_tls_close(&self->tls);
    pt_io_close(&self->io);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(get) task;
    char at[300];

    if (argc < 3)
        return puts("usage: get HOST PATH [ADDRESS [CERTIFICATES]]"), 2;
    snprintf(at, sizeof at, "%s:443", argv[1]);
    context.trusted = argc > 4 ? argv[4] : NULL;
    if (pt_tls_load(&context) != PT_OK)
        return puts(context.error), 1;
    pt_system_open(&sys, &loop, NULL);
    PT_START(&loop, &task, get, .host = argv[1], .path = argv[2], .at = argc > 3 ? argv[3] : at);
    pt_loop_run(&loop);
    pt_tls_unload(&context);
    pt_system_close(&sys);
    return pt_task_status(&task.task) != PT_OK;
}
