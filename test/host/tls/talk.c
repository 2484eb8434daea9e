/* talk.c - two sides of a connection that talk by TLS, as letters tell them
 * SPDX-License-Identifier: MIT */
#include "talk.h"

#include <stdlib.h>

struct side client, server;

void talk_fresh(void)
{
    memset(&client, 0, sizeof client);
    memset(&server, 0, sizeof server);
}

/* --- a talker -------------------------------------------------------------------------------- */

static void tell(struct talker *self)
{
    size_t used = strlen(self->told), room = sizeof self->told - used;
    char *end = self->told + used;

    if (self->pt.status != PT_OK)
        snprintf(end, room, "%c:%s ", *self->steps, pt_status_name(self->pt.status) + 3);
    else if (*self->steps == 'w')
        snprintf(end, room, "w:%zu ", self->moved);
    else if (*self->steps == 'r')
        snprintf(end, room, "r:%.*s ", (int)self->moved, self->data);
    else if (*self->steps == 'l')
        snprintf(end, room, "l:%s ", self->line.text);
    else
        snprintf(end, room, "%c ", *self->steps);
}

PT_ASYNC(talker, self)
{
    pt_reader_init(&self->in, pt_tls_stream(self->tls), self->room, sizeof self->room);
    pt_writer_init(&self->out, pt_tls_stream(self->tls), self->lines, sizeof self->lines);
    for (; *self->steps && self->pt.status == PT_OK; self->steps++) {
        if (*self->steps == 'h') {
            PT_TLS_HANDSHAKE(self->tls);
        } else if (*self->steps == 'w') {
            PT_TLS_WRITE(self->tls, self->text, strlen(self->text), &self->moved);
        } else if (*self->steps == 'r') {
            PT_TLS_READ(self->tls, self->data, sizeof self->data, &self->moved);
        } else if (*self->steps == 'p') {
            PT_PRINTF(&self->out, "%s\n", self->text);
            PT_WAIT_COMPLETE(&self->flush, pt_flush, .writer = &self->out);
        } else if (*self->steps == 'l') {
            PT_WAIT_COMPLETE(&self->line, pt_read_line, .reader = &self->in);
        } else if (*self->steps == 'b') {
            memset(self->block, *self->text, BLOCK);
            PT_WAIT_COMPLETE(&self->write, pt_write_all, .writer = &self->out, .data = self->block,
                             .size = BLOCK);
        } else if (*self->steps == 'B') {
            PT_WAIT_COMPLETE(&self->read, pt_read_exactly, .reader = &self->in, .data = self->block,
                             .size = BLOCK);
        } else if (*self->steps == 'f') {
            PT_WAIT_COMPLETE(&self->finish, pt_tls_finish, .tls = self->tls);
        } else if (*self->steps == 'c') {
            pt_tls_close(self->tls);
        }
        tell(self);
    }
    PT_FINALLY
    if (self->closes)
        pt_tls_close(self->tls);
}
PT_END

static void start(talker_task *task, struct side *side, const char *steps, bool closes)
{
    ck_assert_int_eq(PT_START(&host.loop, task, talker, .tls = &side->tls, .steps = steps,
                              .text = side == &client ? "hello" : "world", .closes = closes),
                     PT_OK);
}

void talk(struct side *side, const char *steps)
{
    start(&side->task, side, steps, false);
}

void talk_and_close(talker_task *task, struct side *side, const char *steps)
{
    start(task, side, steps, true);
}

void talk_agree(void)
{
    talk(&client, "h");
    talk(&server, "h");
    host_run();
    ck_assert_told(client, "h ");
    ck_assert_told(server, "h ");
}

/* --- both sides ------------------------------------------------------------------------------ */

const char *talk_file(const char *name)
{
    static char paths[16][512];
    static unsigned next;
    const char *directory = getenv("TLS_CERTIFICATES");
    char *path = paths[next++ % 16];

    ck_assert_msg(directory, "TLS_CERTIFICATES is not set");
    ck_assert_int_lt(snprintf(path, sizeof paths[0], "%s/%s", directory, name), 512);
    return path;
}

struct pt_tls_certificate talk_certificate(const char *name)
{
    struct pt_tls_certificate it;
    char file[32];

    snprintf(file, sizeof file, "%s.pem", name);
    it.chain = talk_file(file);
    snprintf(file, sizeof file, "%s.key", name);
    it.key = talk_file(file);
    return it;
}

static void load(struct side *side)
{
    ck_assert_msg(pt_tls_load(&side->context) == PT_OK, "%s", side->context.error);
}

void talk_load(const char *name)
{
    static struct pt_tls_certificate certificate;

    certificate = talk_certificate(name);
    server.context.certificates = &certificate;
    server.context.count = 1;
    load(&server);
    client.context.trusted = talk_file("ca.pem");
    load(&client);
}

static void connect_side(struct side *side, int end)
{
    ck_assert_int_eq(pt_io_open(&side->io, &host.system, end), PT_OK);
    ck_assert_int_eq(pt_tls_open(&side->tls, &side->context, &side->io, side->host), PT_OK);
}

void talk_connect(bool tcp)
{
    int ends[2];

    if (tcp)
        host_tcp_pair(ends);
    else
        host_pair(ends);
    connect_side(&client, ends[0]);
    connect_side(&server, ends[1]);
}

void talk_hang_up(void)
{
    pt_tls_close(&client.tls);
    pt_tls_close(&server.tls);
    host_run();
}

void talk_open(int poller)
{
    host_open(host_pollers[poller]);
    client.host = "example.test";
    talk_load("example");
    talk_connect(false);
}

void talk_close(void)
{
    talk_hang_up();
    pt_tls_unload(&client.context);
    pt_tls_unload(&server.context);
    host_close();
}
