/* script.h - the scripts that both sides of the model test run, and the traces that they leave
 * SPDX-License-Identifier: MIT
 *
 *     script_generate(&script, seed);
 *     subject_run(&script, &got);            pt (subject.c)
 *     reference_run(&script, &wanted);       plain arrays and linear searches (reference.c)
 *     trace_difference(&wanted, &got)        where they differ, or -1
 *
 * A script is a set of functions, each two lists of operations: its body and its PT_FINALLY. A task
 * runs a function of level 0; a function awaits those of the next level. Blocks are two operations,
 * TIMED, GROUP or HOLD and END, with others between; in a HOLD there is no further block. The clock
 * of each turn is the script's, not the loop's: it stands still, and it jumps over deadlines; and it
 * goes on in steps that work. A script says how its loops read it: a cheap clock for each delay, a
 * dear one for many, and in a turn by hand not at all. */
#ifndef MODEL_SCRIPT_H
#define MODEL_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MODEL_TASKS = 8, /* with storage of their own */
    MODEL_ITEMS = 2, /* in the pool */
    MODEL_ACTORS = MODEL_TASKS + MODEL_ITEMS,
    MODEL_LEVELS = 5, /* of functions that await each other */
    MODEL_NEST = 2,   /* of blocks in a function */
    MODEL_SLOTS = 2,  /* struct pt_scope, and struct pt_group, in a frame */
    MODEL_OPS = 16,   /* in a list */
    MODEL_DEEP = 2,   /* functions in each level but the first */
    MODEL_FUNCTIONS = MODEL_TASKS + 2 + (MODEL_LEVELS - 1) * MODEL_DEEP,
    MODEL_POOLED = MODEL_TASKS, /* the first of the two functions that the pool's tasks run */
    MODEL_TURNS = 40,
    MODEL_EVENTS = 4096,
    MODEL_SELF = -1,              /* instead of a task: the running one */
    MODEL_NEVER = 100,            /* a delay that does not pass */
    MODEL_LONG = 101,             /* a delay that is refused */
    MODEL_OBJECTS = 3,            /* of each kind: events, locks, channels, ... */
    MODEL_PLACES = 3,             /* in a queue, at most */
    MODEL_KEEPS = 2,              /* values that a broadcast keeps */
    MODEL_CASES = 3,              /* of a select */
    MODEL_LOOPS = 3,              /* each nested in the one before */
    MODEL_STEPS = 6,              /* of several batches on one reading of the clock */
    MODEL_LOOP = MODEL_FUNCTIONS, /* and above: the function that runs loop N, of pt */
    MODEL_MEDDLES = 6             /* times that observers do something */
};

/* The operations: the name of each, and the meaning of its operands. t: a task; d: a delay; f: a
 * function; s: a block's slot; l: the level of a frame of this task; c: a code; p: a policy; g: a
 * task and the level of its frame; o: the number of an object; n: how many; b: bits; h: how to wait
 * for them, 1 for all, 2 to clear them; k: a case of a select, a wish and its operand. From
 * OP_WAIT_EVENT to OP_UNLOCK_EXCLUSIVE each family begins with its waits. */
#define MODEL_OP_TABLE(X)                   \
    X(NOTHING, "nothing", "")               \
    X(YIELD, "yield", "")                   \
    X(WAIT, "wait", "d")                    \
    X(UNTIL, "wait-until", "d")             \
    X(PARK, "park", "")                     \
    X(WAKE, "wake", "t")                    \
    X(PAUSE, "pause", "t")                  \
    X(RESUME, "resume", "t")                \
    X(SPAWN, "spawn", "t")                  \
    X(SPAWN_IN, "spawn-in", "tls")          \
    X(JOIN, "join", "t")                    \
    X(AWAIT, "await", "f")                  \
    X(CANCEL, "cancel", "tc")               \
    X(CANCEL_ALL, "cancel-all", "c")        \
    X(POOL, "pool", "f")                    \
    X(POOL_IN, "pool-in", "fls")            \
    X(POOL_TRY, "pool-try", "f")            \
    X(TIMED, "within", "sd")                \
    X(GROUP, "group", "sp")                 \
    X(END, "end", "")                       \
    X(BREAK, "break", "")                   \
    X(CONTINUE, "continue", "")             \
    X(REARM, "rearm", "lsd")                \
    X(GROUP_CANCEL, "cancel-group", "glsc") \
    X(GROUP_ADD, "add", "glst")             \
    X(GROUP_JOIN, "join-group", "gls")      \
    X(RETURN, "return", "c")                \
    MODEL_SYNC_OP_TABLE(X)

