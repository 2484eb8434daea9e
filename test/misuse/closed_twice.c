/* closed_twice.c - a remote, waker, ring or mailbox is closed again; a thread leaves twice
 * SPDX-License-Identifier: MIT
 * The loop counts its open remotes: after a second close it waits for posts that nobody can send.
 * expect trap -DPT_DEBUG=1 REMOTE: pt_remote_close: it is closed already: close it once
 * expect trap -DPT_DEBUG=1 -DPT_WAKERS=1 WAKER: pt_waker_close: it is closed already: close it once
 * expect trap -DPT_DEBUG=1 -DPT_WAKERS=0 WAKER: pt_remote_close: it is closed already
 * expect trap -DPT_DEBUG=1 RING: pt_ring_close: it is closed already: close it once
 * expect trap -DPT_DEBUG=1 MAILBOX: pt_mailbox_close: it is closed already: close it once
 * expect trap -DPT_DEBUG=1 LEAVE: pt_shared_leave: it was not entered: call pt_shared_enter
 * expect output -DPT_DEBUG=1: ^closed$
 * expect output -DPT_DEBUG=1 -DPT_WAKERS=1: ^closed$
 * expect output -DPT_DEBUG=1 -DPT_WAKERS=1 SHUT: ^closed$ */
#include <pt/posix.h>
#include <pt/threads.h>
#include <stdio.h>
#include "chosen.h"

static struct pt_remote remote, other;
static struct pt_waker waker;
static PT_RING(int, 2) ring;
static struct pt_mailbox mailbox;
static struct pt_event event;
static struct pt_shared shared;
static struct pt_loop loop;
static struct pt_task nobody;

static void open_all(void)
{
    pt_remote_open(&remote, &loop, pt_remote_set, &event);
    pt_waker_open(&waker, &loop, &nobody);
    PT_RING_OPEN(&ring, &loop);
    pt_mailbox_open(&mailbox, &loop);
}

static void close_all(void)
{
    pt_remote_close(&remote);
    pt_waker_close(&waker);
    pt_ring_close(&ring.ring);
    pt_mailbox_close(&mailbox);
}

int main(int argc, char **argv)
{
    choose(argc, argv);
    (void)pt_shared_open(&shared, &loop);
    pt_remote_open(&other, &loop, pt_remote_set, &event); /* so that the count is not 0 */
    open_all();
    pt_remote_post(&remote);
    close_all();
    open_all(); /* again: that is no mistake */
    pt_shared_enter(&shared);
    pt_shared_leave(&shared);
    if (CHOSEN(SHUT))
        pt_loop_shut(&loop); /* closes after it are none, either */
    close_all();
    if (CHOSEN(REMOTE))
        pt_remote_close(&remote);
    else if (CHOSEN(WAKER))
        pt_waker_close(&waker);
    else if (CHOSEN(RING))
        pt_ring_close(&ring.ring);
    else if (CHOSEN(MAILBOX))
        pt_mailbox_close(&mailbox);
    else if (CHOSEN(LEAVE))
        pt_shared_leave(&shared);
    pt_remote_close(&other);
    pt_shared_close(&shared);
    pt_shared_close(&shared); /* does nothing, as pt_system_close and the other closes of libpt */
    pt_loop_close(&loop);
    printf("closed\n");
    return 0;
}
