/* atmega328p.h - the bench on an ATmega328P: an AT24C02 of avr-bench
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "chips/avr_twi.h"
#include "registers.h"

enum {
    BENCH_THERMOMETER = 0x48, /* there is none */
    BENCH_EEPROM = 0x50,
    BENCH_WIDE = 1,
    BENCH_PAGE = 8,
    BENCH_SIZE = 256
};
#define BENCH_TELL

static struct avr_twi i2c_bus;
static volatile bool keeps, kept; /* the next interrupt is kept back; there was one */

INTERRUPT(24)
{
    if (keeps) {
        TWCR &= (uint8_t) ~(TWIE | TWINT);
        kept = true;
        return;
    }
    avr_twi_interrupt(&i2c_bus);
    keeps = bench_interrupted();
}

void bench_hold_after(unsigned count)
{
    bench_count(count);
}

void bench_release(void)
{
    board_state state = board_lock();

    bench.left = 0;
    keeps = false;
    if (kept) {
        bench.seen++;
        avr_twi_interrupt(&i2c_bus);
    }
    kept = false;
    board_unlock(state);
}

/* What happens to the EEPROM: see avr-bench.c. */
static void bench_tell(char what)
{
    REGISTER_8(0x4b) = (uint8_t)what;
}

static unsigned bench_broken(void)
{
    return REGISTER_8(0x4b);
}

static inline struct i2c_bus *bench_i2c(void)
{
    avr_twi_open(&i2c_bus, 100000, &loop);
    return &i2c_bus.bus;
}
