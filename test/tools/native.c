/* native.c - native tasks that wait, some calls deep; it stands still in stopped_here()
 * SPDX-License-Identifier: MIT */
#include "attach.h"

#include <pt/inspect.h>
#include <pt/native.h>
#include <pt/posix.h>

#include <stdio.h>
#include <unistd.h>

static struct pt_loop loop;
static struct pt_lock lock;
static PT_TASK(pt_native) holding, waiting;
static char stacks[2][64 << 10];
static struct pt_stacks pool;

__attribute__((noinline)) static pt_status take(struct pt_native *self, int depth)
{
    pt_status status = depth ? take(self, depth - 1) : pt_native_lock(self, &lock);

    __asm__ volatile("" : "+r"(depth));
    return status;
}

static pt_status hold(struct pt_native *self)
{
    pt_status status = take(self, 0);

    return status == PT_OK ? pt_native_wait(self, PT_SEC(100)) : status;
}

static pt_status wait_for_it(struct pt_native *self)
{
    pt_status status = take(self, 2);

    __asm__ volatile("" : "+r"(status));
    return status;
}

static pt_status wait_too(struct pt_native *self)
{
    pt_status status = take(self, 0);

    __asm__ volatile("" : "+r"(status));
    return status;
}

int main(void)
{
    struct pt_virtual world;

    let_attach();
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    pt_lock_init(&lock);
    (void)!PT_START(&loop, &holding, pt_native, .function = hold, .stack = stacks[0],
                    .bytes = sizeof stacks[0]);
    (void)!PT_START(&loop, &waiting, pt_native, .function = wait_for_it, .stack = stacks[1],
                    .bytes = sizeof stacks[1]);
    pt_stacks_init(&pool, 64 << 10, PT_STACKS_GUARDED);
    (void)!pt_native_start(&loop, &pool, wait_too, NULL);
    pt_task_rename(&holding.task, "holder");
    for (int turn = 0; turn < 3; turn++)
        (void)pt_loop_turn(&loop, 0);
    puts("end");
    fflush(stdout);
    for (;;)
        pause();
}
