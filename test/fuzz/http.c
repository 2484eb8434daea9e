/* http.c - what a client sends to a server of HTTP: in whatever pieces it comes, the replies are the same
 * SPDX-License-Identifier: MIT
 *
 * The first byte chooses the buffer of the head and what the end of the input is, the second one the
 * size of pieces; the rest is the input. It comes at once, byte by byte, and in such pieces. */
#define _GNU_SOURCE
#include "target.h"

#include <pt/http.h>
#include <pt/posix.h>
#include <pt/virtual.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 18 };

static const char *said; /* what is compared */

static void demand(bool holds)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", said);
    abort();
}

/* --- the client ------------------------------------------------------------------------------ */

/* A run: the client, and what has come of it. */
struct run {
    const uint8_t *input;
    size_t size, at, piece;
    bool rests;  /* the next attempt to read finds nothing */
    bool silent; /* behind the input comes nothing, and no end */
    struct pause {
        struct pt pt;
        pt_time delay;
    } pause;
    size_t replied, logged;
    char replies[ROOM], log[ROOM];
};

static pt_status try_read(void *object, void *data, size_t size, size_t *got)
{
    struct run *run = (struct run *)object;
    size_t left = run->size - run->at;

    run->rests = !run->rests;
    if (run->piece && run->rests)
        return PT_EAGAIN;
    if (!left)
        return run->silent ? PT_EAGAIN : PT_ECLOSED;
    if (run->piece && size > run->piece)
        size = run->piece;
    *got = size < left ? size : left;
    memcpy(data, run->input + run->at, *got);
    run->at += *got;
    return PT_OK;
}

static pt_status try_write(void *object, const void *data, size_t size, size_t *put)
{
    struct run *run = (struct run *)object;

    *put = run->piece && size > 300 ? 300 : size;
    said = "the server sends without an end";
    demand(run->replied + *put < ROOM);
    memcpy(run->replies + run->replied, data, *put);
    run->replied += *put;
    run->replies[run->replied] = '\0';
    return PT_OK;
}

static PT_ASYNC(pause, self)
{
    PT_WAIT(self->delay);
}
PT_END

static struct pt *prepare_wait(void *object, bool writing, struct pt_stream_wait_ *spare)
{
    struct run *run = (struct run *)object;

    (void)writing, (void)spare;
    if (run->at < run->size || !run->silent)
        return NULL;
    PT_INIT(&run->pause, pause, .delay = PT_SEC(1));
    return &run->pause.pt;
}

/* --- the server ------------------------------------------------------------------------------ */

/* Sends back the body, with a field of the request: in chunks, or as many bytes as the query says. */
struct echo {
    struct pt pt;
    struct pt_http_request *request;
    struct pt_reader in;
    struct pt_writer out;
    struct pt_read_exactly get;
    struct pt_write_all put;
    char data[50];
};

static void begin(struct echo *self)
{
    const char *value = pt_http_field(self->request, "x-one");
    uint64_t size = PT_HTTP_CHUNKED;

    if (self->request->query)
        size = (uint64_t)(atoi(self->request->query) & 0xfff);
    if (value)
        pt_http_add(self->request, "X-Two", "%s", value);
    pt_reader_init(&self->in, pt_http_body(self->request), NULL, 0);
    pt_writer_init(&self->out, pt_http_begin(self->request, 200, "text/plain", size), NULL, 0);
}

static PT_ASYNC(echo, self)
{
    begin(self);
    do {
        PT_WAIT_COMPLETE(&self->get, pt_read_exactly, .reader = &self->in, .data = self->data,
                         .size = sizeof self->data);
        if (self->pt.status != PT_OK && self->pt.status != PT_ECLOSED)
            PT_RETURN(self->pt.status);
        PT_TRY(&self->put, pt_write_all, .writer = &self->out, .data = self->data,
               .size = self->get.got);
    } while (self->get.got);
}
PT_END

/* Replies at once, and leaves the body. */
struct quick {
    struct pt pt;
    struct pt_http_request *request;
    struct pt_http_reply reply;
};

static PT_ASYNC(quick, self)
{
    PT_TRY(&self->reply, pt_http_reply, .request = self->request, .status = 200, .data = "quick",
           .size = 5);
}
PT_END

union room {
    struct echo echo;
    struct quick quick;
};

static struct pt *choose(struct pt_http_request *request)
{
    union room *room = (union room *)request->room;

    switch (request->path[1]) {
    case 'e': PT_INIT(&room->echo, echo, .request = request); return &room->echo.pt;
    case 'q': PT_INIT(&room->quick, quick, .request = request); return &room->quick.pt;
    default: return NULL;
    }
}

static void log_request(const struct pt_http_request *request)
{
    struct run *run = (struct run *)request->server->context;

    run->logged += (size_t)snprintf(run->log + run->logged, ROOM - run->logged, "%s %s %d\n",
                                    request->method, request->path, request->status);
    said = "the log has no end";
    demand(run->logged < ROOM);
}

