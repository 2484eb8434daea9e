/* caught.h - a switch in a catch block: each fiber keeps its own exceptions (C++)
 * SPDX-License-Identifier: MIT
 *
 *     catch (const error &) {
 *         pt_fiber_switch_caught(self, other);        and `throw;` still throws this one
 *     }
 *
 * The runtime has one list of caught exceptions and one count of those in flight, for each thread. A
 * fiber that leaves between a throw and the end of its handler would mix them up with others'; here it
 * takes them along. Elsewhere a fiber has none, and a plain switch does. Native tasks take them along by
 * themselves: their operations wait anywhere. Included by fiber.h. */
#ifndef PT_CAUGHT_H
#define PT_CAUGHT_H

#include <cxxabi.h>

/* The runtime's record, as the C++ ABI lays it out (2.2.2; ARM's adds a third). */
struct pt_caught_ {
    void *caught;
    unsigned uncaught;
#ifdef __ARM_EABI_UNWINDER__
    void *propagating;
#endif
};

/* The calling thread's. The compiler may take a second call of __cxa_get_globals for the first; not
 * of this. */
PT_NOINLINE struct pt_caught_ *pt_caught_here_(void)
{
    __asm__ volatile("" ::: "memory");
    return (struct pt_caught_ *)(void *)abi::__cxa_get_globals();
}

/* Whether the calling thread has an exception that is caught, or in flight. */
PT_ALWAYS bool pt_caught_any_(void)
{
    const struct pt_caught_ *here = pt_caught_here_();

    return here->caught || here->uncaught;
}

/* Leave with what the calling thread has caught, and with a clean record for whoever goes on; and: come back
 * with it, maybe in another thread. */
PT_ALWAYS struct pt_caught_ pt_caught_leave_(void)
{
    struct pt_caught_ *thread = pt_caught_here_(), mine = *thread;

    *thread = pt_caught_();
    return mine;
}

PT_ALWAYS void pt_caught_back_(const struct pt_caught_ *mine)
{
    *pt_caught_here_() = *mine;
}

/* Whether the calling thread has the exceptions that a fiber left it with. */
PT_API void pt_caught_check_(const struct pt_caught_ *left)
{
    const struct pt_caught_ *here = pt_caught_here_();

    PT_ASSERT_(here->caught == left->caught && here->uncaught == left->uncaught,
               "left in a catch block: pt_fiber_switch_caught keeps exceptions apart",
               "pt_fiber_switch");
    (void)here;
    (void)left;
}

/* pt_fiber_switch_caught - pt_fiber_switch in a catch block, or in a destructor that a throw runs */
PT_ALWAYS void pt_fiber_switch_caught(struct pt_fiber *from, struct pt_fiber *to)
{
    struct pt_caught_ mine = pt_caught_leave_();

    pt_fiber_switch(from, to);
    pt_caught_back_(&mine);
}

#endif
