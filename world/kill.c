/* kill.c - signals that are sent: a thread goes on, and handles it
 * SPDX-License-Identifier: MIT */
#include "threads.h"

#include "calls.h"

#include <errno.h>

void signal_send(struct process *process, int number, struct sent sent)
{
    struct thread *thread = process->threads;

    if (signals_ignored(thread, number))
        return;
    signals_add(&process->pending, number, sent);
    while (thread && (thread->done || thread->mask & ~thread->awaits & signal_bit(number)))
        thread = thread->next;
    if (thread)
        thread_wake(thread);
}

void process_signal(struct process *process, int number, pid_t by)
{
    struct world_machine *machine = process->machine;

    if (process == machine->first)
        trace(machine, "gets signal %d", number);
    else
        trace(machine, "its process %d gets signal %d", (int)process->number, number);
    if (number != SIGKILL) {
        signal_send(process, number, (struct sent){SI_USER, 0, by});
        return;
    }
    process_ends(process, 128 + number, number);
    process->clear(process, false);
}

bool process_is_meant(const struct process *process, pid_t number)
{
    return number > 0    ? process->number == number
           : number == 0 ? process->group == running->group
                         : process->group == -number;
}

/* Its own signal is handled before the call returns, unless the thread blocks it. */
static void signal_self(int number)
{
    int error = errno;

    signal_send(running, number, (struct sent){SI_USER, 0, running->number});
    signals_deliver();
    errno = error;
}

/* The process that runs is the last of those that are meant: it can end by that. */
int call_kill(pid_t number, int signal)
{
    bool any = false;
    pid_t last = 0;

    machine_calls();
    if (signal < 0 || signal >= SIGNALS)
        return (int)result(-EINVAL);
    if (number == -1)
        world_unknown("kill of all processes");
    for (struct process *process = here->processes; process;) {
        bool meant = process->number > last && process_is_meant(process, number);

        last = process->number > last ? process->number : last;
        any |= meant;
        if (meant && signal && process != running && !process->cleared) {
            process_signal(process, signal, running->number);
            process = here->processes; /* it can be gone, with others */
        } else {
            process = process->next;
        }
    }
    if (!any)
        return (int)result(-ESRCH);
    if (signal && process_is_meant(running, number))
        signal_self(signal);
    return 0;
}

int call_pthread_kill(pthread_t number, int signal)
{
    struct thread *thread = thread_at(number);

    if (!thread)
        return ESRCH;
    if (signal < 0 || signal >= SIGNALS)
        return EINVAL;
    if (thread == running->thread)
        return signal ? call_raise(signal) : 0;
    if (signal && !thread->done && !signals_ignored(thread, signal)) {
        signals_add(&thread->pending, signal, (struct sent){SI_TKILL, 0, running->number});
        if (!(thread->mask & ~thread->awaits & signal_bit(signal)))
            thread_wake(thread);
    }
    return 0;
}

int call_sigsuspend(const sigset_t *set)
{
    signals_mask_begin(running->thread, set);
    call_pause();
    signals_mask_end(running->thread);
    return -1;
}

/* A signal that is pending, although it is blocked. */
int call_sigtimedwait(const sigset_t *set, siginfo_t *about, const struct timespec *span)
{
    struct thread *self = running->thread;
    uint64_t end = NEVER;
    struct sent sent;
    int number, error = 0;

    machine_calls();
    thread_meets();
    if (span && !span_is_valid(span))
        return (int)result(-EINVAL);
    if (span)
        end = clock_now(here) + (uint64_t)span->tv_sec * WORLD_S + (uint64_t)span->tv_nsec;
    self->awaits = signals_of(set);
    while (!(number = signals_take(signals_of(set), &sent)) && !error) {
        if (span && clock_now(here) >= end)
            error = EAGAIN;
        else if (!machine_wait(span ? clock_reaches(here, end) : NEVER))
            error = EINTR;
    }
    self->awaits = 0;
    if (number && about) {
        memset(about, 0, sizeof *about);
        about->si_signo = number;
        about->si_code = sent.code == SI_TKILL ? SI_USER : sent.code; /* as the C library has it */
        about->si_pid = sent.by;
        if (number == SIGCHLD)
            about->si_status = sent.status;
    }
    return number ? number : (int)result(-error);
}

int call_sigwaitinfo(const sigset_t *set, siginfo_t *about)
{
    return call_sigtimedwait(set, about, NULL);
}

int call_sigwait(const sigset_t *set, int *number)
{
    while ((*number = call_sigtimedwait(set, NULL, NULL)) < 0) {
    }
    return 0;
}

int call_pause(void)
{
    while (machine_wait(NEVER)) {
    }
    return (int)result(-EINTR);
}
