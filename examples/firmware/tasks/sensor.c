/* sensor.c - a device that sometimes does not answer: a timeout per try, and growing pauses
 * SPDX-License-Identifier: MIT */
#include "tasks.h"

/* pt-bounds: loop 3 */
PT_ASYNC(sensor, self)
{
    for (;;) {
        self->answered = false;
        for (self->left = self->tries; self->left && !self->answered;) {
            self->ask(self);
            PT_WITH_TIMEOUT(&self->limit, self->patience) {
                while (!self->answered)
                    PT_PARK();
            }
            if (!self->answered && --self->left) {
                PT_YIELD(); /* the pause is a minimum: a newer time, and a tick more */
                PT_WAIT((pt_time)(self->patience * (pt_time)(self->tries - self->left) + 1));
            }
        }
        self->report(self, self->answered ? (pt_status)PT_OK : (pt_status)PT_ETIMEDOUT);
        PT_WAIT(self->period);
    }
}
PT_END
