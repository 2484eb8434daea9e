/* kernel.h - what the files of the simulator share
 * SPDX-License-Identifier: MIT */
#ifndef WORLD_KERNEL_H
#define WORLD_KERNEL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "world.h"

#include <pt/fiber.h>

#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

enum {
    MACHINES = 1024,    /* of a world, at most */
    DESCRIPTORS = 1024, /* of a machine */
    FORWARDS = 8,
    KEYS = 128, /* of pthread_key_create, of a machine */
    SIGNALS = 65
};

#define NEVER UINT64_MAX

/* --- world.c: time, chance, the trace -------------------------------------------------------- */

/* Something that will happen: a member of what it happens to. Zeroed, it is not scheduled. */
struct event {
    uint64_t at;
    uint64_t order; /* among equal times: by the seed */
    void (*fire)(struct event *event);
    size_t place; /* in the heap, from 1; 0: it is not scheduled */
};

struct world {
    uint64_t now, seed, random, hash;
    struct event **heap; /* from 1 */
    size_t scheduled, room;
    FILE *shown, *told;
    struct world_machine *machines[MACHINES];
    int count;
    uint64_t latency_least, latency_most;
    unsigned slowness; /* by what the latency is multiplied */
    int disturbances;  /* how many faults world_disturb has made */
    struct connection *connections;
    struct copy *copies; /* of programs */
    struct kept *kept;   /* by world_memory */
    struct pt_fiber root;
};

/* Zeroed memory, which the world frees at its end. */
void *world_memory(struct world *world, size_t size);
void world_free(struct world *world);

/* Schedule EVENT, or move it. */
void event_at(struct world *world, struct event *event, uint64_t at);
void event_cancel(struct world *world, struct event *event);

/* The same; among equal times the least ORDER is first, and no chance is taken. */
void event_at_order(struct world *world, struct event *event, uint64_t at, uint64_t order);

extern struct process *running;
extern struct world_machine *here; /* its machine */

/* A number below MOST, from a state of its own. */
uint64_t chance_from(uint64_t *state, uint64_t most);

/* What a call returns for VALUE, which is -errno below zero. */
static inline ssize_t result(ssize_t value)
{
    if (value >= 0)
        return value;
    errno = (int)-value;
    return -1;
}

/* --- trace.c: what happened, and what was tried ---------------------------------------------- */

