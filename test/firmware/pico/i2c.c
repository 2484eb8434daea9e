/* i2c.c - I2C of a Pico, for i2c.js
 * SPDX-License-Identifier: MIT
 *
 * A round is a transaction that is canceled by an interrupt, and one that is not. When a task has
 * ended, its memory is not the controller's any more: IN is filled, and must stay as it is; OUT is
 * filled, and none of it is sent. Without rounds: devices, and what can go wrong. */
#include "chips/rp2040/rp2040_i2c.h"
#include "devices/at24c.h"
#include "devices/tmp102.h"
#include "sweep.h"

enum { I2C0_IRQ = 23, I2C0_BIT = 1 << 3 };
enum { BUSY = 0x12, HUNG = 0x13, THERMOMETER = 0x48, EEPROM = 0x50, MEMORY = 0x60, NOBODY = 0x70 };
enum { LENGTH = 24, CANARY = 8 };

volatile uint8_t in[LENGTH + CANARY];

static uint8_t out[LENGTH];
static struct rp2040_i2c bus;

static void on_i2c(void)
{
    rp2040_i2c_interrupt(&bus);
}

/* --- the tasks ----------------------------------------------------------------------------- */

/* user - one transaction of LENGTH bytes with the memory, at place 0: a read, or a write */
struct user {
    struct pt pt;
    bool writes;
    struct i2c i2c;
};

static const uint8_t place = 0;

static PT_ASYNC(user, self)
{
    lent = 1;
    PT_TRY(&self->i2c, i2c, .bus = &bus.bus, .address = MEMORY, .head = &place, .heads = 1,
           .out = self->writes ? out : NULL, .outs = self->writes ? LENGTH : 0,
           .in = self->writes ? NULL : (uint8_t *)in, .ins = self->writes ? 0 : LENGTH);
}
PT_END

static PT_TASK(user) user;

static void fill_out(uint8_t number)
{
    for (uint8_t i = 0; i < LENGTH; i++)
        out[i] = (uint8_t)(number + i) % 0xee;
}

static bool completes(bool writes)
{
    PT_START(&loop, &user, user, .writes = writes);
    sweep_run(&user.task);
    lent = 0;
    return pt_task_status(&user.task) == PT_OK;
}

static int one_round(void)
{
    uint8_t number = (uint8_t)done;

    fill(in, sizeof in, 0xa5);
    fill_out((uint8_t)~number);
    PT_START(&loop, &user, user, .writes = done % 2);
    sweep_canceled(&user.task);
    lent = 0;
    if (done & 2) {
        fill(in, sizeof in, 0x5a);
        for (uint8_t i = 0; i < LENGTH; i++)
            out[i] = 0xee;
        wait_us(60);
        if (!is_all(in, 0, sizeof in, 0x5a))
            return 1;              /* memory was written behind the end of the task */
    } else if (!completes(true)) { /* it begins at once */
        return 2;
    }
    fill_out(number);
    fill(in, sizeof in, 0xa5);
    if (!completes(true) || !completes(false))
        return 2;
    for (uint8_t i = 0; i < LENGTH; i++)
        if (in[i] != out[i])
            return 2; /* the transaction behind it was not complete */
    if (bus.bus.controller.resets)
        return 7;
    return is_all(in, LENGTH, sizeof in, 0xa5) ? 0 : 3;
}

/* --- devices, and what goes wrong ---------------------------------------------------------- */

/* asks - a transaction that ends with its code, or after 5 ms */
struct asks {
    struct pt pt;
    uint8_t address, heads, ins;
    const uint8_t *head;
    pt_status code;
    struct pt_scope limit;
    struct i2c i2c;
};

static PT_ASYNC(asks, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(5)) {
        PT_WAIT_COMPLETE(&self->i2c, i2c, .bus = &bus.bus, .address = self->address,
                         .head = self->head, .heads = self->heads, .in = (uint8_t *)in,
                         .ins = self->ins);
    }
    self->code = self->pt.status;
}
PT_END

static PT_TASK(asks) asks;

static pt_status ask(uint8_t address, uint8_t heads, const uint8_t *head, uint8_t ins)
{
    PT_START(&loop, &asks, asks, .address = address, .heads = heads, .head = head, .ins = ins);
    sweep_run(&asks.task);
    return asks.frame.code;
}

/* reads - a thermometer, and an EEPROM over its pages */
struct reads {
    struct pt pt;
    union {
        struct tmp102_read temperature;
        struct at24c_write write;
        struct at24c_read read;
    } in_turn;
    int16_t sixteenths;
};

static PT_ASYNC(reads, self)
{
    static const struct tmp102 thermometer = {&bus.bus, THERMOMETER};
    static struct at24c eeprom = {&bus.bus, EEPROM, 1, 8, 256, 0};

    PT_TRY(&self->in_turn.temperature, tmp102_read, .device = &thermometer);
    self->sixteenths = self->in_turn.temperature.sixteenths;
    PT_TRY(&self->in_turn.write, at24c_write, .device = &eeprom, .at = 5, .from = out,
           .length = LENGTH);
    PT_TRY(&self->in_turn.read, at24c_read, .device = &eeprom, .at = 5, .to = (uint8_t *)in,
           .length = LENGTH);
}
PT_END

static PT_TASK(reads) reads;

static bool are_read(void)
{
    fill_out(77);
    PT_START(&loop, &reads, reads);
    sweep_run(&reads.task);
    for (uint8_t i = 0; i < LENGTH; i++)
        if (in[i] != out[i])
            return false;
    return pt_task_status(&reads.task) == PT_OK && reads.frame.sixteenths == 408;
}

static bool have_their_codes(void)
{
    static const uint8_t refused[] = {0xfe, 1, 2, 3};

    return ask(MEMORY, 0, NULL, 0) == PT_OK && ask(NOBODY, 0, NULL, 0) == I2C_NO_DEVICE &&
           ask(NOBODY, 1, refused, 2) == I2C_NO_DEVICE &&
           ask(NOBODY, 0, NULL, 9) == I2C_NO_DEVICE &&
           ask(MEMORY, sizeof refused, refused, 0) == I2C_REFUSED &&
           ask(MEMORY, sizeof refused, refused, 5) == I2C_REFUSED &&
           ask(BUSY, 1, refused, 0) == I2C_LOST && ask(BUSY, 0, NULL, LENGTH) == I2C_LOST;
}

/* A device holds SCL: the controller is reset. It holds SDA then, until it has had its clocks. */
static bool comes_free(void)
{
    static const uint8_t at[] = {3};
    uint8_t resets = bus.bus.controller.resets;

    return ask(HUNG, 1, at, LENGTH) == PT_ETIMEDOUT &&
           bus.bus.controller.resets == (uint8_t)(resets + 1) && ask(MEMORY, 1, at, 2) == PT_OK &&
           in[0] == 9 && in[1] == 12;
}

static int devices(void)
{
    if (!are_read())
        return 4;
    if (!have_their_codes())
        return 5;
    return comes_free() ? 0 : 6;
}

int main(void)
{
    sweep_open(I2C0_BIT, &user.task);
    rp2040_i2c_open(&bus, 0, 125000000, 1000000, 5, 4, &loop);
    sweep_handle(I2C0_IRQ, on_i2c);
    return rounds ? sweep(one_round) : devices();
}
