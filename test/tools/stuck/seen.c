/* seen.c - what pt-ps --stuck and pt_find_stuck must tell alike: one task for each way to be told
 * SPDX-License-Identifier: MIT
 *
 * notified and notifier are in a circle through a condition; each orphan waits for a lock whose holder has ended, in
 * memory that is free since, or in a variable; lost for an event that nobody has, and a trace has noted it. device is
 * declared by pt_keep. crosser: two lock in opposite orders, in a group whose owner can leave the block; others do
 * where a time ends them, so that they are not told. below waits for an event to which a variable leads, and the stack
 * of a thread lies above that variable. The threads' stacks are larger than what pt-ps copies. */
#include "../../../examples/stuck/scene.h"

#include <pthread.h>
#include <ucontext.h>

static struct pt_lock first, second, freed, kept;
static struct pt_condition changed;

struct notified {
    struct pt pt;
    struct pt_scope limit;
};

static PT_ASYNC(notified, self)
{
    PT_LOCK(&second);
    PT_LOCK(&first);
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(1000)) { /* once notified, no time ends its wait */
        PT_WAIT_CONDITION(&changed, &first);
    }
}
PT_END

struct notifier {
    struct pt pt;
};

static PT_ASYNC(notifier, self)
{
    (void)self;
    PT_WAIT(PT_MS(10));
    PT_LOCK(&first);
    pt_condition_notify(&changed);
    PT_LOCK(&second);
}
PT_END

struct orphan {
    struct pt pt;
    struct pt_lock *lock;
    bool fails;
};

static PT_TASK(orphan) holder;

static PT_ASYNC(orphan, self)
{
    PT_LOCK(self->lock);
    PT_WAIT(PT_MS(10));
    if (self->fails)
        PT_RETURN(PT_EIO);
    PT_UNLOCK(self->lock);
}
PT_END

struct lost {
    struct pt pt;
    struct pt_event event;
};

static PT_ASYNC(lost, self)
{
    PT_WAIT_EVENT(&self->event);
}
PT_END

struct device {
    struct pt pt;
    struct pt_event event;
    struct pt_kept kept;
};

static PT_ASYNC(device, self)
{
    pt_keep(pt_current_->loop, &self->kept, self);
    PT_WAIT_EVENT(&self->event);
}
PT_END

struct below {
    struct pt pt;
    struct pt_event *event;
};

static PT_ASYNC(below, self)
{
    PT_WAIT_EVENT(self->event);
}
PT_END

struct crosser {
    struct pt pt;
    struct pt_lock *one, *two;
};

static PT_ASYNC(crosser, self)
{
    PT_LOCK(self->one);
    PT_WAIT(PT_MS(10));
    PT_LOCK(self->two);
}
PT_END

struct pair {
    struct pt pt;
    struct pt_lock locks[2];
    struct pt_scope limit;
    struct pt_group group;
    PT_TASK(crosser) left, right;
    PT_TASK(tick) timer;
    enum { RACES, OPENS, HURRIES } kind;
};

static PT_ASYNC(pair, self)
{
    pt_lock_init(&self->locks[0]);
    pt_lock_init(&self->locks[1]);
    if (self->kind == RACES)
        PT_LOCK(&self->locks[0]);
    PT_WITH_TIMEOUT(&self->limit, self->kind == HURRIES ? PT_SEC(1000) : PT_DELAY_NEVER) {
        PT_WITH_GROUP(&self->group, self->kind == RACES ? PT_GROUP_FIRST : PT_GROUP_ALL) {
            PT_SPAWN_IN(&self->group, &self->left, crosser, .one = &self->locks[0],
                        .two = &self->locks[1]);
            if (self->kind == RACES)
                PT_SPAWN_IN(&self->group, &self->timer, tick);
            else
                PT_SPAWN_IN(&self->group, &self->right, crosser, .one = &self->locks[1],
                            .two = &self->locks[0]);
            if (self->kind == OPENS)
                PT_WAIT(PT_SEC(1000));
        }
    }
}
PT_END

static struct {
    char page[1 << 13]; /* so that the variable is in the mapping of the stack */
    struct pt_event *event;
    char stack[1 << 16];
} fiber;

static void pauses(void)
{
    pause();
}

static void *stands_on_the_fiber(void *nothing)
{
    ucontext_t here, there;

    getcontext(&there);
    there.uc_stack.ss_sp = fiber.stack;
    there.uc_stack.ss_size = sizeof fiber.stack;
    there.uc_link = &here;
    makecontext(&there, pauses, 0);
    swapcontext(&here, &there);
    return nothing;
}

static void *waits(void *nothing)
{
    pause();
    return nothing;
}

static struct pt_trace trace;
static struct pt_trace_event ring[256];

static void scene(struct pt_loop *loop)
{
    pthread_attr_t large;
    pthread_t thread;

    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, (size_t)64 << 20);
    for (int i = 0; i < 9; i++)
        if (pthread_create(&thread, &large, waits, NULL))
            abort();
    pt_trace_start(&trace, loop, ring, 256);
    pt_lock_init(&first);
    pt_lock_init(&second);
    pt_lock_init(&freed);
    pt_lock_init(&kept);
    pt_condition_init(&changed);
    PT_START_NEW(loop, notified);
    PT_START_NEW(loop, notifier);
    PT_START_NEW(loop, orphan, .lock = &freed, .fails = true);
    PT_START_NEW(loop, orphan, .lock = &freed, .fails = false);
    PT_START(loop, &holder, orphan, .lock = &kept, .fails = true);
    PT_START_NEW(loop, orphan, .lock = &kept, .fails = false);
    PT_START_NEW(loop, lost);
    PT_START_NEW(loop, device);
    for (int kind = RACES; kind <= HURRIES; kind++)
        PT_START_NEW(loop, pair, .kind = kind);
    fiber.event = NEW(struct pt_event);
    pt_event_init(fiber.event);
    PT_START_NEW(loop, below, .event = fiber.event);
    if (pthread_create(&thread, NULL, stands_on_the_fiber, NULL))
        abort();
}
