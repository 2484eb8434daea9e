/* raft.c - the rules of Raft
 * SPDX-License-Identifier: MIT */
#include "raft.h"

static long term_at(const struct raft *raft, long index)
{
    return raft->log.entries[index].term;
}

static long least(long a, long b)
{
    return a < b ? a : b;
}

static long most(long a, long b)
{
    return a > b ? a : b;
}

void raft_open(struct raft *raft, int self, int servers, const char *name)
{
    *raft = (struct raft){.self = self, .servers = servers};
    log_open(&raft->log, name);
}

/* --- elections ------------------------------------------------------------------------------- */

/* Of a newer term this server has heard. */
static void follow(struct raft *raft, long term)
{
    log_vote(&raft->log, term, 0);
    raft->role = FOLLOWER;
    raft->leader = 0;
}

/* The term begins with an entry of its own: once that is committed, all before it is. */
static void lead(struct raft *raft)
{
    raft->role = LEADER;
    raft->leader = raft->self;
    raft->round = 0;
    for (int to = 1; to <= raft->servers; to++) {
        raft->peers[to].next = raft->log.last + 1;
        raft->peers[to].match = raft->peers[to].heard = 0;
    }
    raft_propose(raft, &(struct command){.what = "nop", .key = "-", .client = "-"});
}

static void count_votes(struct raft *raft)
{
    int votes = 0;

    for (int of = 1; of <= raft->servers; of++)
        votes += raft->peers[of].voted;
    if (votes > raft->servers / 2)
        lead(raft);
}

void raft_stand(struct raft *raft)
{
    log_vote(&raft->log, raft->log.term + 1, raft->self);
    raft->role = CANDIDATE;
    raft->leader = 0;
    raft->round = 1;
    for (int of = 1; of <= raft->servers; of++) {
        raft->peers[of].voted = of == raft->self;
        raft->peers[of].heard = 0;
    }
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
         index > raft->commit && term_at(raft, index) == raft->log.term; index--) {
        int have = 1;

        for (int of = 1; of <= raft->servers; of++)
            have += of != raft->self && raft->peers[of].match >= index;
        if (have > raft->servers / 2)
            raft->commit = index;
    }
}

void raft_propose(struct raft *raft, const struct command *command)
{
    log_put(&raft->log, raft->log.last + 1, &(struct entry){raft->log.term, *command});
    log_sync(&raft->log);
    advance(raft);
}

/* Entries that are there stay: the call can be an old one, and there can be more behind them. */
static bool append(struct raft *raft, const struct call *call, struct reply *reply)
{
    struct log *log = &raft->log;
    bool changed = false;

    raft->role = FOLLOWER;
    raft->leader = call->from;
    reply->index = least(log->last, call->index - 1);
    if (call->index > log->last || term_at(raft, call->index) != call->index_term)
        return false;
    for (int i = 0; i < call->count; i++) {
        long index = call->index + 1 + i;

        if (index <= log->last && term_at(raft, index) == call->entries[i].term)
            continue;
        log_put(log, index, &call->entries[i]);
        changed = true;
    }
    if (changed)
        log_sync(log);
    reply->index = call->index + call->count;
    raft->commit = most(raft->commit, least(call->commit, reply->index));
    return true;
}

/* --- reads ----------------------------------------------------------------------------------- */

bool raft_leads(const struct raft *raft, long term)
{
    return raft->role == LEADER && raft->log.term == term;
}

bool raft_knows(const struct raft *raft)
{
    return term_at(raft, raft->commit) == raft->log.term;
}

bool raft_confirmed(const struct raft *raft, long round)
{
    int heard = 1;

    for (int of = 1; of <= raft->servers; of++)
        heard += of != raft->self && raft->peers[of].heard >= round;
    return heard > raft->servers / 2;
}

/* --- calls ----------------------------------------------------------------------------------- */

bool raft_wants(const struct raft *raft, int to)
{
    return raft->role != FOLLOWER &&
           (raft->peers[to].heard < raft->round ||
            (raft->role == LEADER && raft->peers[to].next <= raft->log.last));
}

void raft_call(const struct raft *raft, int to, struct call *call)
{
    const struct log *log = &raft->log;

    call->what = raft->role == LEADER ? 'a' : 'v';
    call->term = log->term;
    call->from = raft->self;
    call->index = raft->role == LEADER ? raft->peers[to].next - 1 : log->last;
    call->index_term = term_at(raft, call->index);
    call->commit = raft->commit;
    call->round = raft->round;
    call->count = (int)least(log->last - call->index, BATCH);
    for (int i = 0; i < call->count; i++)
        call->entries[i] = log->entries[call->index + 1 + i];
}

bool raft_answer(struct raft *raft, const struct call *call, struct reply *reply)
{
    bool current;

    if (call->term > raft->log.term)
        follow(raft, call->term);
    *reply = (struct reply){.term = raft->log.term};
    current = call->term == raft->log.term;
    if (current && call->what == 'v')
        reply->done = current = vote(raft, call);
    else if (current)
        reply->done = append(raft, call, reply);
    return current;
}

void raft_hear(struct raft *raft, int from, const struct call *call, const struct reply *reply)
{
    if (reply->term > raft->log.term)
        follow(raft, reply->term);
    if (call->term != raft->log.term)
        return; /* of an earlier term, which says nothing about this one */
    if (call->what == 'v' && raft->role == CANDIDATE) {
        raft->peers[from].heard = call->round;
        raft->peers[from].voted = reply->done;
        count_votes(raft);
    } else if (call->what == 'a' && raft->role == LEADER) {
        raft->peers[from].heard = call->round;
        if (reply->done)
            raft->peers[from].match = most(raft->peers[from].match, reply->index);
        raft->peers[from].next = most(raft->peers[from].match, reply->index) + 1;
        advance(raft);
    }
}
