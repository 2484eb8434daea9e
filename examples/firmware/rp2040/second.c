/* second.c - starts the second core of a Pico
 * SPDX-License-Identifier: MIT */
#include "second.h"

#include "registers.h"

enum { VALID = 1, READY = 2 }; /* in SIO_FIFO_STATE: there is a word; there is room for one */

extern uint32_t second_stack_top[];
void core_start(uint32_t interrupts);

static void (*second_main)(void);

static void second(void)
{
    core_start(0);
    second_main();
    stray();
}

static uint32_t answer_to(uint32_t word)
{
    while (!(SIO_FIFO_STATE & READY)) {
    }
    SIO_FIFO_WRITE = word;
    __asm__ volatile("sev" ::: "memory");
    while (!(SIO_FIFO_STATE & VALID)) {
    }
    return SIO_FIFO_READ;
}

/* Core 1 waits in its boot ROM for six words. It answers each with the same word; if not, begin
 * again. It must have read a 0 with nothing before it. */
void second_start(void (*run)(void))
{
    const uint32_t words[] = {
        0, 0, 1, VTOR, (uint32_t)(uintptr_t)second_stack_top, (uint32_t)(uintptr_t)second};
    unsigned i = 0;

    second_main = run;
    while (i < sizeof words / sizeof *words) {
        while (!words[i] && SIO_FIFO_STATE & VALID)
            (void)SIO_FIFO_READ;
        i = answer_to(words[i]) == words[i] ? i + 1 : 0;
    }
}
