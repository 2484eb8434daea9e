/* loop_eventfd.c - the fastest possible wake: a thread that sleeps in a read of an eventfd
 * SPDX-License-Identifier: MIT */
#include "loop.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int bell;

static void wake(void *ignored)
{
    const uint64_t one = 1;

    (void)ignored;
    if (write(bell, &one, sizeof one) != sizeof one)
        abort();
}

static void wait_for_all(void)
{
    uint64_t rung;

    bell = eventfd(0, 0);
    loop_send(wake, NULL);
    do
        if (read(bell, &rung, sizeof rung) != sizeof rung)
            abort();
    while (loop_woken());
}

const struct peer peer = {NULL, NULL, wait_for_all, NULL};
