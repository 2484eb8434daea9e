/* process.h - child processes: start one, talk to it, wait for its end; or all of that in one call
 * SPDX-License-Identifier: MIT
 *
 *     static const char *const words[] = {"sort", "-r", NULL};
 *     PT_WITH_TIMEOUT(&self->limit, PT_SEC(5))
 *         PT_WAIT_COMPLETE(&self->sort, pt_run_process, .system = &sys, .process.words = words,
 *                          .input = "pear\nplum\n", .input_size = 10,
 *                          .output = self->text, .output_size = sizeof self->text);
 *     if (self->sort.pt.status != PT_OK)                a timeout has killed it, or it has failed
 *         puts(pt_process_error_text(&self->sort.end, self->sort.pt.status, self->why, 80));
 *
 * Step by step, for a child to talk to: its pipes are descriptors, for PT_READ and PT_WRITE, and
 * streams, by pt_io_stream, for readers and writers.
 *
 *     self->child.words = words;
 *     self->child.in = self->child.out = PT_PROCESS_PIPE;
 *     self->child.group = true;
 *     if (pt_process_start(&self->child, &sys) != PT_OK)
 *         PT_RETURN(PT_EIO);                            the reason is self->child.error
 *     PT_WITH_GROUP(&self->group, PT_GROUP_ALL_OR_NONE) {
 *         PT_SPAWN_IN(&self->group, &self->end, pt_wait_process, .system = &sys,
 *                     .pid = self->child.pid, .kill = true);
 *         PT_SPAWN_IN(&self->group, &self->feeder, feed, .io = &self->child.input);
 *         PT_WAIT_COMPLETE(&self->lines, print_lines, .io = &self->child.output);
 *     }
 *
 * However the block ends, the child has ended then; if it fails, the others are canceled. A child
 * that fills a pipe which nobody reads waits for ever: so a task writes, and another one reads. In
 * pt_run_process that cannot happen: it does whichever is possible.
 *
 * A pipeline is one program, {"sh", "-c", "sort | uniq -c", NULL}: a timeout kills all of it.
 * Without a shell it is a pipe(2), and a task of pt_run_process at each end, in a group. Close both
 * descriptors of the pipe after the spawns and a PT_YIELD: then the programs have them. As long as
 * this program has the end for writing, the reader does not find the end of its input.
 *
 * A function waits for its own child only: it leaves the children of other libraries alone. */
#ifndef PT_PROCESS_H
#define PT_PROCESS_H

#include "io.h"

#include "../sync/select.h"

/* What a child has at 0, 1 and 2, instead of 0: the same as this program. Or a descriptor above 0:
 * the child gets a copy of that when it starts; the caller closes its own. */
enum {
    PT_PROCESS_PIPE = -1,  /* a pipe; this program has its other end as an open pt_io */
    PT_PROCESS_NULL = -2,  /* /dev/null */
    PT_PROCESS_OUTPUT = -3 /* at 2: the same as at 1, which must not be closed */
};

/* A program to start, and the child. What is zero is inherited. A NULL ends each list of words.
 * Zero all of it before its first start, as a frame is. It must not move while a pipe is open.
 * A signal of the terminal reaches all of this program's group, and no other one. A child with a
 * group of its own gets none of them; kill(-pid, SIGTERM) reaches all that it has started. */
struct pt_process {
    const char *const *words;       /* the program, found by PATH, and its arguments */
    const char *const *environment; /* "NAME=value": all of its environment */
    const char *const *variables;   /* those to add; "NAME", without a =, is one to remove */
    const char *directory;          /* where it starts; a relative path in words[0] begins there */
    int in, out, err;               /* what it has at 0, 1, 2 */
    const int *handed;              /* descriptors: it has copies at 3, 4, ...; -1 ends the list */
    bool group;                     /* it leads a process group of its own */
    pid_t pid;                      /* the child; pt_process_start writes this and the rest */
    int error;                      /* an errno, or 0 */
    struct pt_io input;             /* this program's end of the pipe at 0: write to it */
    struct pt_io output, errors;    /* and of those at 1 and 2: read from them */
};