#define MODEL_SYNC_OP_TABLE(X)                   \
    X(WAIT_EVENT, "wait-event", "o")             \
    X(SET, "set", "o")                           \
    X(CLEAR, "clear", "o")                       \
    X(TRIGGER, "trigger", "o")                   \
    X(ACQUIRE, "acquire", "o")                   \
    X(TRY_ACQUIRE, "try-acquire", "o")           \
    X(RELEASE, "release", "o")                   \
    X(LOCK, "lock", "o")                         \
    X(WAIT_CONDITION, "wait-condition", "oo")    \
    X(TRY_LOCK, "try-lock", "o")                 \
    X(UNLOCK, "unlock", "o")                     \
    X(NOTIFY, "notify", "o")                     \
    X(NOTIFY_ALL, "notify-all", "o")             \
    X(SEND, "send", "o")                         \
    X(RECV, "receive", "o")                      \
    X(RECV_EACH, "receive-each", "on")           \
    X(TRY_SEND, "try-send", "o")                 \
    X(TRY_RECV, "try-receive", "o")              \
    X(CLOSE, "close", "o")                       \
    X(PUSH, "push", "o")                         \
    X(POP, "pop", "o")                           \
    X(POP_EACH, "pop-each", "on")                \
    X(TRY_PUSH, "try-push", "o")                 \
    X(TRY_POP, "try-pop", "o")                   \
    X(CLOSE_QUEUE, "close-queue", "o")           \
    X(WAIT_FLAGS, "wait-flags", "obh")           \
    X(SET_FLAGS, "set-flags", "ob")              \
    X(CLEAR_FLAGS, "clear-flags", "ob")          \
    X(WAIT_BARRIER, "wait-barrier", "o")         \
    X(WAIT_LATEST, "wait-latest", "o")           \
    X(TELL, "tell", "o")                         \
    X(WAIT_BROADCAST, "wait-broadcast", "o")     \
    X(BROADCAST, "broadcast", "o")               \
    X(SUBSCRIBE, "subscribe", "o")               \
    X(LOCK_SHARED, "lock-shared", "o")           \
    X(LOCK_EXCLUSIVE, "lock-exclusive", "o")     \
    X(TRY_SHARED, "try-shared", "o")             \
    X(TRY_EXCLUSIVE, "try-exclusive", "o")       \
    X(UNLOCK_SHARED, "unlock-shared", "o")       \
    X(UNLOCK_EXCLUSIVE, "unlock-exclusive", "o") \
    X(SELECT, "select", "kkk")                   \
    X(SELECT_TWO, "select-of-two", "kk")         \
    X(SELECT_NOW, "select-now", "kk")            \
    MODEL_LOOP_OP_TABLE(X)

/* w: a loop; u: how many loops outward; n: ticks; q: what nobody does. These come last, so that the
 * files of the fuzzers' corpus keep their meaning. */
#define MODEL_LOOP_OP_TABLE(X)                         \
    X(NEST, "nest", "")                                \
    X(UPDATE, "update", "un")                          \
    X(SLOW, "slow", "wn")                              \
    X(PARK_FOR, "park-for", "d")                       \
    X(PARK_UNTIL, "park-until", "d")                   \
    X(NOBODY, "nobody", "qo")                          \
    X(WORK, "work", "n")                               \
    X(WAIT_RWLOCK, "wait-condition-with-rwlock", "oo") \
    X(HOLD, "hold", "so")

/* What is done with NULL instead of a task, or of a group to join. */
enum {
    NOBODY_LOCKS,
    NOBODY_UNLOCKS,
    NOBODY_WRITES,
    NOBODY_STOPS_WRITING,
    NOBODY_READS,
    NOBODY_JOINS,
    NOBODIES
};

enum op_kind {
#define MODEL_OP_ENUM_(name, text, operands) OP_##name,
    MODEL_OP_TABLE(MODEL_OP_ENUM_)
#undef MODEL_OP_ENUM_
        OP_KINDS
};

/* What a task can wait for, in a wait queue or wait list. Wishes before WISH_CASES can be cases of
 * a select. */
