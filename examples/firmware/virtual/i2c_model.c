/* i2c_model.c - the bus, a byte at a time
 * SPDX-License-Identifier: MIT */
#include "i2c_model.h"

enum { CLOCKS_OF_A_BYTE = 9 };

static struct i2c_model *model(struct controller *by)
{
    return (struct i2c_model *)(void *)by; /* its first member's first member */
}

static void next_at(struct i2c_model *it)
{
    hardware_at(&it->hardware, (pt_time)(board_now() + (it->pace ? it->pace : 1)));
}

static uint16_t bytes_to_write(const struct i2c_model *it)
{
    return (uint16_t)(it->bus.heads + it->bus.controller.transfer->outs);
}

static void end_device(struct i2c_model *it)
{
    if (it->device && it->device->end)
        it->device->end(it->device);
    it->device = NULL;
}

/* The transfer is over: STOP. */
static void stop(struct i2c_model *it, pt_status code)
{
    end_device(it);
    it->stops++;
    hardware_stop(&it->hardware);
    controller_done(&it->bus.controller, code);
}

/* START and the address. Returns PT_OK, or why the transfer is over. */
static pt_status begin(struct i2c_model *it)
{
    struct i2c_device *device = it->devices;

    end_device(it);
    it->begun = true;
    it->byte = 0;
    if (it->rival) {
        it->rival = false;
        return I2C_LOST;
    }
    while (device && device->address != it->bus.address)
        device = device->next;
    if (!device || (device->begin && !device->begin(device, it->reads)))
        return I2C_NO_DEVICE;
    it->device = device;
    return PT_OK;
}

static pt_status write(struct i2c_model *it)
{
    const struct i2c_bus *bus = &it->bus;
    uint16_t at = it->byte++;
    uint8_t byte = at < bus->heads ? bus->head[at] : bus->controller.transfer->out[at - bus->heads];

    return it->device->write && !it->device->write(it->device, byte) ? (pt_status)I2C_REFUSED
                                                                     : (pt_status)PT_OK;
}

/* What a hung controller receives goes around in the memory. */
static void read(struct i2c_model *it)
{
    const struct transfer *transfer = it->bus.controller.transfer;
    uint8_t byte = it->device->read ? it->device->read(it->device) : 0xff;

    transfer->in[it->byte++ % transfer->ins] = byte;
}

/* Whether a byte was the last one. */
static bool is_over(struct i2c_model *it)
{
    const struct transfer *transfer = it->bus.controller.transfer;

    if (!it->begun || (it->aborted && it->hangs))
        return false;
    if (it->reads)
        return it->byte >= transfer->ins;
    if (it->byte < bytes_to_write(it))
        return false;
    it->reads = transfer->ins > 0;
    it->begun = !it->reads; /* a repeated START */
    return !it->reads;
}

/* The end of a byte on the wires. */
static void act(struct hardware *hardware)
{
    struct i2c_model *it =
        (struct i2c_model *)(void *)((char *)hardware - offsetof(struct i2c_model, hardware));
    pt_status code = PT_OK;

    if (it->aborted && !it->hangs && !it->left--) {
        stop(it, PT_ECANCELED);
        return;
    }
    if (!it->begun)
        code = begin(it);
    else if (it->reads)
        read(it);
    else if (it->byte < bytes_to_write(it))
        code = write(it);
    if (code != PT_OK || is_over(it))
        stop(it, code);
    else
        next_at(it);
}

static void start(struct controller *by)
{
    struct i2c_model *it = model(by);

    it->starts++;
    it->aborted = it->begun = false;
    it->reads = by->transfer->ins && !bytes_to_write(it);
    if (it->held)
        controller_done(by, I2C_STUCK);
    else
        next_at(it);
}

static void abort_later(struct controller *by)
{
    struct i2c_model *it = model(by);

    it->aborts++;
    it->aborted = true;
    it->left = it->lag;
}

/* In the middle of a byte: the device that sends it waits for its other clocks. */
static void reset(struct controller *by)
{
    struct i2c_model *it = model(by);

    hardware_stop(&it->hardware);
    if (it->device && it->reads)
        it->held = CLOCKS_OF_A_BYTE;
    it->device = NULL;
}

static void wires(struct i2c_bus *bus, bool scl, bool sda)
{
    struct i2c_model *it = model(&bus->controller);

    if (scl && !it->scl) {
        it->clocks++;
        it->held = (uint8_t)(it->held - (it->held > 0));
    }
    it->scl = scl;
    it->sda = sda;
}

void i2c_model_open(struct i2c_model *it, struct pt_loop *loop)
{
    static const struct i2c_ops ops = {{start, abort_later, reset, NULL, PT_MS(100)}, wires};

    controller_open(&it->bus.controller, &ops.controller, loop);
    it->hardware.act = act;
    it->scl = it->sda = true;
}

void i2c_model_add(struct i2c_model *it, struct i2c_device *device)
{
    device->next = it->devices;
    it->devices = device;
}
