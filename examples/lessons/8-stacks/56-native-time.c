/* 56-native-time.c - native tasks and time: waits, ticks, timeouts
 * SPDX-License-Identifier: MIT
 *
 * A guest knocks at a door that stays closed.
 *
 *     pt_native_timeout        begin a block with a time limit, a delay; pt_native_deadline takes a
 *                              time
 *     pt_native_timeout_end    end the block; it returns whether the block's time was over
 *     pt_native_rearm          PT_REARM: a new delay, counted from now
 *     pt_native_wait_tick      PT_WAIT_TICK for a native task
 *     pt_native_wait_deadline  PT_WAIT_DEADLINE
 *     pt_native_park_for       PT_PARK_FOR: a wake ends it, too; pt_native_park_deadline takes a
 *                              time
 *
 * What to notice:
 *   - PT_WITH_TIMEOUT is a block; here it is two calls. When the time is over, each operation
 *     between them that would wait returns PT_ETIMEDOUT at once: go to the end of the block.
 *   - The block is a local variable, so each function can have its own: see knock.
 *   - Blocks nest, and each knows whether its own time was over.
 *
 * Try: remove the pt_native_rearm. How often does the guest lose patience? */
#include <pt/native.h>
#include <pt/posix.h>

#include <stdio.h>

#define SAY(...) \
    (printf("%2u s  ", (unsigned)(pt_native_now(self) / PT_SEC(1))), printf(__VA_ARGS__))

static struct pt_event door;

/* Knock once a second, for 3 seconds, for 5 if there is light, or until the deadline. */
static bool knock(struct pt_native *self, pt_time deadline)
{
    struct pt_scope patience, bedtime;
    struct pt_ticker knocks;
    int count = 0;

    pt_ticker_start(&knocks, pt_native_now(self), PT_SEC(1), PT_TICKS_SKIP);
    pt_native_deadline(self, &bedtime, deadline);
    pt_native_timeout(self, &patience, PT_SEC(3));
    while (!door.set && pt_native_wait_tick(self, &knocks) == PT_OK)
        if (++count == 2)
            pt_native_rearm(self, &patience, PT_SEC(3)); /* light: 3 seconds from now */
    if (pt_native_timeout_end(self, &patience))
        SAY("lost patience after %d knocks\n", count);
    if (pt_native_timeout_end(self, &bedtime))
        SAY("too late, after %d knocks\n", count);
    return door.set;
}

static pt_status guest(struct pt_native *self)
{
    pt_time midnight = pt_native_now(self) + PT_SEC(10);

    while (!knock(self, midnight) && pt_time_before(pt_native_now(self), midnight))
        pt_native_park_for(self, PT_SEC(2)); /* or until somebody wakes it */
    pt_native_wait_deadline(self, midnight + PT_SEC(5));
    SAY("asleep\n");
    if (pt_native_park_deadline(self, midnight + PT_SEC(8)) == PT_ETIMEDOUT)
        SAY("awake: nobody has called\n");
    return PT_OK;
}

int main(void)
{
    static char stack[32 << 10];
    static PT_TASK(pt_native) task;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &task, pt_native, .function = guest, .stack = stack, .bytes = sizeof stack);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
}
