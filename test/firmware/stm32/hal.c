/* hal.c - ST's HAL in virtual time: what it calls back, when, and what its channels write meanwhile
 * SPDX-License-Identifier: MIT
 *
 * The bus has one device, at 0x48: it takes a register, and sends what follows it. SPI sends back
 * the inverse of each byte. A byte takes a tick. A newer block gets the first byte that it sends
 * before its START: no channel has that one. */
#include "hal.h"

#include <string.h>

struct channel i2c_tx, i2c_rx, spi_tx, spi_rx;
I2C_HandleTypeDef hi2c1;
SPI_HandleTypeDef hspi1;
struct failure i2c_failure, spi_failure;
bool i2c_is_new;
uint8_t i2c_held;
pt_time i2c_stop_lag;
unsigned i2c_inits, spi_inits, i2c_stops;
void (*hal_said)(const char *who, const char *what);

static void say(const char *who, const char *what)
{
    if (hal_said)
        hal_said(who, what);
}

static void later(struct hardware *it, pt_time ticks)
{
    hardware_at(it, (pt_time)(board_now() + ticks));
}

/* --- channels ---------------------------------------------------------------------------------- */

static struct channel *channel(const DMA_HandleTypeDef *dma)
{
    return (struct channel *)(void *)dma->Instance;
}

static bool runs(const struct channel *it)
{
    return it->handle.State == HAL_DMA_STATE_BUSY || it->handle.State == HAL_DMA_STATE_ABORT;
}

static HAL_StatusTypeDef run(struct channel *it, uint8_t *memory, uint16_t size)
{
    if (it->handle.State != HAL_DMA_STATE_READY)
        return HAL_ERROR;
    it->handle.State = HAL_DMA_STATE_BUSY;
    it->memory = memory;
    it->size = size;
    it->at = 0;
    it->registers.NDTR = size;
    return HAL_OK;
}

/* A byte; one that was asked to let go goes around in its memory. */
static void move(struct channel *it, uint8_t byte)
{
    if (!runs(it))
        return;
    if (it->memory)
        it->memory[it->at % it->size] = byte;
    it->at++;
    if (it->registers.NDTR)
        it->registers.NDTR--;
}

static void stopped(struct hardware *hardware)
{
    struct channel *it =
        (struct channel *)(void *)((char *)hardware - offsetof(struct channel, hardware));

    it->handle.State = HAL_DMA_STATE_READY;
    if (it->handle.XferAbortCallback)
        it->handle.XferAbortCallback(&it->handle);
}

HAL_StatusTypeDef HAL_DMA_Abort_IT(DMA_HandleTypeDef *dma)
{
    if (dma->State != HAL_DMA_STATE_BUSY)
        return HAL_ERROR;
    dma->State = HAL_DMA_STATE_ABORT;
    if (!channel(dma)->hangs)
        later(&channel(dma)->hardware, channel(dma)->lag);
    return HAL_OK;
}

HAL_StatusTypeDef HAL_DMA_Init(DMA_HandleTypeDef *dma)
{
    hardware_stop(&channel(dma)->hardware);
    dma->State = HAL_DMA_STATE_READY;
    return HAL_OK;
}

/* --- I2C --------------------------------------------------------------------------------------- */

static I2C_TypeDef i2c;
static struct hardware i2c_hardware;
static struct {
    uint8_t address, next_byte;
    uint8_t *data;
    uint16_t at, size, bytes;
    uint32_t options;
    bool by_dma, wants_start, is_open, is_new, stops;
} wire;

static bool busy(void)
{
    return (i2c.SR2 & 2) != 0;
}

static void release_bus(void)
{
    i2c_stops += busy();
    i2c.SR2 = i2c_held ? 2 : 0;
    wire.is_open = wire.stops = false;
}

static void put_stop(void)
{
    wire.stops = true;
    later(&i2c_hardware, 1 + i2c_stop_lag);
}

static void i2c_aborted(DMA_HandleTypeDef *dma)
{
    bool by_user = hi2c1.State == HAL_I2C_STATE_ABORT;

    (void)dma;
    i2c_tx.handle.XferAbortCallback = i2c_rx.handle.XferAbortCallback = NULL;
    hi2c1.State = HAL_I2C_STATE_READY;
    hi2c1.Mode = HAL_I2C_MODE_NONE;
    hi2c1.ErrorCode = by_user ? HAL_I2C_ERROR_NONE : hi2c1.ErrorCode;
    put_stop();
    if (by_user)
        HAL_I2C_AbortCpltCallback(&hi2c1);
    else
        HAL_I2C_ErrorCallback(&hi2c1);
}

