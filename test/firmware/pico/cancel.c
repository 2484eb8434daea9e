/* cancel.c - a transfer by DMA and SPI on a Pico, which cancel.js cancels at every moment
 * SPDX-License-Identifier: MIT
 *
 * A round is a transfer that is canceled by an interrupt, and one that is not. When a task has
 * ended, its memory is not the hardware's any more: IN is filled, and must stay as it is. The
 * second transfer must be complete. */
#include "drivers/transfer.h"
#include "sweep.h"

#define DMA(offset) REGISTER(0x50000000 + (offset))
#define CHANNEL(n, offset) DMA(0x40 * (n) + (offset)) /* 0: from, 4: to, 8: count, 16: control */
#define DMA_RAW DMA(0x400)
#define DMA_ENABLE(alias) DMA(0x404 + (alias))
#define DMA_STATE DMA(0x40c)
#define DMA_START DMA(0x430)
#define DMA_ABORT DMA(0x444)
#define SPI(offset) REGISTER(0x4003c000 + (offset))
#define SPI_DATA SPI(8)
#define SPI_STATE SPI(12)

enum { SPI_BIT = 1 << 16 };
enum { TX = 0, RX = 1, BOTH = 1 << TX | 1 << RX };
enum { SIZE = 8, BUSY = 1 << 4, HAS_RECEIVED = 1 << 2 };

volatile uint8_t in[SIZE + 8]; /* behind it a canary */

static const uint8_t out[SIZE] = {1, 2, 3, 4, 5, 6, 7, 8};

/* --- the controller ------------------------------------------------------------------------ */

static struct controller port;

static void begin(struct controller *by)
{
    CHANNEL(TX, 0) = (uint32_t)(uintptr_t)by->transfer->out;
    CHANNEL(TX, 4) = (uint32_t)(uintptr_t)&SPI_DATA;
    CHANNEL(TX, 8) = by->transfer->outs;
    CHANNEL(TX, 16) = 16 << 15 | TX << 11 | 1 << 4 | 1; /* by the SPI's requests; bytes */
    CHANNEL(RX, 0) = (uint32_t)(uintptr_t)&SPI_DATA;
    CHANNEL(RX, 4) = (uint32_t)(uintptr_t)by->transfer->in;
    CHANNEL(RX, 8) = by->transfer->ins;
    CHANNEL(RX, 16) = 17 << 15 | RX << 11 | 1 << 5 | 1;
    DMA_ENABLE(SET) = 1 << RX;
    DMA_START = BOTH;
}

/* The abort itself can raise an interrupt, as if all were complete (RP2040-E13): it is off before,
 * and cleared behind. */
static void stop_soon(struct controller *by)
{
    (void)by;
    DMA_ENABLE(CLEAR) = 1 << RX;
    DMA_ABORT = BOTH;
}

static bool holds(struct controller *by)
{
    (void)by;
    if (DMA_ABORT & BOTH)
        return true; /* an item is in flight, although no channel is busy */
    if (SPI_STATE & BUSY)
        return true; /* a byte is on the line */
    while (SPI_STATE & HAS_RECEIVED)
        (void)SPI_DATA;
    DMA_RAW = BOTH;
    return false;
}

static void reset(struct controller *by)
{
    (void)by;
    board_end(9); /* it always lets go */
}

static const struct controller_ops ops = {begin, stop_soon, reset, holds, PT_MS(2)};

static void dma(void)
{
    uint32_t state = DMA_STATE;

    DMA_RAW = state;
    if (state && port.holds)
        controller_done(&port, PT_OK);
}

/* --- the tasks ----------------------------------------------------------------------------- */

struct user {
    struct pt pt;
    struct pt_held held;
    struct transfer transfer;
};

static PT_ASYNC(user, self)
{
    PT_WITH_LOCK(&self->held, &port.lock) {
        lent = 1;
        PT_WAIT_COMPLETE(&self->transfer, transfer, .by = &port, .out = out, .outs = SIZE,
                         .in = (uint8_t *)in, .ins = SIZE);
    }
}
PT_END

static PT_TASK(user) user;

static int one_round(void)
{
    fill(in, sizeof in, 0xa5);
    PT_START(&loop, &user, user);
    sweep_canceled(&user.task);
    lent = 0;
    fill(in, sizeof in, 0x5a);
    wait_us(100);
    if (!is_all(in, 0, sizeof in, 0x5a))
        return 1; /* memory was written behind the end of the task */
    fill(in, sizeof in, 0xa5);
    PT_START(&loop, &user, user);
    sweep_run(&user.task);
    lent = 0;
    for (uint8_t i = 0; i < SIZE; i++)
        if (in[i] != out[i] + 100)
            return 2; /* the transfer behind it was not complete */
    return is_all(in, SIZE, sizeof in, 0xa5) ? 0 : 3;
}

int main(void)
{
    sweep_open(DMA_BIT | SPI_BIT, &user.task);
    sweep_handle(DMA_IRQ, dma);
    SPI(16) = 2;          /* 125 MHz / 2 */
    SPI(0) = 61 << 8 | 7; /* / 62: about 1 MHz; 8 bits */
    SPI(0x24) = 3;        /* DMA both ways */
    SPI(4) = 2;           /* on */
    controller_open(&port, &ops, &loop);
    return sweep(one_round);
}
