/* stm32_hal.h - what the controllers over ST's HAL share: whether DMA has let go of memory
 * SPDX-License-Identifier: MIT
 *
 * main.h is the header of that name that STM32CubeMX writes: it includes the HAL of the family. The
 * HAL tells that a transfer is over, and its callbacks come more than once, or before the second of
 * two channels has stopped. So a callback only asks here: has each channel let go? */
#ifndef CHIPS_STM32_HAL_H
#define CHIPS_STM32_HAL_H

#include "drivers/transfer.h"
#include "main.h"

enum { STM32_PATIENCE_MS = 5 }; /* as long as the HAL waits for a channel */

/* A bus that was opened, of any kind. */
struct stm32_hal {
    struct stm32_hal *next;
    const void *handle; /* the HAL's: the callbacks have it */
    struct controller *by;
    DMA_HandleTypeDef *tx, *rx; /* its channels, or NULL */
    pt_status code;             /* what it ends with when all channels have let go */
};

/* stm32_hal_open - the bus of HANDLE; once for each, and again if it has been opened before */
void stm32_hal_open(struct stm32_hal *it, const void *handle, struct controller *by,
                    DMA_HandleTypeDef *tx, DMA_HandleTypeDef *rx);

/* stm32_hal_of - the controller that was opened with HANDLE, or NULL */
struct controller *stm32_hal_of(const void *handle);

/* stm32_hal_has_let_go - whether no channel has memory */
bool stm32_hal_has_let_go(const struct stm32_hal *it);

/* stm32_hal_end - the transfer is over with CODE, when no channel has its memory */
void stm32_hal_end(struct stm32_hal *it, pt_status code);

/* stm32_hal_reset - stop the channels, whatever state they are in */
void stm32_hal_reset(struct stm32_hal *it);

#endif
