/* planted.c - a program of one task, with what pt-bounds must find or refuse
 * SPDX-License-Identifier: MIT */
#include "run.h"

/* Neither inlined nor changed by what its callers are. */
#define ALONE __attribute__((noipa, unused))

typedef void callback(uint8_t count);

struct worker {
    struct pt pt;
    callback *call;
};

void fill(volatile uint8_t *bytes, uint8_t count);
ALONE void fill(volatile uint8_t *bytes, uint8_t count)
{
#ifdef OPENING /* the line of its note has no instruction */
    uint8_t i = 0;

    do { /* pt-bounds: loop 1 */
        bytes[i] = i;
    } while (++i < count);
#else
    for (uint8_t i = 0; i < count; i++)
        bytes[i] = i;
#endif
}

ALONE static void shallow(uint8_t count)
{
    uint8_t bytes[16];

    fill(bytes, count);
}

ALONE static void deep(uint8_t count)
{
    uint8_t bytes[80];

    fill(bytes, count);
}

#ifdef VARIABLE
/* pt-bounds: stack 128 */
ALONE static void variable_noted(uint8_t count)
{
    uint8_t bytes[count];

    fill(bytes, count);
    deep(count);
}

ALONE static void variable(uint8_t count)
{
    uint8_t bytes[count];

    fill(bytes, count);
    deep(count);
}
#endif

#ifdef RECURSION
ALONE static void odd(uint8_t count);

ALONE static void even(uint8_t count)
{
    shallow(count);
    if (count)
        odd((uint8_t)(count - 1));
    shallow(count);
}

ALONE static void odd(uint8_t count)
{
    shallow(count);
    if (count)
        even((uint8_t)(count - 1));
    shallow(count);
}
#endif

#ifdef CAST
ALONE static int other(const char *text)
{
    deep((uint8_t)*text);
    return 0;
}
#endif

#ifndef CALLED
#define CALLED shallow
#endif

static callback *volatile chosen = CALLED;

PT_ASYNC(worker, self)
{
    for (;;) {
        shallow(1);
#if defined(NAMED)
        chosen(2); /* pt-bounds: calls shallow */
#elif defined(UNTYPED)
        ((void (*)(uint8_t))(uintptr_t) * (volatile uint32_t *)0x20000100)(2);
#else
        chosen(2);
#endif
        PT_YIELD();
    }
}
PT_END

void board_received(void)
{
#ifdef ENABLES
    __asm__ volatile("csrsi mstatus, 8");
#endif
}

int main(void)
{
    static PT_TASK(worker) worker;
    static struct pt_loop loop;

    board_start();
    pt_loop_init(&loop, board_now());
    PT_START(&loop, &worker, worker);
    for (;;)
        board_turn(&loop, NULL);
}
