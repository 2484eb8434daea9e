/* child.c - the ends of programs that a program has started
 * SPDX-License-Identifier: MIT
 *
 *     starts ──► runs ──► has ended, and its parent has not asked ──► is no more
 *                  └── its parent has ended, or wants no statuses ───►
 */
#include "threads.h"

#include "calls.h"

#include <errno.h>

/* --- descriptors for ends -------------------------------------------------------------------- */

struct pidfd {
    struct file file;
    struct pidfd *next;
    struct process *process; /* NULL: it is no more */
};

static unsigned pidfd_events(struct file *file)
{
    const struct pidfd *pidfd = (struct pidfd *)(void *)file;

    return !pidfd->process || pidfd->process->cleared ? EPOLLIN : 0;
}

static ssize_t pidfd_read(struct file *file, void *data, size_t size)
{
    return -EINVAL;
}

static ssize_t pidfd_write(struct file *file, const void *data, size_t size)
{
    return -EINVAL;
}

static void pidfd_close(struct file *file, bool crash)
{
    struct pidfd *pidfd = (struct pidfd *)(void *)file,
                 **link = pidfd->process ? &pidfd->process->pidfds : NULL;

    while (link && *link != pidfd)
        link = &(*link)->next;
    if (link)
        *link = pidfd->next;
    free(pidfd);
}

static const struct file_kind pidfd_kind = {0, pidfd_events, pidfd_read, pidfd_write, pidfd_close};

int pidfd_make(pid_t number)
{
    struct process *process = here->processes;
    struct pidfd *pidfd;

    while (process && process->number != number)
        process = process->next;
    if (!process)
        return (int)result(-ESRCH);
    pidfd = calloc(1, sizeof *pidfd);
    if (!pidfd)
        abort();
    pidfd->file.kind = &pidfd_kind;
    pidfd->file.machine = here;
    pidfd->process = process;
    pidfd->next = process->pidfds;
    process->pidfds = pidfd;
    return file_install(&pidfd->file, 0, true);
}

/* --- the end of a process -------------------------------------------------------------------- */

void process_free(struct process *process)
{
    struct process **link = &process->machine->processes;

    while (*link != process)
        link = &(*link)->next;
    *link = process->next;
    for (struct pidfd *pidfd = process->pidfds; pidfd; pidfd = pidfd->next)
        pidfd->process = NULL; /* it stays readable */
    free(process);
}

/* A parent that ignores the signal wants no status. */
void process_told(struct process *process)
{
    const struct sigaction *action = process->parent ? &process->parent->actions[SIGCHLD] : NULL;

    if (action && (action->sa_flags & SA_NOCLDWAIT ||
                   (!(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_IGN)))
        process->parent = NULL;
    else if (action)
        signal_send(process->parent, SIGCHLD,
                    (struct sent){process->signal ? CLD_KILLED : CLD_EXITED,
                                  process->signal ? process->signal : process->status,
                                  process->number});
    for (const struct pidfd *pidfd = process->pidfds; pidfd; pidfd = pidfd->next)
        file_changed((struct file *)(void *)pidfd);
    machine_wake(process->machine);
}

/* --- waits ----------------------------------------------------------------------------------- */

/* A child that has ended; NULL: none has. NUMBER as of waitpid; errno is ECHILD if it means no child. */
static struct process *ended_child(pid_t number)
{
    errno = ECHILD;
    for (struct process *process = here->processes; process; process = process->next) {
        if (process->parent != running || (number != -1 && !process_is_meant(process, number)))
            continue;
        errno = 0;
        if (process->cleared)
            return process;
    }
    return NULL;
}

/* The same, when there is one: NULL with errno, which is 0 if none has ended, and DOES_NOT_WAIT. */
static struct process *wait_child(pid_t number, bool does_not_wait)
{
    struct process *child;

    machine_calls();
    thread_meets();
    while (!(child = ended_child(number)) && !errno && !does_not_wait)
        if (!machine_wait(NEVER) && !signals_restart()) {
            errno = EINTR;
            break;
        }
    return child;
}

pid_t call_waitpid(pid_t number, int *status, int options)
{
    struct process *child;

    if (options & ~WNOHANG)
        world_unknown("waitpid with options %#x", (unsigned)options);
    child = wait_child(number, options & WNOHANG);
    if (!child)
        return errno ? -1 : 0;
    number = child->number;
    if (status)
        *status = child->signal ? child->signal : child->status << 8;
    process_free(child);
    return number;
}

pid_t call_wait(int *status)
{
    return call_waitpid(-1, status, 0);
}

int call_waitid(idtype_t which, id_t number, siginfo_t *about, int options)
{
    struct process *child;

    if ((which != P_PID && which != P_ALL) || options & ~(WEXITED | WNOHANG | WNOWAIT))
        world_unknown("waitid of type %d, with options %#x", (int)which, (unsigned)options);
    child = wait_child(which == P_ALL ? -1 : (pid_t)number, options & WNOHANG);
    memset(about, 0, sizeof *about);
    if (!child)
        return errno ? -1 : 0;
    about->si_signo = SIGCHLD;
    about->si_pid = child->number;
    about->si_code = child->signal ? CLD_KILLED : CLD_EXITED;
    about->si_status = child->signal ? child->signal : child->status;
    if (!(options & WNOWAIT))
        process_free(child);
    return 0;
}
