/* uart.h - bytes to and from a UART, over two rings that the hardware and tasks share
 * SPDX-License-Identifier: MIT
 *
 *     struct shell { struct pt pt; struct uart_read_until line; struct uart_write answer; ... };
 *
 *     PT_WITH_TIMEOUT(&self->limit, PT_SEC(60)) {
 *         PT_WAIT_COMPLETE(&self->line, uart_read_until, .uart = &console, .to = self->text,
 *                          .size = sizeof self->text, .until = '\n');
 *     }
 *     PT_TRY(&self->answer, uart_write, .uart = &console, .from = "ok\n", .length = 3);
 *
 *     a task:          write                    read
 *                        |                        ^
 *     the rings:     [ put ... taken ]      [ taken ... put ]
 *                               |                        ^
 *     the interrupt, or DMA:    '--> the line, the line --'
 *
 * The hardware reads and writes the rings alone, never the memory of a task. The rings are static,
 * so nobody waits for the hardware to let go: a cancel or a timeout ends an operation at once, and
 * its fields tell how far it came. A ring has one writer and one reader, and each moves an index of
 * its own, so nothing is masked for a byte.
 *
 * What went wrong on the line stands in the stream where it happened: a task first reads what came
 * before it, then an operation ends with its code, then what came behind it follows. If tasks are
 * so late that a second thing goes wrong before the first is read, or that DMA has written over
 * what was not read, the operation ends with PT_EOVERRUN, and the ring is empty then. */
#ifndef DRIVERS_UART_H
#define DRIVERS_UART_H

#include "codes.h"

/* A count of bytes, modulo its range, that each processor loads and stores in one instruction. */
#ifdef __AVR__
typedef uint8_t uart_count; /* rings of up to 128 bytes */
#else
typedef uint16_t uart_count; /* of up to 32768 */
#endif

/* One direction. Its size is a power of two. */
struct uart_ring {
    volatile uint8_t *bytes;
    uart_count size;
    volatile uart_count put, taken; /* all that were put into it, and taken out, so far */
    struct pt_lock lock;            /* one task at a time, which may lock again */
    struct pt_waker waker;          /* aimed at that task while it waits */
};

/* UART_RING(array) - the first fields of a ring over an array of bytes */
#define UART_RING(array)                        \
    {                                           \
        .bytes = (array), .size = sizeof(array) \
    }

struct uart_ops;

/* A UART. A chip's file has a struct of its own that begins with this, static, with two rings:
 *
 *     static uint8_t in[64], out[64];
 *     static struct uart console = {.in = UART_RING(in), .out = UART_RING(out)}; */
struct uart {
    struct uart_ring in, out;
    const struct uart_ops *ops;
    volatile uart_count at;  /* the byte in front of which something went wrong */
    volatile pt_status code; /* what; PT_OK: nothing */
    volatile bool lost;      /* more than that: the ring is worth nothing */
};

/* What the hardware can do; constant. */
struct uart_ops {
    /* There is something to send: enable the interrupt that asks for it, or start DMA, unless it
     * goes on already. Called with interrupts masked. */
    void (*send)(struct uart *it);

    /* Whether a byte that was taken is still on its way out. NULL: not when the ring is empty. */
    bool (*sends)(const struct uart *it);

    /* If DMA writes around in the ring IN: the place of its next byte, less than the size. Else
     * NULL. */
    uart_count (*place)(const struct uart *it);
};

/* uart_open - make a UART over its two rings; before its interrupts are enabled. LOOP is as for
 * pt_waker_open. */
void uart_open(struct uart *it, const struct uart_ops *ops, struct pt_loop *loop);

/* uart_close - its interrupts are disabled, and it can be opened again, as for another rate
 * No task may use it, and all must have left (uart_flush): else the hardware would go on with a ring
 * that is another one. PT_DEBUG stops then. O(n) for n open wakers. */
void uart_close(struct uart *it);

/* --- for tasks ----------------------------------------------------------------------------- */

