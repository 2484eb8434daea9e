/* stm32_hal_i2c.c - up to three calls of the HAL for a transaction, and one end
 * SPDX-License-Identifier: MIT */
#include "stm32_hal_i2c.h"

enum { HEAD, OUT, IN, PARTS };

static struct stm32_hal_i2c *bus_at(struct controller *by)
{
    return (struct stm32_hal_i2c *)(void *)by; /* its first member's first member */
}

static struct stm32_hal_i2c *bus_of(const I2C_HandleTypeDef *hal)
{
    return bus_at(stm32_hal_of(hal)); /* NULL stays NULL */
}

/* --- a transaction, part by part --------------------------------------------------------------- */

static uint16_t size_of(const struct stm32_hal_i2c *it, uint8_t part)
{
    const struct transfer *transfer = it->bus.controller.transfer;

    return part == HEAD ? it->bus.heads : part == OUT ? transfer->outs : transfer->ins;
}

/* The first part from PART on that is not empty. */
static uint8_t part_from(const struct stm32_hal_i2c *it, uint8_t part)
{
    while (part < PARTS && !size_of(it, part))
        part++;
    return part;
}

/* What is in front of a part, and behind it. */
static uint32_t frame(const struct stm32_hal_i2c *it)
{
    uint8_t next = it->part < PARTS ? part_from(it, (uint8_t)(it->part + 1)) : (uint8_t)PARTS;

    if (next == PARTS)
        return it->begun ? I2C_LAST_FRAME : I2C_FIRST_AND_LAST_FRAME;
    if (next == OUT)
        return I2C_FIRST_AND_NEXT_FRAME;
    return it->begun ? I2C_LAST_FRAME_NO_STOP : I2C_FIRST_FRAME;
}

static uint8_t *memory_of(const struct stm32_hal_i2c *it)
{
    const struct transfer *transfer = it->bus.controller.transfer;
    const uint8_t *memory = it->part == HEAD ? it->bus.head : transfer->out;

    return it->part == IN ? transfer->in : (uint8_t *)(uintptr_t)memory; /* the HAL only reads it */
}

static HAL_StatusTypeDef start_part(struct stm32_hal_i2c *it)
{
    I2C_HandleTypeDef *hal = it->hal;
    uint16_t address = (uint16_t)(it->bus.address << 1);
    uint32_t options = frame(it);

    if (it->part == PARTS) /* all are empty: is a device there? */
        return HAL_I2C_Master_Seq_Transmit_IT(hal, address, NULL, 0, options);
    if (it->part == IN)
        return (hal->hdmatx && hal->hdmarx ? HAL_I2C_Master_Seq_Receive_DMA
                                           : HAL_I2C_Master_Seq_Receive_IT)(
            hal, address, memory_of(it), size_of(it, IN), options);
    return (hal->hdmatx && hal->hdmarx ? HAL_I2C_Master_Seq_Transmit_DMA
                                       : HAL_I2C_Master_Seq_Transmit_IT)(
        hal, address, memory_of(it), size_of(it, it->part), options);
}

static void reset(struct controller *by)
{
    I2C_HandleTypeDef *hal = bus_at(by)->hal;

    (void)HAL_I2C_Init(hal); /* by the reset bit of the block: it requests no DMA any more */
    stm32_hal_reset(&bus_at(by)->dma);
}

static void start_from(struct stm32_hal_i2c *it, uint8_t part)
{
    HAL_StatusTypeDef status;

    it->part = part_from(it, part);
    status = start_part(it);
    if (status == HAL_OK)
        return;
    it->wants_new = true;
    if (status != HAL_BUSY || it->begun)
        reset(&it->bus.controller);
    controller_done(&it->bus.controller, status == HAL_BUSY && !it->begun ? I2C_STUCK : BUS_FAILED);
}

static void start(struct controller *by)
{
    struct stm32_hal_i2c *it = bus_at(by);

    if (it->wants_new) {
        (void)HAL_I2C_DeInit(it->hal);
        (void)HAL_I2C_Init(it->hal); /* and the pins, by HAL_I2C_MspInit */
    }
    it->begun = it->asked = it->aborted = it->wants_new = false;
    start_from(it, HEAD);
}

/* --- its end ----------------------------------------------------------------------------------- */

static void part_is_over(I2C_HandleTypeDef *hal)
{
    struct stm32_hal_i2c *it = bus_of(hal);

    if (!it || !it->bus.controller.holds)
        return;
    it->begun = true;
    if (it->part < PARTS && part_from(it, (uint8_t)(it->part + 1)) < PARTS)
        start_from(it, (uint8_t)(it->part + 1));
    else
        stm32_hal_end(&it->dma, PT_OK);
}

/* Whether bytes of the part have gone out behind the address. A newer block gets the first one before
 * the START: that one tells nothing, and is not in XferSize. */
