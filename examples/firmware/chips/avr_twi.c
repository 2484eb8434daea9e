/* avr_twi.c - each interrupt gives the interface its next byte, by what has become of the last one
 * SPDX-License-Identifier: MIT */
#include "avr_twi.h"
#include "registers.h"

enum { SDA = 1 << 4, SCL = 1 << 5 }; /* at port C */
enum { GO = TWINT | TWEN | TWIE };   /* in TWCR: the next step, then an interrupt */
enum {                               /* TWSR, without its lowest three bits */
       STARTED = 0x08,
       RESTARTED = 0x10,
       TO_WRITE = 0x18, /* the device has acknowledged its address */
       TO_READ = 0x40,
       SENT = 0x28,
       SENT_REFUSED = 0x30,
       NOBODY_TO_WRITE = 0x20,
       NOBODY_TO_READ = 0x48,
       RECEIVED = 0x50,
       RECEIVED_LAST = 0x58
};

/* The STOP needs no interrupt: a START that comes too early waits for it. */
static void stop(struct avr_twi *it, pt_status code)
{
    TWCR = TWINT | TWEN | TWSTO;
    controller_done(&it->bus.controller, code);
}

static void address(struct avr_twi *it)
{
    it->addresses = true;
    TWDR = (uint8_t)(it->bus.address << 1 | (it->reads && !it->aborts));
    TWCR = GO;
}

static void next(struct avr_twi *it)
{
    const struct transfer *transfer = it->bus.controller.transfer;
    uint8_t heads = it->bus.heads;

    if (it->aborts) {
        if (it->open) /* it drives SDA: no STOP before it has seen a refusal */
            TWCR = GO;
        else
            stop(it, PT_ECANCELED);
    } else if (it->reads) {
        if (it->done < transfer->ins)
            TWCR = it->done + 1 < transfer->ins ? GO | TWEA : GO;
        else
            stop(it, PT_OK);
    } else if (it->done < heads + transfer->outs) {
        TWDR = it->done < heads ? it->bus.head[it->done] : transfer->out[it->done - heads];
        it->done++;
        TWCR = GO;
    } else if (transfer->ins) {
        it->reads = true;
        it->done = 0;
        TWCR = GO | TWSTA;
    } else {
        stop(it, PT_OK);
    }
}

void avr_twi_interrupt(struct avr_twi *it)
{
    struct controller *by = &it->bus.controller;
    uint8_t byte = TWDR, state = TWSR & 0xf8;

    if (!by->holds)
        return;
    it->open = state == TO_READ || state == RECEIVED;
    switch (state) {
    case STARTED:
    case RESTARTED: address(it); return;
    case RECEIVED:
    case RECEIVED_LAST:
        by->transfer->in[it->done++] = byte;
        next(it);
        break;
    case TO_WRITE:
    case TO_READ:
    case SENT: next(it); break;
    case NOBODY_TO_WRITE:
    case NOBODY_TO_READ:
    case SENT_REFUSED: stop(it, it->addresses ? I2C_NO_DEVICE : I2C_REFUSED); break;
    default: stop(it, I2C_LOST); break;
    }
    it->addresses = false;
}

static void start(struct controller *by)
{
    struct avr_twi *it = (struct avr_twi *)by;
    uint8_t stops = TWCR & TWSTO; /* the one of the transaction before */

    it->done = 0;
    it->reads = by->transfer->ins && !by->transfer->outs && !it->bus.heads;
    it->aborts = false;
    DDRC &= (uint8_t) ~(SDA | SCL);
    if (!stops && !(PINC & SDA))
        controller_done(by, I2C_STUCK);
    else
        TWCR = GO | TWSTA | stops;
}

/* A byte is on its way, and its interrupt comes: it sees this. */
static void stop_soon(struct controller *by)
{
    ((struct avr_twi *)by)->aborts = true;
}

static void reset(struct controller *by)
{
    (void)by;
    TWCR = 0;
}

static void wires(struct i2c_bus *bus, bool scl, bool sda)
{
    (void)bus;
    TWCR = 0;
    PORTC &= (uint8_t) ~(SDA | SCL);
    DDRC = (uint8_t)((DDRC & ~(SDA | SCL)) | (sda ? 0 : SDA) | (scl ? 0 : SCL));
}

static const struct i2c_ops ops = {{start, stop_soon, reset, NULL, PT_MS(2)}, wires};

void avr_twi_open(struct avr_twi *it, uint32_t hertz, struct pt_loop *loop)
{
    TWBR = (uint8_t)((16000000 / hertz - 16) / 2);
    controller_open(&it->bus.controller, &ops.controller, loop);
}
