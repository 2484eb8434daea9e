/* avr-sweep-driver.c - a cancel at every instruction of a transfer: who writes to its memory?
 * SPDX-License-Identifier: MIT
 *
 *     avr-sweep-driver avr-driver.elf
 *
 * Runs avr-driver.c instruction by instruction, from the start of a transfer on the two-wire
 * interface until its memory has been somebody else's for a while. Before each instruction the
 * state is copied, INT0 cancels the transfer, the program comes to its verdict, and the copy goes
 * back. A byte takes 144 cycles, so the cancel and its cleanup meet many interrupts. When the task
 * has ended, the device must have seen a STOP; and if it was canceled in time, not all bytes were
 * read. In the middle of the transfer nothing is tried: there it is as at its begin.
 *
 * Prints how many points were tried and how many were wrong; exits with 1 if any was. */
#include "avr-state.h"

#include <simavr/avr_ioport.h>
#include <simavr/avr_twi.h>

enum { CANCEL = 1, VERDICT = 0x4a, STAGE = 0x4b };
enum { RIGHT = 1, READS = 1, HAS_ENDED = 2 };
enum { BYTE = 0x11, SDA = 4, BYTES = 64, FIRST = 16, LAST = 4, HANGS = 16000000 / 10 };

static unsigned points, wrong;
static avr_t *avr;

/* The device: it is always there, and sends always the same. */
static struct {
    unsigned given; /* bytes */
    int begun;      /* no STOP yet */
} device;

static void answer(uint8_t kind, uint8_t address, uint8_t byte)
{
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_TWI_GETIRQ(0), TWI_IRQ_INPUT),
                  avr_twi_irq_msg(kind, address, byte));
}

static void bus(struct avr_irq_t *irq, uint32_t value, void *unused)
{
    avr_twi_msg_irq_t message = {.u = {.v = value}};
    uint8_t kind = message.u.twi.msg, address = message.u.twi.addr;

    (void)irq;
    (void)unused;
    if (kind & TWI_COND_START)
        device.begun = 1;
    if (kind & TWI_COND_STOP)
        device.begun = 0;
    device.given += (kind & TWI_COND_READ) != 0;
    if (kind & (TWI_COND_START | TWI_COND_WRITE))
        answer(TWI_COND_ACK, address, 1);
    if (kind & TWI_COND_READ)
        answer(TWI_COND_READ, address, BYTE);
}

static void step(void)
{
    if (avr_run(avr) == cpu_Done || avr->state == cpu_Crashed)
        exit(2);
}

/* Whether the bus is free when the task has ended, and was so in time. SOON: it had time for that. */
static int lets_go(int soon, avr_cycle_count_t end)
{
    while (avr->data[STAGE] < HAS_ENDED && avr->cycle < end)
        step();
    return !device.begun && (!soon || device.given < BYTES);
}

static int right_to_the_end(avr_cycle_count_t end)
{
    while (!avr->data[VERDICT] && avr->cycle < end)
        step();
    return avr->data[VERDICT] == RIGHT;
}

static void try_here(void)
{
    avr_cycle_count_t end = avr->cycle + HANGS;
    unsigned given = device.given;
    int begun = device.begun;

    keep(avr);
    avr_raise_interrupt(avr, vector_of(avr, CANCEL));
    wrong += !lets_go(given < FIRST, end) || !right_to_the_end(end);
    points++;
    put_back(avr);
    device.given = given;
    device.begun = begun;
}

int main(int count, char **arguments)
{
    if (count != 2)
        return 2;
    avr = avr_load(arguments[1]);
    make_room(avr);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_TWI_GETIRQ(0), TWI_IRQ_OUTPUT), bus, NULL);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), SDA), 1);
    while (avr->data[STAGE] < READS)
        step();
    for (; avr->data[STAGE] <= HAS_ENDED; step())
        if (device.given < FIRST || device.given + LAST > BYTES)
            try_here();
    printf("%u points tried, %u wrong\n", points, wrong);
    return wrong != 0;
}
