/* pt-sem.h - counting semaphores for classic protothreads
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_sem filled;
 *
 *     PT_SEM_INIT(&filled, 0);
 *     PT_SEM_WAIT(pt, &filled);        in the consumer
 *     PT_SEM_SIGNAL(pt, &filled);      in the producer
 *
 * For threads that run by turns, not for interrupts: PT_SEM_SIGNAL is not atomic. */
#ifndef PT_CLASSIC_SEM_H
#define PT_CLASSIC_SEM_H

#include "pt.h"

/* A semaphore. Written by the macros. */
struct pt_sem {
    unsigned count;
};

/* PT_SEM_INIT(sem, n) - set the count to N: the next N waits end at once */
#define PT_SEM_INIT(sem, n) ((sem)->count = (n))

/* PT_SEM_COUNT(sem) - the count, to look at: the next wait takes one if it is above zero */
#define PT_SEM_COUNT(sem) ((sem)->count)

/* PT_SEM_WAIT(pt, sem) - wait until the count is above zero, and take one */
#define PT_SEM_WAIT(pt, sem)                   \
    do {                                       \
        PT_WAIT_UNTIL((pt), (sem)->count > 0); \
        --(sem)->count;                        \
    } while (0)

/* PT_SEM_SIGNAL(pt, sem) - add one to the count */
#define PT_SEM_SIGNAL(pt, sem) (++(sem)->count)

#endif
