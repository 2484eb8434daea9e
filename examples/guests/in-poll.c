/* in-poll.c - pt as a guest in a loop around poll(2), which waits for a descriptor of its own, too
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - The loop of the program stays as it is: pt is one descriptor more, and a timeout.
 *   - The timeout is asked for just before the wait. So it counts what was done since the dispatch.
 *   - What the program or a thread does between two dispatches (a wake, a post) makes the
 *     descriptor readable: the loop does not sleep over it.
 *   - A dispatch makes at most 16 turns. So a guest with much to do cannot stop its host. */
#include <pt/host.h>

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static struct pt_system sys;
static struct pt_loop loop;
static struct pt_remote remote;
static int own[2]; /* the descriptors of the program: what comes out at [0] was put in at [1] */

struct guest {
    struct pt pt;
    int round;
};

static PT_ASYNC(guest, self)
{
    for (self->round = 1; self->round <= 3; self->round++) {
        PT_WAIT(PT_MS(1));
        printf("guest: round %d\n", self->round);
        if (write(own[1], "x", 1) != 1)
            PT_RETURN(PT_EIO);
        PT_PARK(); /* the program wakes it */
    }
    PT_PARK(); /* the thread wakes it */
    puts("guest: a thread has posted");
}
PT_END

static PT_TASK(guest) task;

static void *thread(void *argument)
{
    (void)argument;
    pt_remote_post(&remote);
    return NULL;
}

int main(void)
{
    pthread_t poster;
    char byte;

    if (pipe(own) || pt_system_open(&sys, &loop, "epoll") != PT_OK)
        return 1;
    pt_remote_open(&remote, &loop, pt_remote_wake, &task.task);
    PT_START(&loop, &task, guest);
    while (pt_system_dispatch(&sys, 16)) {
        struct pollfd table[] = {{own[0], POLLIN, 0}, {pt_system_fd(&sys), POLLIN, 0}};

        poll(table, 2, pt_system_timeout(&sys));
        if (!table[0].revents || read(own[0], &byte, 1) != 1)
            continue;
        puts("program: it has written");
        pt_wake(&task.task);
        if (task.frame.round == 3 && !pthread_create(&poster, NULL, thread, NULL))
            pthread_join(poster, NULL);
    }
    pt_remote_close(&remote);
    pt_system_close(&sys);
    return 0;
}
