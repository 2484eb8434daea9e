/* kernel.h - what the files of the simulator share
 * SPDX-License-Identifier: MIT */
#ifndef WORLD_KERNEL_H
#define WORLD_KERNEL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "world.h"

#include <pt/fiber.h>

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
    unsigned slowness;    /* by what the latency is multiplied */
    struct fault *faults; /* that world_disturb has made, the last one first */
    int disturbances;     /* how many that were */
    struct connection *connections;
    struct copy *copies; /* of programs */
    struct pt_fiber root;
};

/* Schedule EVENT, or move it. */
void event_at(struct world *world, struct event *event, uint64_t at);
void event_cancel(struct world *world, struct event *event);

/* The same; among equal times the least ORDER is first, and no chance is taken. */
void event_at_order(struct world *world, struct event *event, uint64_t at, uint64_t order);

/* A number below MOST, from a state of its own. */
uint64_t chance_from(uint64_t *state, uint64_t most);

/* --- trace.c: what happened, and what was tried ----------------------------------------------- */

/* A line of the trace. It may hold nothing that differs from run to run, such as addresses. */
void trace(struct world_machine *machine, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The line of a message from a machine, which it sent at SENT: it has arrived, or is lost. */
void trace_message(struct world_machine *machine, const struct world_machine *from, uint64_t sent,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The run has failed, and the process ends with STATUS. A debugger stops here. */
void world_failed(int status, const char *format, ...)
    __attribute__((noreturn, noinline, format(printf, 2, 3)));

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

void faults_free(struct world *world);

/* --- machine.c and program.c: a program, its begin, its end ------------------------------------ */

enum state { OFF, RUNS, ENDED };

/* A program that runs on a machine. */
struct process {
    struct process *next; /* of its machine, the first one first */
    struct world_machine *machine;
    pid_t number;
    bool ended;
    void *program;
    char *text, **words;    /* its arguments */
    struct thread *threads; /* that have begun, the first one first */
    struct thread *thread;  /* the one that runs */
    int threads_begun;
    int calls; /* since a thread last waited */
    struct key {
        bool used;
        void (*destroy)(void *value);
    } keys[KEYS];

    struct file *files[DESCRIPTORS];
    int descriptors;      /* above all that are in use */
    struct block *blocks; /* its memory */
    struct mapping *mappings;
    uint64_t pending; /* signals, for any thread */
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
    uint64_t spare;     /* bytes that its disk has room for; NEVER: any */
    struct {
        in_port_t port;
        struct world_machine *to;
    } forwards[FORWARDS]; /* up to the first without a machine */

    char *output;
    size_t printed, line; /* bytes, and where the last line begins */
};

extern struct process *running;
extern struct world_machine *here; /* its machine */

/* A process of a machine, without descriptors: IMAGE with its arguments, TEXT, which is the process's from now on. A wake
 * lets it begin. */
struct process *process_new(struct world_machine *machine, const char *image, char *text);

/* The program makes a call: one that never waits is found by their number. */
void machine_calls(void);

/* Give back all that a program had which has ended. CRASH: its peers are not told. */
void process_clear(struct process *process, bool crash);

/* The program of a process ends, and its machine knows its status. */
void process_ends(struct process *process, int status);

/* The end of the program that runs. */
void machine_end(int status) __attribute__((noreturn));

void programs_unload(struct world *world);

/* No load of world_add is more than this. */
extern int world_load_most;

/* Stop the run: the program wants what the simulator has not. */
void world_unknown(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* --- thread.c -------------------------------------------------------------------------------- */

/* The thread waits until something happens to its machine, or until a time of the world's clock.
 * False: a signal handler has run. */
bool machine_wait(uint64_t until);

/* Something has happened to a machine: the threads look that wait for that. */
void machine_wake(struct world_machine *machine);

/* --- descriptors.c, and what a descriptor can stand for -------------------------------------- */

struct file;

/* Results below zero are -errno; -EAGAIN: the call waits, unless the file must not block. */
struct file_kind {
    mode_t mode;
    unsigned (*events)(struct file *file); /* EPOLLIN and so on: what is so now */
    ssize_t (*read)(struct file *file, void *data, size_t size);
    ssize_t (*write)(struct file *file, const void *data, size_t size);
    void (*close)(struct file *file, bool crash); /* CRASH: no peer is told */
};

struct file {
    const struct file_kind *kind;
    struct world_machine *machine;
    int users; /* descriptors, and calls that wait */
    bool nonblocking;
    struct watch *watches; /* of epoll instances */
};

/* The next one of the files that the programs of a machine have open; NULL: there is no more. */
struct files {
    struct process *process;
    int fd;
};
struct file *files_next(struct files *files);

/* The file of a descriptor, or NULL with errno. A call begins with it: another thread can go on first. */
struct file *file_at(int fd);

/* The same within a call. */
struct file *file_of(int fd);

/* FILE is at FD of the process that runs, from now on. */
void file_put(int fd, struct file *file);

/* The lowest free descriptor from LEAST on, for FILE: -1 with errno, and a new file is closed. */
int file_install(struct file *file, int least);
void file_drop(struct file *file, bool crash);

/* Something has happened to a file: epoll and the program look. */
void file_changed(struct file *file);

/* What a call returns for VALUE, which is -errno below zero. */
ssize_t result(ssize_t value);

/* A call that waits keeps its file, also if another thread, or a handler, closes the descriptor. A member of the list
 * of its thread, on its stack. */
struct hold {
    struct hold *next;
    struct file *file;
};

void file_hold(struct hold *hold, struct file *file);
void file_release(struct hold *hold);

/* The result of OPERATION at FILE; until that is not -EAGAIN, a call that may block waits. */
#define AFTER_WAIT(file, nonblocking, operation)                    \
    __extension__({                                                 \
        struct hold hold_;                                          \
        ssize_t value_;                                             \
        file_hold(&hold_, file);                                    \
        while ((value_ = (operation)) == -EAGAIN && !(nonblocking)) \
            if (!machine_wait(NEVER)) {                             \
                value_ = -EINTR;                                    \
                break;                                              \
            }                                                       \
        file_release(&hold_);                                       \
        result(value_);                                             \
    })

/* --- platter.c and disk.c --------------------------------------------------------------------- */

int disk_open(const char *name, int flags);
off_t disk_size(struct file *file); /* 0, if it is no file of a disk */
void disk_crash(struct world_machine *machine);
void disk_free(struct world_machine *machine);

/* --- console.c ------------------------------------------------------------------------------- */

/* Open the console: descriptors 0 to 2. */
void console_open(struct process *process);
void console_print(struct world_machine *machine, const char *text, size_t size);

/* --- epoll.c --------------------------------------------------------------------------------- */

void watches_notify(struct file *file);
void watches_remove(struct file *file);

/* --- socket.c and transfer.c; below them connection.c and datagram.c ------------------------- */

/* SO_KEEPALIVE, what TCP_KEEPIDLE and so on say of it, and TCP_USER_TIMEOUT. */
enum keep { KEEP_ALIVE, KEEP_IDLE, KEEP_INTERVAL, KEEP_COUNT, USER_TIMEOUT, KEEPS };

struct socket {
    struct file file;
    enum { FRESH, LISTENS, CONNECTS, CONNECTED, FAILED } state;
    struct sockaddr_in local, peer;
    bool bound, lingers;  /* LINGERS: by SO_LINGER, for no time, so that a close is a reset */
    bool shares;          /* its port, by SO_REUSEPORT */
    int error;            /* SO_ERROR */
    unsigned keep[KEEPS]; /* what is done about a peer of which nothing is heard */
    int backlog, waiting; /* of a listener: places, and sockets in them; WAITING: datagrams, too */
    struct socket *first, *next; /* of a listener; the next in its queue */
    struct connection *connection;
    int end; /* which of the two it is */
    bool shut_read, shut_write;
    struct datagram *datagrams; /* of a socket for them, which have come */
    struct world_machine *to;   /* where those go, if it is connected */
};

extern const struct file_kind socket_kind, datagram_kind, unix_kind;

struct socket *socket_new(struct world_machine *machine);

/* The socket of a descriptor, or NULL with errno. */
struct socket *socket_at(int fd);

/* The machine to which ADDRESS leads from here, or NULL. */
struct world_machine *socket_destination(const struct sockaddr_in *address);

/* What a peer sees as the address of a socket: of a message to TARGET, at TO. */
struct sockaddr_in socket_source(const struct socket *socket, const struct world_machine *to,
                                 const struct sockaddr_in *target);

/* A socket without a port gets one. */
void socket_bind_any(struct socket *socket);

/* As getsockname returns a name: it is cut to *LENGTH bytes. */
int socket_name(const struct sockaddr_in *name, struct sockaddr *to, socklen_t *length);

ssize_t datagram_send(struct socket *socket, const struct msghdr *message);
ssize_t datagram_receive(struct socket *socket, void *data, size_t size, bool peek,
                         struct sockaddr_in *from, bool *cut);
void datagrams_free(struct world *world);

/* The error that the next call returns, once. */
int socket_take_error(struct socket *socket);

/* unix.c: a socket without a network. Results below zero are -errno. */
struct socket *unix_new(bool nonblocking);
int unix_bind(struct socket *socket, const struct sockaddr *address, socklen_t length);
ssize_t unix_connect(struct socket *socket, const struct sockaddr *address, socklen_t length);
int unix_name(const struct socket *socket, bool peer, struct sockaddr *to, socklen_t *length);
ssize_t unix_receive(struct socket *socket, void *data, size_t size, bool peek);
void unix_shut(struct socket *socket);

void socket_keep_defaults(struct socket *socket);

/* An option of enum keep; false: it is another one. */
bool socket_set_keep(struct socket *socket, int level, int option, unsigned value);

/* It is connected, or an option is set: it asks its peer from now on, if it is to. */
void connection_keep(struct socket *socket);

void connection_begin(struct socket *socket, struct world_machine *to);
size_t connection_readable(const struct socket *socket); /* bytes */
bool connection_ended(const struct socket *socket);      /* behind those bytes is the end */
size_t connection_room(const struct socket *socket);
size_t connection_read(struct socket *socket, void *data, size_t size, bool peek);
size_t connection_write(struct socket *socket, const void *data, size_t size);
void connection_finish(struct socket *socket);            /* nothing more is sent */
void connection_close(struct socket *socket, bool reset); /* the socket goes */
void connection_lose(struct socket *socket);              /* at a crash */
bool connections_between(const struct world_machine *one, const struct world_machine *other);
void connections_free(struct world *world);

/* --- memory.c, signals.c, clock.c ------------------------------------------------------------ */

void memory_free_all(struct process *process);

/* Run the handlers of pending signals that the thread does not block; whether there was one. */
bool signals_deliver(void);

/* A process gets a signal. The first thread that does not block it goes on, and handles it. */
void signal_send(struct process *process, int number);

/* The monotonic clock of a machine, and the world's time at which it shows LOCAL. */
uint64_t clock_now(const struct world_machine *machine);
uint64_t clock_reaches(const struct world_machine *machine, uint64_t local);

/* The world's time at which CLOCK_MONOTONIC or CLOCK_REALTIME of this machine shows TIME; now or
 * earlier: it is over. */
uint64_t clock_when(clockid_t which, const struct timespec *time);

#endif
