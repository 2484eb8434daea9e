/* reference.h - the state of the reference scheduler
 * SPDX-License-Identifier: MIT
 *
 * The documented behaviour of pt, written to be seen to be right, not to be fast: plain arrays,
 * linear searches, numbers that count up for ever, and no code of pt. Where pt keeps a bit that
 * says "look", the reference always looks. */
#ifndef MODEL_REFERENCE_H
#define MODEL_REFERENCE_H

#include "script.h"

/* What a task does. */
enum doing {
    DEAD,
    READY,    /* or it runs */
    HELD,     /* its turn came while it was paused */
    SLEEPING, /* until wake_at */
    PARKED,
    WAITING,  /* until one of its wants comes true */
    QUEUEING, /* for an item of the pool */
    GATHERING /* until the group `gathered` is empty */
};

/* Where a frame is. */
enum phase {
    BODY,
    ENDING,    /* something ends it: its PT_FINALLY is next */
    RETURNING, /* left its body, waits for the tasks of its groups */
    CLEANUP,   /* in its PT_FINALLY */
    FINISHING  /* left its PT_FINALLY, waits for the tasks of its groups */
};

/* What an operation that suspends goes on with. */
enum stage { FETCH, TAKE_ITEM, LEAVE_GROUP, LEAVE_BLOCK, TAKE_WANTED, TAKE_EACH };

struct frame {
    int function, pc;
    enum phase phase;
    enum stage stage;
    bool started;
    int status, result;
    int fired, each;                               /* its last case; what a loop still takes */
    int seen[MODEL_OBJECTS], heard[MODEL_OBJECTS]; /* of news and broadcasts: how many */
};

/* What a task waits for, or tries without waiting. */
struct want {
    enum wish wish;
    int object, value; /* value: what it brings; the bits; the delay; a condition's lock */
    int how;           /* of bits */
    struct task *task; /* whose it is */
    long since;        /* its place among those who wait for the same */
};

/* An open block. Those of a task stand in an array, the outermost first. */
struct block {
    int level, slot, begin;  /* which frame's, which of its scopes or groups, which operation */
    bool group, leaving;     /* leaving: its end was reached, its tasks were not all done */
    bool timed, late, fired; /* it has a deadline; something says that it ends; it was ended */
    int deadline;
    int cleanups; /* how many surrounded it when it was opened */
};

struct group {
    bool open, over;
    int owner, decider, policy, status;
};

struct task {
    enum doing doing;
    bool done, paused, permit, canceled;
    bool handed; /* what it waited for is there: it goes on before anything ends it */
    bool served; /* it does so, also where it is awaited: to its next wait */
    int id, home, reason, end_status; /* home: its loop */
    int wake_at, case_due; /* case_due: which of its wants comes true when it goes on */
    struct want wants[MODEL_CASES];
    int wanted, came;   /* how many wants; what came */
    bool select, timed; /* they are cases of a select; one of them is a time, wake_at */
    struct group *gathered;
    long since; /* its place among those who wait for the same */

    bool alarm; /* it is to be looked at when the time is alarm_at; the order among equals */
    int alarm_at;
    long alarm_since;

    struct group *group;
    long member_since;

    int top, blocks;
    struct frame frames[MODEL_LEVELS + 1]; /* the last may run a loop */
    struct block block[MODEL_LEVELS * MODEL_NEST];
};

/* A queue of values. */
struct store {
    int count, items[MODEL_PLACES];
    bool closed;
};

/* What tasks wait for, but for those who do. */
struct objects {
    bool set[MODEL_OBJECTS];
    int units[MODEL_OBJECTS];
    struct task *owner[MODEL_OBJECTS]; /* of a lock */
    int depth[MODEL_OBJECTS];
    bool closed[MODEL_OBJECTS]; /* a channel */
    struct store store[MODEL_OBJECTS];
    int bits[MODEL_OBJECTS];
    int told[MODEL_OBJECTS], latest[MODEL_OBJECTS];
    int sent[MODEL_OBJECTS]; /* to a broadcast; the value number N is N */
    struct task *writer[MODEL_OBJECTS];
    int reading[MODEL_OBJECTS];
    int tags; /* a number for each value */
};

struct loop {
    int now, live, slow, slow_until;
    int queue[2 * MODEL_ACTORS], queued; /* who is ready, first come first */
    struct task *host;                   /* who runs it in another loop, or NULL */
    struct task *current;                /* who runs in it, or NULL */
    int calls[POINTS];                   /* of observers, in this turn of the script */
};

