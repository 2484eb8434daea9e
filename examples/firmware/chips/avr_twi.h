/* avr_twi.h - the two-wire interface of an AVR, which is I2C: a byte an interrupt
 * SPDX-License-Identifier: MIT
 *
 *     static struct avr_twi bus;
 *
 *     avr_twi_open(&bus, 100000, &loop);
 *     INTERRUPT(24) { avr_twi_interrupt(&bus); }
 *
 * On an ATmega328P: SDA is pin C4, and SCL is C5. Build with -DBOARD_TWI='"__vector_24"'. */
#ifndef CHIPS_AVR_TWI_H
#define CHIPS_AVR_TWI_H

#include "drivers/i2c.h"

struct avr_twi {
    struct i2c_bus bus; /* its first member */
    uint16_t done;      /* bytes of the part that runs: of head and out, or of in */
    bool addresses;     /* the byte on the wire is the address */
    bool reads;         /* it is the read half */
    bool open;          /* the device sends on, unless the next byte is refused */
    volatile bool aborts;
};

/* avr_twi_open - with a clock of HERTZ, 31,000 to 400,000, for the tasks of LOOP */
void avr_twi_open(struct avr_twi *it, uint32_t hertz, struct pt_loop *loop);

/* avr_twi_interrupt - for the interrupt of the interface */
void avr_twi_interrupt(struct avr_twi *it);

#endif