/* A line of the trace. It may hold nothing that differs from run to run, such as addresses. */
void trace(struct world_machine *machine, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The line of a message from a machine, which it sent at SENT: it has arrived, or is lost. */
void trace_message(struct world_machine *machine, const struct world_machine *from, uint64_t sent,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The run has failed, and the process ends with STATUS. A debugger stops here. */
void world_failed(int status, const char *format, ...)
    __attribute__((noreturn, noinline, format(printf, 2, 3)));

/* Stop the run: the program wants what the simulator has not. */
void world_unknown(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* What is counted over all runs: how often it was tried, and how often that did something. The
 * first ones are the faults of world_disturb. */
#define TALLIES(X)                          \
    X(RESET, "reset")                       \
    X(CUT, "cut")                           \
    X(HALF_CUT, "half cut")                 \
    X(SLOW, "slow network")                 \
    X(CRASH, "crash")                       \
    X(KILL, "kill")                         \
    X(PAUSE, "pause")                       \
    X(FULL, "full disk")                    \
    X(LOST, "segment lost, and sent again") \
    X(NO_PLACE, "connect at a full queue")  \
    X(SHORT, "write that is short")         \
    X(UNSYNCED, "crash with a disk")        \
    X(UNHEARD, "datagram lost")             \
    X(TWICE, "datagram that comes twice")

#define TALLY_NAME(name, text) TALLY_##name,
enum tally { TALLIES(TALLY_NAME) TALLY_COUNT, FAULTS = TALLY_LOST };
#undef TALLY_NAME

struct tallies {
    uint64_t tried[TALLY_COUNT], effective[TALLY_COUNT];
};

void tally(enum tally what, bool effect);
const char *tally_name(enum tally what);

extern struct tallies *world_tallies;           /* NULL: nothing is counted */
extern void (*world_verdict)(const char *text); /* told of a failure, if it is not NULL */

/* --- faults.c -------------------------------------------------------------------------------- */

/* Which faults happen, by their numbers from 0: all if it is NULL. */
extern const char *world_faults_kept;

/* By how often half of the time they begin sooner, and are shorter. */
extern int world_faults_sooner, world_faults_shorter;

/* --- program.c and machine.c: a program, its begin, its end ---------------------------------- */

enum state { OFF, RUNS, ENDED };

/* Signals that were sent: bits of numbers, and of each one what siginfo_t has. */
struct signals {
    uint64_t bits;
    struct sent {
        int code, status;
        pid_t by;
    } sent[SIGNALS];
};

/* A program that runs on a machine. */
struct process {
    struct process *next; /* of its machine, the first one first */
    struct world_machine *machine;
    struct process *parent; /* NULL: it has none, or that has ended */
    pid_t number, group;
    bool ended, cleared;  /* CLEARED: only its parent asks for it any more */
    int status, signal;   /* SIGNAL: which has ended it, or 0; then STATUS is 128 and this */
    struct pidfd *pidfds; /* that are told of its end */
    void (*clear)(struct process *process, bool crash); /* gives back all that it had */
    void *program;
    char **words, **given, **environment; /* GIVEN: at its begin */
    struct thread *threads;               /* that have begun, the first one first */
    struct thread *thread;                /* the one that runs */
    int threads_begun;
    int calls; /* since a thread last waited */
    struct key {
        bool used;
        void (*destroy)(void *value);
    } keys[KEYS];

    struct file *files[DESCRIPTORS];
    bool closes[DESCRIPTORS]; /* FD_CLOEXEC */
    int descriptors;          /* above all that are in use */
    int limit;                /* below which a new one is; 0: DESCRIPTORS */
    struct block *blocks;     /* its memory */
    struct mapping *mappings;
    struct signals pending; /* for any thread */
    struct sigaction actions[SIGNALS];
};

struct world_machine {
    struct world *world;
    const char *name, *image;
    char *words;
    int number; /* its address is 10.0.0.0 and this */
    enum state state;
    bool paused;
    bool returns; /* a fault has ended its program, and will start it again */
    int status;
    pid_t last_process;
    struct process *processes;
    struct process *first; /* which world_start has begun; NULL: it has ended */

    in_port_t last_port;
    uint64_t deaf[MACHINES / 64 + 1]; /* the machines from which nothing gets here */

    uint64_t started;   /* when, on the world's clock */
    int64_t drift;      /* of its clock, in parts per million */
    int64_t wall;       /* what its wall clock is wrong by, in nanoseconds */
    struct inode *disk; /* its files */
    unsigned inodes;    /* how many there were */
    uint64_t capacity;  /* bytes that its disk can have; NEVER: any */
    struct {
        in_port_t port;
        struct world_machine *to;
    } forwards[FORWARDS]; /* up to the first without a machine */

    char *output;
    size_t printed, line; /* bytes, and where the last line begins */
};

/* A process of a machine, without descriptors: IMAGE with its arguments and its environment. A wake lets it begin. */
struct process *process_new(struct world_machine *machine, const char *image, char *const *words,
                            char *const *environment);

/* The process behind SKIP of those that run, or NULL. */
struct process *process_at(const struct world_machine *machine, int skip);

void programs_unload(struct world *world);

/* No load of world_add is more than this. */
extern int world_load_most;

/* --- platter.c and disk.c -------------------------------------------------------------------- */

void disk_crash(struct world_machine *machine);
void disk_free(struct world_machine *machine);

/* --- console.c ------------------------------------------------------------------------------- */

/* Open the console: descriptors 0 to 2. */
void console_open(struct process *process);

/* --- printed.c ------------------------------------------------------------------------------- */

void printed_add(struct world_machine *machine, const char *text, size_t size);
/* Its program has ended, maybe in the middle of a line. */
void printed_end(struct world_machine *machine);

/* --- process.c ------------------------------------------------------------------------------- */

/* The program of a process ends, and its machine knows its status. SIGNAL: which ends it, or 0. */
void process_ends(struct process *process, int status, int signal);

/* The end of the program that runs. */
void machine_end(int status, int signal) __attribute__((noreturn));

/* --- thread.c -------------------------------------------------------------------------------- */

/* The program makes a call: one that never waits is found by their number. */
void machine_calls(void);

/* The thread waits until something happens to its machine, or until a time of the world's clock.
 * False: a signal handler has run. */
bool machine_wait(uint64_t until);

/* Something has happened to a machine: the threads look that wait for that. */
void machine_wake(struct world_machine *machine);

/* --- memory.c, signals.c, kill.c ------------------------------------------------------------- */

void memory_free_all(struct process *process);

/* Run the handlers of pending signals that the thread does not block; whether there was one. */
bool signals_deliver(void);

/* Whether the handlers that have ended the last wait let the call go on. */
bool signals_restart(void);

/* A process gets a signal. The first thread that does not block it goes on, and handles it. */
void signal_send(struct process *process, int number, struct sent sent);

/* The same; SIGKILL ends the process, and the trace has it. */
void process_signal(struct process *process, int number, pid_t by);

/* Whether a number as of waitpid or kill means a process: it, its group, the group of the one that runs. */
bool process_is_meant(const struct process *process, pid_t number);

/* --- child.c --------------------------------------------------------------------------------- */

/* A process that has ended is no more: nobody asks for its status. */
void process_free(struct process *process);

/* A process has ended: its parent, and who has a pidfd of it, hear of that. */
void process_told(struct process *process);

/* A descriptor for the end of a process: pidfd_open(2). */
int pidfd_make(pid_t number);

/* --- clock.c --------------------------------------------------------------------------------- */

/* The monotonic clock of a machine, and the world's time at which it shows LOCAL. */
uint64_t clock_now(const struct world_machine *machine);
uint64_t clock_reaches(const struct world_machine *machine, uint64_t local);

/* When a wait is over that has a TIME of CLOCK_MONOTONIC or CLOCK_REALTIME, on the world's clock: now
 * or earlier: it is. NEVER without one. */
uint64_t wait_end(clockid_t which, const struct timespec *time);

/* What is not is EINVAL: a time with a second of nanoseconds or more, a span below zero, too. */
bool time_is_valid(const struct timespec *time);
bool span_is_valid(const struct timespec *span);

#endif
