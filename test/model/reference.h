/* reference.h - the state of the reference scheduler
 * SPDX-License-Identifier: MIT
 *
 * The documented behavior of pt, written to be obviously correct, not fast: plain arrays, linear
 * searches, numbers that count up forever, and no code of pt. Where pt has a bit that tells it to
 * check something, the reference always checks. */
#ifndef MODEL_REFERENCE_H
#define MODEL_REFERENCE_H

#include "script.h"

/* The states of a task. */
enum doing {
    DEAD,
    READY,    /* or running */
    HELD,     /* its turn came while it was paused */
    SLEEPING, /* until wake_at */
    PARKED,
    WAITING,  /* until one of its wants is met */
    QUEUEING, /* waiting for an item of the pool */
    GATHERING /* waiting until the group `gathered` is empty */
};

/* The phases of a frame. */
enum phase {
    BODY,
    ENDING,    /* something ends it: its PT_FINALLY is next */
    RETURNING, /* has left its body, waits for the tasks of its groups */
    CLEANUP,   /* in its PT_FINALLY */
    FINISHING  /* has left its PT_FINALLY, waits for the tasks of its groups */
};

/* How an operation continues after its suspension. */
enum stage { FETCH, TAKE_ITEM, LEAVE_GROUP, LEAVE_BLOCK, TAKE_WANTED, TAKE_EACH, TAKE_HELD };

struct frame {
    int function, pc;
    enum phase phase;
    enum stage stage;
    bool started;
    int status, result;
    int fired, each; /* the last selected case; how many values a loop still takes */
    int seen[MODEL_OBJECTS], heard[MODEL_OBJECTS]; /* messages seen: of latest values, broadcasts */
};

/* How the lock of a condition was held. */
enum held { HELD_LOCK, HELD_TO_WRITE, HELD_TO_READ };

/* Something that a task waits for, or tries without waiting. */
struct want {
    enum wish wish;
    int object, value; /* value: the value to send; the bits; the delay; a condition's lock */
    int how;           /* how to wait for bits; how a condition's lock is held, enum held */
    struct task *task; /* the task that waits */
    long since;        /* its place in the order of waiters */
};

/* An open block. A task has them in an array, the outermost first. */
struct block {
    int level, slot, begin; /* its frame; its scope, group or lock there; its first operation */
    bool hold, holds;       /* it is for a lock, OBJECT; the task has that */
    int object;
    bool group, leaving;     /* leaving: its end was reached, but its tasks are not all done */
    bool timed, late, fired; /* it has a deadline; it must end; it was ended */
    int deadline;
    int cleanups; /* how many cleanups surrounded it when it was opened */
};

struct group {
    bool open, over;
    int owner, decider, policy, status;
};

struct task {
    enum doing doing;
    bool done, paused, permit, canceled;
    bool handed;  /* it has what it waited for: it continues before anything ends it */
    bool relocks; /* handed: a condition's lock, and then it is ended */
    bool served;  /* the same, up to its next wait, also in who awaits it, up to a PT_FINALLY */
    int id, home, reason, end_status; /* home: its loop */
    int delay;                        /* while PENDING: it counts from the next reading */
    bool pending;
    int wake_at, case_due; /* case_due: which of its wants is met when it continues */
    struct want wants[MODEL_CASES];
    int wanted, came; /* the number of wants; the value received */
    bool select;      /* the wants are cases of a select */
    bool timed;       /* one of them is a time, wake_at; or a park ends then */
    struct group *gathered;
    long since; /* its place in the order of waiters */

    bool alarm; /* its timer is armed for alarm_at; alarm_since: the order of equal times */
    int alarm_at;
    long alarm_since;

    struct group *group;
    long member_since;

    int top, blocks;
    struct frame frames[MODEL_LEVELS + 1]; /* the last one may run a loop */
    struct block block[MODEL_LEVELS * MODEL_NEST];
};

/* A queue of values. */
struct store {
    int count, items[MODEL_PLACES];
    bool closed;
};

/* The objects for which tasks wait, without the waiting tasks. */
struct objects {
    bool set[MODEL_OBJECTS];
    int units[MODEL_OBJECTS];
    struct task *owner[MODEL_OBJECTS]; /* of a lock */
    int depth[MODEL_OBJECTS];
    bool closed[MODEL_OBJECTS]; /* a channel */
    struct store store[MODEL_OBJECTS];
    int bits[MODEL_OBJECTS];
    int told[MODEL_OBJECTS], latest[MODEL_OBJECTS];
    int sent[MODEL_OBJECTS]; /* number of values sent to a broadcast; the Nth value is N */
    struct task *writer[MODEL_OBJECTS];
    int reading[MODEL_OBJECTS];
    int tags; /* a number for each value */
};

/* How a loop reads the clock: in a turn by hand it does not; for each delay; or once for many. */
enum reads { READS_NEVER, READS_EACH, READS_MANY };

