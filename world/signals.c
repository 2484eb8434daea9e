/* signals.c - signals: a handler runs when its program waits
 * SPDX-License-Identifier: MIT
 *
 * A program is not interrupted between two calls. A mask blocks nothing. */
#include "kernel.h"

#include "calls.h"

#include <errno.h>

/* Do what the program wants done about a signal; whether a handler has run. */
static bool deliver(int number)
{
    struct sigaction action = here->actions[number];
    siginfo_t about;

    if (action.sa_handler == SIG_IGN)
        return false;
    if (action.sa_handler == SIG_DFL) {
        if (number == SIGCHLD || number == SIGURG || number == SIGWINCH)
            return false;
        machine_end(128 + number);
    }
    if (!(action.sa_flags & SA_SIGINFO)) {
        action.sa_handler(number);
        return true;
    }
    memset(&about, 0, sizeof about);
    about.si_signo = number;
    action.sa_sigaction(number, &about, NULL);
    return true;
}

bool signals_deliver(void)
{
    bool any = false;

    while (here->pending) {
        int number = __builtin_ctzll(here->pending) + 1;

        here->pending &= here->pending - 1;
        any |= deliver(number);
    }
    return any;
}

int call_raise(int number)
{
    int error = errno;

    deliver(number);
    errno = error;
    return 0;
}

int call_kill(pid_t pid, int number)
{
    if (pid != call_getpid())
        world_unknown("kill of another process");
    return number ? call_raise(number) : 0;
}

int call_pause(void)
{
    while (machine_wait(NEVER)) {
    }
    return (int)result(-EINTR);
}

int call_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    if (number < 1 || number >= SIGNALS || number == SIGKILL || number == SIGSTOP)
        return (int)result(-EINVAL);
    if (old)
        *old = here->actions[number];
    if (action)
        here->actions[number] = *action;
    return 0;
}

__sighandler_t call_signal(int number, __sighandler_t handler)
{
    struct sigaction action = {.sa_handler = handler}, old;

    return call_sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

int call_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    if (old)
        sigemptyset(old);
    return 0;
}

int call_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    return call_sigprocmask(how, set, old);
}
