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
 * lost at each wait, and a wait must not be inside a switch of your own. <pt/pt.h> is another
 * library with some of the same names: a file includes only one of them. adapter.h runs such a
 * thread as a task of a loop; doc/porting-protothreads.md shows how to go further. */
#ifndef PT_CLASSIC_H
#define PT_CLASSIC_H

#ifdef PT_COMPILER_H
#error "a file includes <pt/pt.h> or the classic pt.h, not both: see pt/classic/adapter.h"
#endif

/* Number the waits with __COUNTER__ (1), or by their line (0) where it is missing. By line, two
 * waits cannot be on one line. */
#ifndef PT_LABEL_COUNTER
#ifdef __COUNTER__
#define PT_LABEL_COUNTER 1
#else
#define PT_LABEL_COUNTER 0
#endif
#endif

/* lc_t - where a thread continues; 0 at its start */
typedef unsigned short lc_t;

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
#define PT_INIT(pt) ((void)((pt)->lc = 0))

/* PT_THREAD(blink(struct pt *pt)) - the head of a thread's function */
#define PT_THREAD(name_args) char name_args

/* PT_SCHEDULE(f) - evaluate F, a call of a thread; true if it has neither exited nor ended */
#define PT_SCHEDULE(f) ((f) < PT_EXITED)

/* PT_BEGIN(pt), PT_END(pt) - around the body; code before PT_BEGIN runs at each call
 * After the end the next call starts the thread again. */
#define PT_BEGIN(pt)                  \
    {                                 \
        enum { pt_base_ = PT_BASE_ }; \
        switch ((pt)->lc) {           \
        case 0:

#define PT_END(pt)   \
    }                \
    PT_INIT(pt);     \
    return PT_ENDED; \
    }

/* PT_WAIT_UNTIL(pt, cond), PT_WAIT_WHILE(pt, cond) - wait until COND is true, or while it is true
 * COND is evaluated at once, and then at each call. */
#define PT_WAIT_UNTIL(pt, cond)                      \
    do {                                             \
        enum { pt_here_ = PT_LABEL_(PT_HERE_) };     \
        (pt)->lc = pt_here_;                         \
        if (0) { /* so that nothing falls through */ \
        case pt_here_:;                              \
        }                                            \
        if (!(cond))                                 \
            return PT_WAITING;                       \
    } while (0)
#define PT_WAIT_WHILE(pt, cond) PT_WAIT_UNTIL((pt), !(cond))

/* PT_YIELD(pt), PT_YIELD_UNTIL(pt, cond) - let others run once, and then until COND is true */
#define PT_YIELD(pt) PT_YIELD_UNTIL(pt, 1)
#define PT_YIELD_UNTIL(pt, cond)                 \
    do {                                         \
        enum { pt_here_ = PT_LABEL_(PT_HERE_) }; \
        (pt)->lc = pt_here_;                     \
        return PT_YIELDED;                       \
    case pt_here_:                               \
        if (!(cond))                             \
            return PT_YIELDED;                   \
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

/* The label of the place HERE; a compile error if lc_t cannot hold it. */
#define PT_LABEL_(here) PT_LABEL_CHECKED_((here)-pt_base_)
#define PT_LABEL_CHECKED_(label) ((int)sizeof(char[(label) <= 0xffff ? 1 : -1]) * (label))

#if PT_LABEL_COUNTER
#define PT_HERE_ __COUNTER__
#define PT_BASE_ __COUNTER__
#else
#define PT_HERE_ __LINE__
#define PT_BASE_ 0
#endif

#endif
