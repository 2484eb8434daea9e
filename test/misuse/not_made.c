/* not_made.c - something is used that was zeroed, but never initialized or opened
 * SPDX-License-Identifier: MIT
 * channel_not_made.c has channels, queues and locks. A zeroed event, broadcast, pool or group is ready.
 * expect trap -DPT_DEBUG=1 -DSEMAPHORE: it was not initialized: .*pt_lock_init
 * expect trap -DPT_DEBUG=1 -DFLAGS: it was not initialized
 * expect trap -DPT_DEBUG=1 -DGET: it was not initialized
 * expect trap -DPT_DEBUG=1 -DRECEIVE_MAIL: it was not initialized
 * expect trap -DPT_DEBUG=1 -DBARRIER: a barrier: it was not initialized: call pt_barrier_init
 * expect trap -DPT_DEBUG=1 -DSHARED: a rwlock: it was not initialized: call pt_rwlock_init
 * expect trap -DPT_DEBUG=1 -DEXCLUSIVE: a rwlock: it was not initialized: call pt_rwlock_init
 * expect trap -DPT_DEBUG=1 -DPUT: a ring: it was not opened: call PT_RING_OPEN
 * expect trap -DPT_DEBUG=1 -DPOST: a remote: it was not opened: call pt_remote_open
 * expect trap -DPT_DEBUG=1 -DCLOSE: a remote: it was not opened: call pt_remote_open
 * expect trap -DPT_DEBUG=1 -DPT_WAKERS=1 -DPOST_WAKER: a waker: it was not opened: call pt_waker_open
 * expect trap -DPT_DEBUG=1 -DPT_WAKERS=1 -DCLOSE_WAKER: a waker: it was not opened: call pt_waker_open
 * expect trap -DPT_DEBUG=1 -DPT_WAKERS=1 -DTWICE: pt_waker_open: it is open already
 * expect trap -DPT_DEBUG=1 -DAGAIN: pt_remote_open: it was posted and not closed: call pt_remote_close
 * expect trap -DPT_DEBUG=1 -DPOST_MAIL: a mailbox: it was not opened: call pt_mailbox_open
 * expect trap -DPT_DEBUG=1 -DGENERATOR: pt_next: the frame was not initialized: call PT_INIT
 * expect trap -DPT_DEBUG=1 -DTASK: pt_spawn: the task was not prepared: call PT_PREPARE
 * expect output -DPT_DEBUG=1: ^done$
 * expect output -DPT_DEBUG=1 -DPT_WAKERS=1: ^done$ */
#include <pt/posix.h>
#include <stdio.h>

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
#if defined(SEMAPHORE)
    PT_ACQUIRE(&semaphore);
#elif defined(FLAGS)
    PT_WAIT_FLAGS(&flags, &self->wanted, 1, PT_FLAGS_ANY);
#elif defined(GET)
    PT_RING_GET(&ring, &self->n);
#elif defined(RECEIVE_MAIL)
    PT_RECV_MAIL(&mailbox, &self->mail);
#elif defined(BARRIER)
    PT_WAIT_BARRIER(&barrier);
#elif defined(SHARED)
    PT_LOCK_SHARED(&rwlock);
#elif defined(EXCLUSIVE)
    PT_LOCK_EXCLUSIVE(&rwlock);
#elif defined(PUT)
    (void)!PT_RING_PUT(&ring, &self->n);
#elif defined(POST)
    pt_remote_post(&remote);
#elif defined(CLOSE)
    pt_remote_close(&remote);
#elif defined(POST_WAKER)
    pt_waker_post(&waker);
#elif defined(CLOSE_WAKER)
    pt_waker_close(&waker);
#elif defined(TWICE)
    pt_waker_open(&waker, &loop, &task.task);
    pt_waker_open(&waker, &loop, &task.task);
#elif defined(AGAIN)
    pt_remote_open(&remote, &loop, pt_remote_set, &event);
    pt_remote_post(&remote);
    pt_remote_open(&remote, &loop, pt_remote_set, &event);
#elif defined(POST_MAIL)
    pt_mailbox_post(&mailbox, &letter);
#elif defined(GENERATOR)
    static struct body generator;

    pt_next(&generator.pt);
#elif defined(TASK)
    static PT_TASK(body) other;

    pt_spawn(&loop, &other.task);
#else
    init();
    PT_ACQUIRE(&semaphore);
    pt_flags_set(&flags, 1);
    PT_WAIT_FLAGS(&flags, &self->wanted, 1, PT_FLAGS_ANY);
    (void)!PT_RING_PUT(&ring, &self->n);
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
#endif
}
PT_END

int main(void)
{
    pt_loop_open(&loop, &pt_posix);
    (void)PT_START(&loop, &task, body, .n = 1);
    (void)pt_loop_run(&loop);
    (void)init, (void)semaphore, (void)flags, (void)ring, (void)mailbox, (void)barrier;
    (void)rwlock, (void)event, (void)news, (void)remote, (void)letter, (void)pool, (void)waker;
    return 0;
}
