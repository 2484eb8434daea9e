/* good_every_macro.c - every macro of the headers, once
 * SPDX-License-Identifier: MIT
 * expect good: no diagnostic
 * expect good -DPT_DEBUG=1: no diagnostic
 * expect good -DPT_COUNTER_=0: no diagnostic
 * expect good c -DPT_LABEL_BITS=16: no diagnostic */
#define _POSIX_C_SOURCE 200809L
#include <pt/posix.h>

struct child {
    struct pt pt;
    int n;
};

struct parent {
    struct pt pt;
    struct child frame;
    PT_TASK(child) storage;
    pt_time deadline;
};

static PT_POOL(child, 2) pool;

static PT_ASYNC(child, self)
{
    PT_YIELD();
    if (self->n < 0)
        PT_RETURN(PT_EINVAL);
    PT_PARK();
    PT_FINALLY
    self->n = 0;
}
PT_END

static PT_DECLARE(parent); /* behind a body gcc warns of macros of system headers, too */

static PT_ASYNC(parent, self)
{
    self->deadline = PT_NOW();
    PT_WAIT(PT_MS(1));
    PT_WAIT_DEADLINE(self->deadline + PT_SEC(1));
    PT_SPAWN(&self->storage, child, .n = 1);
    pt_wake(&self->storage.task);
    PT_JOIN(&self->storage.task);
    PT_SPAWN_FROM(&pool, child, .n = 2);
    PT_SPAWN_WHEN_FREE(&pool, child, .n = 3);
    PT_SPAWN_NEW(child, .n = 4);
    PT_WAIT_COMPLETE(&self->frame, child);
    PT_TRY(&self->frame, child, .n = -1);
    PT_YIELD_FROM(&self->frame, child, .n = -1);
}
PT_END

static int blink(pt_label *label)
{
    PT_BARE(*label)
    {
        for (;;) {
            PT_BARE_YIELD(1);
            PT_BARE_YIELD(0);
        }
    }
    PT_BARE_END(-1);
}

int main(void)
{
    static struct pt_loop loop, inner;
    static PT_LOOP_STORAGE(4) storage;
    static PT_TASK(parent) task;
    static PT_TASK(pt_loop_async) nested;
    struct pt_virtual world;
    struct child generator;
    pt_label label = 0;

    PT_INIT(&generator, child, .n = blink(&label));
    if (pt_next(&generator.pt) && pt_send(&generator, .n = 2))
        pt_close(&generator.pt);
    pt_virtual_init(&world, 1, &pt_posix);
    pt_loop_open(&loop, &world.port);
    pt_loop_init(&inner, 0);
    pt_loop_use(&inner, &storage);
    if (PT_START(&loop, &task, parent) || PT_START_FROM(&loop, &pool, child, .n = 1) ||
        PT_START_NEW(&loop, child, .n = 2) ||
        PT_START(&loop, &nested, pt_loop_async, .loop = &inner))
        return 1;
    pt_pause(&task.task);
    pt_resume(&task.task);
    pt_loop_slow(&loop, 0);
    return pt_loop_run(&loop) == PT_EDEADLK ? 0 : pt_task_status(&task.task);
}
