/* signals.c - signals: a handler runs when its thread waits, or where another one goes on first
 * SPDX-License-Identifier: MIT
 *
 * No thread is interrupted between two calls. */
#include "threads.h"

#include "calls.h"

#include <errno.h>

/* The first word of a set has the signals up to 64. */
uint64_t signals_of(const sigset_t *set)
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

static bool deliver_pending(void);

/* Run a handler, with the signals blocked that it wants to be. As in Linux what else is pending comes before its first
 * line. */
static void handle(int number, const struct sigaction *action, struct sent sent)
{
    struct thread *self = running->thread;
    uint64_t before = self->keeps ? self->kept : self->mask;
    siginfo_t about = {.si_signo = number, .si_code = sent.code};

    about.si_pid = sent.by;
    if (number == SIGCHLD)
        about.si_status = sent.status;
    self->keeps = false;
    self->mask |= signals_of(&action->sa_mask);
    if (!(action->sa_flags & SA_NODEFER))
        self->mask |= signal_bit(number);
    if ((unsigned)action->sa_flags & SA_RESETHAND)
        running->actions[number].sa_handler = SIG_DFL;
    deliver_pending();
    if (action->sa_flags & SA_SIGINFO)
        action->sa_sigaction(number, &about, NULL);
    else
        action->sa_handler(number);
    self->mask = before;
}

/* Do what the program wants done about a signal; whether a handler has run. */
static bool deliver(int number, struct sent sent)
{
    const struct sigaction action = running->actions[number];

    if (action.sa_handler == SIG_DFL)
        deliver_by_default(number);
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)
        return false;
    handle(number, &action, sent);
    return true;
}

/* The first of these signals that is pending for a thread, those for it alone before others; or 0. */
static int first_of(const struct thread *thread, uint64_t bits)
{
    uint64_t own = thread->pending.bits & bits,
             pending = own ? own : thread->process->pending.bits & bits;

    return pending ? __builtin_ctzll(pending) + 1 : 0;
}

int signals_next(const struct thread *thread)
{
    return first_of(thread, ~thread->mask);
}

int signals_take(uint64_t bits, struct sent *sent)
{
    struct thread *self = running->thread;
    int number = first_of(self, bits);
    struct signals *from =
        number && self->pending.bits & signal_bit(number) ? &self->pending : &running->pending;

    if (!number)
        return 0;
    from->bits &= ~signal_bit(number);
    *sent = from->sent[number];
    return number;
}

void signals_add(struct signals *pending, int number, struct sent sent)
{
    if (pending->bits & signal_bit(number) && number >= REAL_TIME)
        world_unknown("signal %d a second time while it is pending: it would be queued", number);
    if (!(pending->bits & signal_bit(number)))
        pending->sent[number] = sent;
    pending->bits |= signal_bit(number);
}

static bool deliver_pending(void)
{
    struct sent sent;
    bool any = false;
    int number;

    while ((number = signals_take(~running->thread->mask, &sent)))
        any |= deliver(number, sent);
    return any;
}

bool signals_deliver(void)
{
    struct thread *self = running->thread;
    int number = signals_next(self);
    bool restarts = number && running->actions[number].sa_flags & SA_RESTART,
         any = deliver_pending();

    self->restarts = restarts || !any;
    return any;
}

static bool does_nothing(const struct process *process, int number)
{
    __sighandler_t handler = process->actions[number].sa_handler;

    return handler == SIG_IGN || (handler == SIG_DFL && (number == SIGCHLD || number == SIGCONT ||
                                                         number == SIGURG || number == SIGWINCH));
}

bool signals_ignored(const struct thread *thread, int number)
{
    return !(thread->mask & signal_bit(number)) && does_nothing(thread->process, number);
}

bool signals_restart(void)
{
    return running->thread->restarts;
}

/* To the thread that runs; it returns behind the handler, unless the signal is blocked. */
int call_raise(int number)
{
    int error = errno;

    if (number < 0 || number >= SIGNALS)
        return (int)result(-EINVAL);
    if (!number || signals_ignored(running->thread, number))
        return 0;
    signals_add(&running->thread->pending, number, (struct sent){SI_TKILL, 0, running->number});
    signals_deliver();
    errno = error;
    return 0;
}

int call_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    if (number < 1 || number >= SIGNALS || (action && (number == SIGKILL || number == SIGSTOP)))
        return (int)result(-EINVAL);
    if (old)
        *old = running->actions[number];
    if (!action)
        return 0;
    running->actions[number] = *action;
    if (!does_nothing(running, number))
        return 0;
    running->pending.bits &= ~signal_bit(number); /* it is forgotten, also if it is blocked */
    for (struct thread *thread = running->threads; thread; thread = thread->next)
        thread->pending.bits &= ~signal_bit(number);
    return 0;
}

__sighandler_t call_signal(int number, __sighandler_t handler)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;

    return call_sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

void signals_mask_begin(struct thread *thread, const sigset_t *set)
{
    if (!set)
        return;
    thread->kept = thread->mask;
    thread->keeps = true;
    thread->mask = signals_of(set);
}

void signals_mask_end(struct thread *thread)
{
    if (thread->keeps)
        thread->mask = thread->kept;
    thread->keeps = false;
}

int call_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    struct thread *self = running->thread;
    uint64_t before = self->mask;

    if (set)
        switch (how) {
        case SIG_BLOCK: self->mask |= signals_of(set); break;
        case SIG_UNBLOCK: self->mask &= ~signals_of(set); break;
        case SIG_SETMASK: self->mask = signals_of(set); break;
        default: return EINVAL;
        }
    if (old) {
        sigemptyset(old);
        memcpy(old, &before, sizeof before);
    }
    signals_deliver();
    return 0;
}

int call_sigpending(sigset_t *set)
{
    const struct thread *self = running->thread;
    uint64_t pending = (self->pending.bits | running->pending.bits) & self->mask;

    sigemptyset(set);
    memcpy(set, &pending, sizeof pending);
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
