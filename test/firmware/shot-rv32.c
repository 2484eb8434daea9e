/* shot-rv32.c - a one-shot interrupt by the alarm clock of qemu's "virt": 60 ns a step
 * SPDX-License-Identifier: MIT */
#include "rtc.h"
#include "shot.h"

enum { STEP = 60 };

const uint32_t shot_hz = 1000000000 / STEP;

void shot_in(uint32_t steps)
{
    rtc_alarm_in(steps * STEP);
}

void claimed(uint32_t source)
{
    uintptr_t place;

    (void)source;
    RTC_CLEAR = 1;
    __asm__ volatile("csrr %0, mepc" : "=r"(place));
    shot_came(place);
}

void shot_start(void)
{
    rtc_start();
}
