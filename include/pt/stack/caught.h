/* caught.h - switches in catch blocks: each fiber keeps its own exceptions (C++)
 * SPDX-License-Identifier: MIT
 *
 *     catch (const error &) {
 *         pt_fiber_switch_caught(self, other);        afterwards `throw;` still rethrows this one
 *     }
 *
 * For each thread the runtime has one list of caught exceptions and one count of those in flight. A
 * fiber that leaves between a throw and the end of its handler would mix its exceptions with those
 * of other fibers; with this switch it takes them along. Anywhere else a fiber has none, and a
 * plain switch is enough. Native tasks always take them along, because their operations can wait
 * anywhere. Included by fiber.h. */
#ifndef PT_CAUGHT_H
#define PT_CAUGHT_H

#include "../base/config.h"
#include <cxxabi.h>
#include <unwind.h> /* defines __ARM_EABI_UNWINDER__ */

/* The runtime's record, as the C++ ABI lays it out (2.2.2; ARM's adds a third member). */
struct pt_caught_ {
    void *caught;
    unsigned uncaught;
#ifdef __ARM_EABI_UNWINDER__
    void *propagating;
#endif
};

/* The calling thread's record. The compiler may merge two calls of __cxa_get_globals, but not of
 * this function. */
PT_NOINLINE struct pt_caught_ *pt_caught_here_(void)
{
    __asm__ volatile("" ::: "memory");
    return (struct pt_caught_ *)(void *)abi::__cxa_get_globals();
}

/* Whether the calling thread has an exception caught or in flight. */
PT_ALWAYS bool pt_caught_any_(void)
{
    const struct pt_caught_ *here = pt_caught_here_();

    return here->caught || here->uncaught;
}

/* Take the calling thread's record and leave an empty one for what runs next. pt_caught_back_ puts
 * it back, perhaps in another thread. */
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

/* PT_DEBUG: check that the thread's record is as it was when the fiber left. */
PT_API void pt_caught_check_(const struct pt_caught_ *left)
{
    const struct pt_caught_ *here = pt_caught_here_();

    PT_ASSERT_(here->caught == left->caught && here->uncaught == left->uncaught,
               "left in a catch block: pt_fiber_switch_caught keeps exceptions apart",
               "pt_fiber_switch");
    (void)here;
}

#endif
