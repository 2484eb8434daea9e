/* spi_model.c - the bus, a byte at a time
 * SPDX-License-Identifier: MIT */
#include "spi_model.h"

static struct spi_model *model(struct controller *by)
{
    return (struct spi_model *)(void *)by; /* its first member's first member */
}

static void next_at(struct spi_model *it)
{
    it->moves = true;
    hardware_at(&it->hardware, (pt_time)(board_now() + (it->pace ? it->pace : 1)));
}

static uint16_t length(const struct transfer *transfer)
{
    return transfer->outs > transfer->ins ? transfer->outs : transfer->ins;
}

/* What a hung controller moves goes around in the memory. */
static void move(struct spi_model *it, const struct transfer *transfer)
{
    uint16_t at = (uint16_t)(it->byte++ % length(transfer));
    uint8_t byte = at < transfer->outs ? transfer->out[at] : 0xff;

    byte = it->part ? it->part->exchange(it->part, byte) : 0xff;
    if (at < transfer->ins)
        transfer->in[at] = byte;
}

/* The end of a byte on the wires. */
static void act(struct hardware *hardware)
{
    struct spi_model *it =
        (struct spi_model *)(void *)((char *)hardware - offsetof(struct spi_model, hardware));
    struct controller *by = &it->bus.controller;

    it->moves = false;
    if (it->aborted && !it->hangs && !it->left--)
        return; /* it tells nobody */
    move(it, by->transfer);
    if (it->byte < length(by->transfer) || (it->aborted && it->hangs))
        next_at(it);
    else
        controller_done(by, it->overruns ? (pt_status)PT_EOVERRUN : (pt_status)PT_OK);
}

static void start(struct controller *by)
{
    struct spi_model *it = model(by);

    it->byte = 0;
    it->aborted = false;
    if (length(by->transfer))
        next_at(it);
    else
        controller_done(by, PT_OK);
}

static void abort_later(struct controller *by)
{
    struct spi_model *it = model(by);

    it->aborted = true;
    it->left = it->lag;
}

static void reset(struct controller *by)
{
    struct spi_model *it = model(by);

    hardware_stop(&it->hardware);
    it->moves = false;
}

static bool moves(struct controller *by)
{
    return model(by)->moves;
}

static void select_part(struct spi_bus *bus, const struct spi_device *device, bool on)
{
    struct spi_model *it = model(&bus->controller);

    for (it->part = it->parts; it->part && it->part->pin != device->pin;)
        it->part = it->part->next;
    if (it->part && it->part->select)
        it->part->select(it->part, on);
    if (!on)
        it->part = NULL;
}

void spi_model_open(struct spi_model *it, struct pt_loop *loop)
{
    static const struct spi_ops ops = {{start, abort_later, reset, moves, PT_MS(100)}, select_part};

    controller_open(&it->bus.controller, &ops.controller, loop);
    it->hardware.act = act;
}

void spi_model_add(struct spi_model *it, struct spi_part *part)
{
    part->next = it->parts;
    it->parts = part;
}