struct loop {
    int now, live, slow, slow_until;
    int queue[2 * MODEL_ACTORS], queued; /* the ready tasks, in order */
    struct task *host;                   /* the task that runs it in another loop, or NULL */
    struct task *current;                /* the task that runs in it, or NULL */
    bool old;                            /* a batch runs, and NOW is an old reading of the clock */
    enum reads reads;
    struct task *sleeper[MODEL_ACTORS]; /* begin to sleep, and their delays do not count yet */
    int sleepers, read_at;              /* read_at: the last reading for sleepers */
    bool read;                          /* there was one in this turn */
    int calls[POINTS];                  /* calls of observers, in this turn of the script */
};

struct reference {
    const struct script *script;
    struct trace *trace;
    int clock, turn, running; /* the script's time and turn; the running task, innermost */
    bool told;                /* the observers have seen the opcode */
    bool meddled[MODEL_MEDDLES];
    struct loop loops[MODEL_LOOPS];
    long order; /* counts up, to keep the order of things */
    struct task tasks[MODEL_ACTORS];
    struct group groups[MODEL_ACTORS][MODEL_LEVELS][MODEL_SLOTS];
    bool opened[MODEL_ACTORS][MODEL_LEVELS][MODEL_SLOTS]; /* timed blocks that are open */
    struct objects objects;
    int used, granted, pooled; /* items of the pool: in use, granted, spawned so far */
};

extern struct reference model;

/* --- reference.c: tasks --- */

int number_of(const struct task *task);
void make_ready(struct task *task);
bool spawn(struct task *task, int id, int function, int home);
void end_park(struct task *task, int code);
void wake(struct task *task);
void resume(struct task *task);
void cancel(struct task *task, int reason);
bool cancel_all(const struct loop *loop, int reason);
void end_task(struct task *task, int status);
void group_cancel(struct group *group, int reason);
int group_accepts(const struct group *group, const struct task *task);
int group_add(struct group *group, struct task *task);
bool group_empty(const struct group *group);

/* alarm_set - arm TASK's alarm for AT, unless it is armed for an earlier time
 * alarm_renew - arm it for the earlier of the task's sleep and its blocks' deadlines
 * first_deadline - the earlier of these; INT_MAX if there is none */
int first_deadline(const struct task *task);
void alarm_set(struct task *task, int at);
void alarm_renew(struct task *task);

/* --- reference_loops.c: turns, nested loops, observers --- */

/* loop_of - the loop in which a task runs
 * observe - tell the observers of a step
 * turn - run a turn of a loop, then batches that need only its time, with it of up to STEPS steps;
 *     returns when the next turn must come, INT_MAX if never
 * settle - the delays of a loop's sleepers count from the clock's time
 * begin_delay - a task sleeps for so long; begin_alarm - it sleeps until wake_at
 * now_of - the time of a task's loop, after a new reading of the clock if the batch has an old one
 * update - a loop and those around it get the clock's time; slow_down - set a delay after each turn
 * run_loop - run a turn of the loop that a task runs; end_loop - something ends that task
 * force_wake - wake a task, whatever it waits for */
struct loop *loop_of(const struct task *task);
void observe(const struct task *task, enum point point);
int turn(struct loop *loop, int now, int steps);
int now_of(const struct task *task);
void settle(struct loop *loop);
void begin_delay(struct task *task, int delay);
void begin_alarm(struct task *task);
void update(struct loop *loop);
void slow_down(struct loop *loop, int ticks);
bool run_loop(struct task *task);
bool end_loop(struct task *task);
void force_wake(struct task *task);

/* --- reference_waits.c, reference_wants.c: waits --- */

/* leave - remove a task from its wait
 * lock_again - a task leaves its wait for a condition; whether it has its lock, else it waits for it
 * sleeps - whether time ends the task's wait
 * serve_ended - wake the tasks that wait for the end of TASK
 * waiting_for - the number of tasks that wait for an object */
void leave(struct task *task);
bool lock_again(struct want *want);
bool sleeps(const struct task *task);
void serve_ended(struct task *task, int status);
int waiting_for(enum wish wish, int object);

/* sync_op - begin an operation; take_wanted, take_each - continue it; whether the task continues
 * wait_or_not - try an operation, and wait at STAGE if it must; whether it completed at once */
bool sync_op(struct task *task, const struct op *op);
bool wait_or_not(struct task *task, const struct op *op, enum stage stage);
bool take_wanted(struct task *task, const struct op *op);
bool take_each(struct task *task, const struct op *op, bool came);

/* --- reference_objects.c --- */

/* objects_begin - initialize all objects
 * sync_act - execute an operation that never waits; BY: a task, or NULL
 * log_objects - log the state of all objects */
void objects_begin(void);
void sync_act(struct op op, struct task *by);

/* for_nobody - the code of what is done with NULL instead of a task */
int for_nobody(int what, int object);
void log_objects(void);

/* --- reference_blocks.c: blocks, and how they end --- */

/* target - whether the task or a block must end now; BLOCK: the block, or NULL for the task */
bool target(struct task *task, struct block **block);
bool threatened(const struct task *task);
struct group *group_of(const struct task *task, const struct block *block);
int cleanups(const struct task *task, int level);
void interrupt(struct task *task);
void expire(struct task *task);
bool unwind(struct task *task);
bool close_blocks(struct task *task, const struct block *until);
bool leave_function(struct task *task, int code);
bool complete(struct task *task);
bool enter_cleanup(struct task *task);
bool leave_group(struct task *task);
void close_block(struct task *task);
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