/* What the HAL does after an error, and after an abort. */
static void i2c_ends(void)
{
    struct channel *it = i2c_tx.handle.State != HAL_DMA_STATE_READY ? &i2c_tx : &i2c_rx;

    if (i2c_is_new)
        hi2c1.XferCount = 0;
    if (wire.by_dma) {
        wire.by_dma = false;
        it->handle.XferAbortCallback = i2c_aborted;
        if (HAL_DMA_Abort_IT(&it->handle) != HAL_OK) {
            hi2c1.State = HAL_I2C_STATE_READY;
            i2c_aborted(&it->handle);
        }
    } else if (hi2c1.State == HAL_I2C_STATE_ABORT) {
        hi2c1.State = HAL_I2C_STATE_READY;
        hi2c1.ErrorCode = HAL_I2C_ERROR_NONE;
        put_stop();
        HAL_I2C_AbortCpltCallback(&hi2c1);
    } else {
        hi2c1.State = HAL_I2C_STATE_READY;
        hi2c1.Mode = HAL_I2C_MODE_NONE;
        put_stop();
        HAL_I2C_ErrorCallback(&hi2c1);
    }
}

HAL_StatusTypeDef HAL_I2C_Master_Abort_IT(I2C_HandleTypeDef *hal, uint16_t address)
{
    (void)address;
    if (!busy() || hal->Mode == HAL_I2C_MODE_NONE)
        return HAL_ERROR;
    hal->State = HAL_I2C_STATE_ABORT;
    hal->XferCount = 0;
    i2c_ends();
    return HAL_OK;
}

static void i2c_fails(void)
{
    i2c_failure.at = 0;
    hi2c1.ErrorCode |= i2c_failure.code;
    if (!i2c_failure.of_dma || !wire.by_dma) {
        i2c_ends();
        return;
    }
    hi2c1.State = HAL_I2C_STATE_READY;
    hi2c1.Mode = HAL_I2C_MODE_NONE;
    HAL_I2C_ErrorCallback(&hi2c1);
}

static void i2c_refused(void)
{
    hi2c1.ErrorCode |= HAL_I2C_ERROR_AF;
    i2c_ends();
}

static bool stops_after(uint32_t options)
{
    return options == I2C_FIRST_AND_LAST_FRAME || options == I2C_LAST_FRAME;
}

static void part_ends(void)
{
    bool reads = hi2c1.State == HAL_I2C_STATE_BUSY_RX;

    wire.by_dma = false;
    i2c_tx.handle.State = i2c_rx.handle.State = HAL_DMA_STATE_READY;
    hi2c1.State = HAL_I2C_STATE_READY;
    hi2c1.Mode = HAL_I2C_MODE_NONE;
    if (stops_after(wire.options))
        release_bus();
    if (reads)
        HAL_I2C_MasterRxCpltCallback(&hi2c1);
    else
        HAL_I2C_MasterTxCpltCallback(&hi2c1);
}

static void i2c_byte(void)
{
    bool reads = hi2c1.State == HAL_I2C_STATE_BUSY_RX;

    if (reads && !wire.by_dma)
        wire.data[wire.at] = wire.next_byte;
    move(&i2c_rx, wire.next_byte);
    if (reads)
        wire.next_byte++;
    else
        wire.next_byte = wire.data[wire.at];
    move(&i2c_tx, 0);
    wire.at++;
    if (!wire.by_dma && hi2c1.XferCount) { /* of a newer block, the byte behind this one */
        hi2c1.pBuffPtr++;
        hi2c1.XferCount--;
        hi2c1.XferSize = (uint16_t)(hi2c1.XferSize - i2c_is_new);
    }
}

