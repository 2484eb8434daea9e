/* many.c - a server with several loops, each in a thread; each loop keeps a part of the counts
 * SPDX-License-Identifier: MIT
 *
 *     nc localhost N        send a word: the reply counts all clients' words with that initial
 *
 * All loops accept connections on the same port. Words with the same initial are counted in one
 * loop, so there is no lock: a task that needs the count sends that loop a question, and waits
 * until it comes back. */
#include "serve.h"

/* The data of one loop. */
struct share {
    struct pt_loop *loop;
    struct pt_io listener;
    struct serve_clients clients;
    int counts[256]; /* by initial; each loop uses only its own initials */
};

enum { MOST = 64 };

static struct pt_team team;
static struct share shares[MOST];

struct question {
    struct pt_remote there, back; /* they take it to the loop that counts, and back */
    struct pt_event answered;
    struct share *share; /* the data of that loop */
    unsigned char initial;
    int count;
};

/* Runs in the loop that counts. After the post the question belongs to the other loop again. */
static void count(struct pt_remote *there, unsigned times)
{
    struct question *question = (struct question *)there->target;

    (void)times;
    question->count = ++question->share->counts[question->initial];
    pt_remote_post(&question->back);
}

struct connection {
    struct pt pt;
    struct serve_client client;
    struct serve_next *from;
    struct share *share;
    struct pt_reader in;
    struct pt_read_line line;
    struct pt_write_all put;
    struct question question;
    bool asked;
    char room[256], reply[96];
};

/* Send the question; false if that loop has ended, so that no answer comes. */
static bool ask(struct connection *self)
{
    struct question *question = &self->question;

    question->initial = (unsigned char)self->line.text[0];
    question->share = &shares[question->initial % team.count];
    pt_event_init(&question->answered);
    pt_remote_open(&question->there, question->share->loop, count, question);
    pt_remote_open(&question->back, self->share->loop, pt_remote_set, &question->answered);
    return pt_remote_post(&question->there) == PT_OK;
}

static PT_ASYNC(connection, self)
{
    serve_take(&self->client, self->from, PT_NOW());
    pt_reader_init(&self->in, &self->client.io, self->room, sizeof self->room);
    for (;;) {
        PT_TRY(&self->line, pt_read_line, .reader = &self->in);
        serve_heard(&self->client, PT_NOW());
        if (self->line.text[0] > ' ') {
            self->asked = ask(self);
            if (!self->asked)
                break;
            PT_WAIT_EVENT(&self->question.answered);
            self->asked = false;
            snprintf(self->reply, sizeof self->reply, "%c: %d, loop %d asked loop %d\n",
                     self->question.initial, self->question.count, (int)(self->share - shares),
                     (int)(self->question.share - shares));
        } else {
            snprintf(self->reply, sizeof self->reply, "a word, please\n");
        }
        PT_TRY(&self->put, pt_write_all, .io = &self->client.io, .data = self->reply,
               .size = strlen(self->reply));
    }
    PT_FINALLY
    if (self->asked) /* the question is still on its way */
        PT_WAIT_EVENT(&self->question.answered);
    serve_leave(&self->client);
}
PT_END

struct server {
    struct pt pt;
    struct serve_next next;
    struct share *share;
};

static PT_ASYNC(server, self)
{
    SERVE_EACH_OF(&self->share->listener, &self->share->clients, connection, .from = &self->next,
                  .share = self->share);
    pt_io_close(&self->share->listener);
}
PT_END

/* A signal ends all loops. */
struct ending {
    struct pt pt;
    int number;
};

static PT_ASYNC(ending, self)
{
    PT_WAIT_SIGNAL(&serve_signals, &self->number);
    pt_team_halt(&team);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(ending) end;
    static PT_TASK(server) servers[MOST];
    int loops;
    struct sockaddr_in address = serve_address(
        serve_options(argc, argv,
                      "usage: many [--port N] [--idle SECONDS] LOOPS\n\n"
                      "Counts words by their initials, in that many threads, at most 64.\n",
                      &loops, 1));

    if (loops > MOST)
        loops = MOST;
    serve_check(pt_team_open(&team, (unsigned)loops, NULL), "team");
    for (unsigned i = 0; i < team.count; i++) {
        struct pt_member *member = &team.members[i];

        shares[i].loop = &member->loop;
        serve_clients_init(&shares[i].clients);
        serve_listen(&shares[i].listener, &member->system, &address, true);
        serve_check(PT_START(&member->loop, &servers[i], server, .share = &shares[i]), "start");
    }
    for (unsigned i = 0; i < team.count; i++)
        shares[i].clients.most = serve_share(&shares[0].listener, team.count);
    serve_check(PT_START(shares[0].loop, &end, ending), "start");
    serve_ready(&team.members[0].system, &address);
    serve_check(pt_team_run(&team), "run");
    pt_signals_close(&serve_signals);
    pt_team_close(&team);
    puts("closed");
    return 0;
}
