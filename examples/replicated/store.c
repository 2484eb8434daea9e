/* store.c - one of several servers that are one store of numbers by their keys
 * SPDX-License-Identifier: MIT
 *
 *     store NUMBER ADDRESS...          the addresses of all servers; NUMBER says which of them this one is, from 1
 *
 * As long as most of them live and reach each other, it answers, and forgets nothing: a line `get KEY 0 0 0 0`,
 * `put KEY 0 NEW CLIENT NUMBER` or `cas KEY OLD NEW CLIENT NUMBER` gets `ok RESULT`, or `leader NUMBER`: ask that
 * server; 0 if no leader is known. What it must not forget is in store-NUMBER.log of the current folder.
 *
 * For each other server a task asks it for votes, and sends it entries and heartbeats. One task looks whether a leader
 * is heard. Each connection has a task, which answers. They share the state of raft.c, and wake each other by an
 * event. */
#include "talk.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define HEARTBEAT PT_MS(50)
#define PATIENCE PT_MS(150) /* for a reply, and up to twice that for a leader */
#define SILENCE PT_SEC(5)

enum { VISITORS = 100 };

static struct pt_system sys;
static struct pt_loop loop;
static struct pt_io listener;
static struct pt_random dice;
static struct raft raft;
static char **addresses;               /* from 1 */
static struct pt_event changed, heard; /* HEARD: a leader, or a candidate that deserves time */

/* --- the values, and which command of a client was the last ----------------------------------- */

struct row {
    struct row *next;
    char name[KEY];
    long value, number;
};

static struct row *values;  /* by their keys */
static struct row *clients; /* the result and the number of the last command */
static long applied;

static struct row *row_of(struct row **link, const char *name)
{
    for (; *link; link = &(*link)->next)
        if (!strcmp((*link)->name, name))
            return *link;
    *link = calloc(1, sizeof **link);
    if (!*link)
        exit(1);
    strcpy((*link)->name, name);
    return *link;
}

static void apply(const struct command *command)
{
    struct row *client = row_of(&clients, command->client), *cell = row_of(&values, command->key);

    if (command->number <= client->number)
        return; /* it is here for the second time */
    client->number = command->number;
    client->value = command->what[0] == 'p' || cell->value == command->old;
    if (client->value)
        cell->value = command->new;
}

/* Something is new: carry out what is committed now, and let all look. */
static void tell(void)
{
    while (applied < raft.commit)
        apply(&raft.log.entries[++applied]);
    pt_event_trigger(&changed);
}

/* --- elections ------------------------------------------------------------------------------- */

struct watch {
    struct pt pt;
    struct pt_scope limit;
};

static PT_ASYNC(watch, self)
{
    for (;;) {
        PT_WITH_TIMEOUT(&self->limit, PATIENCE + pt_random_below(&dice, PATIENCE))
            PT_WAIT_EVENT(&heard);
        if (pt_timed_out(&self->limit) && raft.role != LEADER) {
            raft_stand(&raft);
            tell();
        }
    }
}
PT_END

/* --- calls to another server ------------------------------------------------------------------ */

static void print_call(const struct call *call, struct pt_writer *out)
{
    pt_printf(out, "%c %ld %d %ld %ld %ld %d\n", call->what, call->term, call->from, call->index,
              call->index_term, call->commit, call->count);
    for (int i = 0; i < call->count; i++)
        pt_printf(out, "%s\n", command_text(&call->entries[i]));
}

struct peer {
    struct pt pt;
    int to;
    struct talk talk;
    struct ask ask;
    struct call call;
    pt_time due; /* when the next heartbeat is */
    PT_SELECTION(2) next;
};

static PT_ASYNC(peer, self)
{
    talk_close(&self->talk);
    for (;;) {
        struct reply reply;

        while (!raft_wants(&raft, self->to) &&
               (raft.role != LEADER || pt_time_before(PT_NOW(), self->due)))
            PT_SELECT(&self->next, PT_CASE_EVENT(&changed),
                      PT_CASE_IF(raft.role == LEADER, PT_CASE_UNTIL(self->due)));
        raft_call(&raft, self->to, &self->call);
        self->due = PT_NOW() + HEARTBEAT;
        print_call(&self->call, &self->talk.out);
        PT_WAIT_COMPLETE(&self->ask, ask, .system = &sys, .talk = &self->talk,
                         .to = addresses[self->to], .patience = PATIENCE);
        if (self->pt.status == PT_OK && sscanf(self->ask.line.text, "reply %ld %d %ld", &reply.term,
                                               &reply.done, &reply.index) == 3) {
            raft_hear(&raft, self->to, &self->call, &reply);
            tell();
        } else {
            talk_close(&self->talk);
            PT_WAIT(HEARTBEAT);
        }
    }
    PT_FINALLY
    talk_close(&self->talk);
}
PT_END

/* --- what clients and servers ask ------------------------------------------------------------- */

struct serve {
    struct pt pt;
    struct command command;
    struct pt_writer *out;
    long term, round;
};

