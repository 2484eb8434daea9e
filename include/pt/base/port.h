/* port.h - the one table through which everything comes that a program cannot foresee
 * SPDX-License-Identifier: MIT
 *
 * The same loop runs in real time, in virtual time and in a test: each is another table.
 * posix.h has one for Unix, virtual.h one whose clock jumps. */
#ifndef PT_PORT_H
#define PT_PORT_H

#include "ticks.h"

/* Filled in by whoever brings the port; the loop only reads it. */
struct pt_port {
    /* The time, in ticks. */
    pt_time (*now)(void *context);

    /* Nobody is ready: sleep until the time is UNTIL, or until something happened, and return
     * true. UNTIL is NOW + PT_DELAY_NEVER when there is no timer; a port that knows that nothing
     * can happen returns false, and pt_loop_run ends with PT_EDEADLK. */
    bool (*idle)(void *context, pt_time now, pt_time until);

    /* As realloc: a block of BYTES, contents kept, NULL when there is none; 0 bytes free it.
     * The member is NULL in a port without memory: then all storage is given. */
    void *(*resize)(void *context, void *block, size_t bytes);

    void *context; /* passed to all of them; the port's own */

    /* From any thread: end the idle step that runs, or the next one. NULL: nobody can; an interrupt
     * need not. */
    void (*kick)(void *context);
};

#endif
