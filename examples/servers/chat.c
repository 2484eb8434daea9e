/* chat.c - a chat room: each line of a client goes to all the others
 * SPDX-License-Identifier: MIT
 *
 * A member is two tasks: one reads lines and sends them to all other members, one writes the lines
 * that the member receives. These lines wait in the member's store, which is bounded. A member that
 * speaks waits until all stores have room for a line, so the slowest member sets the pace. A member
 * that takes nothing for a second, while its store is full, is disconnected. */
#include "serve.h"

struct member;

/* Writes the lines that its member receives. */
struct writer {
    struct pt pt;
    struct member *member;
    struct pt_writer out;
    struct pt_write_all put;
};

struct member {
    struct pt pt;
    struct serve_client client;
    struct member *next;
    struct pt_group both;
    struct pt_event told;
    struct pt_reader in;
    struct pt_read_line line;
    PT_TASK(writer) writer;
    PT_SELECTION(2) room_made;
    size_t waiting, going; /* bytes in store, and in out */
    size_t seen;           /* how many bytes of out were written at the last look */
    pt_time since;         /* when store got its first bytes, or bytes of out were written */
    char name[24], room[512], store[4096], out[4096];
};

enum { LINE = 600 }; /* the longest line that is sent */

static struct member *members;
static struct pt_event written; /* a store is empty again */
static int count;

/* Put a line, which can have any bytes, into the stores of all other members that have room for it. */
static void tell(const struct member *speaker, const char *line, size_t size, pt_time now)
{
    char text[LINE];
    size_t length = (size_t)snprintf(text, sizeof text, "%s: ", speaker->name);

    memcpy(text + length, line, size);
    length += size;
    text[length++] = '\n';

    for (struct member *member = members; member; member = member->next) {
        if (member == speaker || member->waiting + length > sizeof member->store)
            continue;
        if (member->waiting == 0)
            member->since = now;
        memcpy(member->store + member->waiting, text, length);
        member->waiting += length;
        pt_event_set(&member->told);
    }
}

/* Whether another member has no room for a line, but still takes bytes. One that has taken none for
 * a second is disconnected. */
static bool crowded(const struct member *speaker, pt_time now)
{
    bool any = false;

    for (struct member *member = members; member; member = member->next) {
        if (member == speaker || member->waiting + LINE <= sizeof member->store)
            continue;
        if (member->seen != member->writer.frame.put.put)
            member->since = now;
        member->seen = member->writer.frame.put.put;
        if (now - member->since < PT_SEC(1))
            any = true;
        else
            serve_leave(&member->client);
    }
    return any;
}

static PT_ASYNC(writer, self)
{
    pt_writer_init(&self->out, pt_io_stream(&self->member->client.io), NULL, 0);
    for (;;) {
        PT_WAIT_EVENT(&self->member->told);
        pt_event_clear(&self->member->told);
        self->member->going = self->member->waiting;
        memcpy(self->member->out, self->member->store, self->member->going);
        self->member->waiting = self->member->seen = 0;
        pt_event_trigger(&written);
        PT_TRY(&self->put, pt_write_all, .writer = &self->out, .data = self->member->out,
               .size = self->member->going);
        serve_heard(&self->member->client, PT_NOW());
    }
}
PT_END

static PT_ASYNC(member, self)
{
    serve_enter(&self->client, PT_NOW());
    snprintf(self->name, sizeof self->name, "guest %d", ++count);
    self->next = members;
    members = self;
    tell(self, "is here", strlen("is here"), PT_NOW());
    PT_WITH_GROUP(&self->both, PT_GROUP_FIRST) {
        PT_SPAWN_IN(&self->both, &self->writer, writer, .member = self);
        pt_reader_init(&self->in, pt_io_stream(&self->client.io), self->room, sizeof self->room);
        for (;;) {
            PT_WAIT_COMPLETE(&self->line, pt_read_line, .reader = &self->in);
            if (self->pt.status != PT_OK)
                break;
            serve_heard(&self->client, PT_NOW());
            while (crowded(self, PT_NOW()))
                PT_SELECT(&self->room_made, PT_CASE_EVENT(&written), PT_CASE_AFTER(PT_MS(100)));
            tell(self, self->line.text, self->line.length, PT_NOW());
        }
        break; /* leave the block: this cancels the writer, which would wait forever */
    }
    PT_FINALLY
    serve_leave(&self->client);
    for (struct member **link = &members; *link; link = &(*link)->next)
        if (*link == self) {
            *link = self->next;
            break;
        }
    tell(self, "has left", strlen("has left"), PT_NOW());
}
PT_END

struct server {
    struct pt pt;
    struct serve_next next;
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
               "usage: chat [--port N] [--idle SECONDS]\n\n"
               "What one client says in a line, all the others read: nc localhost N\n",
               NULL, 0);
    serve_check(PT_START(&serve_loop, &server, server), "start");
    return serve_run();
}
