/* avr-driver.c - the program that avr-sweep-driver cancels at every instruction of a transfer
 * SPDX-License-Identifier: MIT
 *
 * A task reads from an I2C device into its frame. INT0 cancels it. When it has ended, its memory is
 * somebody else's; a little later nothing may have changed, and the next transfer works. GPIOR2
 * tells how far it is, GPIOR1 the verdict. INTERRUPTIBLE: an interrupt in the middle of INT0's. */
#include "chips/avr_twi.h"
#include "registers.h"
#include "run.h"

#define VERDICT (*(volatile uint8_t *)0x4a)
#define STAGE (*(volatile uint8_t *)0x4b)

enum { BYTES = 64, GUARD = 0x5a, POISON = 0xa5, BYTE = 0x11 };
enum { RIGHT = 1, WRONG };
enum { READS = 1, HAS_ENDED, READS_AGAIN };

static struct pt_loop loop;
static struct avr_twi bus;
static struct pt_remote cancel;

INTERRUPT(24)
{
    avr_twi_interrupt(&bus);
}

INTERRUPT(1)
{
#ifdef INTERRUPTIBLE
    __asm__ volatile("sei" ::: "memory");
#endif
    pt_remote_post(&cancel);
}

struct reader {
    struct pt pt;
    struct i2c i2c;
    uint8_t reg, wanted;
    uint8_t before, bytes[BYTES], after;
};

static PT_ASYNC(reader, self)
{
    self->before = self->after = GUARD;
    PT_WAIT_COMPLETE(&self->i2c, i2c, .bus = &bus.bus, .address = 0x48, .out = &self->reg,
                     .outs = 1, .in = self->bytes, .ins = self->wanted);
    PT_RETURN(self->pt.status);
}
PT_END

static PT_TASK(reader) reader;

static bool has(uint8_t byte)
{
    bool right = reader.frame.before == GUARD && reader.frame.after == GUARD;

    for (uint8_t i = 0; i < BYTES; i++)
        right = right && reader.frame.bytes[i] == byte;
    return right;
}

struct judge {
    struct pt pt;
    bool right;
};

static PT_ASYNC(judge, self)
{
    STAGE = READS;
    PT_SPAWN(&reader, reader, .wanted = BYTES);
    PT_JOIN(&reader.task);
    STAGE = HAS_ENDED;
    self->right = self->pt.status == PT_OK ? has(BYTE) : self->pt.status == PT_ECANCELED;
    self->right = self->right && !bus.bus.controller.holds && !bus.bus.controller.resets &&
                  !bus.bus.controller.lock.owner;
    for (uint8_t i = 0; i < BYTES; i++)
        reader.frame.bytes[i] = POISON;
    PT_WAIT(PT_MS(1));
    self->right = self->right && has(POISON);
    STAGE = READS_AGAIN;
    do {
        PT_SPAWN(&reader, reader, .wanted = 1);
        PT_JOIN(&reader.task);
    } while (self->pt.status == PT_ECANCELED); /* the cancel came late */
    self->right = self->right && self->pt.status == PT_OK && reader.frame.bytes[0] == BYTE;
    VERDICT = self->right ? RIGHT : WRONG;
    PT_PARK();
}
PT_END

void board_received(void)
{
}

void pins_start(void);
void pins_start(void)
{
    PORTC = 0x30;                  /* both wires have a resistor */
    *(volatile uint8_t *)0x3d = 1; /* INT0 */
}

int main(void)
{
    static PT_TASK(judge) judge;

    board_start();
    pt_loop_init(&loop, board_now());
    avr_twi_open(&bus, 400000, &loop);
    pt_remote_open(&cancel, &loop, pt_remote_cancel, &reader.task);
    PT_START(&loop, &judge, judge);
    for (;;)
        board_turn_posted(&loop);
}
