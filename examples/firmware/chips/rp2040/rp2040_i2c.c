/* rp2040_i2c.c - a transaction as a row of commands, which the FIFO takes as it has room
 * SPDX-License-Identifier: MIT */
#include "rp2040_i2c.h"

#include "rp2040.h"

#define I2C(it, offset) REGISTER(0x40044000 + 0x4000 * (it)->number + (offset))
#define MODE(it) I2C(it, 0x00)
#define TARGET(it) I2C(it, 0x04)
#define COMMAND(it) I2C(it, 0x10) /* and what was read */
#define HIGH(it) I2C(it, 0x1c)
#define LOW(it) I2C(it, 0x20)
#define SEEN(it) I2C(it, 0x2c) /* of INTERRUPTS */
#define INTERRUPTS(it) I2C(it, 0x30)
#define OUT_LEVEL(it) I2C(it, 0x3c)
#define FORGET_ALL(it) I2C(it, 0x40) /* a read does so */
#define FORGET_ABORT(it) I2C(it, 0x54)
#define FORGET_STOP(it) I2C(it, 0x60)
#define ENABLE(it) I2C(it, 0x6c)
#define STATE(it) I2C(it, 0x70)
#define HOLD(it) I2C(it, 0x7c)
#define REASON(it) I2C(it, 0x80)

#define PIN_CTRL(pin) REGISTER(0x40014004 + 8 * (pin))
#define PAD(pin) REGISTER(0x4001c004 + 4 * (pin))
#define SIO_IN REGISTER(0xd0000004)
#define SIO_OUT_CLEAR REGISTER(0xd0000018)
#define SIO_DRIVE REGISTER(0xd0000024)
#define SIO_LET_GO REGISTER(0xd0000028)

enum { CONTROLLER = 1 << 0, FAST = 2 << 1, RESTARTS = 1 << 5, NO_TARGET = 1 << 6 }; /* in MODE */
enum { READ = 1 << 8, STOP = 1 << 9, RESTART = 1 << 10 };                           /* in COMMAND */
enum { WANTS = 1 << 4, ABORTED = 1 << 6, STOPPED = 1 << 9 };                        /* interrupts */
enum { ON = 1 << 0, ABORT = 1 << 1 };                                               /* in ENABLE */
enum { HAS_ROOM = 1 << 1, OUT_EMPTY = 1 << 2, HAS_READ = 1 << 3, ACTIVE = 1 << 5 }; /* in STATE */
enum { NO_ADDRESS = 1 << 0, NO_DATA = 1 << 3, LOST = 1 << 12 };                     /* in REASON */
enum { BY_I2C = 3, BY_SIO = 5 };                        /* in PIN_CTRL */
enum { PULLED_UP = 1 << 6 | 1 << 4 | 1 << 3 | 1 << 1 }; /* PAD: input, 4 mA, Schmitt trigger */
enum { FIFO = 16, NANOS_TO_HOLD = 300 };

static struct rp2040_i2c *i2c_of(void *by)
{
    return (struct rp2040_i2c *)by; /* its first member's first member */
}

/* --- the commands ---------------------------------------------------------------------------- */

static uint32_t writes(const struct rp2040_i2c *it)
{
    return (uint32_t)it->bus.heads + it->bus.controller.transfer->outs;
}

static uint32_t all(const struct rp2040_i2c *it)
{
    uint32_t count = writes(it) + it->bus.controller.transfer->ins;

    return count ? count : 1;
}

static uint32_t command(const struct rp2040_i2c *it, uint32_t n)
{
    uint32_t end = n + 1 == all(it) ? STOP : 0;

    if (n < it->bus.heads)
        return end | it->bus.head[n];
    if (n < writes(it))
        return end | it->bus.controller.transfer->out[n - it->bus.heads];
    return end | READ | (n && n == writes(it) ? RESTART : 0);
}

/* It asks for no more than the other FIFO has places for, so no interrupt must be in time. */
static void ask(struct rp2040_i2c *it)
{
    while (it->asked < all(it) && it->asked < writes(it) + it->got + FIFO &&
           (STATE(it) & HAS_ROOM)) {
        COMMAND(it) = command(it, it->asked);
        it->asked++;
    }
    INTERRUPTS(it) = it->asked < all(it) ? STOPPED | ABORTED | WANTS : STOPPED | ABORTED;
}

static void take(struct rp2040_i2c *it)
{
    const struct transfer *transfer = it->bus.controller.transfer;

    while (STATE(it) & HAS_READ) {
        uint8_t byte = (uint8_t)COMMAND(it);

        if (it->got < transfer->ins)
            transfer->in[it->got] = byte;
        it->got++;
    }
}

