/* swept.h - the swept program: a task that waits for bytes from an interrupt
 * SPDX-License-Identifier: MIT
 *
 * The bytes reach it in one of these ways:
 *
 *     -            the ring of input.h, which the loop checks
 *     BY_REMOTE    that ring, and a post
 *     BY_WAKER     that ring, and a post to a waker
 *     BY_RING      pt's ring, with one place: the interrupt finds it empty or full
 *
 * With BY_RING the task does more for each byte: it fills the ring itself, reads the number of lost
 * items when that number is about to need a second byte, and takes the items of the full ring.
 *
 * TWO_LEVELS, with a post: the bytes come from interrupts of two priorities, which post the same
 * remote or waker. INTERRUPTIBLE, on AVR: the next interrupt can come in the middle of a post.
 * TIMED: without BY_RING, the task parks for 5 ms, again and again: the byte that wakes it and the
 * end of that time come in every order.
 *
 * NESTED: that task, and others that the program starts in HOME, are in a nested loop.
 * ARDUINO: the turn is that of a sketch; of the ticks of millis() only those that matter interrupt. */
#ifndef SWEPT_H
#define SWEPT_H

#include "run.h"

/* The program defines this: BYTES have arrived in all, modulo 256; RIGHT: without an error. */
static void saw(uint8_t bytes, bool right);

#ifdef TIMED
/* The same: the listener has parked until UNTIL, and no wake came. */
static void rested(pt_time now, pt_time until);
#endif

#ifdef ARDUINO
#include <pt_arduino.h>

/* The same: when a task is due. */
static pt_time due(void);
#endif

static struct pt_loop loop;

#ifdef NESTED
static struct pt_loop inner;
static PT_TASK(pt_loop_async) runner;
#define HOME (&inner)
#else
#define HOME (&loop)
#endif

#ifdef BY_RING

struct item {
    uint8_t number;
    bool byte; /* a byte of the interrupt arrived */
};

struct listener {
    struct pt pt;
    struct item item;
    uint8_t last, bytes;
    bool right;
};

static PT_RING(struct item, 1) rx;
static uint8_t numbered;          /* the last item that found a place in the ring */
static volatile uint8_t overruns; /* bytes that found no place */

static bool put(bool byte)
{
    struct item item;

    item.number = (uint8_t)(numbered + 1);
    item.byte = byte;
    if (PT_RING_PUT(&rx, &item) != PT_OK)
        return false;
    numbered = item.number;
    return true;
}

void board_received(void)
{
    board_get();
    if (!put(true))
        overruns++;
}

enum { MOST_OF_A_BYTE = 255 };

/* Fill the ring, as another interrupt would. */
static void fill(void)
{
    board_state state = board_lock();

    put(false);
    rx.ring.lost = MOST_OF_A_BYTE;
    board_unlock(state);
}

static bool lost_is_whole(void)
{
    return pt_ring_lost(&rx.ring) - MOST_OF_A_BYTE <= 2;
}

static void took(struct listener *self, bool right)
{
    self->last++;
    self->bytes = (uint8_t)(self->bytes + self->item.byte);
    saw((uint8_t)(self->bytes + overruns), right && self->item.number == self->last);
}

static PT_ASYNC(listener, self)
{
    for (;;) {
        PT_RING_GET(&rx, &self->item);
        took(self, true);
        fill();
        self->right = lost_is_whole() && lost_is_whole(); /* again, a moment after the unlock */
        PT_RING_GET(&rx, &self->item);
        took(self, self->right);
    }
}
PT_END

#else

struct listener {
    struct pt pt;
    uint8_t bytes;
    pt_time until;
};

#ifdef TWO_LEVELS
static volatile uint8_t arrived[2]; /* bytes of each priority */

static bool heard(struct listener *self)
{
    uint8_t bytes = (uint8_t)(arrived[0] + arrived[1]);

    if (bytes == self->bytes)
        return false;
    self->bytes = bytes;
    return true;
}
#else
static bool heard(struct listener *self)
{
    if (board_get() < 0)
        return false;
    self->bytes++;
    return true;
}
#endif

#ifdef TIMED
static PT_ASYNC(listener, self)
{
    for (;;) {
        while (heard(self))
            saw(self->bytes, true);
        self->until = (pt_time)(PT_NOW() + PT_MS(5));
        PT_PARK_DEADLINE(self->until);
        if (self->pt.status == PT_ETIMEDOUT)
            rested(PT_NOW(), self->until);
    }
}
PT_END
#else
static PT_ASYNC(listener, self)
{
    for (;;) {
        while (heard(self))
            saw(self->bytes, true);
        PT_PARK();
    }
}
PT_END
#endif

#ifdef BY_REMOTE
static struct pt_remote bell;
#elif defined(BY_WAKER)
static struct pt_waker bell;
#endif

void board_received(void)
{
#ifdef INTERRUPTIBLE
    __asm__ volatile("sei" ::: "memory");
#endif
#ifdef BY_REMOTE
    pt_remote_post(&bell);
#elif defined(BY_WAKER)
    pt_waker_post(&bell);
#endif
}

#ifdef TWO_LEVELS
/* A byte of an interrupt. */
static void arrive(bool high)
{
    arrived[high]++;
    board_received();
}
#endif

#endif

static PT_TASK(listener) listener;

/* Call it before the interrupt is enabled. */
static void listen(void)
{
    pt_loop_init(&loop, 0);
#ifdef BY_RING
    PT_RING_OPEN(&rx, &loop);
#elif defined(BY_REMOTE)
    pt_remote_open(&bell, &loop, pt_remote_wake, &listener.task);
#elif defined(BY_WAKER)
    pt_waker_open(&bell, &loop, &listener.task);
#endif
#ifdef NESTED
    pt_loop_init(&inner, 0);
    PT_START(&loop, &runner, pt_loop_async, .loop = &inner);
#endif
    PT_START(HOME, &listener, listener);
}

#ifdef ARDUINO
/* The last call before a sleep sets the alarm; what is too near for one is waited for. */
unsigned long millis(void)
{
    board_wake_at(due());
    while (board_rang() && pt_time_before(board_now(), due())) {
    }
    return board_now();
}
#endif

static void turn(void)
{
#ifdef ARDUINO
    pt_arduino_turn(&loop);
#elif defined(BY_RING) || defined(BY_REMOTE) || defined(BY_WAKER)
    board_turn_posted(&loop);
#else
    board_turn(&loop, &listener.task);
#endif
}

#endif
