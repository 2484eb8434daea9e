/* expanded/56-native-time.c - the bodies of lesson 56, their operations expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     pt_native_timeout     link a block into the chain of the task and arm the one timer
 *     pt_native_deadline    the same, with the time that is left
 *     pt_native_park_for    a deadline for the task, and the opcode WAIT, without a permit */

#define SAY(...) \
    (printf("%2u s  ", (unsigned)(pt_now_(self->task) / PT_SEC(1))), printf(__VA_ARGS__))

/* Knock once a second, for 3 seconds, for 5 if there is light, or until the deadline. */
static bool knock(struct pt_native *self, pt_time deadline)
{
    struct pt_scope patience, bedtime;
    struct pt_ticker knocks;
    int count = 0;

    pt_ticker_start(&knocks, pt_now_(self->task), PT_SEC(1), PT_TICKS_SKIP);
    pt_native_timeout_open_(self, &bedtime, pt_time_until_(pt_now_(self->task), deadline));
    pt_native_timeout_open_(self, &patience, PT_SEC(3));
    while (!door.set && pt_native_wait_tick(self, &knocks) == PT_OK)
        if (++count == 2)
            pt_timeout_rearm_(self->task, &patience, PT_SEC(3)); /* light: 3 seconds from now */
    if (pt_native_timeout_end(self, &patience))
        SAY("lost patience after %d knocks\n", count);
    if (pt_native_timeout_end(self, &bedtime))
        SAY("too late, after %d knocks\n", count);
    return door.set;
}

static pt_status guest(struct pt_native *self)
{
    pt_time midnight = pt_now_(self->task) + PT_SEC(10);

    while (!knock(self, midnight) && pt_time_before(pt_now_(self->task), midnight))
        pt_native_park_timed_(self, PT_SEC(2)); /* or until somebody wakes it */
    pt_native_sleep_(self, pt_time_until_(pt_now_(self->task), midnight + PT_SEC(5)));
    SAY("asleep\n");
    if (pt_native_park_deadline(self, midnight + PT_SEC(8)) == PT_ETIMEDOUT)
        SAY("awake: nobody has called\n");
    return PT_OK;
}
