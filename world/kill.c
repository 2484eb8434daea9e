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

int call_kill(pid_t pid, int number)
{
    if (pid != call_getpid())
        world_unknown("kill of another process");
    if (number && running->thread->mask & signal_bit(number))
        signal_send(running, number);
    else if (number)
        call_raise(number);
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
