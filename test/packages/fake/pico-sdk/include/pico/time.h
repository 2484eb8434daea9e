/* time.h - replaces pico/time.h of the Pico SDK, for Arduino's core
 * SPDX-License-Identifier: MIT */
#ifndef FAKE_PICO_TIME_H
#define FAKE_PICO_TIME_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t absolute_time_t; /* microseconds since the start */

uint64_t time_us_64(void);
bool best_effort_wfe_or_timeout(absolute_time_t timeout);

static inline absolute_time_t make_timeout_time_us(uint64_t us)
{
    return time_us_64() + us;
}

#ifdef __cplusplus
}
#endif
#endif
