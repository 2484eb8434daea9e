/* kit.c - a server of HTTP and a client of bytes, for the tests of libpt-http
 * SPDX-License-Identifier: MIT */
#include "kit.h"

#include <stdlib.h>

struct pt_http_server kit_server;
pt_status kit_status, kit_ended;
bool kit_local;
int kit_chosen;
char kit_host[80];

/* --- handlers -------------------------------------------------------------------------------- */

/* Replies with the method, the path, the query, and the body. */
struct tell {
    struct pt pt;
    struct pt_http_request *request;
    struct pt_reader in;
    struct pt_read_exactly get;
    struct pt_http_reply reply;
    char body[600], text[900];
};

static PT_ASYNC(tell, self)
{
    pt_reader_init(&self->in, pt_http_body(self->request), NULL, 0);
    PT_WAIT_COMPLETE(&self->get, pt_read_exactly, .reader = &self->in, .data = self->body,
                     .size = sizeof self->body - 1);
    if (self->pt.status != PT_ECLOSED)
        PT_RETURN(self->pt.status);
    self->body[self->get.got] = '\0';
    snprintf(self->text, sizeof self->text, "%s %s %s %s\n", self->request->method,
             self->request->path, self->request->query ? self->request->query : "-", self->body);
    PT_TRY(&self->reply, pt_http_reply, .request = self->request, .status = 200,
           .type = "text/plain", .data = self->text, .size = strlen(self->text));
}
PT_END

/* Replies at once, and does not read the body. */
struct quick {
    struct pt pt;
    struct pt_http_request *request;
    struct pt_http_reply reply;
};

static PT_ASYNC(quick, self)
{
    PT_TRY(&self->reply, pt_http_reply, .request = self->request,
           .status = self->request->path[1] == '2' ? 204 : 200, .type = "text/plain",
           .data = "quick\n", .size = 6);
}
PT_END

/* Replies with the letters from a to w again and again, as many as the query tells, as a whole. */
struct letters {
    struct pt pt;
    struct pt_http_request *request;
    struct pt_http_reply reply;
};

static PT_ASYNC(letters, self)
{
    static char text[100000];

    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + i % 23);
    PT_TRY(&self->reply, pt_http_reply, .request = self->request, .status = 200,
           .type = "text/plain", .data = text, .size = (size_t)atoi(self->request->query));
}
PT_END

/* Sends what it gets. The query tells how: nothing, in chunks; a number, so many bytes. */
struct echo {
    struct pt pt;
    struct pt_http_request *request;
    struct pt_reader in;
    struct pt_writer out;
    struct pt_read_exactly get;
    struct pt_write_all put;
    char data[700];
};

static PT_ASYNC(echo, self)
{
    pt_reader_init(&self->in, pt_http_body(self->request), NULL, 0);
    pt_writer_init(&self->out,
                   pt_http_begin(self->request, 200, "text/plain",
                                 self->request->query ? (uint64_t)atoi(self->request->query)
                                                      : PT_HTTP_CHUNKED),
                   NULL, 0);
    do {
        PT_WAIT_COMPLETE(&self->get, pt_read_exactly, .reader = &self->in, .data = self->data,
                         .size = sizeof self->data);
        if (self->pt.status != PT_OK && self->pt.status != PT_ECLOSED)
            PT_RETURN(self->pt.status);
        PT_TRY(&self->put, pt_write_all, .writer = &self->out, .data = self->data,
               .size = self->get.got);
    } while (self->get.got);
    PT_RETURN(PT_OK);
}
PT_END

/* Waits five seconds; its cleanup tells the trace. */
struct waiter {
    struct pt pt;
    struct pt_http_request *request;
    struct pt_http_reply reply;
};

static PT_ASYNC(waiter, self)
{
    PT_WAIT(PT_SEC(5));
    PT_TRY(&self->reply, pt_http_reply, .request = self->request, .status = 200,
           .type = "text/plain", .data = "waited\n", .size = 7);
    PT_FINALLY
    trace_add("%s@%d ", pt_status_name(self->pt.result) + 3, host_ms(PT_NOW()));
}
PT_END