static void i2c_act(struct hardware *hardware)
{
    (void)hardware;
    later(&i2c_hardware, 1);
    if (wire.stops)
        release_bus();
    if (hi2c1.State != HAL_I2C_STATE_BUSY_TX && hi2c1.State != HAL_I2C_STATE_BUSY_RX) {
        if (runs(&i2c_rx) || runs(&i2c_tx))
            move(&i2c_rx, wire.next_byte++); /* it was asked to let go */
        else
            hardware_stop(&i2c_hardware);
        return;
    }
    if (i2c_failure.at && ++wire.bytes == i2c_failure.at) {
        i2c_fails();
    } else if (hi2c1.ErrorCode) {
        move(&i2c_rx, wire.next_byte++);
    } else if (wire.wants_start) {
        i2c.SR2 = 2;
        wire.wants_start = false;
        wire.is_new = true;
    } else if (wire.is_new) {
        wire.is_new = false;
        if (wire.address != 0x48 << 1)
            i2c_refused();
        else if (!wire.size)
            part_ends();
    } else {
        i2c_byte();
        if (wire.at == wire.size)
            part_ends();
    }
}

static HAL_StatusTypeDef part(HAL_I2C_StateTypeDef state, uint16_t address, uint8_t *data,
                              uint16_t size, uint32_t options)
{
    bool first = !wire.is_open;

    if (hi2c1.State != HAL_I2C_STATE_READY)
        return HAL_BUSY;
    if (first && (busy() || i2c_held)) {
        if (i2c_held) {
            hi2c1.ErrorCode |= HAL_I2C_ERROR_TIMEOUT;
            return HAL_BUSY;
        }
        release_bus(); /* the HAL waits for the STOP in a loop */
    }
    if (first != !(options == I2C_LAST_FRAME || options == I2C_LAST_FRAME_NO_STOP))
        return HAL_ERROR;
    say(state == HAL_I2C_STATE_BUSY_RX ? "read" : "write",
        options == I2C_FIRST_FRAME            ? "START"
        : options == I2C_FIRST_AND_NEXT_FRAME ? "START, goes on"
        : options == I2C_FIRST_AND_LAST_FRAME ? "START, STOP"
        : options == I2C_LAST_FRAME_NO_STOP   ? "goes on"
                                              : "STOP");
    wire.by_dma = false;
    wire.wants_start = first || state == HAL_I2C_STATE_BUSY_RX;
    wire.is_open = true;
    wire.is_new = wire.stops = false;
    wire.bytes = first ? 0 : wire.bytes;
    wire.address = (uint8_t)address;
    wire.data = hi2c1.pBuffPtr = data;
    wire.at = 0;
    wire.options = options;
    wire.size = hi2c1.XferSize = hi2c1.XferCount = size;
    if (i2c_is_new && state == HAL_I2C_STATE_BUSY_TX && size &&
        (options == I2C_FIRST_FRAME || options == I2C_FIRST_AND_LAST_FRAME)) {
        hi2c1.XferSize = --hi2c1.XferCount;
        hi2c1.pBuffPtr++;
    }
    hi2c1.ErrorCode = HAL_I2C_ERROR_NONE;
    hi2c1.State = state;
    hi2c1.Mode = HAL_I2C_MODE_MASTER;
    later(&i2c_hardware, 1);
    return HAL_OK;
}

static HAL_StatusTypeDef with(struct channel *it, uint8_t *memory, HAL_StatusTypeDef status)
{
    if (status != HAL_OK)
        return status;
    if (!hi2c1.XferSize)
        return HAL_OK;
    if (run(it, memory, hi2c1.XferSize) != HAL_OK) {
        hi2c1.State = HAL_I2C_STATE_READY;
        hi2c1.Mode = HAL_I2C_MODE_NONE;
        hi2c1.ErrorCode |= HAL_I2C_ERROR_DMA;
        return HAL_ERROR;
    }
    wire.by_dma = true;
    return HAL_OK;
}

HAL_StatusTypeDef HAL_I2C_Master_Seq_Transmit_IT(I2C_HandleTypeDef *hal, uint16_t address,
                                                 uint8_t *data, uint16_t size, uint32_t options)
{
    (void)hal;
    return part(HAL_I2C_STATE_BUSY_TX, address, data, size, options);
}

HAL_StatusTypeDef HAL_I2C_Master_Seq_Receive_IT(I2C_HandleTypeDef *hal, uint16_t address,
                                                uint8_t *data, uint16_t size, uint32_t options)
{
    (void)hal;
    return part(HAL_I2C_STATE_BUSY_RX, address, data, size, options);
}

