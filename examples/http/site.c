/* site.c - a server of HTTP: a text, a body in capitals, a file, its counts, and a log
 * SPDX-License-Identifier: MIT
 *
 *     cc site.c $(pkg-config --cflags --libs pt-http) -o site && ./site page.html 127.0.0.1:8080
 *     curl 127.0.0.1:8080/hello; curl -d 'a text' 127.0.0.1:8080/capitals
 *     curl -r 0-9 127.0.0.1:8080/file; curl 127.0.0.1:8080/metrics
 *
 *   - A connection is a task, and so is what it serves: if the client goes, its handler ends.
 *   - A body is a stream, both ways: of 100 MB it has 1 KB in memory.
 *   - At SIGTERM idle connections end, and each request that runs gets its reply. */
#include <pt/host.h>
#include <pt/http.h>

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static int file;

/* A text as a whole, with a field. */
struct hello {
    struct pt pt;
    struct pt_http_request *request;
    struct pt_http_reply reply;
};

static const char *program_of(const struct pt_http_request *request)
{
    const char *name = pt_http_field(request, "User-Agent");

    return name ? name : "somebody";
}

static PT_ASYNC(hello, self)
{
    pt_http_add(self->request, "X-Greets", "%s", program_of(self->request));
    PT_TRY(&self->reply, pt_http_reply, .request = self->request, .status = 200,
           .type = "text/plain", .data = "hello\n", .size = 6);
}
PT_END

/* The request's body, in capitals. */
struct capitals {
    struct pt pt;
    struct pt_http_request *request;
    struct pt_reader in;
    struct pt_writer out;
    struct pt_read_exactly get;
    struct pt_write_all put;
    char data[1000];
};

static PT_ASYNC(capitals, self)
{
    pt_reader_init(&self->in, pt_http_body(self->request), NULL, 0);
    pt_writer_init(&self->out, pt_http_begin(self->request, 200, "text/plain", PT_HTTP_CHUNKED),
                   NULL, 0);
    do {
        PT_WAIT_COMPLETE(&self->get, pt_read_exactly, .reader = &self->in, .data = self->data,
                         .size = sizeof self->data);
        if (self->pt.status != PT_OK && self->pt.status != PT_ECLOSED)
            PT_RETURN(self->pt.status);
        for (size_t i = 0; i < self->get.got; i++)
            self->data[i] = (char)toupper((unsigned char)self->data[i]);
        PT_TRY(&self->put, pt_write_all, .writer = &self->out, .data = self->data,
               .size = self->get.got);
    } while (self->get.got == sizeof self->data);
}
PT_END

/* The counts, for Prometheus. */
struct metrics {
    struct pt pt;
    struct pt_http_request *request;
    struct pt_writer out;
    struct pt_http_reply reply;
    char text[4096];
};

static PT_ASYNC(metrics, self)
{
    pt_writer_init_memory(&self->out, self->text, sizeof self->text);
    pt_http_metrics(self->request->server, &self->out);
    PT_TRY(&self->reply, pt_http_reply, .request = self->request, .status = 200,
           .type = "text/plain; version=0.0.4", .data = self->text, .size = self->out.end);
}
PT_END

/* The handler of a request: what its frame needs is in the room of the connection. */
union room {
    struct hello hello;
    struct capitals capitals;
    struct metrics metrics;
    struct pt_http_file file;
};

static struct pt *choose(struct pt_http_request *request)
{
    union room *room = (union room *)request->room;

    if (!strcmp(request->path, "/hello"))
        PT_INIT(&room->hello, hello, .request = request);
    else if (!strcmp(request->path, "/capitals"))
        PT_INIT(&room->capitals, capitals, .request = request);
    else if (!strcmp(request->path, "/metrics"))
        PT_INIT(&room->metrics, metrics, .request = request);
    else if (!strcmp(request->path, "/file"))
        PT_INIT(&room->file, pt_http_file, .request = request, .type = "text/html", .fd = file);
    else
        return NULL;
    return &room->hello.pt; /* each begins with it */
}

static void log_request(const struct pt_http_request *request)
{
    printf("%llu %s %s %d\n", (unsigned long long)request->id, request->method, request->path,
           request->status);
    fflush(stdout);
}

static PT_TASK(pt_serve) serve;
static struct pt_http_server server = {
    .choose = choose,
    .log = log_request,
    .ending = &serve.frame.ending,
    .body = 100 << 20,
    .body_rate = 64 << 10}; /* behind its first minute an upload has a second for each 64 KB */

/* A connection. */
struct client {
    struct pt pt;
    struct pt_io io;
    struct pt_http_serve http;
    union room room;
    char in[4096], out[1024];
};

static PT_ASYNC(client, self)
{
    PT_TRY(&self->http, pt_http_serve, .server = &server, .io = &self->io, .room = &self->room,
           .in = self->in, .in_size = sizeof self->in, .out = self->out,
           .out_size = sizeof self->out);
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

static PT_POOL(client, 1000) clients;

static struct pt_task *start(struct pt_loop *loop, struct pt_io *peer, void *unused)
{
    pt_status status = PT_START_FROM(loop, &clients, client, .io = pt_io_take(peer));

    (void)unused;
    return status == PT_OK ? &clients.taken->task : NULL;
}

int main(int argc, char **argv)
{
    struct pt_io listener;
    struct pt_address address;
    struct pt_system sys;
    struct pt_loop loop;
    char text[PT_ADDRESS_TEXT];
    pt_status status;

    if (argc < 2 || (file = open(argv[1], O_RDONLY)) < 0)
        return puts("usage: site FILE [ADDRESS]"), 2;
    pt_system_open(&sys, &loop, NULL);
    status = pt_listen_at(&listener, &sys, argc > 2 ? argv[2] : "127.0.0.1:0");
    if (status != PT_OK)
        return puts(pt_io_error_text(&listener, status)), 1;
    pt_io_local(&listener, &address);
    printf("listening at %s\n", pt_address_text(&address, text, sizeof text));
    fflush(stdout);
    PT_START(&loop, &serve, pt_serve, .listener = &listener, .start = start, .pool = &clients.pool,
             .grace = PT_SEC(5));
    pt_run_until_signal(&sys, &serve.task);
    pt_system_close(&sys);
    return 0;
}
