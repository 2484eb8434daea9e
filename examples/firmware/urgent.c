/* urgent.c - an urgent task beside 500 busy ones, with a deadline
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - In one loop an urgent task waits for a step of each task that is ready: with -DTOGETHER it does. With
 *     -DPT_READY=PT_READY_URGENT, too, it is marked as urgent, and waits for one step. In a loop of its own, which an
 *     interrupt runs, it preempts the step of any other task.
 *   - The loops share `order`. Each user raises the priority to the ceiling, so no half of an order is seen, and the
 *     urgent task waits for one such section at most.
 *   - pt-bounds has the numbers from which its response time follows: doc/response-time.md.
 * For Arm's MPS2 boards, with cortex-m/mps2_upper.c. */
#include "cortex-m/ceiling.h"
#include "run.h"

#ifndef TASKS
#define TASKS 500
#endif
#ifndef EVENTS
#define EVENTS 100 /* after them the program ends */
#endif
#define CEILING 0x80 /* the priority of the interrupt that runs the upper loop */

void upper_start(void); /* of the board: enable an interrupt that calls upper_turn */
void upper_turn(void);

static struct pt_loop lower;
#ifdef TOGETHER
#define urgent_loop lower
#else
static struct pt_loop upper;
#define urgent_loop upper
#endif
static struct pt_waker edge;

static volatile struct order {
    uint16_t speed, check; /* which say the same */
} order;

/* --- the urgent task ------------------------------------------------------------------------ */

struct urgent {
    struct pt pt;
    uint16_t runs;
    bool torn; /* half an order was seen */
};

static PT_ASYNC(urgent, self)
{
    for (;;) {
        PT_PARK();
        self->runs++;
        self->torn |= order.speed != order.check; /* the interrupt is at the ceiling */
        board_led(0, !self->torn);
    }
}
PT_END

static PT_TASK(urgent) urgent;

/* In the interrupt: something has happened. */
void upper_turn(void)
{
    pt_waker_post(&edge);
#ifndef TOGETHER
    pt_loop_turn(&upper, board_now());
#endif
}

/* --- the busy tasks ------------------------------------------------------------------------- */

static void give(uint16_t speed)
{
    uint32_t before = ceiling_raise(CEILING);

    order.speed = speed;
    order.check = speed;
    ceiling_lower(before);
}

struct busy {
    struct pt pt;
    uint16_t speed;
};

static PT_ASYNC(busy, self)
{
    for (;;) {
        give(++self->speed);
        PT_YIELD();
    }
}
PT_END

static void say(const char *text)
{
    for (; *text; text++)           /* pt-bounds: loop 80 */
        while (!board_put(*text)) { /* pt-bounds: loop 5000 */
        }
}

void board_received(void)
{
}

int main(void)
{
    static PT_TASK(busy) busy[TASKS];

    board_start();
    pt_loop_init(&lower, board_now());
#ifndef TOGETHER
    pt_loop_init(&upper, board_now());
#endif
    pt_waker_open(&edge, &urgent_loop, &urgent.task);
    PT_START(&urgent_loop, &urgent, urgent);
    pt_loop_turn(&urgent_loop, board_now()); /* up to its park */
#if PT_READY == PT_READY_URGENT
    pt_task_set_urgent(&urgent.task, true);
#endif
    for (uint16_t i = 0; i < TASKS; i++) /* pt-bounds: loop 500 */
        PT_START(&lower, &busy[i], busy);
    upper_start();
    while (urgent.frame.runs < EVENTS)
        board_turn_posted(&lower);
    say(urgent.frame.torn ? "half an order\n" : "each order was whole\n");
    return 0;
}
