/* chat.c - a room: what one says in a line, all the others read
 * SPDX-License-Identifier: MIT
 *
 * A member is two tasks: one reads lines and tells them to all, one writes what the member was told.
 * Between the two there is a bounded store: a member who does not read is shown the door. */
#include "serve.h"

struct member;

/* Writes what its member is told. */
struct writer {
    struct pt pt;
    struct member *member;
    struct pt_write_all put;
};

struct member {
    struct pt pt;
    struct pt_io io, *from;
    struct member *next;
    struct pt_group both;
    struct pt_event told;
    struct pt_reader in;
    struct pt_read_line line;
    PT_TASK(writer) writer;
    size_t waiting, going; /* bytes in the store, and out of it */
    char name[24], room[512], store[4096], out[4096];
};

static struct member *members;
static int count;

/* Tell a line to all but one. */
static void tell(const struct member *speaker, const char *line)
{
    char text[600];
    size_t length = (size_t)snprintf(text, sizeof text, "%s: %s\n", speaker->name, line);

    for (struct member *member = members; member; member = member->next) {
        if (member == speaker)
            continue;
        if (member->waiting + length > sizeof member->store) {
            pt_io_close(&member->io);
            continue;
        }
        memcpy(member->store + member->waiting, text, length);
        member->waiting += length;
        pt_event_set(&member->told);
    }
}

static PT_ASYNC(writer, self)
{
    for (;;) {
        PT_WAIT_EVENT(&self->member->told);
        pt_event_clear(&self->member->told);
        self->member->going = self->member->waiting;
        memcpy(self->member->out, self->member->store, self->member->going);
        self->member->waiting = 0;
        PT_TRY(&self->put, pt_write_all, .io = &self->member->io, .data = self->member->out,
               .size = self->member->going);
    }
}
PT_END

static PT_ASYNC(member, self)
{
    pt_io_move(&self->io, self->from);
    snprintf(self->name, sizeof self->name, "guest %d", ++count);
    self->next = members;
    members = self;
    tell(self, "is here");
    PT_WITH_GROUP(&self->both, PT_GROUP_FIRST) {
        PT_SPAWN_IN(&self->both, &self->writer, writer, .member = self);
        pt_reader_init(&self->in, &self->io, self->room, sizeof self->room);
        for (;;) {
            PT_WAIT_COMPLETE(&self->line, pt_read_line, .reader = &self->in);
            if (self->pt.status != PT_OK)
                break;
            tell(self, self->line.text);
        }
        break; /* out of the block: the writer is cancelled, or it would wait for ever */
    }
    PT_FINALLY
    pt_io_close(&self->io);
    for (struct member **link = &members; *link; link = &(*link)->next)
        if (*link == self) {
            *link = self->next;
            break;
        }
    tell(self, "has left");
}
PT_END

struct server {
    struct pt pt;
    struct pt_io peer;
};

static PT_ASYNC(server, self)
{
    SERVE_EACH(member);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(server) server;

    serve_open(argc, argv,
               "usage: chat [--port N]\n\n"
               "What one client says in a line, all the others read: nc localhost N\n",
               NULL, 0);
    serve_check(PT_START(&serve_loop, &server, server), "start");
    return serve_run();
}