HAL_StatusTypeDef HAL_I2C_Master_Seq_Transmit_DMA(I2C_HandleTypeDef *hal, uint16_t address,
                                                  uint8_t *data, uint16_t size, uint32_t options)
{
    (void)hal;
    return with(&i2c_tx, NULL, part(HAL_I2C_STATE_BUSY_TX, address, data, size, options));
}

HAL_StatusTypeDef HAL_I2C_Master_Seq_Receive_DMA(I2C_HandleTypeDef *hal, uint16_t address,
                                                 uint8_t *data, uint16_t size, uint32_t options)
{
    (void)hal;
    return with(&i2c_rx, data, part(HAL_I2C_STATE_BUSY_RX, address, data, size, options));
}

uint32_t HAL_I2C_GetError(const I2C_HandleTypeDef *hal)
{
    return hal->ErrorCode;
}

HAL_StatusTypeDef HAL_I2C_Init(I2C_HandleTypeDef *hal)
{
    i2c_inits++;
    hardware_stop(&i2c_hardware);
    i2c_hardware.act = i2c_act;
    release_bus();
    hal->State = HAL_I2C_STATE_READY;
    hal->Mode = HAL_I2C_MODE_NONE;
    hal->ErrorCode = HAL_I2C_ERROR_NONE;
    return HAL_OK;
}

HAL_StatusTypeDef HAL_I2C_DeInit(I2C_HandleTypeDef *hal)
{
    hal->State = HAL_I2C_STATE_RESET;
    return HAL_OK;
}

void HAL_GPIO_Init(GPIO_TypeDef *port, GPIO_InitTypeDef *init)
{
    (void)port;
    (void)init;
}

void HAL_GPIO_WritePin(GPIO_TypeDef *port, uint16_t pin, GPIO_PinState state)
{
    static GPIO_PinState scl;

    (void)port;
    if (pin != 1)
        return;
    if (state == GPIO_PIN_SET && scl == GPIO_PIN_RESET && i2c_held)
        i2c_held--;
    scl = state;
}

uint32_t HAL_GetTick(void)
{
    return board_now();
}

/* --- SPI --------------------------------------------------------------------------------------- */

static struct hardware spi_hardware;
static struct {
    const uint8_t *out;
    uint16_t at, size, bytes;
    bool both, requests;
} shift;

static void abort_on_error(DMA_HandleTypeDef *dma)
{
    (void)dma;
    HAL_SPI_ErrorCallback(&hspi1);
}

static void spi_fails(void)
{
    hspi1.ErrorCode |= spi_failure.code;
    hspi1.State = HAL_SPI_STATE_READY;
    shift.requests = false;
    if (spi_failure.of_dma) {
        spi_rx.handle.State = HAL_DMA_STATE_READY;
        HAL_SPI_ErrorCallback(&hspi1);
        return;
    }
    spi_rx.handle.XferAbortCallback = spi_tx.handle.XferAbortCallback = abort_on_error;
    (void)HAL_DMA_Abort_IT(&spi_rx.handle);
    (void)HAL_DMA_Abort_IT(&spi_tx.handle);
}

static void spi_act(struct hardware *hardware)
{
    (void)hardware;
    later(&spi_hardware, 1);
    move(&spi_rx, (uint8_t)~shift.out[shift.at % shift.size]);
    move(&spi_tx, 0);
    if (!shift.requests)
        return;
    shift.at++;
    if (spi_failure.at && ++shift.bytes == spi_failure.at) {
        spi_failure.at = 0;
        spi_fails();
    } else if (shift.at == shift.size) {
        shift.requests = false;
        hardware_stop(&spi_hardware);
        spi_tx.handle.State = spi_rx.handle.State = HAL_DMA_STATE_READY;
        hspi1.State = HAL_SPI_STATE_READY;
        if (shift.both)
            HAL_SPI_TxRxCpltCallback(&hspi1);
        else
            HAL_SPI_TxCpltCallback(&hspi1);
    }
}