/* private: wait on a side of the UART, as long as something is so; awaited */
struct uart_wait {
    struct pt pt;
    struct uart *uart;
    struct uart_ring *ring;
    bool (*as_long_as)(const struct uart *uart);
};
PT_DECLARE(uart_wait);

/* uart_read - read what has arrived, up to SIZE bytes, and wait for the first of them; awaited
 * With a SIZE of 0 it waits until there is one, and takes none.
 * GOT is how many. Ends with PT_OK; with UART_FRAMING, UART_BREAK or PT_EOVERRUN, and GOT is 0; or
 * with the reason of a cancel, and GOT is 0: the bytes stay for the next read. Several tasks read
 * in the order in which they asked; one that holds the lock of uart->in reads alone. */
struct uart_read {
    struct pt pt;
    struct uart *uart;
    uint8_t *to;
    uint16_t size, got;
    struct pt_held held;
    struct uart_wait wait;
};
PT_DECLARE(uart_read);

/* uart_read_until - read up to and including the byte UNTIL, SIZE bytes at most; awaited
 * Ends as uart_read; with PT_ERANGE if UNTIL is not among SIZE bytes: what follows is left for the
 * next read. However it ends, TO has the GOT bytes that it has taken. */
struct uart_read_until {
    struct pt pt;
    struct uart *uart;
    uint8_t *to;
    uint16_t size, got;
    uint8_t until;
    struct pt_held held;
    struct uart_wait wait;
};
PT_DECLARE(uart_read_until);

/* uart_write - put LENGTH bytes into the ring, and wait for room as often as it takes; awaited
 * However it ends, the first DONE bytes go out, and no others. Then FROM is the caller's again.
 * Ends with PT_OK or the reason of a cancel. Bytes of two tasks do not mix: one that holds the lock
 * of uart->out writes alone, over several writes. */
struct uart_write {
    struct pt pt;
    struct uart *uart;
    const void *from;
    uint16_t length, done;
    struct pt_held held;
    struct uart_wait wait;
};
PT_DECLARE(uart_write);

/* uart_flush - wait until all that was written has left, its last stop bit too; awaited
 * So a driver of RS-485 can be turned around. Ends with PT_OK or the reason of a cancel. */
struct uart_flush {
    struct pt pt;
    struct uart *uart;
    struct pt_held held;
    struct uart_wait wait;
};
PT_DECLARE(uart_flush);

/* uart_sends - whether what was written is still on its way out, its last stop bit too; O(1)
 * A write ends when its bytes are in the ring, and the lock is free then. So before a deep sleep,
 * which stops the UART, the program's sleep function asks, and a hold (services/sleep.h) has it:
 *
 *     console_hold.on = uart_sends(&console);
 *     sleep_until(&sleep, until); */
static inline bool uart_sends(const struct uart *it)
{
    return it->out.put != it->out.taken || (it->ops->sends && it->ops->sends(it));
}

/* --- for a chip's interrupts ---------------------------------------------------------------- */

/* uart_received - a byte has come; for each that the receiver or its FIFO has */
void uart_received(struct uart *it, uint8_t byte);

/* uart_arrived - DMA has written into the ring IN: when it is half way, at its end, and when the
 * line is idle. Each half must have been told before DMA is through with the other. */
void uart_arrived(struct uart *it);

/* uart_failed - something went wrong, behind what has been received: UART_FRAMING, UART_BREAK; or
 * PT_EOVERRUN, if the receiver had no place. With DMA, uart_arrived comes first. */
void uart_failed(struct uart *it, pt_status code);

/* uart_next - take the next byte to send; false if there is none: the interrupt is no more needed */
bool uart_next(struct uart *it, uint8_t *byte);

/* uart_span - what DMA can send at once: that many bytes FROM on; they stay until uart_went */
uart_count uart_span(const struct uart *it, const volatile uint8_t **from);

/* uart_went - DMA has read the first COUNT bytes of the span */
void uart_went(struct uart *it, uart_count count);

#endif
