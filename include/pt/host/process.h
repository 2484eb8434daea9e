/* process.h - child processes: started, and awaited
 * SPDX-License-Identifier: MIT
 *
 *     pt_process_start(&self->pid, (const char *const[]){"sort", "in", NULL});
 *     PT_WAIT_COMPLETE(&self->end, pt_wait_process, .system = &system, .pid = self->pid);
 *     ... self->end.code
 *
 * Only that child is waited for: those of other libraries are theirs. */
#ifndef PT_PROCESS_H
#define PT_PROCESS_H

#include "io.h"

/* The frame of pt_wait_process: wait for the end of a child. PT_EIO with error if it is none, or was
 * waited for. Cancel, timeout: the child goes on, and can be waited for again. */
struct pt_wait_process {
    struct pt pt;
    struct pt_system *system; /* the caller's choice, as the next */
    pid_t pid;                /* the child */
    int code;                 /* its exit code, or -1; written here, as what follows */
    int signal;               /* the signal that ended it, or 0 */
    int error;                /* an errno, or 0 */
    struct pt_io io;          /* by which the system tells, where it can */
};

#ifdef __cplusplus
extern "C" {
#endif

PT_EXPORT PT_DECLARE(pt_wait_process);

/* pt_process_start - start program WORDS[0], found by PATH, with these words, up to a NULL
 * With this process's descriptors, but those that close on exec; its signals are as at first. PT_OK, or
 * PT_EIO with errno. */
PT_EXPORT pt_status pt_process_start(pid_t *pid, const char *const words[]);

#ifdef __cplusplus
}
#endif

#endif
