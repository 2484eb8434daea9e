/* signals.c - signals: a handler runs when its thread waits
 * SPDX-License-Identifier: MIT
 *
 * No thread is interrupted between two calls. */
#include "threads.h"

#include "calls.h"

#include <errno.h>

/* The first word of a set has the signals up to 64. */
static uint64_t bits_of(const sigset_t *set)
{
    uint64_t bits;

    memcpy(&bits, set, sizeof bits);
    return bits & ~(signal_bit(SIGKILL) | signal_bit(SIGSTOP));
}

/* What a signal does that the program says nothing about. */
static void deliver_by_default(int number)
{
    switch (number) {
    case SIGCHLD:
    case SIGCONT:
    case SIGURG:
    case SIGWINCH: return;
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU: world_unknown("signal %d, which stops a program", number);
    default: machine_end(128 + number, number);
    }
}

/* Run a handler, with the signals blocked that it wants to be. */
static void handle(int number, const struct sigaction *action)
{
    struct thread *self = running->thread;
    uint64_t before = self->mask;
    siginfo_t about = {.si_signo = number};

    self->mask |= bits_of(&action->sa_mask);
    if (!(action->sa_flags & SA_NODEFER))
        self->mask |= signal_bit(number);
    if ((unsigned)action->sa_flags & SA_RESETHAND)
        running->actions[number].sa_handler = SIG_DFL;
    if (action->sa_flags & SA_SIGINFO)
        action->sa_sigaction(number, &about, NULL);
    else
        action->sa_handler(number);
    self->mask = before;
}

/* Do what the program wants done about a signal; whether a handler has run. */
static bool deliver(int number)
{
    const struct sigaction action = running->actions[number];

    if (action.sa_handler == SIG_DFL)
        deliver_by_default(number);
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)
        return false;
    running->thread->restarts &= (action.sa_flags & SA_RESTART) != 0;
    handle(number, &action);
    return true;
}

int signals_next(const struct thread *thread)
{
    uint64_t pending = (thread->process->pending | thread->pending) & ~thread->mask;

    return pending ? __builtin_ctzll(pending) + 1 : 0;
}

bool signals_deliver(void)
{
    struct thread *self = running->thread;
    bool any = false;
    int number;

    self->restarts = true;
    while ((number = signals_next(self))) {
        if (self->pending & signal_bit(number))
            self->pending &= ~signal_bit(number);
        else
            running->pending &= ~signal_bit(number);
        any |= deliver(number);
    }
    return any;
}

bool signals_restart(void)
{
    return running->thread->restarts;
}

/* To the thread that runs; it returns behind the handler, unless the signal is blocked. */
int call_raise(int number)
{
    int error = errno;

    running->thread->pending |= signal_bit(number);
    signals_deliver();
    errno = error;
    return 0;
}

int call_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    if (number < 1 || number >= SIGNALS || number == SIGKILL || number == SIGSTOP)
        return (int)result(-EINVAL);
    if (old)
        *old = running->actions[number];
    if (action)
        running->actions[number] = *action;
    return 0;
}

__sighandler_t call_signal(int number, __sighandler_t handler)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;

    return call_sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

void signals_mask(struct thread *thread, const sigset_t *set)
{
    if (set)
        thread->mask = bits_of(set);
}

int call_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    struct thread *self = running->thread;
    uint64_t before = self->mask;

    if (set)
        switch (how) {
        case SIG_BLOCK: self->mask |= bits_of(set); break;
        case SIG_UNBLOCK: self->mask &= ~bits_of(set); break;
        case SIG_SETMASK: self->mask = bits_of(set); break;
        default: return EINVAL;
        }
    if (old) {
        sigemptyset(old);
        memcpy(old, &before, sizeof before);
    }
    signals_deliver();
    return 0;
}

int call_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    return (int)result(-call_pthread_sigmask(how, set, old));
}

/* A real fault ends the process and names the machine: its handler never runs, and needs no stack. */
int call_sigaltstack(const stack_t *stack, stack_t *old)
{
    if (old)
        *old = (stack_t){.ss_flags = SS_DISABLE};
    return 0;
}