static HAL_StatusTypeDef exchange(const uint8_t *out, uint8_t *in, uint16_t size)
{
    if (hspi1.State != HAL_SPI_STATE_READY)
        return HAL_BUSY;
    hspi1.State = HAL_SPI_STATE_BUSY; /* and it stays so if a channel cannot start */
    hspi1.ErrorCode = HAL_SPI_ERROR_NONE;
    if ((in && run(&spi_rx, in, size) != HAL_OK) || run(&spi_tx, NULL, size) != HAL_OK)
        return HAL_ERROR;
    shift.out = out;
    shift.size = size;
    shift.at = 0;
    shift.both = in != NULL;
    shift.requests = true;
    say("exchange", in == out ? "received" : in ? "both" : "sent");
    later(&spi_hardware, 1);
    return HAL_OK;
}

HAL_StatusTypeDef HAL_SPI_Transmit_DMA(SPI_HandleTypeDef *hal, const uint8_t *data, uint16_t size)
{
    (void)hal;
    return exchange(data, NULL, size);
}

HAL_StatusTypeDef HAL_SPI_TransmitReceive_DMA(SPI_HandleTypeDef *hal, const uint8_t *out,
                                              uint8_t *in, uint16_t size)
{
    (void)hal;
    return exchange(out, in, size);
}

static void abort_completes(void)
{
    hspi1.ErrorCode = HAL_SPI_ERROR_NONE;
    hspi1.State = HAL_SPI_STATE_READY;
    HAL_SPI_AbortCpltCallback(&hspi1);
}

static void tx_aborted(DMA_HandleTypeDef *dma)
{
    dma->XferAbortCallback = NULL;
    if (!spi_rx.handle.XferAbortCallback)
        abort_completes();
}

static void rx_aborted(DMA_HandleTypeDef *dma)
{
    dma->XferAbortCallback = NULL;
    if (!spi_tx.handle.XferAbortCallback)
        abort_completes();
}

HAL_StatusTypeDef HAL_SPI_Abort_IT(SPI_HandleTypeDef *hal)
{
    bool rx = shift.requests && shift.both, later_on = false;

    (void)hal;
    spi_tx.handle.XferAbortCallback = shift.requests ? tx_aborted : NULL;
    spi_rx.handle.XferAbortCallback = rx ? rx_aborted : NULL;
    if (shift.requests && HAL_DMA_Abort_IT(&spi_tx.handle) == HAL_OK)
        later_on = true;
    else
        spi_tx.handle.XferAbortCallback = NULL;
    if (rx && HAL_DMA_Abort_IT(&spi_rx.handle) == HAL_OK)
        later_on = true;
    else
        spi_rx.handle.XferAbortCallback = NULL;
    shift.requests = false;
    if (!later_on)
        abort_completes();
    return HAL_OK;
}

uint32_t HAL_SPI_GetError(const SPI_HandleTypeDef *hal)
{
    return hal->ErrorCode;
}

HAL_StatusTypeDef HAL_SPI_Init(SPI_HandleTypeDef *hal)
{
    spi_inits++;
    hardware_stop(&spi_hardware);
    spi_hardware.act = spi_act;
    shift.requests = false;
    shift.bytes = 0;
    hal->State = HAL_SPI_STATE_READY;
    return HAL_OK;
}

/* --- all --------------------------------------------------------------------------------------- */

static void open_channel(struct channel *it, void *parent)
{
    hardware_stop(&it->hardware);
    memset(it, 0, sizeof *it);
    it->hardware.act = stopped;
    it->handle.Instance = &it->registers;
    it->handle.Parent = parent;
    it->handle.State = HAL_DMA_STATE_READY;
}

void hal_open(bool by_dma)
{
    open_channel(&i2c_tx, &hi2c1);
    open_channel(&i2c_rx, &hi2c1);
    open_channel(&spi_tx, &hspi1);
    open_channel(&spi_rx, &hspi1);
    memset(&i2c_failure, 0, sizeof i2c_failure);
    memset(&spi_failure, 0, sizeof spi_failure);
    i2c_held = 0;
    i2c_stop_lag = 0;
    hi2c1.Instance = &i2c;
    hi2c1.hdmatx = by_dma ? &i2c_tx.handle : NULL;
    hi2c1.hdmarx = by_dma ? &i2c_rx.handle : NULL;
    hspi1.hdmatx = &spi_tx.handle;
    hspi1.hdmarx = &spi_rx.handle;
    i2c.SR2 = 0;
    (void)HAL_I2C_Init(&hi2c1);
    (void)HAL_SPI_Init(&hspi1);
    i2c_inits = spi_inits = i2c_stops = 0;
}