#define MODEL_WISH_TABLE(X)                                                              \
    X(EVENT, "event")                                                                    \
    X(UNIT, "unit")                                                                      \
    X(LOCK, "lock")                                                                      \
    X(SEND, "send")                                                                      \
    X(RECEIVE, "receive")                                                                \
    X(PUSH, "push")                                                                      \
    X(POP, "pop")                                                                        \
    X(END, "end")     /* of a task; the trace logs no queue for it and the two below */  \
    X(AFTER, "after") /* a delay; CASE_LONG is refused */                                \
    X(UNTIL, "until") /* a deadline, CASE_PAST before so many ticks; CASE_LONG: never */ \
    X(CONDITION, "condition")                                                            \
    X(FLAGS, "flags")                                                                    \
    X(BARRIER, "barrier")                                                                \
    X(NEWS, "news")                                                                      \
    X(BROADCAST, "broadcast")                                                            \
    X(SHARED, "shared")                                                                  \
    X(EXCLUSIVE, "exclusive")

enum wish {
#define MODEL_WISH_ENUM_(name, text) WISH_##name,
    MODEL_WISH_TABLE(MODEL_WISH_ENUM_)
#undef MODEL_WISH_ENUM_
        WISHES,
    WISH_CASES = WISH_CONDITION
};

/* A case is a number that encodes a wish, and an object, a task or a time. CASE_OFF and above, of an
 * object: the case is off. */
enum { CASE_OPERANDS = 8, CASE_LONG = CASE_OPERANDS - 1, CASE_PAST = 3, CASE_OFF = 4 };

/* The operands are in the order of the table. */
struct op {
    signed char kind, arg[4];
};

/* A list of operations; the blocks in it are balanced. */
struct code {
    int count;
    struct op ops[MODEL_OPS];
};

struct function {
    struct code body, cleanup;
    bool tidy; /* whether it has a PT_FINALLY */
};

/* When an observer is called. */
enum point { POINT_PICK, POINT_RESUMES, POINT_RETURNED, POINT_ENDED, POINT_TURNED, POINTS };

/* An action of an observer, done once: in this turn of the script, at this POINT of this loop, at
 * the call with this number, from 0. At POINT_PICK it also chooses. At POINT_TURNED the number is
 * ignored. */
struct meddle {
    signed char turn, loop, point, call, choose;
    struct op op;
};

/* A turn: how far the clock moves before it, and the operations from outside that come first.
 * BY_HAND: the loop does not read the clock. */
struct turn {
    int jump;
    bool by_hand;
    struct op outside;
};

struct script {
    struct function functions[MODEL_FUNCTIONS]; /* task N runs function N */
    unsigned started;                           /* bits: the tasks that are spawned at first */
    signed char home[MODEL_TASKS];              /* their loops, unless a task spawns them */
    struct meddle meddle[MODEL_MEDDLES];        /* without an operation: nothing */
    int turns;
    struct turn turn[MODEL_TURNS];
    int places[MODEL_OBJECTS]; /* of each queue */
    bool lifo[MODEL_OBJECTS];  /* whether the queue is a stack */
    bool dear;                 /* the clock is not cheap: a reading is for many delays */
    int grain;                 /* by how many ticks the time can be later than the clock says */
    int most;                  /* a reading of the outermost loop is for so many; 0: usual */
};

/* The other objects differ by their number N. A semaphore has N units at first, and N + 1 at most;
 * lock 1 is re-entrant; channel 1 prefers the receiver, 2 the sender; a barrier has N + 1
 * parties. */
enum { LOCK_REENTRANT = 1, CHANNEL_RECEIVER = 1, CHANNEL_SENDER = 2 };

/* The codes, with the model's own numbers. */
enum code_number {
    CODE_OK,
    CODE_CANCELED,
    CODE_BUSY,
    CODE_INVALID,
    CODE_NO_ROOM,
    CODE_RANGE,
    CODE_DEADLOCK,
    CODE_TIMED_OUT,
    CODE_AGAIN,
    CODE_CLOSED,
    CODE_NOT_HELD,
    CODE_OVERRUN,
    CODE_USER, /* and above: the script's */
    CODE_LAST = CODE_USER + 3
};

/* The policies of groups, in the order of group.h. */
enum policy { POLICY_ALL, POLICY_ALL_OR_NONE, POLICY_FIRST, POLICY_FIRST_SUCCESS, POLICIES };

/* --- the trace --- */

