/* ast1030-evb.h - the bench on an AST1030: I2C bus 2 with a TMP105 and an AT24C64
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "chips/aspeed_i2c.h"
#include "cortex-m.h"
#include "interrupts.h"

enum {
    BENCH_THERMOMETER = 0x48,
    BENCH_EEPROM = 0x50,
    BENCH_WIDE = 2,
    BENCH_PAGE = 32,
    BENCH_SIZE = 8192
};
#define BENCH_SIXTEENTHS (-(10 * 16 + 4)) /* as `run` sets it: -10.25 degrees */
#define BENCH_DEGREES (-11)

enum { BUS = 2, INTERRUPT = 110 + BUS };

static struct aspeed_i2c bus;

void i2c_interrupt(unsigned number)
{
    (void)number;
    aspeed_i2c_interrupt(&bus);
    if (bench_interrupted())
        (&NVIC_ICER)[INTERRUPT / 32] = 1u << INTERRUPT % 32;
}

void bench_hold_after(unsigned count, struct pt_waker *held)
{
    bench_count(count, held);
}

void bench_release(void)
{
    bench.left = 0;
    (&NVIC_ISER)[INTERRUPT / 32] = 1u << INTERRUPT % 32;
}

static struct i2c_bus *bench_bus(struct pt_loop *loop)
{
    aspeed_i2c_open(&bus, BUS, loop);
    return &bus.bus;
}
