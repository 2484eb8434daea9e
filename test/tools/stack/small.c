/* small.c - a program for an AVR without pt: two interrupts, of which one is at an odd word of a small part
 * SPDX-License-Identifier: MIT */
__asm__(".section .vectors,\"ax\"\n.global __vectors\n__vectors:\n " JUMP " enter\n " JUMP
        " __vector_1\n " JUMP " __vector_2\n.text");

static volatile char sink;

__attribute__((noinline, noclone)) static void work(void)
{
    sink = 1;
}

__attribute__((signal, used)) void __vector_1(void)
{
    volatile char room[100];

    room[0] = 1;
    work();
}

__attribute__((signal, used)) void __vector_2(void)
{
    work();
}

__attribute__((used, OS_main)) void enter(void)
{
    work();
    for (;;)
        sink = 2;
}
