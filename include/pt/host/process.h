/* process.h - start a child process and wait for its end
 * SPDX-License-Identifier: MIT
 *
 *     pt_process_start(&self->pid, (const char *const[]){"sort", "in", NULL});
 *     PT_WAIT_COMPLETE(&self->end, pt_wait_process, .system = &sys, .pid = self->pid);
 *     printf("%d\n", self->end.code);
 *
 * It waits for that child only: it leaves the children of other libraries alone. The child is in
 * the process group of this program, so a signal to a shell leaves what the shell has started. To
 * end all of it, give it a group of its own, and signal that; until
 * setsid(1) has made it, the child:
 *
 *     pt_process_start(&self->pid, (const char *const[]){"setsid", "sh", "-c", line, NULL});
 *     if (kill(-self->pid, SIGTERM) != 0)
 *         kill(self->pid, SIGTERM); */
#ifndef PT_PROCESS_H
#define PT_PROCESS_H

#include "io.h"

/* The frame of pt_wait_process: wait for the end of a child. PT_EIO with error if PID is not a
 * child, or was waited for before. Cancel, timeout: the child keeps running, and can be waited for
 * again.
 * If SIGCHLD is ignored, which a program can inherit, or has SA_NOCLDWAIT, the system
 * throws the codes of children away. So this and pt_process_start end that: from then on
 * SIGCHLD has its default action, or the program's handler. A child of another origin that
 * has ended before gets PT_EIO. */
struct pt_wait_process {
    struct pt pt;
    struct pt_system *system; /* the caller sets this and the next */
    pid_t pid;                /* the child */
    int code;                 /* its exit code, or -1; the function writes this and the rest */
    int signal;               /* the signal that ended it, or 0 */
    int error;                /* an errno, or 0 */
    struct pt_io io;          /* a pidfd, where the system has one; else closed */
};

PT_EXPORT PT_DECLARE(pt_wait_process);

/* pt_process_start - start program WORDS[0], found by PATH; WORDS, up to a NULL, are its arguments
 * It inherits the descriptors of this process, except those that close on exec. It blocks no
 * signal, and SIGPIPE and SIGCHLD have their default actions. Other signals that this process
 * ignores are ignored there, too (SIGHUP, after nohup). PT_OK; PT_EIO with errno, and *PID is 0. */
PT_EXPORT pt_status pt_process_start(pid_t *pid, const char *const words[]);

#endif
