/* end.c - how a program under test ends: one way for each kind of emulator
 * SPDX-License-Identifier: MIT */
#include "end.h"
#include "board.h"

#if defined(__arm__)
void board_end(int code)
{
    const uint32_t block[2] = {0x20026, (uint32_t)code}; /* ADP_Stopped_ApplicationExit */
    register uint32_t operation __asm__("r0") = 0x20;    /* SYS_EXIT_EXTENDED */
    register const uint32_t *argument __asm__("r1") = block;

    __asm__ volatile("bkpt 0xab" ::"r"(operation), "r"(argument) : "memory");
}
#elif defined(__riscv)
void board_end(int code)
{
    *(volatile uint32_t *)0x100000 = code ? (uint32_t)code << 16 | 0x3333 : 0x5555;
}
#elif defined(__AVR__)
void board_end(int code)
{
    *(volatile uint8_t *)0x4a = (uint8_t)code;
    while (!(*(volatile uint8_t *)0xc0 & 0x20)) {
    }
    for (volatile uint16_t i = 0; i < 2000; i++) { /* until the last byte is sent */
    }
    __asm__ volatile("cli\n\tsleep");
}
#endif

void say(const char *text)
{
    for (; *text; text++)
        while (!board_put(*text)) {
        }
}

void say_number(long number)
{
    char text[12], *digit = &text[sizeof text - 1];
    unsigned long rest = number < 0 ? 0ul - (unsigned long)number : (unsigned long)number;

    *digit = '\0';
    do {
        *--digit = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (number < 0)
        say("-");
    say(digit);
}