/* pt_process_start - start the program of PROCESS; the caller closes the ends of its pipes
 * They are those of SYSTEM, which can be NULL if there is none.
 * The child has what the fields say at 0, 1, 2 and behind, and no other descriptor, also if one
 * does not close on exec. It blocks no signal, and SIGPIPE and SIGCHLD have their default actions.
 * Other signals that this process ignores are ignored there, too (SIGHUP, after nohup).
 * PT_OK; PT_EIO with process->error: no such program (ENOENT), none that may be run (EACCES), no
 * such directory, ...; PT_ENOMEM; PT_EINVAL if a field has none of its values; PT_EPERM as
 * pt_io_open. On an error there is no child, its pid is 0, and no pipe is open.
 * It waits until the child runs the program: often less than a millisecond, on a busy machine
 * several. */
PT_EXPORT pt_status pt_process_start(struct pt_process *process, struct pt_system *system);

/* The frame of pt_wait_process: wait for the end of a child.
 * PT_OK: it has ended with code 0. PT_EFAILED: with another one, or by a signal. PT_EIO with error,
 * and no kill, if PID is not a child, or was waited for before.
 * Cancel, timeout: the child keeps running, and can be waited for again. With KILL the wait owns
 * the child: a cancel or a timeout kills it (SIGKILL) and all of its group, and the wait goes on to
 * its end; what it has left in its group is killed at its end, too.
 * To let it end by itself first, also in a PT_FINALLY:
 *
 *     kill(-pid, SIGTERM);                 all of its group; kill(pid, SIGTERM), it alone
 *     PT_WITH_TIMEOUT(&self->grace, PT_SEC(5))
 *         PT_WAIT_COMPLETE(&self->end, pt_wait_process, .system = &sys, .pid = pid, .kill = true);
 *
 * If SIGCHLD is ignored, which a program can inherit, or has SA_NOCLDWAIT, the system
 * throws the codes of children away. So this and pt_process_start end that: from then on
 * SIGCHLD has its default action, or the program's handler. A child of another origin that
 * has ended before gets PT_EIO. */
struct pt_wait_process {
    struct pt pt;
    struct pt_system *system; /* the caller sets this and the next two */
    pid_t pid;                /* the child */
    bool kill;
    int code;        /* its exit code, or -1; the function writes this and the rest */
    int signal;      /* the signal that ended it, or 0 */
    int error;       /* an errno, or 0 */
    struct pt_io io; /* a pidfd, where the system has one; else closed */
};

PT_EXPORT PT_DECLARE(pt_wait_process);

/* pt_process_error_text - why a wait or a run ended with STATUS, in words, into SIZE bytes
 * The code or the signal of END, the errno of a PT_EIO in the system's words, else pt_status_text.
 * The text ends with a 0; 80 bytes are enough. Returns TEXT. */
PT_EXPORT const char *pt_process_error_text(const struct pt_wait_process *end, pt_status status,
                                            char *text, size_t size);

/* The frame of pt_run_process: run a program, write its input, keep its output, wait for its end.
 * The program leads a process group. When the program ends, what it has left in the group is
 * killed (SIGKILL); a cancel, a timeout or a failure kills the program and all of the group, and
 * the task waits for the program's end.
 * It has a pipe or, without .input, /dev/null at 0; a pipe at 1 if there is .output, and at 2 if
 * there is .errors; unless process.in, .out and .err say otherwise.
 * PT_OK: it has ended with code 0, maybe without reading all. PT_EFAILED: with another code, or by
 * a signal; the output is as complete as after PT_OK. PT_ERANGE: it has written more than
 * OUTPUT_SIZE bytes; more than ERRORS_SIZE are no failure, and the rest is dropped. Otherwise as
 * pt_process_start, with end.error; PT_EIO also if a pipe fails, because what is lost would be
 * silent, and with ECHILD, and no kill, if somebody else has waited for it. PT_EINVAL: a pipe at 2
 * without .errors. */
struct pt_run_process {
    struct pt pt;
    struct pt_system *system;  /* the caller sets this and the next seven */
    struct pt_process process; /* of this, words and whatever it needs */
    const char *input;         /* what the program reads; it must stay valid until the end */
    size_t input_size;
    char *output; /* where the bytes go that it writes at 1 */
    size_t output_size;
    char *errors; /* and at 2 */
    size_t errors_size;
    size_t length;        /* how many bytes of output; the function writes this and the rest */
    size_t errors_length; /* how many at 2: if more than ERRORS_SIZE, some were dropped */
    size_t put;           /* how much of the input is written */
    struct pt_wait_process end; /* its code, signal and error; its io is private, as the next */
    PT_SELECTION(5) next;
};

PT_EXPORT PT_DECLARE(pt_run_process);

#endif
