/* transfer.h - hardware reads or writes memory, and a task waits until it has let go of it
 * SPDX-License-Identifier: MIT
 *
 *     struct sample { struct pt pt; struct pt_held held; struct transfer transfer; ... };
 *
 *     PT_WITH_LOCK(&self->held, &adc.lock) {
 *         PT_WAIT_COMPLETE(&self->transfer, transfer, .by = &adc, .in = self->bytes, .ins = 64);
 *     }
 *
 * A controller is one piece of hardware that takes memory: a bus controller, a channel of DMA, a
 * converter. A transfer lends it memory, parks, and ends with the code that the interrupt gives:
 *
 *     a task:           start ------ parked ------ done: the code
 *     the interrupt:      :                     '- controller_done
 *
 *     canceled:         start -- parked -- abort -- parked -- let go: now the task ends
 *     the interrupt:      :                              '--- controller_done
 *
 * However a transfer ends, by its interrupt, by a cancel or because the time of a block around it
 * is over, when it has ended the hardware has let go of the memory. To abort can take the hardware
 * a while: a byte on the wire, a burst on the bus. The cleanup of a task can wait, so it does, and
 * all that waits for the task waits with it: a join, the code behind PT_WITH_TIMEOUT, the lock. So
 * memory in a frame, or on loan from a pool, is safe to lend. If the hardware does not let go, it
 * is reset. Nothing spins. */
#ifndef DRIVERS_TRANSFER_H
#define DRIVERS_TRANSFER_H

#include "board.h"

struct controller;

/* What the hardware can do; constant, one for each kind of hardware. README.md shows one. */
struct controller_ops {
    /* Begin by->transfer, and return at once. The hardware has the memory until controller_done,
     * which START itself can call, if it cannot begin: with the code that tells why. */
    void (*start)(struct controller *by);

    /* Ask the hardware to let go, and return at once. Then controller_done is called, with any
     * code, here or by the interrupt. The transfer can be over by now, at any instruction of
     * ABORT: then it does nothing, and leaves nothing behind that the next transfer would see. */
    void (*abort)(struct controller *by);

    /* Take the memory from the hardware, whatever state it is in. When RESET returns, it neither
     * touches the memory nor interrupts. It can be started again. */
    void (*reset)(struct controller *by);

    /* Whether the hardware still has the memory, once it was asked to let go: for hardware that
     * does not interrupt then. It is called each tick. Others have NULL here. */
    bool (*holds)(struct controller *by);

    /* How long to wait after ABORT, in ticks, at least, until RESET: the one that runs does not
     * count. */
    pt_time patience;
};

/* A controller. A chip's file has a struct of its own that begins with this. */
struct controller {
    struct pt_lock lock; /* one task at a time, which may lock again; its first member */
    const struct controller_ops *ops; /* what it can do */
    struct transfer *transfer;        /* the one that runs; its memory is the hardware's */
    volatile bool holds;              /* whether the hardware has the memory */
    volatile pt_status code;          /* what the transfer ends with */
    uint8_t resets;                   /* how often it had to be reset, modulo 256 */
    struct pt_waker waker;            /* aimed at the task of that transfer */
};

/* controller_open - make a controller; before its interrupt is enabled. LOOP is as for
 * pt_waker_open. Before it is opened again, when no transfer runs, pt_waker_close(&it->waker). */
void controller_open(struct controller *it, const struct controller_ops *ops, struct pt_loop *loop);

/* controller_done - the hardware has let go, and the transfer ends with CODE; O(1)
 * In the interrupt, of any priority, after the last access to the memory: at the end of the
 * transfer or of its abort. Once for each transfer: a second call would end the next one while the
 * hardware has its memory. PT_DEBUG stops where it can tell. Or in START or ABORT. */
static inline void controller_done(struct controller *it, pt_status code)
{
#if PT_DEBUG
    if (!it->holds)
        PT_PANIC("no transfer runs: call it once for each", "controller_done", 0);
#endif
    it->code = code;
    it->holds = false;
    pt_waker_post(&it->waker);
}

/* transfer - lend memory to hardware, and wait until it has let go; awaited
 * The task must hold the lock of the controller; else it ends with PT_EPERM, and nothing has
 * happened. Otherwise it ends with the code of controller_done, or the reason of a cancel. What
 * the hardware does with the two parts is the controller's: an I2C bus first sends all of OUT and
 * then fills IN; SPI does both at once; a part that is not used is empty. Between its start and its
 * end nobody else may write OUT, or touch IN. After another code than PT_OK, IN can be partly new.
 * A limit is a block around it, of one transfer or of many: PT_WITH_TIMEOUT. */
struct transfer {
    struct pt pt;
    struct controller *by;
    const uint8_t *out;       /* memory that the hardware reads */
    uint8_t *in;              /* memory that the hardware writes */
    uint16_t outs, ins;       /* their sizes, in bytes */
    struct pt_scope patience; /* private */
};
PT_DECLARE(transfer);

#endif
