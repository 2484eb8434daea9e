/* avr-run.c - runs a program for the ATmega328P, with its UART on standard input and output
 * SPDX-License-Identifier: MIT
 *
 *     avr-run PROGRAM.elf <input >output
 *
 * A program ends with a sleep while interrupts are off; GPIOR1 is then its exit code. It has ten
 * minutes. */
#include "avr.h"

enum { GPIOR1 = 0x4a, STOPPED = 99 };

static void put(struct avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq;
    (void)unused;
    putchar((int)value);
}

int main(int count, char **arguments)
{
    const avr_cycle_count_t each = 16000000 / 1000 * 10; /* a byte in 10 ms */
    avr_cycle_count_t next = each;
    avr_t *avr;
    int byte = 0;

    if (count != 2)
        return 2;
    avr = avr_load(arguments[1]);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), put,
                            NULL);
    while (avr_run(avr) != cpu_Done && avr->state != cpu_Crashed &&
           avr->cycle < 600ull * 16000000) {
        if (byte != EOF && avr->cycle >= next) {
            next += each;
            byte = getchar();
            if (byte != EOF)
                avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT),
                              (uint32_t)byte);
        }
    }
    return avr->state == cpu_Done ? avr->data[GPIOR1] : STOPPED;
}
