/* registers.h - the registers of an ATmega328P that this board needs
 * SPDX-License-Identifier: MIT */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdint.h>

#define REGISTER_8(address) (*(volatile uint8_t *)(address))
#define REGISTER_16(address) (*(volatile uint16_t *)(address))

#define PINB REGISTER_8(0x23)
#define DDRB REGISTER_8(0x24)
#define PORTB REGISTER_8(0x25)
#define PINC REGISTER_8(0x26)
#define DDRC REGISTER_8(0x27)
#define PORTC REGISTER_8(0x28)
#define PIND REGISTER_8(0x29)
#define PORTD REGISTER_8(0x2b)
#define TIFR1 REGISTER_8(0x36)
#define SMCR REGISTER_8(0x53)
#define TIMSK1 REGISTER_8(0x6f)
#define TCCR1B REGISTER_8(0x81)
#define TCNT1 REGISTER_16(0x84)
#define OCR1A REGISTER_16(0x88)
#define TWBR REGISTER_8(0xb8)
#define TWSR REGISTER_8(0xb9)
#define TWDR REGISTER_8(0xbb)
#define TWCR REGISTER_8(0xbc)
#define UCSR0A REGISTER_8(0xc0)
#define UCSR0B REGISTER_8(0xc1)
#define UBRR0 REGISTER_16(0xc4)
#define UDR0 REGISTER_8(0xc6)

enum {
    TOV1 = 1 << 0,  /* in TIFR1 and TIMSK1: timer 1 has wrapped */
    OCF1A = 1 << 1, /* in TIFR1 and TIMSK1: it has reached OCR1A */
    SE = 1 << 0,    /* in SMCR: enable sleep, in mode "idle": the clocks keep running */
    UDRE0 = 1 << 5, /* in UCSR0A: the transmitter can take a byte */
    U2X0 = 1 << 1,
    RXCIE0 = 1 << 7, /* in UCSR0B */
    RXEN0 = 1 << 4,
    TXEN0 = 1 << 3,
    TWINT = 1 << 7, /* in TWCR */
    TWEA = 1 << 6,
    TWSTA = 1 << 5,
    TWSTO = 1 << 4,
    TWEN = 1 << 2,
    TWIE = 1 << 0
};

/* The handler of interrupt N, which is in the table of start.c. */
#define INTERRUPT(n)                                                           \
    void __vector_##n(void) __attribute__((signal, used, externally_visible)); \
    void __vector_##n(void)

#endif
