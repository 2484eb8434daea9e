/* pin.c - edges of a pin of a Pico, for pin.js
 * SPDX-License-Identifier: MIT
 *
 * In a round a task waits for two edges, and pin.js lets them come at a moment of its own. Without
 * rounds a button bounces, and then the pin is opened again. */
#include "chips/rp2040/rp2040_pin.h"
#include "sweep.h"

enum { BUTTON = 14, BEGIN = 15, BY_SIO = 5, INPUT_PULLED_UP = 0x40 | 8 | 2 };

static struct rp2040_pin pin;

static void pins(void)
{
    rp2040_pin_interrupt(&pin);
}

/* Let the edges come. */
static void begin(void)
{
    static bool high;

    high = !high;
    if (high)
        SIO_OUT_SET = 1u << BEGIN;
    else
        SIO_OUT_CLEAR = 1u << BEGIN;
}

/* waiter - until the pin's count is two more than SEEN */
struct waiter {
    struct pt pt;
    uint16_t seen;
    uint8_t left;
    struct edges_wait edge;
};

static PT_ASYNC(waiter, self)
{
    while (self->left) {
        PT_TRY(&self->edge, edges_wait, .pin = &pin.edges, .seen = self->seen);
        self->seen = (uint16_t)(self->seen + self->edge.count);
        self->left = (uint8_t)(self->left - self->edge.count);
    }
}
PT_END

/* button - a press, and its release */
struct button {
    struct pt pt;
    bool right;
    uint16_t seen;
    uint8_t times;
    struct edges_settle change;
};

static PT_ASYNC(button, self)
{
    self->right = true;
    for (self->times = 0; self->times < 2; self->times++) {
        begin();
        PT_TRY(&self->change, edges_settle, .pin = &pin.edges, .seen = self->seen,
               .quiet = PT_MS(2));
        self->seen = (uint16_t)(self->seen + self->change.count);
        self->right = self->right && rp2040_pin_is_high(&pin) == (self->times == 1);
        PT_WAIT(PT_MS(5));
        self->right = self->right && pin.edges.count == self->seen;
    }
}
PT_END

static PT_TASK(waiter) waiter;
static PT_TASK(button) button;

static int one_round(void)
{
    uint16_t before = pin.edges.count;

    begin();
    PT_START(&loop, &waiter, waiter, .seen = before, .left = 2);
    sweep_run(&waiter.task);
    wait_us(2);
    pt_loop_turn(&loop, board_now());
    return (uint16_t)(pin.edges.count - before) == 2 ? 0 : 1;
}

static int bounces(void)
{
    PT_START(&loop, &button, button);
    sweep_run(&button.task);
    if (pt_task_status(&button.task) != PT_OK || button.frame.times != 2)
        return 2;
    return button.frame.right ? 0 : 3;
}

/* opens - opened again for one kind of edge, of which six come */
struct opens {
    struct pt pt;
};

static PT_ASYNC(opens, self)
{
    pt_remote_close(&pin.edges.remote);
    rp2040_pin_open(&pin, BUTTON, RP2040_FALLS, &loop);
    begin();
    PT_WAIT(PT_MS(5));
}
PT_END

static PT_TASK(opens) opens;

static int opens_again(void)
{
    PT_START(&loop, &opens, opens);
    sweep_run(&opens.task);
    return pin.edges.count == 6 ? 0 : 4;
}

int main(void)
{
    int code;

    sweep_open(0, &waiter.task);
    PIN_CTRL(BEGIN) = BY_SIO;
    SIO_DRIVE_SET = 1u << BEGIN;
    PIN_CTRL(BUTTON) = BY_SIO;
    PAD(BUTTON) = INPUT_PULLED_UP;
    rp2040_pin_open(&pin, BUTTON, RP2040_RISES | RP2040_FALLS, &loop);
    sweep_handle(PINS_IRQ, pins);
    if (rounds)
        return sweep(one_round);
    code = bounces();
    return code ? code : opens_again();
}
