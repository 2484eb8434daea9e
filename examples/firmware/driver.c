/* driver.c - a driver in one page: a cancel waits for the hardware, at any instant
 * SPDX-License-Identifier: MIT
 *
 * Hardware writes to memory that a task has lent to it. The task can be canceled at any time, and
 * then its memory is somebody else's. The driver's cleanup waits until the hardware has let go.
 *
 * What to notice:
 *   - Only PT_FINALLY handles cancels and timeouts. The rest of the driver is as if there were none.
 *   - After a cancel the hardware still writes two bytes: before the join, into memory that is lent.
 *   - The wait is the one of every day: `while (...) PT_PARK();`. Nothing spins.
 *
 * Try: end the cleanup behind the abort, as one must where a canceled task cannot wait.
 *
 * A lock, codes, hardware that never lets go: drivers/transfer.h, a page more. */
#include "run.h"
#include "tasks/tasks.h"

static struct pt_loop loop;

/* --- the hardware: a task plays it. It has no other way to the driver than its interrupt --- */

static volatile struct {
    uint8_t *to;  /* where the next byte goes, or NULL: it is idle */
    uint8_t left; /* bytes to the end */
    bool abort;   /* it was asked to let go: it does, after two more bytes */
} dma;

static void dma_interrupt(void);

struct hardware {
    struct pt pt;
    uint8_t byte;
};

static PT_ASYNC(hardware, self)
{
    for (;;) {
        PT_WAIT(PT_MS(10));
        if (!dma.to)
            continue;
        if (dma.abort && dma.left > 2)
            dma.left = 2;
        *dma.to++ = ++self->byte;
        if (--dma.left == 0) {
            dma.to = NULL;
            dma_interrupt();
        }
    }
}
PT_END

/* --- the driver ---------------------------------------------------------------------------- */

static struct pt_waker done;

static void dma_interrupt(void)
{
    pt_waker_post(&done);
}

struct receive {
    struct pt pt;
    uint8_t *to;
    uint8_t bytes;
};

static PT_ASYNC(receive, self)
{
    dma.abort = false;
    dma.left = self->bytes;
    dma.to = self->to; /* it begins */
    while (dma.to)
        PT_PARK();

    PT_FINALLY
    if (dma.to)
        dma.abort = true;
    while (dma.to)
        PT_PARK();
}
PT_END

/* --- a task that uses it, and one that cancels it ------------------------------------------ */

enum { BYTES = 8 };

struct reader {
    struct pt pt;
    struct receive receive;
    uint8_t bytes[BYTES]; /* lent; they end with the task */
};

static PT_ASYNC(reader, self)
{
    PT_TRY(&self->receive, receive, .to = self->bytes, .bytes = BYTES);
}
PT_END

static PT_TASK(reader) reader;

static uint8_t written(void)
{
    uint8_t count = 0;

    for (uint8_t i = 0; i < BYTES; i++)
        count = (uint8_t)(count + (reader.frame.bytes[i] != 0));
    return count;
}

struct canceler {
    struct pt pt;
    uint8_t at, before, ended;
    struct print print;
    struct print_number number;
};

static PT_ASYNC(canceler, self)
{
    for (self->at = 0; self->at <= BYTES; self->at++) {
        PT_SPAWN(&reader, reader);
        PT_WAIT(1);
        while (written() < self->at)
            PT_WAIT(1);
        self->before = written();
        pt_cancel(&reader.task, PT_ECANCELED);
        PT_JOIN(&reader.task);
        self->ended = written();
        for (uint8_t i = 0; i < BYTES; i++)
            reader.frame.bytes[i] = 0; /* somebody else's now */
        PT_WAIT(PT_MS(100));
        PT_TRY(&self->print, print, .text = "canceled after ");
        PT_TRY(&self->number, print_number, .number = self->before);
        PT_TRY(&self->print, print, .text = " bytes, ended after ");
        PT_TRY(&self->number, print_number, .number = self->ended);
        PT_TRY(&self->print, print, .text = ", then wrote ");
        PT_TRY(&self->number, print_number, .number = written());
        PT_TRY(&self->print, print, .text = "\n");
    }
}
PT_END

void board_received(void)
{
}

int main(void)
{
    static PT_TASK(hardware) hardware;
    static PT_TASK(canceler) canceler;

    board_start();
    pt_loop_init(&loop, board_now());
    pt_waker_open(&done, &loop, &reader.task);
    PT_START(&loop, &hardware, hardware);
    PT_START(&loop, &canceler, canceler);
    while (pt_task_alive(&canceler.task))
        board_turn_posted(&loop);
    return 0;
}
