/* avr-bench.c - runs a program for the ATmega328P, with an EEPROM on its I2C bus
 * SPDX-License-Identifier: MIT
 *
 *     avr-bench PROGRAM.elf >output
 *
 * It ends as avr-run. The program writes a byte to GPIOR2: 'g', the EEPROM is gone; 'b', it is
 * back, and lets go of SDA; 's', it holds SDA; 'S', for ever. It reads there how often a
 * transaction was broken off while the EEPROM was sending. */
#include "../avr.h"
#include "eeprom.h"

#include <simavr/avr_ioport.h>
#include <simavr/avr_twi.h>

#include <limits.h>

enum { GPIOR1 = 0x4a, GPIOR2 = 0x4b, SDA = 4, SCL = 5, STOPPED = 99 };

static avr_t *avr;
static struct eeprom eeprom;

static void put(struct avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq;
    (void)unused;
    putchar((int)value);
}

static void drive_sda(void)
{
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), SDA), !eeprom.clocks);
}

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
    if (kind & TWI_COND_STOP)
        eeprom_stop(&eeprom, avr->cycle);
    if (kind & TWI_COND_START)
        answer(TWI_COND_ACK, address, eeprom_start(&eeprom, avr->cycle, address >> 1, address & 1));
    if (kind & TWI_COND_WRITE)
        answer(TWI_COND_ACK, address, eeprom_take(&eeprom, message.u.twi.data));
    if (kind & TWI_COND_READ)
        answer(TWI_COND_READ, address, eeprom_give(&eeprom, kind & TWI_COND_ACK));
    drive_sda();
    avr->data[GPIOR2] = eeprom.broken;
}

static void wires(struct avr_irq_t *irq, uint32_t directions, void *unused)
{
    static bool low;

    (void)irq;
    (void)unused;
    if (low && !(directions & 1 << SCL))
        eeprom_clock(&eeprom);
    low = directions & 1 << SCL;
    if (!(directions & 1 << SDA))
        drive_sda();
}

static void told(struct avr_t *by, avr_io_addr_t at, uint8_t value, void *unused)
{
    (void)by;
    (void)at;
    (void)unused;
    eeprom.clocks = value == 's' ? EEPROM_CLOCKS : value == 'S' ? UINT_MAX : 0;
    eeprom.gone = false;
    if (value == 'g')
        eeprom_take_away(&eeprom, avr->cycle);
    drive_sda();
}

int main(int count, char **arguments)
{
    if (count != 2)
        return 2;
    avr = avr_load(arguments[1]);
    eeprom.write_time = 5 * 16000;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), put,
                            NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_TWI_GETIRQ(0), TWI_IRQ_OUTPUT), bus, NULL);
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), IOPORT_IRQ_DIRECTION_ALL), wires, NULL);
    avr_register_io_write(avr, GPIOR2, told, NULL);
    drive_sda();
    while (avr_run(avr) != cpu_Done && avr->state != cpu_Crashed &&
           avr->cycle < 600ull * 16000000) {
    }
    return avr->state == cpu_Done ? avr->data[GPIOR1] : STOPPED;
}
