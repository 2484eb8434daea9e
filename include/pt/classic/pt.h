/* pt.h - classic protothreads: the well-known API, two bytes per thread, for programs that use it
 * SPDX-License-Identifier: MIT
 *
 * With -Iinclude/pt/classic a program that has #include "pt.h" compiles unchanged:
 *
 *     static PT_THREAD(blink(struct pt *pt))
 *     {
 *         PT_BEGIN(pt);
 *         for (;;) {
 *             PT_WAIT_UNTIL(pt, timer_expired(&timer));
 *             toggle_led();
 *         }
 *         PT_END(pt);
 *     }
 *
 *     PT_INIT(&blink_pt);
 *     while (PT_SCHEDULE(blink(&blink_pt))) { ... }
 *
 * A thread is called again and again, and checks each time whether it can continue. Its locals are
 * lost at each wait, and a wait must not be inside a switch of your own, unless LC_INCLUDE is
 * defined as "lc-addrlabels.h" (lc.h). <pt/pt.h> is another library with some of the same names: a
 * file includes only one of them. adapter.h runs such a thread as a task of a loop;
 * doc/porting-protothreads.md shows how to go further. */
#ifndef PT_CLASSIC_H
#define PT_CLASSIC_H

#ifdef PT_COMPILER_H
#error "a file includes <pt/pt.h> or the classic pt.h, not both: see pt/classic/adapter.h"
#endif

/* Some programs ask for it: the guard that the header always had. */
#define __PT_H__

#include "lc.h"

/* The state of a thread. Only the macros write to it. */
struct pt {
    lc_t lc;
};

/* What a thread returns: it waits; it let others run; it left by PT_EXIT; it reached its end. */
#define PT_WAITING 0
#define PT_YIELDED 1
#define PT_EXITED 2
#define PT_ENDED 3

/* PT_INIT(pt) - the next call starts the thread; needed once, before the first */
#define PT_INIT(pt) LC_INIT((pt)->lc)

/* PT_THREAD(blink(struct pt *pt)) - the head of a thread's function */
#define PT_THREAD(name_args) char name_args

/* PT_SCHEDULE(f) - evaluate F, a call of a thread; true if it has neither exited nor ended */
#define PT_SCHEDULE(f) ((f) < PT_EXITED)

/* PT_BEGIN(pt), PT_END(pt) - around the body; code before PT_BEGIN runs at each call
 * After the end the next call starts the thread again. PT_YIELD_FLAG is 1 at the start of each
 * call, for macros of your own that clear it before LC_SET and return if it is still 0 behind it;
 * where no one uses it, the compiler drops it. */
#define PT_BEGIN(pt)            \
    {                           \
        char PT_YIELD_FLAG = 1; \
        (void)PT_YIELD_FLAG;    \
        LC_RESUME((pt)->lc)

#define PT_END(pt)   \
    LC_END((pt)->lc) \
    PT_INIT(pt);     \
    return PT_ENDED; \
    }

/* PT_WAIT_UNTIL(pt, cond), PT_WAIT_WHILE(pt, cond) - wait until COND is true, or while it is true
 * COND is evaluated at once, and then at each call. */
#define PT_WAIT_UNTIL(pt, cond) \
    do {                        \
        LC_SET((pt)->lc);       \
        if (!(cond))            \
            return PT_WAITING;  \
    } while (0)
#define PT_WAIT_WHILE(pt, cond) PT_WAIT_UNTIL((pt), !(cond))

/* PT_YIELD(pt), PT_YIELD_UNTIL(pt, cond) - let others run once, and then until COND is true */
#define PT_YIELD(pt) PT_YIELD_UNTIL(pt, 1)
#define PT_YIELD_UNTIL(pt, cond)          \
    do {                                  \
        (void)PT_YIELD_FLAG;              \
        LC_RETURN_((pt)->lc, PT_YIELDED); \
        if (!(cond))                      \
            return PT_YIELDED;            \
    } while (0)

/* PT_WAIT_THREAD(pt, thread) - call THREAD, now and at each call, until it exits or ends
 * PT_SPAWN(pt, child, thread) - the same from its start; CHILD is its struct pt */
#define PT_WAIT_THREAD(pt, thread) PT_WAIT_WHILE((pt), PT_SCHEDULE(thread))
#define PT_SPAWN(pt, child, thread)   \
    do {                              \
        PT_INIT(child);               \
        PT_WAIT_THREAD((pt), thread); \
    } while (0)

/* PT_RESTART(pt), PT_EXIT(pt) - stop here; the next call starts the thread again */
#define PT_RESTART(pt)     \
    do {                   \
        PT_INIT(pt);       \
        return PT_WAITING; \
    } while (0)
#define PT_EXIT(pt)       \
    do {                  \
        PT_INIT(pt);      \
        return PT_EXITED; \
    } while (0)

#endif
