/* uart.c - two rings, and a task that waits at each
 * SPDX-License-Identifier: MIT */
#include "uart.h"

static void ring_open(struct uart_ring *it, struct pt_loop *loop)
{
    it->put = it->taken = 0;
    pt_lock_init_reentrant(&it->lock);
    pt_waker_open(&it->waker, loop, NULL);
}

void uart_open(struct uart *it, const struct uart_ops *ops, struct pt_loop *loop)
{
    ring_open(&it->in, loop);
    ring_open(&it->out, loop);
    it->ops = ops;
    it->code = PT_OK;
    it->lost = false;
}

void uart_close(struct uart *it)
{
#if PT_DEBUG
    if (it->in.lock.owner || it->out.lock.owner || uart_sends(it))
        PT_PANIC("it is in use: end what reads, and uart_flush first", "uart_close", 0);
#endif
    pt_waker_close(&it->in.waker);
    pt_waker_close(&it->out.waker);
}

static volatile uint8_t *place_of(const struct uart_ring *it, uart_count count)
{
    return it->bytes + (count & (uart_count)(it->size - 1));
}

static uart_count held_by(const struct uart_ring *it)
{
    return (uart_count)(it->put - it->taken);
}

/* --- what arrives ---------------------------------------------------------------------------- */

/* How many bytes have arrived so far. DMA is ahead of its last interrupt, by less than the size. */
static uart_count arrived(const struct uart *it)
{
    uart_count put = it->in.put; /* first: an interrupt may come now */

    if (it->ops->place)
        put = (uart_count)(put + ((uart_count)(it->ops->place(it) - put) & (it->in.size - 1)));
    return put;
}

/* Whether DMA has come around to what was not read. It writes a byte before it counts it. */
static bool is_overrun(const struct uart *it)
{
    return it->ops->place && (uart_count)(arrived(it) - it->in.taken) >= it->in.size;
}

void uart_failed(struct uart *it, pt_status code)
{
    if (it->code == PT_OK) {
        it->at = it->in.put;
        it->code = code;
    } else if (it->at != it->in.put) {
        it->lost = true;
    } else if (code == PT_EOVERRUN) {
        it->code = code;
    }
    pt_waker_post(&it->in.waker);
}

void uart_received(struct uart *it, uint8_t byte)
{
    uart_count put = it->in.put;

    if (held_by(&it->in) == it->in.size) {
        uart_failed(it, PT_EOVERRUN);
        return;
    }
    *place_of(&it->in, put) = byte;
    it->in.put = (uart_count)(put + 1);
    pt_waker_post(&it->in.waker);
}

void uart_arrived(struct uart *it)
{
    it->in.put = arrived(it);
    if (is_overrun(it)) /* no |=: another interrupt may set it meanwhile */
        it->lost = true;
    pt_waker_post(&it->in.waker);
}

static bool has_nothing(const struct uart *it)
{
    return it->code == PT_OK && !it->lost && arrived(it) == it->in.taken;
}

/* What stands in front of the next byte. It is told once. */
static pt_status take_code(struct uart *it)
{
    pt_status code = PT_OK;
    board_state state = board_lock();

    if (it->lost || is_overrun(it)) {
        code = PT_EOVERRUN;
        it->in.taken = arrived(it);
        it->lost = false;
        it->code = PT_OK;
    } else if (it->code != PT_OK && it->at == it->in.taken) {
        code = it->code;
        it->code = PT_OK;
    }
    board_unlock(state);
    return code;
}

/* Take up to ROOM bytes, in front of what went wrong, and none behind the byte UNTIL. If DMA has
 * come around meanwhile, they are no bytes of the line: none is taken. */
static uart_count take(struct uart *it, uint8_t *to, uint16_t room, int until)
{
    uart_count end = arrived(it), at = it->in.taken, count = 0;

    if (it->code != PT_OK) /* asked last: what goes wrong from now on stands at END or behind it */
        end = it->at;
    for (; at != end && count < room; at++) {
        to[count] = *place_of(&it->in, at);
        if (to[count++] == until)
            end = (uart_count)(at + 1);
    }
    if (it->lost || is_overrun(it))
        return 0;
    it->in.taken = at;
    return count;
}