/* Does not reply, or fails in the midst of a reply. */
struct fail {
    struct pt pt;
    struct pt_http_request *request;
    struct pt_writer out;
    struct pt_write_all put;
};

static PT_ASYNC(fail, self)
{
    if (!strcmp(self->request->path, "/none"))
        PT_RETURN(PT_OK);
    pt_writer_init(&self->out, pt_http_begin(self->request, 200, NULL, PT_HTTP_CHUNKED), NULL, 0);
    PT_TRY(&self->put, pt_write_all, .writer = &self->out, .data = "half", .size = 4);
    PT_RETURN(PT_EIO);
}
PT_END

/* Replies with a field of its own, which the query names: its value is the field X-One of the
 * request, or what no field can have. With a field X-Type that is so with the type. */
struct fields {
    struct pt pt;
    struct pt_http_request *request;
    const char *value;
    struct pt_http_reply reply;
};

static PT_ASYNC(fields, self)
{
    self->value = pt_http_field(self->request, "x-one");
    pt_http_add(self->request, self->request->query ? self->request->query : "X-Two", "%s",
                self->value ? self->value : "a\r\nEvil: 1");
    PT_TRY(&self->reply, pt_http_reply, .request = self->request, .status = 201,
           .type = pt_http_field(self->request, "X-Type") ? "a\r\nEvil: 1" : NULL);
}
PT_END

/* A file of the digits from 0 to 9, an empty one, or one of 120,000 bytes; with a query a field that
 * cannot be one. */
struct file {
    struct pt pt;
    struct pt_http_request *request;
    struct pt_http_file file;
    FILE *stream;
    int unreadable; /* the file again, to write only */
};

static void fill(FILE *stream, const char *name)
{
    bool is_long = *name && strcmp(name, "/empty") != 0;

    if (!*name)
        fputs("0123456789", stream);
    for (int i = 0; is_long && i < 20000; i++)
        fprintf(stream, "%05d\n", i);
    fflush(stream);
}

static int open_to_write(int fd)
{
    char path[40];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, O_WRONLY | O_CLOEXEC);
}

static PT_ASYNC(file, self)
{
    self->stream = tmpfile();
    ck_assert_ptr_nonnull(self->stream);
    fill(self->stream, self->request->path + 5);
    if (self->request->query)
        pt_http_add(self->request, "X", "a\nb");
    self->unreadable = open_to_write(fileno(self->stream));
    PT_WAIT_COMPLETE(&self->file, pt_http_file, .request = self->request, .type = "text/plain",
                     .fd = strcmp(self->request->path, "/file/unreadable") ? fileno(self->stream)
                                                                           : self->unreadable);
    if (self->file.error)
        trace_add("error %d ", self->file.error);
    PT_RETURN(self->pt.status);
    PT_FINALLY
    close(self->unreadable);
    fclose(self->stream);
}
PT_END

/* As `tell`, as an ordinary function. */
static pt_status tell_natively(struct pt_native *self)
{
    struct pt_http_request *request = (struct pt_http_request *)self->argument;
    struct pt_reader in;
    struct pt_http_reply reply;
    char line[64], *text;
    size_t length;
    pt_status status;

    pt_reader_init(&in, pt_http_body(request), line, sizeof line);
    if ((status = pt_native_read_line(self, &in, &text, &length)) != PT_OK)
        return status;
    return pt_native_call(self, &reply, pt_http_reply, .request = request, .status = 200,
                          .type = "text/plain", .data = text, .size = length);
}

union kit_room {
    struct tell tell;
    struct quick quick;
    struct letters letters;
    struct echo echo;
    struct waiter waiter;
    struct fail fail;
    struct fields fields;
    struct file file;
    struct pt_native native;
};

/* PREPARE(tell) - the frame of a handler with this name, if the path is that of it */
#define PREPARE(start, name)                                \
    if (!strncmp(request->path, start, sizeof start - 1)) { \
        PT_INIT(&room->name, name, .request = request);     \
        return &room->name.pt;                              \
    }

static struct pt *choose(struct pt_http_request *request)
{
    static char stack[32 << 10] __attribute__((__aligned__(16)));
    union kit_room *room = (union kit_room *)request->room;