struct reference {
    const struct script *script;
    struct trace *trace;
    int clock, turn, running; /* the world's time; which turn of the script; who runs, innermost */
    bool told;                /* the observers know of the opcode */
    bool meddled[MODEL_MEDDLES];
    struct loop loops[MODEL_LOOPS];
    long order; /* counts up, whenever an order is to be kept */
    struct task tasks[MODEL_ACTORS];
    struct group groups[MODEL_ACTORS][MODEL_LEVELS][MODEL_SLOTS];
    bool opened[MODEL_ACTORS][MODEL_LEVELS][MODEL_SLOTS]; /* timed blocks that are open */
    struct objects objects;
    int used, granted, pooled; /* items: in use, promised; spawned so far */
};

extern struct reference model;

/* --- reference.c: tasks --- */

int number_of(const struct task *task);
void make_ready(struct task *task);
bool spawn(struct task *task, int id, int function, int home);
void wake(struct task *task);
void resume(struct task *task);
void cancel(struct task *task, int reason);
void cancel_all(const struct loop *loop, int reason);
void end_task(struct task *task, int status);
void group_cancel(struct group *group, int reason);
int group_add(struct group *group, struct task *task);
bool group_empty(const struct group *group);

/* alarm_set - see that TASK is looked at at AT: an earlier alarm stays
 * alarm_renew - set it to the first of what the task waits for and its blocks */
void alarm_set(struct task *task, int at);
void alarm_renew(struct task *task);

/* --- reference_loops.c: turns, loops in loops, observers --- */

/* loop_of - where a task runs
 * observe - the observers hear of a step
 * turn - a turn of a loop; when the next has to come, INT_MAX if never
 * update - a step took long, for the loops around it, too; slow_down - a delay after each turn
 * run_loop - a turn of the loop that a task runs; end_loop - something ends that
 * force_wake - a task goes on, whatever it waits for */
struct loop *loop_of(const struct task *task);
void observe(const struct task *task, enum point point);
int turn(struct loop *loop, int now);
void update(struct loop *loop, int ticks);
void slow_down(struct loop *loop, int ticks);
bool run_loop(struct task *task);
bool end_loop(struct task *task);
void force_wake(struct task *task);

/* --- reference_waits.c, reference_wants.c: what tasks wait for --- */

/* leave - a task leaves its wait; it is nowhere then
 * sleeps - whether time ends the task's wait
 * serve_ended - who waits for the end of TASK goes on
 * waiting_for - how many wait for an object */
void leave(struct task *task);
bool sleeps(const struct task *task);
void serve_ended(struct task *task, int status);
int waiting_for(enum wish wish, int object);

/* sync_op - begin an operation; take_wanted, take_each - go on with it; whether the task goes on
 */
bool sync_op(struct task *task, const struct op *op);
bool take_wanted(struct task *task, const struct op *op);
bool take_each(struct task *task, const struct op *op, bool came);

/* --- reference_objects.c --- */

/* objects_begin - as they are at first
 * sync_act - an operation that never waits; BY: a task, or NULL
 * log_objects - how all objects stand */
void objects_begin(void);
void sync_act(struct op op, struct task *by);
void log_objects(void);

/* --- reference_blocks.c: blocks, and what ends them --- */

/* target - whether something ends what the task does, and which block, or NULL: all of it */
bool target(struct task *task, struct block **block);
bool threatened(const struct task *task);
int cleanups(const struct task *task, int level);
void interrupt(struct task *task);
void expire(struct task *task);
bool unwind(struct task *task);
bool close_blocks(struct task *task, const struct block *until);
bool leave_function(struct task *task, int code);
bool complete(struct task *task);
bool enter_cleanup(struct task *task);
bool leave_group(struct task *task);
void go_on_behind(struct task *task);
bool leave_block(struct task *task, bool by_break);
void begin_wait(struct task *task, enum doing doing);
void log_left(const struct task *task, const struct block *block);

/* --- reference_ops.c --- */

struct event *log_event(enum event_kind kind, const struct task *task);
const struct code *code_of(const struct frame *frame);
void run(struct task *task);
bool park(struct task *task);
bool sleep_until(struct task *task, int time);
void outside(struct op op);

#endif