/* --- the interrupt --------------------------------------------------------------------------- */

/* Behind a refusal the controller has emptied its FIFOs, and sends STOP. */
static void aborted(struct rp2040_i2c *it)
{
    uint32_t reason = REASON(it);

    if (reason & LOST)
        it->code = I2C_LOST;
    else if (reason & NO_ADDRESS)
        it->code = I2C_NO_DEVICE;
    else
        it->code = reason & NO_DATA ? I2C_REFUSED : BUS_FAILED;
    (void)FORGET_ABORT(it);
    INTERRUPTS(it) = STOPPED;
}

static void end(struct rp2040_i2c *it)
{
    INTERRUPTS(it) = 0;
    controller_done(&it->bus.controller, it->code);
}

/* The STOP of another controller is seen, too. A refusal empties the FIFO, and ABORTED is set by
 * then: so that is asked last. */
static bool is_over(const struct rp2040_i2c *it)
{
    if (it->code != PT_OK)
        return true;
    return it->asked == all(it) && it->asked == writes(it) + it->got && (STATE(it) & OUT_EMPTY) &&
           !(SEEN(it) & ABORTED);
}

void rp2040_i2c_interrupt(struct rp2040_i2c *it)
{
    uint32_t seen = SEEN(it);

    if (!seen)
        return;
    if (seen & STOPPED)
        (void)FORGET_STOP(it);
    if (seen & ABORTED)
        aborted(it);
    if (it->code == PT_OK)
        take(it);
    if (it->code == I2C_LOST || ((seen & STOPPED) && is_over(it)))
        end(it);
    else if (it->code == PT_OK)
        ask(it);
}

/* --- the controller -------------------------------------------------------------------------- */

static void start(struct controller *by)
{
    struct rp2040_i2c *it = i2c_of(by);

    PIN_CTRL(it->scl) = BY_I2C;
    PIN_CTRL(it->sda) = BY_I2C;
    if (!(SIO_IN >> it->sda & 1)) {
        controller_done(by, I2C_STUCK);
        return;
    }
    it->asked = it->got = 0;
    it->code = PT_OK;
    ENABLE(it) = 0;
    TARGET(it) = it->bus.address;
    (void)FORGET_ALL(it);
    ENABLE(it) = ON;
    ask(it);
}

/* The byte on the wires comes to its end, and STOP. With the interrupts off, nothing is read. */
static void stop_soon(struct controller *by)
{
    struct rp2040_i2c *it = i2c_of(by);

    INTERRUPTS(it) = 0;
    if (by->holds) /* else it is over, by now */
        ENABLE(it) = ON | ABORT;
}

static bool holds(struct controller *by)
{
    struct rp2040_i2c *it = i2c_of(by);

    return (ENABLE(it) & ABORT) || (STATE(it) & ACTIVE);
}

static void set_up(const struct rp2040_i2c *it)
{
    uint32_t period = (it->clock + it->hertz / 2) / it->hertz, low = period * 3 / 5;

    ENABLE(it) = 0;
    MODE(it) = NO_TARGET | RESTARTS | FAST | CONTROLLER;
    HIGH(it) = period - low;
    LOW(it) = low;
    HOLD(it) = it->clock / (1000000000 / NANOS_TO_HOLD) + 1;
    OUT_LEVEL(it) = FIFO / 2 - 1;
    INTERRUPTS(it) = 0;
}

static void reset(struct controller *by)
{
    rp2040_reset((uint32_t)1 << 3 << i2c_of(by)->number);
    set_up(i2c_of(by));
}

/* --- the wires ------------------------------------------------------------------------------- */

static void drive(uint8_t pin, bool high)
{
    SIO_OUT_CLEAR = 1u << pin;
    if (high)
        SIO_LET_GO = 1u << pin;
    else
        SIO_DRIVE = 1u << pin;
    PIN_CTRL(pin) = BY_SIO;
}

static void wires(struct i2c_bus *bus, bool scl, bool sda)
{
    drive(i2c_of(bus)->scl, scl);
    drive(i2c_of(bus)->sda, sda);
}

void rp2040_i2c_open(struct rp2040_i2c *it, uint8_t number, uint32_t clock, uint32_t hertz,
                     uint8_t scl, uint8_t sda, struct pt_loop *loop)
{
    static const struct i2c_ops ops = {{start, stop_soon, reset, holds, PT_MS(2)}, wires};

    it->number = number;
    it->clock = clock;
    it->hertz = hertz;
    it->scl = scl;
    it->sda = sda;
    PAD(scl) = PULLED_UP;
    PAD(sda) = PULLED_UP;
    controller_open(&it->bus.controller, &ops.controller, loop);
    set_up(it);
}
