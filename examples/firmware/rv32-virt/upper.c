/* upper.c - an interrupt for a second loop on qemu's "virt": an alarm every millisecond
 * SPDX-License-Identifier: MIT
 *
 * In a RISC-V, interrupts do not nest unless the handler allows it. This one allows the timer, and
 * sources with a higher priority at the PLIC. It saves mepc and mstatus, which the return needs. */
#include "rtc.h"

enum { PERIOD = 1000000 };

void upper_turn(void);
void upper_start(void);

void claimed(uint32_t source)
{
    uint32_t place, state;

    (void)source;
    RTC_CLEAR = 1;
    rtc_alarm_in(PERIOD);
    PLIC_THRESHOLD = RTC_PRIORITY;
    __asm__ volatile("csrr %0, mepc\n\tcsrr %1, mstatus\n\tcsrsi mstatus, 8"
                     : "=r"(place), "=r"(state)::"memory");
    upper_turn();
    __asm__ volatile("csrw mstatus, %1\n\tcsrw mepc, %0" ::"r"(place), "r"(state) : "memory");
    PLIC_THRESHOLD = 0;
}

void upper_start(void)
{
    rtc_start();
    rtc_alarm_in(PERIOD);
}