#define MODEL_EVENT_TABLE(X)                                                                    \
    X(STEP, "step")       /* code: of the frame's last operation */                             \
    X(CLEANUP, "cleanup") /* code: the status it will end with; a: its open groups */           \
    X(LEFT, "left")       /* a: the block ended early; b, code: group's decider, status */      \
    X(CODE, "code")       /* of an operation that leaves none in the frame; a: a value */       \
    X(VALUE, "value")     /* a: what came, or which case; b: what else */                       \
    X(OBJECT, "object")   /* changed: wish function, number op; a: waiters, b: its content */   \
    X(BROKEN, "broken")   /* a: a value that was lost, or came twice */                         \
    X(MEDDLE, "meddle")   /* an observer does something; a: at which point, b: of which loop */ \
    X(TURN, "turn")       /* a: when the next must come; b: how long to sleep, or NAP_...; \
                             all: the state of each task */

enum event_kind {
#define MODEL_EVENT_ENUM_(name, text) EVENT_##name,
    MODEL_EVENT_TABLE(MODEL_EVENT_ENUM_)
#undef MODEL_EVENT_ENUM_
};

enum { NAP_NONE = -1, NAP_ENDLESS = -2 };

/* Something that happened. Outside all tasks, the task number is -1. */
struct event {
    int kind, task, function, op, cleanup; /* where; in the cleanup's list or the body's */
    int time, code, a, b;
    int ready, live; /* the numbers of ready tasks and of live tasks */
    int waiting;     /* places in the queues of all objects */
    uint64_t all;
};

struct trace {
    int count;
    struct event events[MODEL_EVENTS];
    int objects[WISHES][MODEL_OBJECTS][2]; /* as they were at the last turn */
};

/* trace_begin - an empty trace, with no state of objects logged yet */
void trace_begin(struct trace *trace);

/* trace_add - the next event, to be filled in; if the trace is full, its last event each time */
struct event *trace_add(struct trace *trace, enum event_kind kind);

/* trace_object - log the state of an object if it has changed since the last turn */
void trace_object(struct trace *trace, enum wish wish, int number, int waiting, int content);

/* trace_difference - the first event in which the two differ, or -1
 * A loop may request its next turn too early, because a closed timeout leaves its entry in the
 * timer queue, but not too late. */
int trace_difference(const struct trace *wanted, const struct trace *got);

void event_print(const struct event *event);

/* --- the script --- */

/* script_generate - a random script: odd seeds test tasks, even seeds the objects they wait for
 * script_decode - a script in which each choice takes a byte or two of DATA; MIX: how often each
 * operation is drawn, a number for each kind */
void script_generate(struct script *script, uint64_t seed);
void script_decode(struct script *script, const uint8_t *data, size_t count,
                   const unsigned char *mix);
void script_print(const struct script *script);

/* op_there - whether this configuration of pt has an operation
 * wish_there - whether it has a case of a select; observers_there - whether it has observers */
bool op_there(int kind);

/* clock_there - whether loops can read a clock
 * sleepers_there - for how many delays a reading of a dear one is, at most
 * steps_there - how many steps of the outermost loop a reading serves, if there are several batches
 * shortcuts_there - whether there are the shortcuts of a PC */
bool clock_there(void);
int sleepers_there(void);
int steps_there(void);
bool shortcuts_there(void);

/* idle_alarms_there - whether a loop sleeps until the time of a block that was closed */
bool idle_alarms_there(void);
bool wish_there(enum wish wish);
bool observers_there(void);

/* script_meddles - whether observers interfere in a script */
bool script_meddles(const struct script *script);

/* op_operand - the meaning of an operand, as a letter of the table */
char op_operand(int kind, int number);

/* function_level - the level of a function: 0 for tasks, 1 for functions that they await, ... */
int function_level(int function);

/* op_begins - whether an operation begins a block
 * code_end - the index of the END of the block that begins at BEGIN */
bool op_begins(int kind);
int code_end(const struct code *code, int begin);

/* --- the two sides --- */

void reference_run(const struct script *script, struct trace *trace);
void subject_run(const struct script *script, struct trace *trace);

/* subject_begin, subject_turn, subject_end - subject_run in steps: a turn may be written into the script just before
 * its step */
void subject_begin(const struct script *script, struct trace *trace);
void subject_turn(int number);
void subject_end(void);

/* --- shrinking --- */

/* shrink - make a failing script as small as possible; FAILS tests each attempt */
void shrink(struct script *script, bool (*fails)(const struct script *));

#endif
