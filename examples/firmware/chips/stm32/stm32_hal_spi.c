/* stm32_hal_spi.c - both ways at once as far as both have bytes, then the rest
 * SPDX-License-Identifier: MIT */
#include "stm32_hal_spi.h"

static struct stm32_hal_spi *bus_at(struct controller *by)
{
    return (struct stm32_hal_spi *)(void *)by; /* its first member's first member */
}

static struct stm32_hal_spi *bus_of(const SPI_HandleTypeDef *hal)
{
    return bus_at(stm32_hal_of(hal)); /* NULL stays NULL */
}

static void renew(struct stm32_hal_spi *it)
{
    (void)HAL_SPI_Init(it->hal);
    __HAL_SPI_CLEAR_OVRFLAG(it->hal); /* and a byte that nobody has read */
    it->wants_new = false;
}

static void reset(struct controller *by)
{
    struct stm32_hal_spi *it = bus_at(by);

    renew(it); /* first: it requests no DMA any more */
    stm32_hal_reset(&it->dma);
}

/* Where OUT is over, the HAL sends what is in IN. */
static HAL_StatusTypeDef start_part(struct stm32_hal_spi *it)
{
    const struct transfer *transfer = it->bus.controller.transfer;
    uint16_t outs = (uint16_t)(transfer->outs - it->done), ins;
    uint8_t *in = transfer->in + it->done;

    if (transfer->outs > it->done && transfer->ins > it->done) {
        ins = (uint16_t)(transfer->ins - it->done);
        it->length = outs < ins ? outs : ins;
        return HAL_SPI_TransmitReceive_DMA(it->hal, transfer->out + it->done, in, it->length);
    }
    if (transfer->outs > it->done) {
        it->length = outs;
        return HAL_SPI_Transmit_DMA(it->hal, transfer->out + it->done, outs);
    }
    it->length = (uint16_t)(transfer->ins - it->done);
    for (uint16_t i = 0; i < it->length; i++)
        in[i] = 0xff;
    return HAL_SPI_TransmitReceive_DMA(it->hal, in, in, it->length);
}

static bool is_over(const struct stm32_hal_spi *it)
{
    const struct transfer *transfer = it->bus.controller.transfer;

    return it->done >= transfer->outs && it->done >= transfer->ins;
}

static void go_on(struct stm32_hal_spi *it)
{
    if (is_over(it)) {
        controller_done(&it->bus.controller, PT_OK);
    } else if (start_part(it) != HAL_OK) {
        reset(&it->bus.controller);
        controller_done(&it->bus.controller, BUS_FAILED);
    }
}

static void start(struct controller *by)
{
    struct stm32_hal_spi *it = bus_at(by);

    if (it->wants_new)
        renew(it);
    it->done = 0;
    go_on(it);
}

/* --- its end ----------------------------------------------------------------------------------- */

static void part_is_over(SPI_HandleTypeDef *hal)
{
    struct stm32_hal_spi *it = bus_of(hal);

    if (!it || !it->bus.controller.holds)
        return;
    it->done = (uint16_t)(it->done + it->length);
    go_on(it);
}

void HAL_SPI_TxCpltCallback(SPI_HandleTypeDef *hal)
{
    part_is_over(hal);
}

void HAL_SPI_TxRxCpltCallback(SPI_HandleTypeDef *hal)
{
    part_is_over(hal);
}

/* It can come twice, when each channel has let go, or while one runs on. */
void HAL_SPI_ErrorCallback(SPI_HandleTypeDef *hal)
{
    struct stm32_hal_spi *it = bus_of(hal);

    if (!it || !it->bus.controller.holds)
        return;
    it->wants_new = true;
    stm32_hal_end(&it->dma, HAL_SPI_GetError(hal) & HAL_SPI_ERROR_OVR ? (pt_status)PT_EOVERRUN
                                                                      : (pt_status)BUS_FAILED);
}

void HAL_SPI_AbortCpltCallback(SPI_HandleTypeDef *hal)
{
    struct stm32_hal_spi *it = bus_of(hal);

    if (it && it->bus.controller.holds)
        stm32_hal_end(&it->dma, PT_ECANCELED);
}

static void stop_soon(struct controller *by)
{
    board_state state = board_lock(); /* in the HAL nothing locks out the interrupt of the end */

    if (by->holds)
        (void)HAL_SPI_Abort_IT(bus_at(by)->hal);
    board_unlock(state);
}

/* If the abort met an error, the HAL has called back before, and does not call again. */
static bool still_holds(struct controller *by)
{
    return by->holds && !stm32_hal_has_let_go(&bus_at(by)->dma);
}

/* --- a device ---------------------------------------------------------------------------------- */

static uint32_t divided(uint32_t clock, uint32_t hertz)
{
    static const uint32_t by[] = {SPI_BAUDRATEPRESCALER_2,   SPI_BAUDRATEPRESCALER_4,
                                  SPI_BAUDRATEPRESCALER_8,   SPI_BAUDRATEPRESCALER_16,
                                  SPI_BAUDRATEPRESCALER_32,  SPI_BAUDRATEPRESCALER_64,
                                  SPI_BAUDRATEPRESCALER_128, SPI_BAUDRATEPRESCALER_256};
    unsigned i = 0;

    while (i < sizeof by / sizeof by[0] - 1 && clock >> (i + 1) > hertz)
        i++;
    return by[i];
}

static void choose(struct spi_bus *bus, const struct spi_device *device, bool on)
{
    struct stm32_hal_spi *it = (struct stm32_hal_spi *)bus;
    SPI_InitTypeDef *init = &it->hal->Init;

    if (on) {
        init->CLKPolarity = device->mode & 2 ? SPI_POLARITY_HIGH : SPI_POLARITY_LOW;
        init->CLKPhase = device->mode & 1 ? SPI_PHASE_2EDGE : SPI_PHASE_1EDGE;
        init->BaudRatePrescaler = divided(it->clock, device->hertz);
        renew(it);
    }
    it->choose(device->pin, on);
}

static const struct spi_ops ops = {{start, stop_soon, reset, still_holds, PT_MS(STM32_PATIENCE_MS)},
                                   choose};

void stm32_hal_spi_open(struct stm32_hal_spi *it, SPI_HandleTypeDef *hal, uint32_t clock,
                        void (*choose_pin)(uint8_t pin, bool on), struct pt_loop *loop)
{
    it->hal = hal;
    it->clock = clock;
    it->choose = choose_pin;
    it->wants_new = false;
    controller_open(&it->bus.controller, &ops.controller, loop);
    stm32_hal_open(&it->dma, hal, &it->bus.controller, hal->hdmatx, hal->hdmarx);
}
