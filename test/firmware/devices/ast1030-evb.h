/* ast1030-evb.h - the bench on an AST1030: I2C bus 2 with a TMP105 and an AT24C64; the flash at FMC
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "chips/aspeed_fmc.h"
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
#define BENCH_ID 0xef, 0x40, 0x14 /* a W25Q80BL, as `run` asks for */
#define BENCH_CLOCKS PT_EINVAL    /* its bytes go through the window of a device */

enum { BUS = 2, I2C = 110 + BUS, FMC = 39 };

static struct aspeed_i2c i2c_bus;
static struct aspeed_fmc spi_bus;
static const struct spi_device bench_flash = {&spi_bus.bus, .hertz = 20000000, .mode = 0, .pin = 0};

static void enable(unsigned interrupt, bool on)
{
    (on ? &NVIC_ISER : &NVIC_ICER)[interrupt / 32] = 1u << interrupt % 32;
}

void i2c_interrupt(unsigned number)
{
    (void)number;
    aspeed_i2c_interrupt(&i2c_bus);
    if (bench_interrupted())
        enable(I2C, false);
}

void fmc_interrupt(void)
{
    aspeed_fmc_interrupt(&spi_bus);
    if (bench_interrupted())
        enable(FMC, false);
}

void bench_hold_after(unsigned count)
{
    bench_count(count);
}

void bench_release(void)
{
    bench.left = 0;
    enable(I2C, true);
    enable(FMC, true);
}

static inline unsigned bench_broken(void)
{
    return 0; /* qemu's EEPROM does not mind */
}

static inline struct i2c_bus *bench_i2c(void)
{
    aspeed_i2c_open(&i2c_bus, BUS, &loop);
    return &i2c_bus.bus;
}

static inline void bench_spi(void)
{
    aspeed_fmc_open(&spi_bus, &loop);
}
