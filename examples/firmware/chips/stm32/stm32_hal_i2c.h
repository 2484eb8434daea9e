/* stm32_hal_i2c.h - an I2C bus over ST's HAL: by DMA if both channels are linked, else by interrupt
 * SPDX-License-Identifier: MIT
 *
 *     static struct stm32_hal_i2c bus;
 *
 *     MX_DMA_Init();
 *     MX_I2C1_Init();                              STM32CubeMX writes these
 *     stm32_hal_i2c_open(&bus, &hi2c1, &loop);
 *     stm32_hal_i2c_wires(&bus, GPIOB, GPIO_PIN_6, GPIOB, GPIO_PIN_7);
 *
 * The interrupts of the bus and of its channels are those that CubeMX writes, at one priority. The
 * file defines the HAL's callbacks for a master; they ignore a bus that was not opened here.
 *
 * The HAL waits in a loop, in START, until the STOP of the transfer before is on the wires: some
 * microseconds, and 25 ms if the bus is stuck. */
#ifndef CHIPS_STM32_HAL_I2C_H
#define CHIPS_STM32_HAL_I2C_H

#include "drivers/i2c.h"
#include "stm32_hal.h"

struct stm32_hal_i2c {
    struct i2c_bus bus; /* its first member */
    I2C_HandleTypeDef *hal;
    struct stm32_hal dma; /* its channels, and what it ends with */
    GPIO_TypeDef *scl_port, *sda_port;
    uint16_t scl_pin, sda_pin;
    uint8_t part;   /* the one on the wires */
    bool begun;     /* a part is over: the next one continues it */
    bool asked;     /* the HAL aborts */
    bool aborted;   /* it has done so; the STOP can be still to come */
    bool wants_new; /* initialize it before the next START */
};

/* stm32_hal_i2c_open - a bus that the HAL has initialized, for the tasks of LOOP; once for each */
void stm32_hal_i2c_open(struct stm32_hal_i2c *it, I2C_HandleTypeDef *hal, struct pt_loop *loop);

/* stm32_hal_i2c_wires - the pins of an open bus: with them a stuck bus gets its nine clocks */
void stm32_hal_i2c_wires(struct stm32_hal_i2c *it, GPIO_TypeDef *scl_port, uint16_t scl_pin,
                         GPIO_TypeDef *sda_port, uint16_t sda_pin);

#endif
