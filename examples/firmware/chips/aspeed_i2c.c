/* aspeed_i2c.c - a transaction as a row of commands: each interrupt gives the next one
 * SPDX-License-Identifier: MIT */
#include "aspeed_i2c.h"

struct aspeed_i2c_registers {
    uint32_t function, timing[2], interrupts, status, command, own_address, pool, byte;
};

enum {
    CONTROLLER = 1 << 0, /* in function */
    ALONE = 1 << 15,     /* no other controller is on the bus */

    ACKNOWLEDGED = 1 << 0, /* in status and interrupts */
    REFUSED = 1 << 1,
    RECEIVED = 1 << 2,
    LOST = 1 << 3,
    STOPPED = 1 << 4,
    ABNORMAL = 1 << 5,
    SCL_HELD = 1 << 6,
    SDA_HELD = 1 << 14,
    STUCK = ABNORMAL | SCL_HELD | SDA_HELD,
    ALL = ACKNOWLEDGED | REFUSED | RECEIVED | LOST | STOPPED | STUCK,

    START = 1 << 0, /* in command */
    SEND = 1 << 1,
    RECEIVE = 1 << 3,
    LAST = 1 << 4,
    STOP = 1 << 5
};
#define BASE 0x7e7b0080u
enum { BYTES = 0x80, SETTLE = PT_MS(2) };

static void command(struct aspeed_i2c *it, uint32_t what)
{
    it->at->command = what;
}

static void address(struct aspeed_i2c *it)
{
    it->addresses = true;
    it->done = 0;
    it->at->byte = (uint32_t)it->bus.address << 1 | it->reads;
    command(it, START | SEND);
}

static void stop(struct aspeed_i2c *it, pt_status code)
{
    it->code = code;
    command(it, STOP);
}

/* What the interrupt does when the last command has been carried out. */
static void next(struct aspeed_i2c *it)
{
    const struct transfer *transfer = it->bus.controller.transfer;
    uint16_t heads = it->bus.heads;

    if (it->aborts) {
        if (it->open) /* it drives SDA: no STOP before it has seen a refusal */
            command(it, RECEIVE | LAST);
        else
            stop(it, PT_ECANCELED);
    } else if (it->reads) {
        if (it->done < transfer->ins)
            command(it, it->done + 1 < transfer->ins ? RECEIVE : RECEIVE | LAST);
        else
            stop(it, PT_OK);
    } else if (it->done < heads + transfer->outs) {
        it->at->byte = it->done < heads ? it->bus.head[it->done] : transfer->out[it->done - heads];
        it->done++;
        command(it, SEND);
    } else if (transfer->ins) {
        it->reads = true;
        address(it);
    } else {
        stop(it, PT_OK);
    }
}

static void received(struct aspeed_i2c *it)
{
    const struct transfer *transfer = it->bus.controller.transfer;

    transfer->in[it->done++] = (uint8_t)(it->at->byte >> 8);
    it->open = !it->aborts && it->done < transfer->ins;
}

void aspeed_i2c_interrupt(struct aspeed_i2c *it)
{
    struct controller *by = &it->bus.controller;
    uint32_t status = it->at->status;

    it->at->status = status; /* what was seen is over */
    if (!by->holds || !status)
        return;
    if (status & STOPPED) {
        controller_done(by, it->code);
    } else if (status & LOST) {
        controller_done(by, I2C_LOST);
    } else if (status & STUCK) {
        controller_done(by, I2C_STUCK);
    } else if (status & REFUSED) {
        stop(it, it->addresses ? I2C_NO_DEVICE : I2C_REFUSED);
    } else {
        if (it->addresses)
            it->open = it->reads;
        else if (status & RECEIVED)
            received(it);
        it->addresses = false;
        next(it);
    }
}

static void start(struct controller *by)
{
    struct aspeed_i2c *it = (struct aspeed_i2c *)(void *)by;

    it->reads = by->transfer->ins && !by->transfer->outs && !it->bus.heads;
    it->open = it->aborts = false;
    address(it);
}

/* A command is on its way, and its interrupt comes: it sees this. */
static void stop_soon(struct controller *by)
{
    ((struct aspeed_i2c *)(void *)by)->aborts = true;
}

static void reset(struct controller *by)
{
    struct aspeed_i2c *it = (struct aspeed_i2c *)(void *)by;

    it->at->function = 0;
    it->at->interrupts = 0;
    it->at->status = ALL;
    it->at->function = CONTROLLER | ALONE;
    it->at->interrupts = ALL;
}

static const struct i2c_ops ops = {{start, stop_soon, reset, NULL, SETTLE}, NULL};

void aspeed_i2c_open(struct aspeed_i2c *it, unsigned number, struct pt_loop *loop)
{
    it->at = (volatile struct aspeed_i2c_registers *)(uintptr_t)(BASE + number * BYTES);
    controller_open(&it->bus.controller, &ops.controller, loop);
    reset(&it->bus.controller);
}