static bool has_sent(const struct stm32_hal_i2c *it)
{
    const I2C_HandleTypeDef *hal = it->hal;
    uint16_t size = size_of(it, it->part);

    if (hal->hdmatx && hal->hdmarx)
        return hal->XferSize && __HAL_DMA_GET_COUNTER(hal->hdmatx) != hal->XferSize;
    return hal->pBuffPtr - memory_of(it) > (hal->XferSize < size);
}

/* The HAL can leave its state at busy. */
static pt_status code_of(struct stm32_hal_i2c *it)
{
    uint32_t error = HAL_I2C_GetError(it->hal);

    it->wants_new = it->hal->State != HAL_I2C_STATE_READY;
    if (error & HAL_I2C_ERROR_AF)
        return it->part >= IN || (!it->begun && !has_sent(it)) ? I2C_NO_DEVICE : I2C_REFUSED;
    it->wants_new |= !(error & HAL_I2C_ERROR_ARLO);
    return error & (HAL_I2C_ERROR_ARLO | HAL_I2C_ERROR_BERR) ? I2C_LOST : BUS_FAILED;
}

void HAL_I2C_MasterTxCpltCallback(I2C_HandleTypeDef *hal)
{
    part_is_over(hal);
}

void HAL_I2C_MasterRxCpltCallback(I2C_HandleTypeDef *hal)
{
    part_is_over(hal);
}

void HAL_I2C_ErrorCallback(I2C_HandleTypeDef *hal)
{
    struct stm32_hal_i2c *it = bus_of(hal);

    if (it && it->bus.controller.holds)
        stm32_hal_end(&it->dma, code_of(it));
}

/* --- an abort ---------------------------------------------------------------------------------- */

/* Its memory is free, and the STOP is on the wires. If the abort met an error, the HAL has called
 * back before. */
static bool is_free(const struct stm32_hal_i2c *it)
{
    return it->aborted && stm32_hal_has_let_go(&it->dma) &&
           !__HAL_I2C_GET_FLAG(it->hal, I2C_FLAG_BUSY);
}

void HAL_I2C_AbortCpltCallback(I2C_HandleTypeDef *hal)
{
    struct stm32_hal_i2c *it = bus_of(hal);

    if (!it || !it->bus.controller.holds)
        return;
    it->aborted = true;
    if (is_free(it))
        controller_done(&it->bus.controller, PT_ECANCELED);
}

/* The HAL refuses before the START is on the wires: then it is asked again, at the next tick. */
static void stop_soon(struct controller *by)
{
    struct stm32_hal_i2c *it = bus_at(by);
    board_state state = board_lock(); /* in the HAL nothing locks out the interrupt of the end */

    if (by->holds && !it->asked) {
        it->asked = true; /* it can call back before it returns */
        it->asked = HAL_I2C_Master_Abort_IT(it->hal, (uint16_t)(it->bus.address << 1)) == HAL_OK;
    }
    board_unlock(state);
}

static bool still_holds(struct controller *by)
{
    stop_soon(by);
    return by->holds && !is_free(bus_at(by));
}

/* --- the wires --------------------------------------------------------------------------------- */

static void wires(struct i2c_bus *bus, bool scl, bool sda)
{
    struct stm32_hal_i2c *it = (struct stm32_hal_i2c *)bus;
    GPIO_InitTypeDef pin = {0};

    HAL_GPIO_WritePin(it->scl_port, it->scl_pin, scl ? GPIO_PIN_SET : GPIO_PIN_RESET);
    HAL_GPIO_WritePin(it->sda_port, it->sda_pin, sda ? GPIO_PIN_SET : GPIO_PIN_RESET);
    pin.Mode = GPIO_MODE_OUTPUT_OD;
    pin.Pull = GPIO_NOPULL;
    pin.Speed = GPIO_SPEED_FREQ_LOW;
    pin.Pin = it->scl_pin;
    HAL_GPIO_Init(it->scl_port, &pin);
    pin.Pin = it->sda_pin;
    HAL_GPIO_Init(it->sda_port, &pin);
    it->wants_new = true;
}

static const struct i2c_ops ops = {{start, stop_soon, reset, still_holds, PT_MS(STM32_PATIENCE_MS)},
                                   NULL};
static const struct i2c_ops ops_wires = {
    {start, stop_soon, reset, still_holds, PT_MS(STM32_PATIENCE_MS)}, wires};

void stm32_hal_i2c_open(struct stm32_hal_i2c *it, I2C_HandleTypeDef *hal, struct pt_loop *loop)
{
    it->hal = hal;
    it->wants_new = false;
    controller_open(&it->bus.controller, &ops.controller, loop);
    stm32_hal_open(&it->dma, hal, &it->bus.controller, hal->hdmatx, hal->hdmarx);
}

void stm32_hal_i2c_wires(struct stm32_hal_i2c *it, GPIO_TypeDef *scl_port, uint16_t scl_pin,
                         GPIO_TypeDef *sda_port, uint16_t sda_pin)
{
    it->scl_port = scl_port;
    it->scl_pin = scl_pin;
    it->sda_port = sda_port;
    it->sda_pin = sda_pin;
    it->bus.controller.ops = &ops_wires.controller;
}
