/* stm32_hal.c - a transfer is over when its channels have let go, whoever says so first
 * SPDX-License-Identifier: MIT */
#include "stm32_hal.h"

static struct stm32_hal *buses;

static struct stm32_hal *bus_of(const void *handle)
{
    struct stm32_hal *it = buses;

    while (it && it->handle != handle)
        it = it->next;
    return it;
}

struct controller *stm32_hal_of(const void *handle)
{
    struct stm32_hal *it = bus_of(handle);

    return it ? it->by : NULL;
}

void stm32_hal_open(struct stm32_hal *it, const void *handle, struct controller *by,
                    DMA_HandleTypeDef *tx, DMA_HandleTypeDef *rx)
{
    it->handle = handle;
    it->by = by;
    it->tx = tx;
    it->rx = rx;
    if (bus_of(handle) != it) {
        it->next = buses;
        buses = it;
    }
}

static bool has_let_go(const DMA_HandleTypeDef *dma)
{
    return !dma || dma->State == HAL_DMA_STATE_READY;
}

bool stm32_hal_has_let_go(const struct stm32_hal *it)
{
    return has_let_go(it->tx) && has_let_go(it->rx);
}

static void let_go(DMA_HandleTypeDef *dma)
{
    struct stm32_hal *it = bus_of(dma->Parent);

    if (it)
        stm32_hal_end(it, it->code);
}

/* An error ended the transfer, and the channel runs on: ask it. */
static void ask(DMA_HandleTypeDef *dma)
{
    if (dma && dma->State == HAL_DMA_STATE_BUSY) {
        dma->XferAbortCallback = let_go;
        (void)HAL_DMA_Abort_IT(dma);
    }
}

void stm32_hal_end(struct stm32_hal *it, pt_status code)
{
    it->code = code;
    ask(it->tx);
    ask(it->rx);
    if (it->by->holds && stm32_hal_has_let_go(it))
        controller_done(it->by, it->code);
}

/* In the HAL only the initialization stops a channel in any state. */
static void reset(DMA_HandleTypeDef *dma)
{
    if (dma) {
        (void)HAL_DMA_Init(dma);
        dma->XferCpltCallback = NULL;
        dma->XferAbortCallback = NULL;
    }
}

void stm32_hal_reset(struct stm32_hal *it)
{
    reset(it->tx);
    reset(it->rx);
}
