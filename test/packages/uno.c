/* uno.c - runs a sketch on an Arduino Uno in simavr, and prints what can be seen from outside
 * SPDX-License-Identifier: MIT
 *
 *     uno PROGRAM.elf MILLISECONDS [PRESS]...
 *
 * A line for each edge of the LED (pin 13), and for each line of the serial port, with its time in
 * milliseconds; then how much of the time the processor slept. The button at pin 2 is pressed at
 * each PRESS for 100 ms, and bounces for 3 ms. */
#include "../firmware/avr.h"

#include <simavr/avr_ioport.h>

enum { A_MILLISECOND = 16000, BOUNCES = 6 };
enum { SMCR = 0x53, IDLE = 1 }; /* the sleep mode, with the bit that enables sleep */

static avr_cycle_count_t asleep;
static char line[80];
static size_t length;

/* simavr sleeps in any mode, and does not look at the bit that enables it. */
static void slept(avr_t *avr, avr_cycle_count_t cycles)
{
    if ((avr->data[SMCR] & 0xf) == IDLE)
        asleep += cycles + 1;
}

static unsigned long now(const avr_t *avr)
{
    return (unsigned long)((avr->cycle + A_MILLISECOND / 2) / A_MILLISECOND);
}

static void led(struct avr_irq_t *irq, uint32_t value, void *avr)
{
    if (value != irq->value)
        printf("%lu led %s\n", now(avr), value ? "on" : "off");
}

static void serial(struct avr_irq_t *irq, uint32_t value, void *avr)
{
    (void)irq;
    if (value == '\n') {
        printf("%lu serial %.*s\n", now(avr), (int)length, line);
        length = 0;
    } else if (value != '\r' && length < sizeof line) {
        line[length++] = (char)value;
    }
}

/* The level of the button's pin at a time: low while it is pressed. */
static unsigned level(avr_cycle_count_t at, char **presses)
{
    for (; *presses; presses++) {
        avr_cycle_count_t press = strtoul(*presses, NULL, 10) * A_MILLISECOND;
        avr_cycle_count_t since = at - press, half = A_MILLISECOND / 2;

        if (at < press || since >= 103 * A_MILLISECOND)
            continue;
        if (since >= 100 * A_MILLISECOND) /* it bounces as it is let go, too */
            return (since - 100 * A_MILLISECOND) / half % 2 == 0;
        return since < BOUNCES * half ? since / half % 2 : 0;
    }
    return 1;
}

int main(int count, char **arguments)
{
    avr_cycle_count_t end;
    avr_irq_t *button;
    avr_t *avr;

    if (count < 3)
        return 2;
    avr = avr_load(arguments[1]);
    avr->sleep = slept;
    end = strtoul(arguments[2], NULL, 10) * A_MILLISECOND;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 5), led, avr);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), serial,
                            avr);
    button = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 2);
    while (avr->cycle < end) {
        unsigned pin = level(avr->cycle, arguments + 3);

        if (pin != button->value)
            avr_raise_irq(button, pin);
        avr_run(avr);
        if (avr->state == cpu_Done || avr->state == cpu_Crashed) {
            printf("it has stopped\n");
            return 1;
        }
    }
    printf("slept %lu %%\n", (unsigned long)(asleep * 100 / avr->cycle));
    return 0;
}
