/* avr-seen.c - the most stack that a program for the ATmega328P has used, with interrupts at its deepest points
 * SPDX-License-Identifier: MIT
 *
 *     avr-seen PROGRAM.elf CYCLES INPUT
 *
 * A line of INPUT, in which | separates lines, comes at the UART, a byte each millisecond. Where interrupts are let in
 * and the stack is deeper than ever, that of the UART comes at once. Prints the bytes under the end of the RAM. */
#include "../../firmware/avr.h"

enum { RECEIVED = 18, SP = 0x5d, BYTE = 16000 };

static unsigned used(const avr_t *avr)
{
    return avr->ramend - (avr->data[SP] | (unsigned)avr->data[SP + 1] << 8);
}

static void interrupt(avr_t *avr)
{
    for (int i = 0; i < avr->interrupts.vector_count; i++)
        if (avr->interrupts.vector[i]->vector == RECEIVED)
            avr_raise_interrupt(avr, avr->interrupts.vector[i]);
}

int main(int count, char **arguments)
{
    unsigned most = 0, open = 0; /* OPEN: the most while interrupts are let in */
    avr_cycle_count_t next = BYTE, end;
    const char *text;
    avr_t *avr;

    if (count != 4)
        return 2;
    avr = avr_load(arguments[1]);
    end = strtoull(arguments[2], NULL, 10);
    text = arguments[3];
    while (avr_run(avr) != cpu_Done && avr->state != cpu_Crashed && avr->cycle < end) {
        if (used(avr) > most && used(avr) < avr->ramend / 2) /* from its first value on */
            most = used(avr);
        if (avr->sreg[S_I] && used(avr) > open && used(avr) < avr->ramend / 2) {
            open = used(avr);
            interrupt(avr);
        }
        if (avr->cycle >= next) {
            next += BYTE;
            avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT),
                          (uint32_t)(*text && *text != '|' ? *text : '\n'));
            text = *text ? text + 1 : arguments[3];
        }
    }
    printf("%u\n", most);
    return avr->state == cpu_Crashed;
}
