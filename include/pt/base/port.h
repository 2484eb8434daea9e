/* port.h - the table by which a loop reaches its system: clock, idle step, memory, kick, turn
 * SPDX-License-Identifier: MIT
 *
 * A loop calls its system only through this table. So the same loop runs in real time, in virtual
 * time and in a test, each with a table of its own. posix.h has one for Unix, virtual.h one with a
 * clock that jumps.
 *
 *     pt_loop_open(&loop, &pt_posix);
 *     pt_loop_run(&loop); */
#ifndef PT_PORT_H
#define PT_PORT_H

#include "ticks.h"

/* The table. The port fills it in; the loop only reads it. */
struct pt_port {
    /* The time, in ticks; nothing else happens. Who may use the loop may ask: a body, an observer,
     * a thread that holds the loop's lock. */
    pt_time (*now)(void *context);

    /* No task is ready: sleep until the time is UNTIL, or until something happens, and return
     * true. UNTIL is NOW + PT_DELAY_NEVER if there is no timer. A port that knows that nothing can
     * happen returns false; then pt_loop_run returns PT_EDEADLK, or, if a remote is open and there
     * is a kick, it asks again with UNTIL as late as a deadline can be. */
    bool (*idle)(void *context, pt_time now, pt_time until);

    /* As realloc: returns a block of BYTES with the contents kept, or NULL if there is no memory; 0
     * bytes free it. The member is NULL in a port without memory: then the program must provide all
     * storage. */
    void *(*resize)(void *context, void *block, size_t bytes);

    void *context; /* passed to all functions of the table; owned by the port */

    /* From any thread: end the idle step that runs, or the next one. NULL: no thread can. For
     * interrupts it can be NULL only if idle checks pt_loop_posted with interrupts masked, and then
     * sleeps, as pt_loop_turn_and_sleep does (board.h). */
    void (*kick)(void *context);

    /* As now; pt_loop_run calls it instead, between two turns. So it can do what a turn must not
     * see: poll, or let another thread change the loop. NULL: there is nothing to do. */
    pt_time (*turn)(void *context);

    /* By how many ticks the time can be later than `now` says: 1 for a counter of long ticks, like
     * milliseconds. A delay that is asked for late in a tick lasts that much longer: it is not too
     * short. */
    pt_time grain;

    /* Whether `now` costs next to nothing, as in virtual time: then each PT_WAIT calls it, else one
     * reading is for many (loop/sleepers.h). */
    bool is_cheap;
};

#endif
