/* start.c - the interrupt table of an ATmega328P, and what runs before main
 * SPDX-License-Identifier: MIT
 *
 * The sections .init2 to .init9 follow each other and run in order. At .init4 the compiler's
 * library copies the variables into RAM and clears the rest. The table ends with the last
 * interrupt in use. */
#include <pt/pt.h>

#ifndef BOARD_INT0 /* the handler of the interrupt INT0, pin 2: a program with one defines its name */
#define BOARD_INT0 "stray"
#endif

#ifdef BOARD_TWI /* likewise of the two-wire interface */
#define TO_TWI ".rept 5\n    jmp stray\n.endr\n    jmp " BOARD_TWI "\n"
#else
#define TO_TWI
#endif

#if PT_TIME_BITS == 16
#define TIMER1_OVERFLOW "stray"
#else
#define TIMER1_OVERFLOW "__vector_13"
#endif

__asm__(".section .vectors,\"ax\",@progbits\n"
        "    jmp board_reset\n" /* reset */
        "    jmp " BOARD_INT0 "\n"
        ".rept 9\n    jmp stray\n.endr\n"
        "    jmp __vector_11\n"
        "    jmp stray\n"
        "    jmp " TIMER1_OVERFLOW "\n"
        ".rept 4\n    jmp stray\n.endr\n"
        "    jmp __vector_18\n" TO_TWI ".section .init2,\"ax\",@progbits\n"
        ".global board_reset\n"
        "board_reset:\n"
        "    clr r1\n" /* the compiler's zero; SREG is 0, SP is the end of the RAM */
        ".text\n");

int main(void);
void board_end(int code);
void enter(void) __attribute__((naked, used, section(".init9")));
void stray(void) __attribute__((used, externally_visible));

void enter(void)
{
    __asm__ volatile("call %x0\n\tjmp %x1" ::"i"(main), "i"(board_end));
}

/* Called by an unexpected interrupt; an emulator ends here. */
void stray(void)
{
    __asm__ volatile("cli");
    for (;;)
        __asm__ volatile("sleep");
}

/* Called with main's result; a program can define its own. */
__attribute__((weak)) void board_end(int code)
{
    (void)code;
    stray();
}
