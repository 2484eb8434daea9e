/* raft.h - the rules of Raft: no clock, no network; calls and replies come and go as structs
 * SPDX-License-Identifier: MIT
 *
 * Ongaro and Ousterhout, "In Search of an Understandable Consensus Algorithm", 2014, without membership and snapshots.
 * Each function that changes what must not be forgotten has it synced when it returns: what is sent then is true. */
#ifndef RAFT_H
#define RAFT_H

#include "log.h"

enum { SERVERS = 9, BATCH = 16 };

/* A server asks another one. Of a vote, INDEX is the candidate's last entry; of an append, the one before ENTRIES. */
struct call {
    char what; /* 'v' or 'a' */
    long term;
    int from;
    long index, index_term, commit, round;
    int count;
    struct command entries[BATCH];
};

struct reply {
    long term;
    int done;   /* the vote is given; the entries are there */
    long index; /* up to where the logs agree, or may */
};

/* At first LOG is open, SELF and SERVERS are set, and the rest is zero. */
struct raft {
    struct log log;
    int self, servers; /* numbers begin with 1 */
    enum role { FOLLOWER, CANDIDATE, LEADER } role;
    int leader; /* 0: not known, or this server */
    long commit;
    long round; /* of calls: a read begins one, and waits until most servers have replied to it */
    /* What is known of each other server: its vote; the entry to send; the last one it has; the last round. */
    long voted[SERVERS + 1], next[SERVERS + 1], match[SERVERS + 1], heard[SERVERS + 1];
};

/* No leader was heard in time: become a candidate. */
void raft_stand(struct raft *raft);

/* Whether there is something to ask a server for, beside a heartbeat; the call, for which it is time. */
bool raft_wants(const struct raft *raft, int to);
void raft_call(const struct raft *raft, int to, struct call *call);

/* The answer to a call. True: from a leader, or for a candidate, that this server now gives time. */
bool raft_answer(struct raft *raft, const struct call *call, struct reply *reply);

/* The reply to a call. */
void raft_hear(struct raft *raft, int from, const struct call *call, const struct reply *reply);

/* Of a leader: a command gets its term, and becomes an entry. */
void raft_propose(struct raft *raft, struct command *command);

/* Whether it is still the leader of a term. */
bool raft_leads(const struct raft *raft, long term);

/* Whether a leader knows all that is committed, and was still the leader when a round began. */
bool raft_can_read(const struct raft *raft, long round);

#endif
