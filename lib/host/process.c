/* process.c - start child processes and wait for their ends, by a pidfd where there is one
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../sites.h"

#include "io/descriptor.h"
#include "../needs.h"

#include <pt/host/process.h>

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* How often to look whether a child without a pidfd has ended. */
#define ASK_EVERY PT_MS(20)

/* While SIGCHLD is ignored, which is inherited, or has SA_NOCLDWAIT, the system throws the codes of
 * children away. An action that the program has chosen stays. */
static void keep_codes(void)
{
    struct sigaction action;

    if (sigaction(SIGCHLD, NULL, &action))
        return;
    if (!(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_IGN)
        action.sa_handler = SIG_DFL;
    else if (!(action.sa_flags & SA_NOCLDWAIT))
        return;
    action.sa_flags &= ~SA_NOCLDWAIT;
    sigaction(SIGCHLD, &action, NULL);
}

pt_status pt_process_start(pid_t *pid, const char *const words[])
{
    posix_spawnattr_t attributes;
    sigset_t signals;

    posix_spawnattr_init(&attributes);
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigaddset(&signals, SIGPIPE); /* pt_system_open ignores it */
    keep_codes();
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    errno =
        posix_spawnp(pid, words[0], NULL, &attributes, (char *const *)(uintptr_t)words, environ);
    posix_spawnattr_destroy(&attributes);
    if (errno)
        *pid = 0;
    return errno ? PT_EIO : PT_OK;
}

/* Open a pidfd, which becomes readable when the child ends, if the system has one. */
static void watch(struct pt_wait_process *self)
{
    int fd = -1;

    self->io.system = NULL;
    self->code = -1;
    self->signal = self->error = 0;
    keep_codes();
#if defined(SYS_pidfd_open) && !defined(PT_PLAIN_UNIX)
    fd = (int)syscall(SYS_pidfd_open, self->pid, 0);
#endif
    if (fd >= 0 && pt_io_adopt_(&self->io, self->system, fd, PT_IO_OTHER_) != PT_OK)
        close(fd);
}

/* Ask for the end of CHILD, as waitpid(2). There, a number below 1 stands for any child. */
static pid_t ask(pid_t child, int *status)
{
    pid_t pid;

    if (child <= 0) {
        errno = ECHILD;
        return -1;
    }
    do
        pid = waitpid(child, status, WNOHANG);
    while (pid < 0 && errno == EINTR);
    return pid;
}

/* Whether it has ended, or cannot be waited for. */
static bool has_ended(struct pt_wait_process *self)
{
    int status = 0;
    pid_t pid = ask(self->pid, &status);

    if (pid < 0)
        self->error = errno;
    else if (pid && WIFEXITED(status))
        self->code = WEXITSTATUS(status);
    else if (pid)
        self->signal = WTERMSIG(status);
    return pid != 0;
}

PT_ASYNC(pt_wait_process, self)
{
    PT_NEEDS_FIELD_(self, system, "pt_wait_process");
    watch(self);
    while (!has_ended(self)) {
        if (self->io.system)
            PT_WAIT_READABLE(&self->io);
        else
            PT_WAIT(ASK_EVERY);
    }
    PT_RETURN(self->error ? PT_EIO : PT_OK);
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END