    kit_chosen++;
    if (!strcmp(request->path, "/native")) {
        PT_INIT(&room->native, pt_native, .function = tell_natively, .argument = request,
                .stack = stack, .bytes = sizeof stack);
        return &room->native.pt;
    }
    PREPARE("/quick", quick)
    PREPARE("/n", fail)
    PREPARE("/fail", fail)
    PREPARE("/204", quick)
    PREPARE("/letters", letters)
    PREPARE("/echo", echo)
    PREPARE("/wait", waiter)
    PREPARE("/fields", fields)
    PREPARE("/file", file)
    PREPARE("/t", tell)
    return NULL;
}

static void log_request(const struct pt_http_request *request)
{
    const char *value = pt_http_field(request, "Host");

    snprintf(kit_host, sizeof kit_host, "%s", value ? value : "-");
    trace_add("%s%s%s=%d ", request->method, *request->method ? " " : "", request->path,
              request->status);
}

/* --- the connection -------------------------------------------------------------------------- */

/* A stream that is no plain one: it only passes on. */
static pt_status over_read(void *object, void *data, size_t size, size_t *got)
{
    struct pt_stream below = pt_io_stream((struct pt_io *)object);

    return below.ops->try_read(object, data, size, got);
}

static pt_status over_write(void *object, const void *data, size_t size, size_t *put)
{
    struct pt_stream below = pt_io_stream((struct pt_io *)object);

    return below.ops->try_write(object, data, size > 100 ? 100 : size, put);
}

static struct pt *over_wait(void *object, bool writing, struct pt_stream_wait_ *spare)
{
    struct pt_stream below = pt_io_stream((struct pt_io *)object);

    return below.ops->wait(object, writing, spare);
}

static const struct pt_stream_ops over_ops = {over_read, over_write, over_wait, NULL};

struct kit_connection {
    struct pt pt;
    struct pt_io *io;
    struct pt_stream stream;
    size_t in_size;
    struct pt_http_serve http;
    union kit_room room;
    char in[8192], out[1024];
};

static PT_ASYNC(kit_connection, self)
{
    if (!kit_server.half_closed) /* a client that has gone is noticed at a later sign then */
        pt_io_batch(self->io);
    PT_WAIT_COMPLETE(&self->http, pt_http_serve, .server = &kit_server, .io = self->io,
                     .stream = self->stream, .room = &self->room, .in = self->in,
                     .in_size = self->in_size, .out = self->out, .out_size = sizeof self->out);
    kit_status = self->pt.status;
    PT_FINALLY
    pt_io_close(self->io);
}
PT_END

/* The size of the next piece to send. */
static size_t next_piece(const struct kit_client *self)
{
    size_t most = self->sent == 0 && self->first ? self->first : self->piece;

    return most == 0 || most > self->size - self->sent ? self->size - self->sent : most;
}

/* How much the client reads next. */
static size_t next_sip(const struct kit_client *self)
{
    size_t room = sizeof self->output - 1 - self->got;

    return self->sip && self->sip < room ? self->sip : room;
}

