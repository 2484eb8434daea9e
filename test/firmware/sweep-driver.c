/* sweep-driver.c - a transfer that is canceled at every instruction: who may write to its memory?
 * SPDX-License-Identifier: MIT
 *
 * For the boards that qemu runs, and the Pico. A timer of the board (shot.h) is the hardware: when
 * it fires, a byte is complete. Asked to let go, the hardware does so behind one more byte. The
 * timer is swept step by step, so that it interrupts each instruction:
 *
 *     a byte       is complete anywhere between the start of the transfer and its cancel, the
 *                  abort, the join, the end of the loan
 *     a cancel     is posted anywhere in a transfer, and a byte is complete soon, or later, or in
 *                  an interrupt of lower priority (TWO_LEVELS)
 *
 * When the task has ended, its memory is somebody else's. A byte that changes then is late. */
#include "drivers/transfer.h"
#include "end.h"
#include "run.h"
#include "shot.h"

enum { BYTES = 3, GUARD = 0x5a, POISON = 0xa5, BYTE = 0x11 };

/* In steps: by LAST the loop sleeps. */
enum { LAST = 1250, FAR = 2000 };

static struct pt_loop loop;
static unsigned points, wrong, canceled;
static uint32_t been[1024]; /* a bit for each half-word of the program */

/* --- the hardware -------------------------------------------------------------------------- */

static struct controller wire;
static volatile struct {
    uint8_t *to;    /* where the next byte goes; it keeps this, as a register does */
    uint8_t left;   /* bytes to the end */
    bool on, asked; /* it moves bytes; it was asked to let go */
} wires;
static volatile uint32_t pace; /* steps from a byte to the next one */
static volatile bool cancels;  /* the next shot is a cancel */
static struct pt_remote cancel;

static void byte_is_complete(void)
{
    if (!wires.on)
        return;
    *wires.to++ = BYTE;
    wires.left--;
    if (wires.asked || wires.left == 0) {
        wires.on = false;
        controller_done(&wire, wires.asked ? (pt_status)PT_ECANCELED : (pt_status)PT_OK);
    } else {
        shot_in(pace);
    }
}

void shot_came(uintptr_t place)
{
    been[place / 64 % 1024] |= 1u << place / 2 % 32;
    if (!cancels) {
        byte_is_complete();
        return;
    }
    cancels = false;
    pt_remote_post(&cancel);
#ifdef TWO_LEVELS
    shot_below(); /* which this one has interrupted, or comes before */
#else
    shot_in(pace);
#endif
}

#ifdef TWO_LEVELS
void shot_came_below(void)
{
    byte_is_complete();
}
#endif

static void wire_start(struct controller *by)
{
    wires.to = by->transfer->in;
    wires.left = (uint8_t)by->transfer->ins;
    wires.asked = false;
    wires.on = true;
    if (!cancels)
        shot_in(pace);
}

static void wire_abort(struct controller *by)
{
    (void)by;
    wires.asked = true;
}

static void wire_reset(struct controller *by)
{
    (void)by;
    wires.on = false;
}

/* --- a task that lends its memory ---------------------------------------------------------- */

struct reader {
    struct pt pt;
    struct pt_held held;
    struct transfer transfer;
    uint8_t before;
    uint8_t bytes[BYTES];
    uint8_t after;
};

static PT_ASYNC(reader, self)
{
    self->before = self->after = GUARD;
    PT_WITH_LOCK(&self->held, &wire.lock) {
        PT_WAIT_COMPLETE(&self->transfer, transfer, .by = &wire, .in = self->bytes, .ins = BYTES);
        PT_RETURN(self->pt.status);
    }
}
PT_END

static PT_TASK(reader) reader;

/* Whether the memory of the reader has BYTE everywhere, and its neighbors are as they were. */
static bool has(uint8_t byte)
{
    bool right = reader.frame.before == GUARD && reader.frame.after == GUARD;

    for (uint8_t i = 0; i < BYTES; i++)
        right = right && reader.frame.bytes[i] == byte;
    return right;
}

static void lend_to_somebody_else(void)
{
    for (uint8_t i = 0; i < BYTES; i++)
        reader.frame.bytes[i] = POISON;
}

/* --- the sweep ----------------------------------------------------------------------------- */

/* One trial: the shot comes after STEPS. It is a cancel; or a byte, and then this task cancels, some
 * TURNS after the start. */
struct trial {
    struct pt pt;
    uint32_t steps, pace;
    uint8_t turns; /* 0: the shot is the cancel */
    bool posted;   /* the same */
};

static PT_ASYNC(trial, self)
{
    cancels = self->posted = !self->turns;
    pace = cancels ? self->pace : self->steps;
    PT_SPAWN(&reader, reader);
    if (cancels) {
        shot_in(self->steps);
    } else {
        for (; self->turns; self->turns--)
            PT_YIELD(); /* the reader starts, and the shot with it */
        pace = self->pace;
        pt_cancel(&reader.task, PT_ECANCELED);
    }
    PT_JOIN(&reader.task);
    canceled += self->pt.status == PT_ECANCELED;
    wrong += self->pt.status == PT_OK && !has(BYTE);
    wrong += wire.holds || wire.lock.owner;
    wrong += self->posted && self->pace == FAR && !wires.asked; /* it had no time for its end */
    lend_to_somebody_else();
    while (cancels)
        PT_WAIT(1);
    PT_WAIT(PT_MS(2)); /* more than FAR */
    wrong += !has(POISON);

    pace = 1; /* and the next transfer works */
    cancels = false;
    PT_SPAWN(&reader, reader);
    PT_JOIN(&reader.task);
    wrong += self->pt.status != PT_OK || !has(BYTE);
    points++;
}
PT_END

static unsigned places(void)
{
    unsigned count = 0;

    for (unsigned i = 0; i < sizeof been / sizeof *been; i++)
        for (uint32_t bits = been[i]; bits; bits &= bits - 1)
            count++;
    return count;
}

static void report(void)
{
    say("interrupted ");
    say_number((long)places());
    say(" instructions\n");
    say_number((long)points);
    say(" points tried, ");
    say_number((long)canceled);
    say(" canceled, ");
    say_number((long)wire.resets);
    say(" resets, ");
    say_number((long)wrong);
    say(" wrong\n");
}

struct sweeper {
    struct pt pt;
    struct trial trial;
    uint32_t steps;
    uint8_t i; /* which pace, and who cancels */
};

static PT_ASYNC(sweeper, self)
{
    static const uint32_t paces[] = {1, FAR};
    static const uint8_t turns[] = {0, 1, 3}; /* after three a byte can end the transfer in time */

    for (self->i = 0; self->i < 3 * sizeof paces / sizeof *paces; self->i++)
        for (self->steps = 1; self->steps < LAST && !wrong; self->steps++)
            PT_TRY(&self->trial, trial, .steps = self->steps, .pace = paces[self->i / 3],
                   .turns = turns[self->i % 3]);
    report();
    board_end(wrong != 0);
}
PT_END

void board_received(void)
{
}

int main(void)
{
    static const struct controller_ops ops = {wire_start, wire_abort, wire_reset, NULL, PT_MS(20)};
    static PT_TASK(sweeper) sweeper;

    board_start();
    shot_start();
    pt_loop_init(&loop, board_now());
    controller_open(&wire, &ops, &loop);
    pt_remote_open(&cancel, &loop, pt_remote_cancel, &reader.task);
    PT_START(&loop, &sweeper, sweeper);
    for (;;)
        board_turn_posted(&loop);
}
