/* not_made.c - something is used that was zeroed, but never initialized or opened
 * SPDX-License-Identifier: MIT
 * channel_not_made.c has channels, queues and locks. A zeroed event, broadcast, pool or group is ready.
 * expect trap -DPT_DEBUG=1 SEMAPHORE: it was not initialized: .*pt_lock_init
 * expect trap -DPT_DEBUG=1 FLAGS: it was not initialized
 * expect trap -DPT_DEBUG=1 GET: it was not initialized
 * expect trap -DPT_DEBUG=1 RECEIVE_MAIL: it was not initialized
 * expect trap -DPT_DEBUG=1 BARRIER: a barrier: it was not initialized: call pt_barrier_init
 * expect trap -DPT_DEBUG=1 SHARED: a rwlock: it was not initialized: call pt_rwlock_init
 * expect trap -DPT_DEBUG=1 EXCLUSIVE: a rwlock: it was not initialized: call pt_rwlock_init
 * expect trap -DPT_DEBUG=1 PUT: a ring: it was not opened: call PT_RING_OPEN
 * expect trap -DPT_DEBUG=1 POST: a remote: it was not opened: call pt_remote_open
 * expect trap -DPT_DEBUG=1 CLOSE: a remote: it was not opened: call pt_remote_open
 * expect trap -DPT_DEBUG=1 -DPT_WAKERS=1 POST_WAKER: a waker: it was not opened: call pt_waker_open
 * expect trap -DPT_DEBUG=1 -DPT_WAKERS=1 CLOSE_WAKER: a waker: it was not opened: call pt_waker_open
 * expect trap -DPT_DEBUG=1 -DPT_WAKERS=1 TWICE: pt_waker_open: it is open already
 * expect trap -DPT_DEBUG=1 AGAIN: pt_remote_open: it was posted and not closed: call pt_remote_close
 * expect trap -DPT_DEBUG=1 POST_MAIL: a mailbox: it was not opened: call pt_mailbox_open
 * expect trap -DPT_DEBUG=1 GENERATOR: pt_next: the frame was not initialized: call PT_INIT
 * expect trap -DPT_DEBUG=1 TASK: pt_spawn: the task was not prepared: call PT_PREPARE
 * expect output -DPT_DEBUG=1: ^done$
 * expect output -DPT_DEBUG=1 -DPT_WAKERS=1: ^done$ */
#include <pt/posix.h>
#include <stdio.h>
#include "chosen.h"

static struct pt_semaphore semaphore;
static struct pt_flags flags;
static PT_RING(int, 2) ring;
static struct pt_mailbox mailbox;
static struct pt_barrier barrier;
static struct pt_rwlock rwlock;
static struct pt_event event;
static PT_BROADCAST(int, 2) news;
static struct pt_remote remote;
static struct pt_waker waker;
static struct pt_mail letter;
static struct pt_loop loop;

struct body {
    struct pt pt;
    struct pt_flags_wanted wanted;
    struct pt_mail *mail;
    struct pt_group group;
    int n;
};

static PT_POOL(body, 2) pool;
static PT_TASK(body) task;

static void init(void)
{
    pt_semaphore_init(&semaphore, 1, 1);
    pt_flags_init(&flags);
    PT_RING_OPEN(&ring, &loop);
    pt_mailbox_open(&mailbox, &loop);
    pt_barrier_init(&barrier, 1);
    pt_rwlock_init(&rwlock);
    pt_remote_open(&remote, &loop, pt_remote_set, &event);
    pt_waker_open(&waker, &loop, &task.task);
}

PT_ASYNC(body, self)
{
    if (self->n == 0)
        PT_RETURN(PT_OK);
    if (CHOSEN(SEMAPHORE)) {
        PT_ACQUIRE(&semaphore);
    } else if (CHOSEN(FLAGS)) {
        PT_WAIT_FLAGS(&flags, &self->wanted, 1, PT_FLAGS_ANY);
    } else if (CHOSEN(GET)) {
        PT_RING_GET(&ring, &self->n);
    } else if (CHOSEN(RECEIVE_MAIL)) {
        PT_RECV_MAIL(&mailbox, &self->mail);
    } else if (CHOSEN(BARRIER)) {
        PT_WAIT_BARRIER(&barrier);
    } else if (CHOSEN(SHARED)) {
        PT_LOCK_SHARED(&rwlock);
    } else if (CHOSEN(EXCLUSIVE)) {
        PT_LOCK_EXCLUSIVE(&rwlock);
    } else if (CHOSEN(PUT)) {
        (void)PT_RING_PUT(&ring, &self->n);
    } else if (CHOSEN(POST)) {
        pt_remote_post(&remote);
    } else if (CHOSEN(CLOSE)) {
        pt_remote_close(&remote);
    } else if (CHOSEN(POST_WAKER)) {
        pt_waker_post(&waker);
    } else if (CHOSEN(CLOSE_WAKER)) {
        pt_waker_close(&waker);
    } else if (CHOSEN(TWICE)) {
        pt_waker_open(&waker, &loop, &task.task);
        pt_waker_open(&waker, &loop, &task.task);
    } else if (CHOSEN(AGAIN)) {
        pt_remote_open(&remote, &loop, pt_remote_set, &event);
        pt_remote_post(&remote);
        pt_remote_open(&remote, &loop, pt_remote_set, &event);
    } else if (CHOSEN(POST_MAIL)) {
        pt_mailbox_post(&mailbox, &letter);
    } else if (CHOSEN(GENERATOR)) {
        static struct body generator;

        pt_next(&generator.pt);
    } else if (CHOSEN(TASK)) {
        static PT_TASK(body) other;

        pt_spawn(&loop, &other.task);
    } else {
        init();
        PT_ACQUIRE(&semaphore);
        pt_flags_set(&flags, 1);
        PT_WAIT_FLAGS(&flags, &self->wanted, 1, PT_FLAGS_ANY);
        (void)PT_RING_PUT(&ring, &self->n);
        PT_RING_GET(&ring, &self->n);
        pt_mailbox_post(&mailbox, &letter);
        PT_RECV_MAIL(&mailbox, &self->mail);
        PT_WAIT_BARRIER(&barrier);
        PT_LOCK_EXCLUSIVE(&rwlock);
        PT_UNLOCK_EXCLUSIVE(&rwlock);
        PT_LOCK_SHARED(&rwlock);
        pt_remote_post(&remote);
        PT_WAIT_EVENT(&event);
        pt_waker_post(&waker);
        PT_PARK();
        pt_waker_close(&waker);
        pt_remote_close(&remote);
        pt_broadcast_send(&news, 1);
        PT_SPAWN_FROM(&pool, body, .n = 0);
        PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
            PT_SPAWN_FROM(&pool, body, .n = 0);
            PT_ADOPT(&self->group);
        }
        PT_SPAWN_WHEN_FREE(&pool, body, .n = 0);
        printf("done\n");
    }
}
PT_END

int main(int argc, char **argv)
{
    choose(argc, argv);
    pt_loop_open(&loop, &pt_posix);
    (void)PT_START(&loop, &task, body, .n = 1);
    (void)pt_loop_run(&loop);
    return 0;
}
