/* http_call.c - what a server answers to a client of HTTP: in whatever pieces it comes, the reply is the same
 * SPDX-License-Identifier: MIT
 *
 * The first byte chooses the call, the second one the size of pieces; the rest is what the server
 * sends. A byte 255 in it is the end of an answer: what follows comes when the client has asked
 * again. The client is connected by a hook, as for HTTPS, and pt_dial is another one here. */
#include "target.h"

#include <pt/http_client.h>
#include <pt/virtual.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4096, BETWEEN = 255 };

static const char *said; /* what is compared */

static void demand(bool holds)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", said);
    abort();
}

/* --- the server ------------------------------------------------------------------------------ */

static struct server {
    const uint8_t *input;
    size_t size, at, piece;
    bool rests;  /* the next attempt to read finds nothing */
    bool waited; /* it was asked for what follows the end of an answer */
    int links, dials;
} server;

static pt_status try_read(void *object, void *data, size_t size, size_t *got)
{
    const uint8_t *from = server.input + server.at, *end;
    size_t left = server.size - server.at;

    (void)object;
    server.rests = !server.rests;
    if (left && *from == BETWEEN && !server.waited) {
        server.waited = true;
        return PT_EAGAIN;
    }
    if (!left || *from == BETWEEN)
        return PT_ECLOSED;
    if (server.piece && server.rests)
        return PT_EAGAIN;
    end = (const uint8_t *)memchr(from, BETWEEN, left);
    if (end)
        left = (size_t)(end - from);
    if (server.piece && size > server.piece)
        size = server.piece;
    *got = size < left ? size : left;
    memcpy(data, from, *got);
    server.at += *got;
    return PT_OK;
}

static pt_status try_write(void *object, const void *data, size_t size, size_t *put)
{
    (void)object, (void)data;
    if (server.waited && server.at < server.size && server.input[server.at] == BETWEEN)
        server.at++;
    server.waited = false;
    *put = server.piece && size > server.piece ? server.piece : size;
    return PT_OK;
}

/* --- the connection -------------------------------------------------------------------------- */

PT_ASYNC(pt_dial, self)
{
    self->io->fd = -1; /* a closed one */
    said = "the client dials without an end";
    demand(server.dials++ < 1000);
}
PT_END

struct secure {
    struct pt pt;
    struct pt_http_link *link;
};

static PT_ASYNC(secure, self)
{
    static const struct pt_stream_ops ops = {try_read, try_write, NULL, NULL};

    PT_YIELD();
    self->link->stream.ops = &ops;
    server.links++;
}
PT_END

static struct pt *make_secure(struct pt_http_link *link)
{
    static struct secure frame;

    PT_INIT(&frame, secure, .link = link);
    return &frame.pt;
}

/* --- the call -------------------------------------------------------------------------------- */

/* A call, and what has come of it. */
struct asks {
    struct pt pt;
    struct pt_http_client *client;
    uint8_t how;
    struct pt_http_call call;
    struct pt_reader reader;
    struct pt_read_exactly get;
    pt_status code;
    int status;
    size_t length;
    char in[768], out[512], body[ROOM];
};

static void keep(struct asks *self, const char *data, size_t size)
{
    said = "a body longer than what was sent";
    demand(self->length + size <= server.size);
    if (size)
        memcpy(self->body + self->length, data, size);
    self->length += size;
}

static PT_ASYNC(asks, self)
{
    static const char *const methods[] = {"GET", "HEAD", "POST", "DELETE"};

    PT_WAIT_COMPLETE(&self->call, pt_http_call, .client = self->client,
                     .url = "https://a.test/b/c?d", .method = methods[self->how & 3],
                     .streams = self->how & 4, .redirects = self->how & 8 ? 3 : 0, .in = self->in,
                     .in_size = self->how & 16 ? 512 : sizeof self->in, .out = self->out,
                     .out_size = sizeof self->out);
    self->code = self->pt.status;
    if (self->code != PT_OK)
        PT_RETURN(PT_OK);
    self->status = self->call.status;
    if (!self->call.streams)
        keep(self, self->call.body, self->call.length);
    pt_reader_init(&self->reader, pt_http_call_body(&self->call), NULL, 0);
    while (self->call.streams && self->code == PT_OK) {
        PT_WAIT_COMPLETE(&self->get, pt_read_exactly, .reader = &self->reader,
                         .data = self->body + self->length, .size = 50);
        self->length += self->get.got;
        self->code = self->pt.status;
    }
    pt_http_call_end(&self->call);
}
PT_END

typedef PT_TASK(asks) asks_task;

static void call(asks_task *task, uint8_t how, size_t piece)
{
    static struct pt_http_link links[2];
    struct pt_http_client client;
    struct pt_system system;
    struct pt_virtual world;
    struct pt_loop loop;

    memset(links, 0, sizeof links);
    for (int i = 0; i < 2; i++)
        links[i].io.fd = -1;
    memset(&client, 0, sizeof client);
    memset(&system, 0, sizeof system);
    memset(task, 0, sizeof *task);
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    system.loop = &loop;
    client.system = &system;
    client.links = links;
    client.count = 2;
    client.secure = make_secure;
    server.at = 0;
    server.piece = piece;
    server.rests = server.waited = false;
    server.links = server.dials = 0;
    PT_START(&loop, task, asks, .client = &client, .how = how);
    pt_loop_run(&loop);
    said = "the call has not ended";
    demand(!pt_task_alive(&task->task) && !links[0].call && !links[1].call && !client.first);
    pt_loop_close(&loop);
}

/* A reply is one, and its body not longer than its length. */
static void look_at(const struct asks *it)
{
    const char *length = it->code == PT_OK || it->code == PT_ECLOSED
                             ? pt_http_call_field(&it->call, "Content-Length")
                             : NULL;

    said = "a reply has no final status";
    demand(it->code != PT_OK || (it->status >= 200 && it->status < 600));
    said = "a body has another length than its head says";
    demand(!length || !it->length || it->length == strtoull(length, NULL, 10));
    said = "a failure has no words";
    demand(it->code == PT_OK || it->call.streams || it->call.why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static asks_task whole, parts;
    const size_t pieces[] = {1, size > 1 ? (size_t)data[1] + 2 : 1};

    if (size < 3 || size > ROOM - 100)
        return 0;
    server.input = data + 2;
    server.size = size - 2;
    call(&whole, data[0], 0);
    look_at(&whole.frame);
    /* Behind a redirect, and where an answer ends, the pieces make a difference. */
    if (whole.frame.call.redirected || memchr(data + 2, BETWEEN, size - 2))
        return 0;
    for (int i = 0; i < 2; i++) {
        const struct asks *a = &whole.frame, *b = &parts.frame;

        call(&parts, data[0], pieces[i]);
        said = "the code depends on the pieces";
        demand(a->code == b->code);
        said = "the status depends on the pieces";
        demand(a->status == b->status);
        said = "the body depends on the pieces";
        demand((a->code != PT_OK && a->code != PT_ECLOSED) ||
               (a->length == b->length && !memcmp(a->body, b->body, a->length)));
    }
    return 0;
}