/* The answer to a client: the store's, as long as this server leads in one term. */
static PT_ASYNC(serve, self)
{
    self->term = raft.log.term;
    if (self->command.what[0] == 'g') {
        self->round = ++raft.round;
        pt_event_trigger(&changed);
        while (raft_leads(&raft, self->term) && !raft_can_read(&raft, self->round))
            PT_WAIT_EVENT(&changed);
    } else if (raft_leads(&raft, self->term)) {
        raft_propose(&raft, &self->command);
        tell();
        while (raft_leads(&raft, self->term) &&
               row_of(&clients, self->command.client)->number < self->command.number)
            PT_WAIT_EVENT(&changed);
    }
    if (!raft_leads(&raft, self->term))
        pt_printf(self->out, "leader %d\n", raft.leader);
    else if (self->command.what[0] == 'g')
        pt_printf(self->out, "ok %ld\n", row_of(&values, self->command.key)->value);
    else
        pt_printf(self->out, "ok %ld\n", row_of(&clients, self->command.client)->value);
}
PT_END

struct visitor {
    struct pt pt;
    struct talk talk;
    struct pt_read_until line; /* one that is cut off is none */
    struct pt_flush flush;
    struct pt_scope limit;
    struct call call;
    struct serve serve;
    int got; /* entries of the call */
};

static bool scan_call(struct call *call, const char *text)
{
    return sscanf(text, "%c %ld %d %ld %ld %ld %d", &call->what, &call->term, &call->from,
                  &call->index, &call->index_term, &call->commit, &call->count) == 7 &&
           (call->what == 'v' || call->what == 'a') && call->index >= 0 && call->count >= 0 &&
           call->count <= BATCH;
}

/* One that is silent for long is perhaps gone, and so is one whose command takes long. */
static PT_ASYNC(visitor, self)
{
    talk_begin(&self->talk);
    do {
        PT_WITH_TIMEOUT(&self->limit, SILENCE) {
            struct command command;
            struct reply reply;

            PT_TRY(&self->line, pt_read_until, .reader = &self->talk.in, .delimiter = "\n");
            if (scan_call(&self->call, self->line.text)) {
                for (self->got = 0; self->got < self->call.count; self->got++) {
                    PT_TRY(&self->line, pt_read_until, .reader = &self->talk.in, .delimiter = "\n");
                    if (!command_scan(&self->call.entries[self->got], self->line.text))
                        PT_RETURN(PT_EINVAL);
                }
                if (raft_answer(&raft, &self->call, &reply))
                    pt_event_trigger(&heard);
                tell();
                pt_printf(&self->talk.out, "reply %ld %d %ld\n", reply.term, reply.done,
                          reply.index);
            } else if (command_scan(&command, self->line.text)) {
                PT_WAIT_COMPLETE(&self->serve, serve, .command = command, .out = &self->talk.out);
            } else {
                PT_RETURN(PT_EINVAL);
            }
            PT_TRY(&self->flush, pt_flush, .writer = &self->talk.out);
        }
    } while (!pt_timed_out(&self->limit));
    PT_FINALLY
    pt_io_close(&self->talk.io);
}
PT_END

/* --- the server ------------------------------------------------------------------------------ */

static PT_POOL(visitor, VISITORS) visitors;

static struct pt_task *start(struct pt_loop *its_loop, struct pt_io *io, void *context)
{
    pt_status status = PT_START_FROM(its_loop, &visitors, visitor, .talk.io = pt_io_take(io));

    (void)context;
    return status == PT_OK ? &visitors.taken->task : NULL;
}

struct server {
    struct pt pt;
    struct pt_group group;
    PT_TASK(watch) watch;
    PT_TASK(peer) peers[SERVERS + 1];
    struct pt_serve serve;
    int to;
};

static PT_ASYNC(server, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL_OR_NONE) {
        PT_SPAWN_IN(&self->group, &self->watch, watch);
        for (self->to = 1; self->to <= raft.servers; self->to++)
            if (self->to != raft.self)
                PT_SPAWN_IN(&self->group, &self->peers[self->to], peer, .to = self->to);
        PT_WAIT_COMPLETE(&self->serve, pt_serve, .listener = &listener, .start = start,
                         .pool = &visitors.pool);
        break;
    }
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(server) server;
    char name[32];
    pt_status status;

    raft.servers = argc - 2;
    raft.self = argc > 2 ? atoi(argv[1]) : 0;
    if (raft.self < 1 || raft.self > raft.servers || raft.servers > SERVERS ||
        pt_system_open(&sys, &loop, NULL) != PT_OK ||
        getrandom(&dice, sizeof dice, 0) != sizeof dice) {
        fprintf(stderr, "usage: store NUMBER ADDRESS...\n");
        return 2;
    }
    addresses = argv + 1;
    snprintf(name, sizeof name, "store-%d.log", raft.self);
    log_open(&raft.log, name);
    if ((status = pt_listen_at(&listener, &sys, addresses[raft.self])) != PT_OK) {
        fprintf(stderr, "store: %s: %s\n", addresses[raft.self],
                pt_io_error_text(&listener, status));
        return 1;
    }
    fprintf(stderr, "server %d: %ld entries\n", raft.self, raft.log.last);
    PT_START(&loop, &server, server);
    pt_run_until_signal(&sys, &server.task);
    pt_system_close(&sys);
    return 0;
}
