/* rtc.h - the real-time clock of qemu's "virt", with an alarm at the PLIC
 * SPDX-License-Identifier: MIT */
#ifndef RTC_H
#define RTC_H

#include <stdint.h>

#define WORD(address) (*(volatile uint32_t *)(address))

#define RTC_TIME(i) \
    WORD(0x00101000 + 4 * (i)) /* in ns; a read of the low word latches the high one */
#define RTC_ALARM(i) WORD(0x00101008 + 4 * (i)) /* a write of the low word sets the alarm */
#define RTC_ENABLE WORD(0x00101010)
#define RTC_CLEAR WORD(0x0010101c)
#define PLIC_PRIORITY(source) WORD(0x0c000000 + 4 * (source))
#define PLIC_ENABLE WORD(0x0c002000)
#define PLIC_THRESHOLD WORD(0x0c200000)

enum { RTC_SOURCE = 11, RTC_PRIORITY = 1 /* the UART has 2 */ };

/* Defined by the program: called on an interrupt of the PLIC that is not the UART's. */
void claimed(uint32_t source);

static inline void rtc_start(void)
{
    RTC_ENABLE = 1;
    PLIC_PRIORITY(RTC_SOURCE) = RTC_PRIORITY;
    PLIC_ENABLE |= 1u << RTC_SOURCE;
}

/* Set one alarm, DELAY nanoseconds from now. */
static inline void rtc_alarm_in(uint32_t delay)
{
    uint64_t at = RTC_TIME(0);

    at = (at | (uint64_t)RTC_TIME(1) << 32) + delay;
    RTC_ALARM(1) = (uint32_t)(at >> 32);
    RTC_ALARM(0) = (uint32_t)at;
}

#endif
