/* avr_edges.c - runs a program in simavr by a script of inputs, and prints the edges of its pins
 * SPDX-License-Identifier: MIT
 *
 *     avr_edges PROGRAM.elf CYCLES <inputs
 *
 * An input is a line "CYCLE button 1", "CYCLE button 0" or "CYCLE byte 102"; a byte has arrived at that cycle. An edge
 * is a line "CYCLE led0 1", and so on, or "CYCLE uart 102". */
#include "../../firmware/avr.h"

#include <simavr/avr_ioport.h>

enum { BYTE = 8 * 17 * 10 }; /* cycles of a byte at the board's baud rate */

static avr_t *avr;

static void edge(const char *name, uint32_t value)
{
    printf("%llu %s %u\n", (unsigned long long)avr->cycle, name, (unsigned)value);
}

static void on_led(struct avr_irq_t *irq, uint32_t value, void *name)
{
    if (irq->value != value)
        edge((const char *)name, value);
}

static void on_byte(struct avr_irq_t *irq, uint32_t value, void *name)
{
    (void)irq;
    edge((const char *)name, value);
}

static avr_irq_t *pin(char port, int number)
{
    return avr_io_getirq(avr, (uint32_t)AVR_IOCTL_IOPORT_GETIRQ(port), number);
}

/* simavr's UART, which takes eleven bits for a byte of ten. */
static avr_uart_t *uart(void)
{
    avr_io_t *io = avr->io_port;

    while (strcmp(io->kind, "uart") != 0)
        io = io->next;
    return (avr_uart_t *)(void *)io;
}

/* An event of simavr at which nothing happens, but that a sleep ends. */
static avr_cycle_count_t nothing(struct avr_t *self, avr_cycle_count_t when, void *unused)
{
    (void)self;
    (void)when;
    (void)unused;
    return 0;
}

static void run_to(avr_cycle_count_t limit)
{
    if (limit > avr->cycle)
        avr_cycle_timer_register(avr, limit - avr->cycle, nothing, NULL);
    while (avr->cycle < limit && avr->state != cpu_Done && avr->state != cpu_Crashed) {
        avr_run(avr);
        if (uart()->cycles_per_byte)
            uart()->cycles_per_byte = BYTE;
    }
}

int main(int count, char **arguments)
{
    unsigned long long at;
    char what[8];
    unsigned value;

    if (count != 3)
        return 2;
    avr = avr_load(arguments[1]);
    avr_irq_register_notify(pin('B', 5), on_led, (void *)"led0");
    avr_irq_register_notify(pin('B', 4), on_led, (void *)"led1");
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT),
                            on_byte, (void *)"uart");
    avr_raise_irq(pin('D', 2), 1);
    while (scanf("%llu %7s %u", &at, what, &value) == 3) {
        if (strcmp(what, "byte") == 0) {
            run_to(at - BYTE);
            avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), value);
        } else {
            run_to(at);
            avr_raise_irq(pin('D', 2), !value);
        }
    }
    run_to(strtoull(arguments[2], NULL, 10));
    return 0;
}
