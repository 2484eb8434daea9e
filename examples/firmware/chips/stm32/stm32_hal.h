/* stm32_hal.h - what the controllers over ST's HAL share: whether DMA has let go of memory
 * SPDX-License-Identifier: MIT
 *
 * main.h is the header of that name that STM32CubeMX writes: it includes the HAL of the family. The
 * HAL tells that a transfer is over, and its callbacks come more than once, or before the second of
 * two channels has stopped. So a callback only asks here: has each channel let go? */
#ifndef CHIPS_STM32_HAL_H
#define CHIPS_STM32_HAL_H

#include "main.h"

#include <stdbool.h>
#include <stddef.h>

enum { STM32_PATIENCE_MS = 5 }; /* as long as the HAL waits for a channel */

static inline bool stm32_dma_has_let_go(const DMA_HandleTypeDef *dma)
{
    return !dma || dma->State == HAL_DMA_STATE_READY;
}

/* An error ended the transfer, and the channel runs on: ask it. LET_GO is its interrupt. */
static inline void stm32_dma_ask(DMA_HandleTypeDef *dma, void (*let_go)(DMA_HandleTypeDef *dma))
{
    if (dma && dma->State == HAL_DMA_STATE_BUSY) {
        dma->XferAbortCallback = let_go;
        (void)HAL_DMA_Abort_IT(dma);
    }
}

/* Stop it, whatever state it is in: in the HAL only the initialization does. */
static inline void stm32_dma_reset(DMA_HandleTypeDef *dma)
{
    if (dma) {
        (void)HAL_DMA_Init(dma);
        dma->XferCpltCallback = NULL;
        dma->XferAbortCallback = NULL;
    }
}

#endif