PT_ASYNC(kit_client, self)
{
    while (self->sent < self->size) {
        self->step = 0;
        PT_WRITE(&self->io, self->input + self->sent, next_piece(self), &self->step);
        if (self->pt.status != PT_OK)
            break;
        self->sent += self->step;
        if (self->pause)
            PT_WAIT(self->pause);
        else
            PT_YIELD();
    }
    PT_WAIT(self->stays);
    if (!self->waits && !self->leaves)
        pt_io_shutdown(&self->io, SHUT_WR);
    PT_WAIT(self->reads_at);
    while (!self->leaves && self->got < sizeof self->output - 1) {
        PT_READ(&self->io, self->output + self->got, next_sip(self), &self->step);
        if (self->pt.status != PT_OK)
            break;
        self->got += self->step;
        if (self->rests)
            PT_WAIT(self->rests);
    }
    kit_ended = self->pt.status;
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

static struct pt_io server_io, listener;
static PT_TASK(kit_connection) connection;
static PT_TASK(kit_client) client_task;
static PT_TASK(pt_serve) serve;
struct pt_task *const kit_task = &connection.task, *const kit_serving = &serve.task;
static int ends[2], descriptors;

void kit_fresh(void)
{
    memset(&kit_server, 0, sizeof kit_server);
    kit_local = false;
}

static void begin(const char *poller)
{
    memset(&server_io, 0, sizeof server_io);
    kit_server.choose = choose;
    kit_server.log = log_request;
    kit_chosen = 0;
    kit_status = PT_EBUSY;
    descriptors = host_descriptors();
    host_open(poller);
}

void kit_start(const char *poller, size_t in_size, bool over)
{
    struct pt_stream stream = {&over_ops, &server_io};

    if (!over)
        stream.ops = NULL;
    begin(poller);
    if (kit_local)
        host_pair(ends);
    else
        host_tcp_pair(ends);
    ck_assert_int_eq(pt_io_open(&server_io, &host.system, ends[0]), PT_OK);
    ck_assert_int_eq(PT_START(&host.loop, &connection, kit_connection, .io = &server_io,
                              .stream = stream, .in_size = in_size),
                     PT_OK);
}

static struct pt_task *start_connection(struct pt_loop *loop, struct pt_io *peer, void *context)
{
    (void)context;
    server_io = pt_io_take(peer);
    ends[0] = server_io.fd;
    kit_narrow();
    ck_assert_int_eq(PT_START(loop, &connection, kit_connection, .io = &server_io, .in_size = 1024),
                     PT_OK);
    return &connection.task;
}

int kit_serve(const char *poller, kit_starter *start, void *context, pt_time grace)
{
    struct pt_address at;
    char text[40];

    begin(poller);
    kit_server.ending = &serve.frame.ending;
    sprintf(text, "unix:@pt-test-http-%d", (int)getpid());
    ck_assert_int_eq(pt_listen_at(&listener, &host.system, text), PT_OK);
    ck_assert_ptr_null(pt_address_parse(&at, text));
    ends[1] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(connect(ends[1], (struct sockaddr *)&at.name, at.length), 0);
    ck_assert_int_eq(PT_START(&host.loop, &serve, pt_serve, .listener = &listener,
                              .start = start ? start : start_connection, .context = context,
                              .grace = grace),
                     PT_OK);
    return ends[1];
}

/* Without dates. */
static char *undated(char *text)
{
    char *date;

    while ((date = strstr(text, "Date: ")) != NULL)
        memmove(date, date + 37, strlen(date + 37) + 1);
    return text;
}

void kit_narrow(void)
{
    const int size = 4096;

    ck_assert_int_eq(setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size), 0);
    ck_assert_int_eq(setsockopt(ends[1], SOL_SOCKET, SO_RCVBUF, &size, sizeof size), 0);
}

void kit_choke(size_t size)
{
    host.narrow = size ? ends[0] : 0;
    host.room = size;
}

struct kit_client kit_says(const char *input)
{
    struct kit_client client;

    memset(&client, 0, offsetof(struct kit_client, output));
    client.input = input;
    client.size = strlen(input);
    return client;
}

void kit_end(void)
{
    host_run();
    host_close();
    ck_assert(!pt_task_alive(&connection.task));
    ck_assert_uint_eq(kit_server.open, 0);
    ck_assert_int_eq(host_descriptors(), descriptors);
}

const char *kit_run(struct kit_client client)
{
    static char output[sizeof client.output];

    ck_assert_int_eq(PT_START(&host.loop, &client_task, kit_client, .input = client.input,
                              .size = client.size, .first = client.first, .piece = client.piece,
                              .pause = client.pause, .stays = client.stays,
                              .reads_at = client.reads_at, .sip = client.sip, .rests = client.rests,
                              .leaves = client.leaves, .waits = client.waits),
                     PT_OK);
    ck_assert_int_eq(pt_io_open(&client_task.frame.io, &host.system, ends[1]), PT_OK);
    kit_end();
    memcpy(output, client_task.frame.output, client_task.frame.got + 1);
    output[client_task.frame.got] = '\0';
    return undated(output);
}

const char *kit_talk(const char *input)
{
    kit_start("epoll", 1024, false);
    return kit_run(kit_says(input));
}