/* Serve a client to its end. */
static pt_status serve(struct run *run, size_t in_size)
{
    static char in[1024], out[512];
    static union room room;
    PT_TASK(pt_http_serve) task;
    struct pt_http_server server;
    struct pt_virtual world;
    struct pt_loop loop;
    const struct pt_stream_ops ops = {try_read, try_write, prepare_wait, NULL};
    const struct pt_stream stream = {&ops, run};

    run->at = run->replied = run->logged = 0;
    run->rests = false;
    *run->replies = *run->log = '\0';
    memset(&server, 0, sizeof server);
    memset(&task, 0, sizeof task);
    server.choose = choose;
    server.log = log_request;
    server.context = run;
    server.line = 400;
    server.fields = 20;
    server.body = 800;
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &task, pt_http_serve, .server = &server, .stream = stream, .room = &room,
             .in = in, .in_size = in_size, .out = out, .out_size = sizeof out);
    pt_loop_run(&loop);
    said = "the connection has not ended";
    demand(!pt_task_alive(&task.task) && !server.open);
    pt_loop_close(&loop);
    return pt_task_status(&task.task);
}

/* --- what must hold -------------------------------------------------------------------------- */

/* The dates can differ by a second. A body can have less of one at its end. */
static void take_dates_out(struct run *run)
{
    char *it = run->replies;

    while ((it = strstr(it, "\r\nDate: ")) != NULL &&
           run->replied - (size_t)(it - run->replies) >= 37) {
        memmove(it, it + 37, run->replied - (size_t)(it - run->replies) - 36);
        run->replied -= 37;
    }
}

/* The bytes behind the chunks at TEXT; NULL if they are cut off. */
static const char *behind_chunks(const char *text)
{
    for (;;) {
        char *end;
        size_t size = strtoul(text, &end, 16);

        if (strncmp(end, "\r\n", 2) != 0 || strlen(end) < size + 4)
            return NULL;
        text = end + 2 + size;
        if (strncmp(text, "\r\n", 2) != 0)
            return NULL;
        text += 2;
        if (!size)
            return text;
    }
}

/* Replies that are sent are those of the log, one after the other; the last one can be cut off. */
static void look_at(const struct run *run)
{
    const char *reply = run->replies, *line = run->log;

    for (; *line; line = strchr(line, '\n') + 1) {
        const char *end = strchr(line, '\n'), *head, *field;
        int status = atoi(end - 3);
        bool failed;

        while (!strncmp(reply, "HTTP/1.1 100 ", 13))
            reply = strstr(reply, "\r\n\r\n") + 4;
        head = strstr(reply, "\r\n\r\n");
        said = "a reply is no reply";
        demand(status == 499 || !*reply || (!strncmp(reply, "HTTP/1.1 ", 9) && head));
        if (status == 499 || !*reply)
            return;
        said = "the log has another status";
        failed = status == 500 && atoi(reply + 9) != 500; /* behind the head of its reply */
        demand(failed || atoi(reply + 9) == status);
        field = strstr(reply, "\r\nContent-Length: ");
        if (!strncmp(line, "HEAD ", 5))
            reply = head + 4;
        else if (field && field < head && strlen(head + 4) < strtoul(field + 18, NULL, 10))
            reply = NULL;
        else if (field && field < head)
            reply = head + 4 + strtoul(field + 18, NULL, 10);
        else if ((field = strstr(reply, "\r\nTransfer-Encoding: chunked")) && field < head)
            reply = behind_chunks(head + 4);
        else
            reply = NULL; /* it ends with the connection */
        said = "a reply has failed, and is whole";
        demand(!failed || !reply || !strncmp(line, "HEAD ", 5));
        said = "something follows a reply that is cut off";
        demand(reply || !end[1]);
        if (!reply)
            return;
    }
    said = "something is sent that is no reply";
    demand(!*reply);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct run whole, parts;
    const size_t pieces[] = {1, size > 1 ? (size_t)data[1] + 2 : 1};
    const size_t in_size = size && data[0] & 1 ? 512 : 1024;
    static char input[4096];
    pt_status status, codes[2];

    if (size < 2 || size > sizeof input)
        return 0;
    memcpy(input, data + 2, size - 2);
    input[size - 2] = '\0';
    whole.input = parts.input = data + 2;
    whole.size = parts.size = size - 2;
    whole.silent = parts.silent = data[0] & 2;
    if (memchr(data + 2, 0, size - 2)) /* the replies are looked at as texts */
        return 0;
    status = serve(&whole, in_size);
    look_at(&whole);
    take_dates_out(&whole);
    for (int i = 0; i < 2; i++) {
        parts.piece = pieces[i];
        codes[i] = serve(&parts, in_size);
        if (strcasestr(input, "100-continue"))
            continue; /* a client that has no body yet can do without it */
        said = "the code depends on the pieces";
        demand(codes[i] == status);
        take_dates_out(&parts);
        said = "the replies depend on the pieces";
        demand(!strcmp(whole.replies, parts.replies));
        said = "the log depends on the pieces";
        demand(!strcmp(whole.log, parts.log));
    }
    return 0;
}
