/* raft.c - the rules of Raft
 * SPDX-License-Identifier: MIT */
#include "raft.h"

#include <string.h>
#include <sys/param.h>

static long term_at(const struct raft *raft, long index)
{
    return raft->log.entries[index].term;
}

/* Whether most servers have come so far: this one has. */
static bool most_have(const struct raft *raft, const long *come, long so_far)
{
    int count = 1;

    for (int of = 1; of <= raft->servers; of++)
        count += of != raft->self && come[of] >= so_far;
    return count > raft->servers / 2;
}

/* --- elections ------------------------------------------------------------------------------- */

static void become(struct raft *raft, enum role role)
{
    raft->role = role;
    raft->leader = 0;
    raft->round = role == CANDIDATE; /* which asks for votes */
    memset(raft->voted, 0, sizeof raft->voted);
    memset(raft->match, 0, sizeof raft->match);
    memset(raft->heard, 0, sizeof raft->heard);
    for (int to = 1; to <= raft->servers; to++)
        raft->next[to] = raft->log.last + 1;
}

/* Of a newer term this server has heard. */
static void follow(struct raft *raft, long term)
{
    log_vote(&raft->log, term, 0);
    become(raft, FOLLOWER);
}

/* The term begins with an entry of its own: once that is committed, all before it is. */
static void count_votes(struct raft *raft)
{
    if (!most_have(raft, raft->voted, 1))
        return;
    become(raft, LEADER);
    raft_propose(raft, &(struct command){.what = "nop", .key = "-", .client = "-"});
}

void raft_stand(struct raft *raft)
{
    log_vote(&raft->log, raft->log.term + 1, raft->self);
    become(raft, CANDIDATE);
    count_votes(raft);
}

/* One vote a term, for a log that has at least what this one has. */
static bool vote(struct raft *raft, const struct call *call)
{
    struct log *log = &raft->log;
    long last_term = term_at(raft, log->last);

    if (call->index_term < last_term || (call->index_term == last_term && call->index < log->last))
        return false;
    if (log->voted)
        return log->voted == call->from;
    log_vote(log, log->term, call->from);
    return true;
}

/* --- entries --------------------------------------------------------------------------------- */

/* An entry of this term that most servers have is committed, and with it all before. */
static void advance(struct raft *raft)
{
    for (long index = raft->log.last;
         index > raft->commit && term_at(raft, index) == raft->log.term; index--)
        if (most_have(raft, raft->match, index))
            raft->commit = index;
}

void raft_propose(struct raft *raft, struct command *command)
{
    command->term = raft->log.term;
    log_put(&raft->log, raft->log.last + 1, command);
    log_sync(&raft->log);
    advance(raft);
}

/* Entries that are there stay: the call can be an old one, and there can be more behind them. */
static bool append(struct raft *raft, const struct call *call, struct reply *reply)
{
    struct log *log = &raft->log;

    raft->role = FOLLOWER;
    raft->leader = call->from;
    reply->index = MIN(log->last, call->index - 1);
    if (call->index > log->last || term_at(raft, call->index) != call->index_term)
        return false;
    for (int i = 0; i < call->count; i++) {
        long index = call->index + 1 + i;

        if (index > log->last || term_at(raft, index) != call->entries[i].term)
            log_put(log, index, &call->entries[i]);
    }
    if (call->count)
        log_sync(log);
    reply->index = call->index + call->count;
    raft->commit = MAX(raft->commit, MIN(call->commit, reply->index));
    return true;
}

/* --- reads ----------------------------------------------------------------------------------- */

bool raft_leads(const struct raft *raft, long term)
{
    return raft->role == LEADER && raft->log.term == term;
}

bool raft_can_read(const struct raft *raft, long round)
{
    return term_at(raft, raft->commit) == raft->log.term && most_have(raft, raft->heard, round);
}

/* --- calls ----------------------------------------------------------------------------------- */

bool raft_wants(const struct raft *raft, int to)
{
    return raft->role != FOLLOWER && (raft->heard[to] < raft->round ||
                                      (raft->role == LEADER && raft->next[to] <= raft->log.last));
}

void raft_call(const struct raft *raft, int to, struct call *call)
{
    const struct log *log = &raft->log;

    call->what = raft->role == LEADER ? 'a' : 'v';
    call->term = log->term;
    call->from = raft->self;
    call->index = raft->role == LEADER ? raft->next[to] - 1 : log->last;
    call->index_term = term_at(raft, call->index);
    call->commit = raft->commit;
    call->round = raft->round;
    call->count = (int)MIN(log->last - call->index, BATCH);
    for (int i = 0; i < call->count; i++)
        call->entries[i] = log->entries[call->index + 1 + i];
}

bool raft_answer(struct raft *raft, const struct call *call, struct reply *reply)
{
    if (call->term > raft->log.term)
        follow(raft, call->term);
    *reply = (struct reply){.term = raft->log.term};
    if (call->term < raft->log.term)
        return false;
    reply->done = call->what == 'v' ? vote(raft, call) : append(raft, call, reply);
    return reply->done || call->what == 'a';
}

void raft_hear(struct raft *raft, int from, const struct call *call, const struct reply *reply)
{
    if (reply->term > raft->log.term)
        follow(raft, reply->term);
    if (call->term != raft->log.term)
        return; /* of an earlier term, which says nothing about this one */
    if (call->what == 'v' && raft->role == CANDIDATE) {
        raft->heard[from] = call->round;
        raft->voted[from] = reply->done;
        count_votes(raft);
    } else if (call->what == 'a' && raft->role == LEADER) {
        raft->heard[from] = call->round;
        if (reply->done)
            raft->match[from] = MAX(raft->match[from], reply->index);
        raft->next[from] = MAX(raft->match[from], reply->index) + 1;
        advance(raft);
    }
}
