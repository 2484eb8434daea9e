/* test_patron.h - a task that cancels itself in a function that it awaits, and then must wait for its group
 * SPDX-License-Identifier: MIT
 *
 * Its step ends without an opcode of its own, for the tests of what measures steps. */
#ifndef PT_TEST_PATRON_H
#define PT_TEST_PATRON_H

#include "pt_test.h"

#if PT_PORT && PT_TIMERS && PT_AWAIT && PT_CANCEL && PT_GROUPS
#define TEST_PATRON 1

/* Ends late: its cleanup takes time. */
struct lingerer {
    struct pt pt;
};

static PT_ASYNC(lingerer, self)
{
    (void)self;
    PT_PARK();
    PT_FINALLY
    PT_WAIT(PT_MS(20));
}
PT_END

/* Works for some time, and cancels its task. */
struct quitter {
    struct pt pt;
    pt_time works;
};

static PT_ASYNC(quitter, self)
{
    world.clock.now = (pt_time)(world.clock.now + self->works);
    pt_cancel(pt_loop_current(&world.loop), PT_ECANCELED);
}
PT_END

struct patron {
    struct pt pt;
    pt_time works;
    bool early; /* its group's task has not run yet */
    struct pt_group group;
    PT_TASK(lingerer) guest;
    struct quitter quitter;
};

static PT_ASYNC(patron, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->guest, lingerer);
        if (!self->early)
            PT_YIELD();
        PT_WAIT_COMPLETE(&self->quitter, quitter, .works = self->works);
    }
}
PT_END

/* Not called: a file that has no test of it in some set of knobs still compiles. */
static inline pt_fn *patron_function(void)
{
    return PT_FN(patron);
}

#else
#define TEST_PATRON 0
#endif
#endif
