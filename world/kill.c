/* kill.c - signals that are sent: a thread goes on, and handles it
 * SPDX-License-Identifier: MIT */
#include "threads.h"

#include "calls.h"

#include <errno.h>

void signal_send(struct process *process, int number)
{
    struct thread *thread = process->threads;

    process->pending |= signal_bit(number);
    while (thread && (thread->done || thread->mask & signal_bit(number)))
        thread = thread->next;
    if (thread)
        thread_wake(thread);
}

void process_signal(struct process *process, int number)
{
    struct world_machine *machine = process->machine;

    if (process == machine->first)
        trace(machine, "gets signal %d", number);
    else
        trace(machine, "its process %d gets signal %d", (int)process->number, number);
    if (number != SIGKILL) {
        signal_send(process, number);
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
    if (running->thread->mask & signal_bit(number))
        signal_send(running, number);
    else
        call_raise(number);
}

/* The process that runs is the last of those that are meant: it can end by that. */
int call_kill(pid_t number, int signal)
{
    bool any = false;
    pid_t last = 0;

    machine_calls();
    if (number == -1)
        world_unknown("kill of all processes");
    for (struct process *process = here->processes; process;) {
        bool meant = process->number > last && process_is_meant(process, number);

        last = process->number > last ? process->number : last;
        any |= meant;
        if (meant && signal && process != running && !process->cleared) {
            process_signal(process, signal);
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
    if (thread == running->thread)
        return signal ? call_raise(signal) : 0;
    if (signal && !thread->done) {
        thread->pending |= signal_bit(signal);
        if (!(thread->mask & signal_bit(signal)))
            thread_wake(thread);
    }
    return 0;
}

int call_pause(void)
{
    while (machine_wait(NEVER)) {
    }
    return (int)result(-EINTR);
}
