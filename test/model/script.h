/* script.h - what both sides of the model test run, and the trace that each leaves
 * SPDX-License-Identifier: MIT
 *
 *     script_generate(&script, seed);
 *     subject_run(&script, &got);            pt (subject.c)
 *     reference_run(&script, &wanted);       plain arrays and linear searches (reference.c)
 *     trace_difference(&wanted, &got)        where they part, or -1
 *
 * A script is a set of functions, each two lists of operations: its body and its PT_FINALLY. A task
 * runs a function of level 0; a function awaits those of the next level. Blocks are two operations,
 * TIMED or GROUP and END, with others between. The clock of each turn is the script's, not the
 * loop's: it stands still, and it jumps over deadlines. */
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
    MODEL_SELF = -1,   /* instead of a task: who runs */
    MODEL_NEVER = 100, /* a delay that does not pass */
    MODEL_LONG = 101   /* a delay that is refused */
};

/* What a task does in a step: its name, and what its operands mean. t: a task; d: a delay; f: a
 * function; s: a block's slot; l: the level of a frame of this task; c: a code; p: a policy; g: a
 * task and the level of its frame. */
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
    X(RETURN, "return", "c")

enum op_kind {
#define MODEL_OP_ENUM_(name, text, operands) OP_##name,
    MODEL_OP_TABLE(MODEL_OP_ENUM_)
#undef MODEL_OP_ENUM_
        OP_KINDS
};

/* The operands stand in the order of the table. */
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
    bool tidy; /* it has a PT_FINALLY */
};

/* A turn: how far the clock moves before it, and what somebody outside does first. */
struct turn {
    int jump;
    struct op outside;
};

struct script {
    struct function functions[MODEL_FUNCTIONS]; /* task N runs function N */
    unsigned started;                           /* bits: who is spawned at first */
    int turns;
    struct turn turn[MODEL_TURNS];
};

/* The codes, by numbers of the model's own. */
enum code_number {
    CODE_OK,
    CODE_CANCELED,
    CODE_BUSY,
    CODE_INVALID,
    CODE_NO_ROOM,
    CODE_RANGE,
    CODE_DEADLOCK,
    CODE_TIMED_OUT,
    CODE_USER, /* and above: the script's */
    CODE_LAST = CODE_USER + 3
};

/* The policies of groups, in the order of group.h. */
enum policy { POLICY_ALL, POLICY_ALL_OR_NONE, POLICY_FIRST, POLICY_FIRST_SUCCESS, POLICIES };

/* --- the trace --- */

#define MODEL_EVENT_TABLE(X)                                                                    \
    X(STEP, "step")       /* code: of the frame's last operation */                             \
    X(CLEANUP, "cleanup") /* code: what it is going to end with; a: its groups that are open */ \
    X(LEFT, "left")       /* a: the block ended early; b, code: group's decider, status */      \
    X(CODE, "code")       /* of an operation that leaves none in the frame */                   \
    X(TURN, "turn")       /* a: when the next has to come; all: the state of each task */

enum event_kind {
#define MODEL_EVENT_ENUM_(name, text) EVENT_##name,
    MODEL_EVENT_TABLE(MODEL_EVENT_ENUM_)
#undef MODEL_EVENT_ENUM_
};

/* Something that happened. Who is outside of all tasks has the number -1. */
struct event {
    int kind, task, function, op, cleanup; /* where; in the cleanup's list or the body's */
    int time, code, a, b;
    int ready, live; /* how many could run, and how many there are */
    uint64_t all;
};

struct trace {
    int count;
    struct event events[MODEL_EVENTS];
};

/* trace_add - the next event, to be filled in; the last one again and again once it is full */
struct event *trace_add(struct trace *trace, enum event_kind kind);

/* trace_difference - the first event in which the two differ, or -1
 * A loop may ask for its next turn too early, because a timeout that is closed leaves its entry in
 * the timer queue, but not too late. */
int trace_difference(const struct trace *wanted, const struct trace *got);

void event_print(const struct event *event);

/* --- the script --- */

/* script_generate - a script by chance
 * script_decode - one in which each choice is a byte or two; MIX: how often each operation is drawn,
 * a number for each kind */
void script_generate(struct script *script, uint64_t seed);
void script_decode(struct script *script, const uint8_t *data, size_t count,
                   const unsigned char *mix);
void script_print(const struct script *script);

/* op_operand - what an operand means, a letter of the table */
char op_operand(int kind, int number);

/* code_end - the index of the END of the block that begins at BEGIN */
int code_end(const struct code *code, int begin);

/* --- the two sides --- */

void reference_run(const struct script *script, struct trace *trace);
void subject_run(const struct script *script, struct trace *trace);

/* --- shrinking --- */

/* shrink - make a failing script as small as it can be, asking FAILS about each attempt */
void shrink(struct script *script, bool (*fails)(const struct script *));

#endif
