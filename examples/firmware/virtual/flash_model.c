/* flash_model.c - the flash, a few bytes at a time
 * SPDX-License-Identifier: MIT */
#include "flash_model.h"
#include "drivers/codes.h"

enum { ERASE_PARTS = 4 };

static struct flash_model *model(struct controller *by)
{
    return (struct flash_model *)(void *)by; /* its first member's first member */
}

static uint8_t noise(struct flash_model *it)
{
    it->noise = it->noise * 1664525 + 1013904223;
    return (uint8_t)(it->noise >> 24);
}

/* Whether the power holds for one step more. */
static bool has_power(struct flash_model *it)
{
    it->steps++;
    if (it->power && --it->power == 0)
        it->is_off = true;
    return !it->is_off;
}

/* Where the power goes, some of the bits have changed. */
static void program(struct flash_model *it, uint8_t *at, uint8_t byte)
{
    it->broken += *at != 0xff;
    *at &= has_power(it) ? byte : (uint8_t)(byte | noise(it));
}

static void erase(struct flash_model *it, uint8_t *sector, uint16_t part)
{
    bool holds = has_power(it);

    for (uint16_t i = part; i < FLASH_MODEL_SECTOR; i = (uint16_t)(i + ERASE_PARTS))
        sector[i] |= holds ? 0xff : noise(it);
}

static uint16_t length(const struct flash_model *it)
{
    const struct transfer *transfer = it->flash.controller.transfer;

    return it->flash.does == FLASH_READ      ? transfer->ins
           : it->flash.does == FLASH_PROGRAM ? transfer->outs
                                             : (uint16_t)ERASE_PARTS;
}

static void step(struct flash_model *it)
{
    const struct transfer *transfer = it->flash.controller.transfer;
    uint16_t i = it->done++;

    if (it->flash.does == FLASH_READ)
        transfer->in[i] = it->bytes[it->flash.at + i];
    else if (it->flash.does == FLASH_PROGRAM)
        program(it, &it->bytes[it->flash.at + i], transfer->out[i]);
    else
        erase(it, &it->bytes[it->flash.at], i);
}

static void next_at(struct flash_model *it)
{
    hardware_at(&it->hardware, (pt_time)(board_now() + 1));
}

static void act(struct hardware *hardware)
{
    struct flash_model *it =
        (struct flash_model *)(void *)((char *)hardware - offsetof(struct flash_model, hardware));
    uint16_t together = it->flash.does == FLASH_PROGRAM ? it->flash.unit
                        : it->flash.does == FLASH_READ  ? 16
                                                        : 1;

    for (; together && it->done < length(it) && !it->is_off && !it->hangs; together--)
        step(it);
    if (it->is_off || it->hangs)
        return;
    if (it->done == length(it))
        controller_done(&it->flash.controller,
                        it->fails ? (pt_status)BUS_FAILED : (pt_status)PT_OK);
    else if (it->aborted)
        controller_done(&it->flash.controller, PT_ECANCELED);
    else
        next_at(it);
}

static void start(struct controller *by)
{
    struct flash_model *it = model(by);
    uint32_t at = it->flash.at;

    it->done = 0;
    it->aborted = false;
    it->broken += at + length(it) > FLASH_MODEL_SIZE;
    if (it->flash.does == FLASH_PROGRAM)
        it->broken += at % it->flash.unit || length(it) % it->flash.unit;
    if (it->flash.does == FLASH_ERASE) {
        it->broken += at % FLASH_MODEL_SECTOR != 0;
        it->erases[at / FLASH_MODEL_SECTOR]++;
    }
    next_at(it);
}

static void abort_later(struct controller *by)
{
    model(by)->aborted = true;
}

static void reset(struct controller *by)
{
    hardware_stop(&model(by)->hardware);
}

void flash_model_open(struct flash_model *it, struct pt_loop *loop, uint8_t unit)
{
    static const struct controller_ops ops = {start, abort_later, reset, NULL, PT_MS(100)};

    hardware_stop(&it->hardware);
    controller_open(&it->flash.controller, &ops, loop);
    it->flash.sector = FLASH_MODEL_SECTOR;
    it->flash.unit = unit;
    it->hardware.act = act;
    it->is_off = it->fails = it->hangs = false;
    it->power = 0;
    it->steps = 0;
}
