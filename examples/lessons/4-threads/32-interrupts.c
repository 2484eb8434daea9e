/* 32-interrupts.c - an interrupt sends bytes to a task; on a PC, a signal is the interrupt
 * SPDX-License-Identifier: MIT
 *
 * A ring carries bytes from an interrupt into a loop.
 *
 *     PT_RING(type, n)  a ring of n places for items; PT_RING_OPEN sets it up, pt_ring_close ends
 *                       it
 *     PT_RING_PUT       in the interrupt: put an item in; PT_EOVERRUN if there is no room
 *     PT_RING_GET       in a task: take an item out, or wait for one; PT_ECLOSED after the close
 *     pt_ring_lost      how many items found no room
 *     pt_remote_spawn   an action of a remote: start the task that was prepared
 *     pt_remote_set     an action of a remote: set an event
 *     pt_waker          the shortest way from an interrupt to one task, which it wakes
 *     pt_waker_open     connect a waker with its task
 *     pt_waker_post     in the interrupt: wake that task; on a small part this is one store
 *     pt_waker_close    do what was posted; then the waker is not used again
 *     pt_remote_close   do what was posted; then the remote is not used again
 *     pt_loop_shut      the loop refuses later posts
 *
 * What to notice:
 *   - A ring has two counts: the interrupt writes one, the tasks the other. Neither side waits for
 *     the other, so a byte that finds no room is lost, and counted.
 *   - An interrupt must not start a task or set an event. Its remotes make the loop do that.
 *   - Turn an interrupt off before closing what it uses.
 *
 * Try: give the ring two places. Which line is the last then? */
#include <pt/posix.h>

#include <signal.h>
#include <stdio.h>

static struct pt_loop loop;
static PT_RING(char, 4) rx;
static struct pt_remote answer, overrun;
static struct pt_waker sent;
static struct pt_event trouble;

static void on_byte(int number)
{
    static const char *next = "Hello, you two!";

    (void)number;
    pt_remote_post(PT_RING_PUT(&rx, next++) == PT_OK ? &answer : &overrun);
    pt_waker_post(&sent);
}

struct listener {
    struct pt pt;
    char byte;
};

PT_ASYNC(listener, self)
{
    for (;; printf(" %c", self->byte)) {
        PT_RING_GET(&rx, &self->byte);
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
    }
}
PT_END

struct line {
    struct pt pt;
    int bytes;
};

PT_ASYNC(line, self)
{
    for (; !trouble.set; puts("")) {
        printf("%d:", ++self->bytes);
        for (int i = 0; i < self->bytes; i++)
            raise(SIGUSR1);
        PT_PARK(); /* the interrupts have posted: the listener runs first */
    }
    signal(SIGUSR1, SIG_IGN); /* the interrupt is off */
    pt_waker_close(&sent);
    pt_remote_close(&overrun);
    pt_ring_close(&rx.ring);
}
PT_END

int main(void)
{
    static PT_TASK(listener) a;
    static PT_TASK(line) b;

    pt_loop_open(&loop, &pt_posix);
    pt_event_init(&trouble);
    PT_RING_OPEN(&rx, &loop);
    PT_PREPARE(&a, listener);
    pt_remote_open(&answer, &loop, pt_remote_spawn, &a.task);
    pt_remote_open(&overrun, &loop, pt_remote_set, &trouble);
    pt_waker_open(&sent, &loop, &b.task);
    signal(SIGUSR1, on_byte);
    PT_START(&loop, &b, line);
    pt_loop_run(&loop);
    printf("lost: %u, listener: %s\n", pt_ring_lost(&rx.ring), pt_status_name(a.frame.pt.status));
    pt_loop_shut(&loop);
    printf("too late: %s\n", pt_status_name(pt_remote_post(&answer)));
    pt_loop_close(&loop);
    return 0;
}
