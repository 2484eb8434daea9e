/* many.c - a server with several loops, each in a thread; each loop keeps a part of the counts
 * SPDX-License-Identifier: MIT
 *
 *     nc localhost N        send a word: the reply counts all clients' words with that initial
 *
 * All loops accept connections on the same port. Words with the same initial are counted in one
 * loop, so there is no lock: a task that needs the count sends that loop a question, and waits
 * until it comes back. After a signal each loop stops accepting, but stays to answer the questions
 * of others until all clients of the team have left or their time is over. */
#include "serve.h"

/* The data of one loop. */
struct share {
    struct pt_loop *loop;
    struct pt_io listener;
    struct pt_remote shut;       /* a post closes the listener */
    struct pt_mailbox questions; /* of all loops */
    struct serve_clients clients;
    int counts[256]; /* by initial; each loop uses only its own initials */
};

enum { MOST = 64 };

static struct pt_team team;
static struct share shares[MOST];
static int present; /* the clients of all loops; atomic */

struct question {
    struct pt_mail mail;   /* the first member; takes it to the loop that counts */
    struct pt_remote back; /* sets ANSWERED in the loop that asks */
    struct pt_event answered;
    struct share *share; /* the data of the loop that counts */
    unsigned char initial;
    int count;
};

/* In the loop that counts. After the post the question belongs to the other loop again. */
static void answer(struct pt_mail *mail)
{
    struct question *question = (struct question *)(void *)mail;

    question->count = ++question->share->counts[question->initial];
    pt_remote_post(&question->back);
}

struct connection {
    struct pt pt;
    struct serve_client client;
    struct share *share;
    struct pt_reader in;
    struct pt_read_line line;
    struct pt_writer out;
    struct pt_flush flush;
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
    return pt_mailbox_post(&question->share->questions, &question->mail) == PT_OK;
}

static PT_ASYNC(connection, self)
{
    serve_enter(&self->client, PT_NOW());
    __atomic_add_fetch(&present, 1, __ATOMIC_SEQ_CST);
    pt_remote_open(&self->question.back, self->share->loop, pt_remote_set,
                   &self->question.answered);
    pt_reader_init(&self->in, pt_io_stream(&self->client.io), self->room, sizeof self->room);
    pt_writer_init(&self->out, pt_io_stream(&self->client.io), self->reply, sizeof self->reply);
    for (;;) {
        PT_TRY(&self->line, pt_read_line, .reader = &self->in);
        serve_heard(&self->client, PT_NOW());
        if ((unsigned char)self->line.text[0] > ' ') {
            self->asked = ask(self);
            if (!self->asked)
                break;
            PT_WAIT_EVENT(&self->question.answered);
            self->asked = false;
            PT_PRINTF(&self->out, "%c: %d, loop %d asked loop %d\n", self->question.initial,
                      self->question.count, (int)(self->share - shares),
                      (int)(self->question.share - shares));
        } else {
            PT_PRINTF(&self->out, "a word, please\n");
        }
        PT_TRY(&self->flush, pt_flush, .writer = &self->out);
    }
    PT_FINALLY
    if (self->asked) /* the question is still on its way */
        PT_WAIT_EVENT(&self->question.answered);
    pt_remote_close(&self->question.back);
    serve_leave(&self->client);
    __atomic_sub_fetch(&present, 1, __ATOMIC_SEQ_CST);
}
PT_END

struct server {
    struct pt pt;
    struct serve_next next;
    struct share *share;
};

static PT_ASYNC(server, self)
{
    SERVE_EACH_OF(&self->share->listener, &self->share->clients, connection, .share = self->share);
    PT_FINALLY
    pt_io_close(&self->share->listener);
}
PT_END

/* Runs in the loop of the listener, and so ends the server there. */
static void shut(struct pt_remote *remote, unsigned times)
{
    (void)times;
    pt_io_close((struct pt_io *)remote->target);
}

/* Answers the questions, and so keeps a loop without clients. The end of the team cancels it. */
struct counter {
    struct pt pt;
    struct share *share;
    struct pt_mail *mail;
};

static PT_ASYNC(counter, self)
{
    PT_RECV_MAIL_EACH(&self->share->questions, &self->mail)
        answer(self->mail);
    PT_FINALLY
    pt_mailbox_close(&self->share->questions); /* whoever asks later gets PT_ECLOSED */
    while ((self->mail = pt_mailbox_try(&self->share->questions)) != NULL)
        answer(self->mail);
}
PT_END

/* Ends the team after a signal, as serve_end ends a loop. */
struct ending {
    struct pt pt;
    int number;
    pt_time deadline;
    PT_SELECTION(2) next;
};

static PT_ASYNC(ending, self)
{
    PT_WAIT_SIGNAL(&serve_signals, &self->number);
    for (unsigned i = 0; i < team.count; i++)
        pt_remote_post(&shares[i].shut);
    self->deadline = PT_NOW() + serve_patience();
    do
        PT_SELECT(&self->next, PT_CASE_READABLE(&serve_signals.io), PT_CASE_AFTER(PT_MS(20)));
    while (PT_SELECTED(&self->next) == 1 && __atomic_load_n(&present, __ATOMIC_SEQ_CST) &&
           pt_time_before(PT_NOW(), self->deadline));
    pt_team_halt(&team);
}
PT_END

/* Start a server in the loop of a member. */
static void start(struct pt_member *member, struct share *share, struct pt_address *address)
{
    static PT_TASK(server) servers[MOST];
    static PT_TASK(counter) counters[MOST];
    long i = share - shares;

    share->loop = &member->loop;
    serve_clients_init(&share->clients);
    serve_listen(&share->listener, &member->system, address, true);
    serve_check(PT_START(&member->loop, &servers[i], server, .share = share), "start");
    pt_mailbox_open(&share->questions, &member->loop);
    serve_check(PT_START(&member->loop, &counters[i], counter, .share = share), "start");
    pt_remote_open(&share->shut, &member->loop, shut, &share->listener);
}

int main(int argc, char **argv)
{
    static PT_TASK(ending) end;
    int loops;
    pt_status status;
    struct pt_address address = serve_address(
        serve_options(argc, argv,
                      "usage: many [--port N] [--idle SECONDS] LOOPS\n\n"
                      "Counts words by their initials, in that many threads, at most 64.\n",
                      &loops, 1, MOST));

    status = pt_team_open(&team, (unsigned)loops, NULL);
    serve_check_io(status, "team", errno);
    for (unsigned i = 0; i < team.count; i++)
        start(&team.members[i], &shares[i], &address);
    for (unsigned i = 0; i < team.count; i++)
        shares[i].clients.most = serve_share(&shares[0].listener, team.count);
    serve_check(PT_START(shares[0].loop, &end, ending), "start");
    serve_ready(&team.members[0].system, &address);
    status = pt_team_run(&team);
    serve_check_io(status, "run", errno);
    pt_signals_close(&serve_signals);
    pt_team_close(&team);
    puts("closed");
    return 0;
}
