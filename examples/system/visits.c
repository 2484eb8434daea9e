/* visits.c - a server with two places, and three clients in the same program
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - pt_serve has no protocol: `welcome` decides on each connection, and starts its task. The
 *     third client finds no place, and gets the text of the refusal.
 *   - pt_dial takes a name, an address, or a path. Its limit is a block around it.
 *   - The end of the server's task is the end of its connections: they have a second for the rest
 *     of their work. */
#include <pt/host.h>
#include <pt/net/native_net.h>

#include <stdio.h>
#include <string.h>

static struct pt_system sys;
static struct pt_loop loop;
static struct pt_io listener;
static char where[PT_ADDRESS_TEXT];

/* --- the server ------------------------------------------------------------------------------ */

struct visit {
    struct pt pt;
    struct pt_io io;
    size_t put;
    char text[160];
};

static PT_POOL(visit, 2) places;

static PT_ASYNC(visit, self)
{
    pt_tcp_tune(&self->io, true, PT_SEC(60));
    PT_WRITE(&self->io, self->text, strlen(self->text), &self->put);
    PT_WAIT_HANGUP(&self->io);
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

static struct pt_task *welcome(struct pt_loop *in, struct pt_io *peer, void *context)
{
    struct pt_address address;
    char text[PT_ADDRESS_TEXT] = "";

    if (pt_io_peer(peer, &address) == PT_OK)
        pt_address_text(&address, text, sizeof text);
    text[strcspn(text, ":")] = '\0'; /* the client's port is another one each time */
    if (PT_START_FROM(in, &places, visit, .io = pt_io_take(peer)) != PT_OK)
        return NULL;
    snprintf(places.taken->frame.text, sizeof places.taken->frame.text, "%s, %s\n",
             (const char *)context, text);
    return &places.taken->task;
}

/* --- the clients ----------------------------------------------------------------------------- */

struct client {
    struct pt pt;
    struct pt_io io;
    struct pt_dial dial;
    struct pt_scope limit;
    size_t got;
    char text[64];
};

static PT_ASYNC(client, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(5)) {
        PT_WAIT_COMPLETE(&self->dial, pt_dial, .io = &self->io, .system = &sys, .to = where);
        if (self->pt.status == PT_OK)
            PT_READ(&self->io, self->text, sizeof self->text - 1, &self->got);
    }
    if (self->pt.status == PT_OK)
        printf("client: %.*s", (int)self->got, self->text);
    else
        printf("client: %s\n", pt_io_error_text(&self->io, self->pt.status));
}
PT_END

/* Stays until the others have been there; a native task, for a change. */
static pt_status visitor(struct pt_native *self)
{
    static PT_TASK(client) others[2];
    struct pt_io io;
    pt_status status = pt_native_dial(self, &io, &sys, where);

    for (int i = 0; i < 2 && status == PT_OK; i++) {
        PT_START(&loop, &others[i], client);
        pt_native_join(self, &others[i].task);
    }
    for (int i = 0; i < 2; i++)
        pt_io_close(&others[i].frame.io);
    pt_io_close(&io);
    pt_cancel((struct pt_task *)self->argument, PT_ECANCELED);
    status = pt_native_dial(self, &io, &sys, "127.0.0.1");
    printf("127.0.0.1: %s\n", pt_io_error_text(&io, status));
    return status;
}

int main(void)
{
    static char stack[64 << 10];
    static PT_TASK(pt_serve) server;
    static PT_TASK(pt_native) first;
    struct pt_address address;

    if (pt_system_open(&sys, &loop, NULL) != PT_OK ||
        pt_listen_at(&listener, &sys, "127.0.0.1:0") != PT_OK ||
        pt_io_local(&listener, &address) != PT_OK)
        return 1;
    pt_address_text(&address, where, sizeof where); /* now with the port that the system chose */
    PT_START(&loop, &server, pt_serve, .listener = &listener, .start = welcome,
             .context = (char[]){"welcome"}, .refusal = "no place is free\n", .grace = PT_SEC(1));
    PT_START(&loop, &first, pt_native, .function = visitor, .argument = &server.task,
             .stack = stack, .bytes = sizeof stack);
    pt_loop_run(&loop);
    printf("server: %s\n", pt_status_text(pt_task_status(&server.task)));
    pt_system_close(&sys);
    return 0;
}
