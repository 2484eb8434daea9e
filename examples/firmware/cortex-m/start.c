/* start.c - what runs before main on a Cortex-M
 * SPDX-License-Identifier: MIT */
#include "cortex-m.h"

extern uint32_t data_load[], data_start[], data_end[], bss_end[];

void start(void)
{
    uint32_t *from = data_load, *to = data_start;

    while (to < data_end)
        *to++ = *from++;
    while (to < bss_end) /* .bss follows .data */
        *to++ = 0;
#ifdef __ARM_FP
    CPACR |= 0xfu << 20; /* the floating-point unit is on */
    __asm__ volatile("dsb\n\tisb" ::: "memory");
#endif
    board_end(main());
}

__attribute__((weak)) void board_end(int code)
{
    (void)code;
    stray();
}

void stray(void)
{
    for (;;) {
    }
}
