/* avr-sweep.c - an interrupt at every instruction: does the loop ever sleep past a wake?
 * SPDX-License-Identifier: MIT
 *
 *     avr-sweep sweep.elf
 *
 * Three stretches of sweep.c, each from a sleep to a sleep, are run instruction by instruction:
 *
 *     the start        spawn, first turn, turn end, idle entry
 *     a tick           the timer's interrupt, wake, turn end, idle entry
 *     a byte           the UART's interrupt, its push, wake, turn end, idle entry
 *
 * Before each instruction the processor's state is copied and an interrupt is set pending; after the
 * trial the copy goes back. With the UART's interrupt, the listener must see the byte before the
 * next sleep. With the timer's interrupt, the ticker must still run in time. Then the ticker's
 * deadline is swept, cycle by cycle, over the path from its turn to the sleep, by stopping the
 * processor for that long.
 *
 * Prints how many points were tried, and how many wakes were lost; exits with 1 if any was lost.
 * All of it takes less than a second of emulated time; a program that runs for ten seconds
 * hangs. */
#include "avr-state.h"

#include <setjmp.h>

enum { COMPARE = 11, RECEIVED = 18, UCSR0A = 0xc0, UCSR0B = 0xc1, SEEN = 0x4a, TICKED = 0x4b };
enum { TICK = 1024, PERIOD = 313 * TICK, HANGS = 10 * 16000000 };

static unsigned points, lost;
static uint8_t sent;           /* bytes */
static avr_cycle_count_t last; /* when the ticker ran */
static jmp_buf failed;         /* how a trial ends in which the program stops by itself */
static int trying;

/* The program stops, or hangs. */
static void stop(void)
{
    if (!trying)
        exit(2);
    longjmp(failed, 1);
}

/* Execute one instruction. */
static void step(avr_t *avr)
{
    uint8_t ticked = avr->data[TICKED];

    if (avr_run(avr) == cpu_Done || avr->state == cpu_Crashed)
        stop();
    if (avr->cycle > HANGS) {
        fprintf(stderr, "after ten seconds of its own the processor still runs\n");
        stop();
    }
    if (avr->data[TICKED] != ticked)
        last = avr->cycle;
}

/* Asleep, with nothing pending that would wake it at once. */
static int asleep(avr_t *avr)
{
    return avr->state == cpu_Sleeping && !avr_has_pending_interrupts(avr);
}

/* The last byte was taken from the UART; before that, another byte would be the same interrupt. */
static int taken(avr_t *avr)
{
    return !vector_of(avr, RECEIVED)->pending && !(avr->data[UCSR0A] >> 7);
}

/* --- a trial: each of these returns whether its sentence holds ------------------------------- */

/* A byte arrives now; the listener sees it before the processor sleeps. */
static int a_byte_is_seen(avr_t *avr, avr_cycle_count_t unused)
{
    (void)unused;
    avr_raise_interrupt(avr, vector_of(avr, RECEIVED));
    do
        step(avr);
    while (!asleep(avr));
    return avr->data[SEEN] == (uint8_t)(sent + 1);
}

/* The ticker's next run is in time. LATE: how late it may be, in cycles. */
static int ticks_in_time(avr_t *avr, avr_cycle_count_t late)
{
    uint8_t ticked = avr->data[TICKED];
    avr_cycle_count_t deadline = last + PERIOD + 4 * TICK + late;

    while (avr->data[TICKED] == ticked && avr->cycle < deadline)
        step(avr);
    return avr->data[TICKED] != ticked;
}

/* The timer's interrupt comes now; the ticker is still in time. */
static int a_stray_tick_is_harmless(avr_t *avr, avr_cycle_count_t unused)
{
    (void)unused;
    avr_raise_interrupt(avr, vector_of(avr, COMPARE));
    return ticks_in_time(avr, 0);
}

/* The processor stops now for some CYCLES; the ticker is still in time. */
static int a_stall_is_survived(avr_t *avr, avr_cycle_count_t cycles)
{
    avr->cycle += cycles;
    return ticks_in_time(avr, cycles > PERIOD ? cycles - PERIOD : 0);
}

/* --- the sweep -------------------------------------------------------------------------------- */

static void try_here(avr_t *avr, int (*holds)(avr_t *, avr_cycle_count_t),
                     avr_cycle_count_t argument)
{
    avr_cycle_count_t ran = last;

    keep(avr);
    trying = 1;
    if (setjmp(failed) || !holds(avr, argument))
        lost++;
    trying = 0;
    put_back(avr);
    last = ran;
    points++;
}

/* Run to the next sleep, and try each interrupt before each instruction and in the sleep. */
static void sweep(avr_t *avr, const char *name)
{
    unsigned from = points;
    int sleeps;

    do {
        sleeps = asleep(avr);
        if (avr->data[UCSR0B] >> 7) /* the UART's interrupt is on: the start is over */
            try_here(avr, a_byte_is_seen, 0);
        if (avr->data[TICKED])
            try_here(avr, a_stray_tick_is_harmless, 0);
        if (!sleeps)
            step(avr);
    } while (!sleeps);
    printf("%s: %u points\n", name, points - from);
}

static void sweep_deadline(avr_t *avr)
{
    unsigned from = points;
    uint8_t ticked = avr->data[TICKED];

    while (avr->data[TICKED] == ticked)
        step(avr);
    for (avr_cycle_count_t cycles = PERIOD - 3 * TICK; cycles < PERIOD + TICK; cycles++)
        try_here(avr, a_stall_is_survived, cycles);
    printf("the deadline: %u points\n", points - from);
}

int main(int count, char **arguments)
{
    avr_t *avr;

    if (count != 2)
        return 2;
    avr = avr_load(arguments[1]);
    make_room(avr);
    sweep(avr, "the start");
    while (asleep(avr))
        step(avr);
    sweep(avr, "a tick");
    avr_raise_interrupt(avr, vector_of(avr, RECEIVED));
    sent++;
    while (!taken(avr))
        step(avr);
    sweep(avr, "a byte");
    sweep_deadline(avr);
    printf("%u points tried, %u wakes lost\n", points, lost);
    return lost != 0;
}
