/* 61-own-primitive.c - a primitive of your own, in a header of its own
 * SPDX-License-Identifier: MIT
 *
 * Three cooks prepare a meal. A waiter (stackless) and a guest (native) wait for all of them. The
 * header is latch.h.
 *
 *     PT_API            begins each function of a header, so that any number of files can include
 *                       it
 *     PT_MUST_CHECK     a caller that ignores the result gets a warning
 *     PT_UNLIKELY       tells the compiler that a condition is usually false
 *     PT_STATIC_ASSERT  a condition that the compiler checks; PT_SYNC says whether pt has events
 *
 * What to notice:
 *   - Only LATCH_WAIT is a macro, because the body that uses it must suspend. Everything else is a
 *     function.
 *   - A latch contains an event. So cancels, timeouts, pt_dump and simulations work as for pt's own
 *     primitives.
 *
 * Try: let the latch wait for four. Is the last cook still one too many? */
#include "latch.h"

#include <pt/posix.h>
#include <stdio.h>

#define SAY(now, text) printf("%2u min  %s\n", (unsigned)((now) / PT_SEC(60)), text)
static struct latch meal;

struct cook {
    struct pt pt;
    int minutes;
};

PT_ASYNC(cook, self)
{
    PT_WAIT(PT_SEC(60 * self->minutes));
    SAY(PT_NOW(), latch_count(&meal) == PT_OK ? "a cook is ready" : "one too many");
}
PT_END

struct waiter {
    struct pt pt;
};

PT_ASYNC(waiter, self)
{
    LATCH_WAIT(&meal);
    SAY(PT_NOW(), "    the waiter serves");
}
PT_END

static pt_status guest(struct pt_native *self)
{
    struct pt_scope patience;

    pt_native_timeout(self, &patience, PT_SEC(60 * 10));
    latch_wait(self, &meal);
    if (pt_native_timeout_end(self, &patience)) {
        SAY(pt_native_now(self), "    the guest has waited ten minutes, and waits on");
        latch_wait(self, &meal);
    }
    SAY(pt_native_now(self), "    the guest eats");
    return PT_OK;
}

int main(void)
{
    static char stack[32 << 10];
    static PT_TASK(cook) cooks[4];
    static PT_TASK(waiter) stackless;
    static PT_TASK(pt_native) native;
    struct pt_virtual world;
    struct pt_loop loop;

    latch_init(&meal, 3);
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &stackless, waiter);
    PT_START(&loop, &native, pt_native, .function = guest, .stack = stack, .bytes = sizeof stack);
    for (int i = 0; i < 4; i++)
        PT_START(&loop, &cooks[i], cook, .minutes = 5 * (i + 1));
    pt_loop_run(&loop);
    pt_loop_close(&loop);
}