/* --- what goes out --------------------------------------------------------------------------- */

static bool is_full(const struct uart *it)
{
    return held_by(&it->out) == it->out.size;
}

static bool has_unsent(const struct uart *it)
{
    return it->out.put != it->out.taken;
}

static uint16_t put(struct uart *it, const uint8_t *from, uint16_t length)
{
    uint16_t room = (uart_count)(it->out.size - held_by(&it->out)), count = 0;
    board_state state;

    while (count < length && count < room) {
        *place_of(&it->out, (uart_count)(it->out.put + count)) = from[count];
        count++;
    }
    state = board_lock();
    it->out.put = (uart_count)(it->out.put + count);
    it->ops->send(it);
    board_unlock(state);
    return count;
}

uart_count uart_span(const struct uart *it, const volatile uint8_t **from)
{
    uart_count taken = it->out.taken, count = held_by(&it->out);
    uart_count to_end = (uart_count)(it->out.size - (taken & (it->out.size - 1)));

    *from = place_of(&it->out, taken);
    return count < to_end ? count : to_end;
}

/* A task that waits for room goes on when half of the ring is free: it is not woken for a byte. */
void uart_went(struct uart *it, uart_count count)
{
    uart_count half = it->out.size / 2, before = held_by(&it->out);
    uart_count after = (uart_count)(before - count);

    it->out.taken = (uart_count)(it->out.taken + count);
    if ((before > half && after <= half) || after == 0)
        pt_waker_post(&it->out.waker);
}

bool uart_next(struct uart *it, uint8_t *byte)
{
    if (!has_unsent(it))
        return false;
    *byte = *place_of(&it->out, it->out.taken);
    uart_went(it, 1);
    return true;
}

/* --- the operations -------------------------------------------------------------------------- */

PT_ASYNC(uart_wait, self)
{
    pt_waker_aim(&self->ring->waker, self->ring->lock.owner);
    while (self->as_long_as(self->uart))
        PT_PARK();
    PT_RETURN(self->ring == &self->uart->in ? take_code(self->uart) : (pt_status)PT_OK);

    PT_FINALLY
    pt_waker_aim(&self->ring->waker, NULL); /* the task can be gone before a late post is seen */
}
PT_END

PT_ASYNC(uart_read, self)
{
    PT_WITH_LOCK(&self->held, &self->uart->in.lock) {
        do {
            PT_TRY(&self->wait, uart_wait, .uart = self->uart, .ring = &self->uart->in,
                   .as_long_as = has_nothing);
            self->got = take(self->uart, self->to, self->size, -1);
        } while (!self->got && self->size);
    }
}
PT_END

static bool is_complete(const struct uart_read_until *self)
{
    return self->got && self->to[self->got - 1] == self->until;
}

PT_ASYNC(uart_read_until, self)
{
    PT_WITH_LOCK(&self->held, &self->uart->in.lock) {
        while (self->got < self->size && !is_complete(self)) {
            PT_TRY(&self->wait, uart_wait, .uart = self->uart, .ring = &self->uart->in,
                   .as_long_as = has_nothing);
            self->got =
                (uint16_t)(self->got + take(self->uart, self->to + self->got,
                                            (uint16_t)(self->size - self->got), self->until));
        }
    }
    PT_RETURN(is_complete(self) ? PT_OK : PT_ERANGE);
}
PT_END

PT_ASYNC(uart_write, self)
{
    PT_WITH_LOCK(&self->held, &self->uart->out.lock) {
        while (self->done < self->length) {
            PT_TRY(&self->wait, uart_wait, .uart = self->uart, .ring = &self->uart->out,
                   .as_long_as = is_full);
            self->done =
                (uint16_t)(self->done + put(self->uart, (const uint8_t *)self->from + self->done,
                                            (uint16_t)(self->length - self->done)));
        }
    }
}
PT_END

PT_ASYNC(uart_flush, self)
{
    PT_WITH_LOCK(&self->held, &self->uart->out.lock) {
        PT_TRY(&self->wait, uart_wait, .uart = self->uart, .ring = &self->uart->out,
               .as_long_as = has_unsent);
        while (self->uart->ops->sends && self->uart->ops->sends(self->uart))
            PT_WAIT(1);
    }
}
PT_END
