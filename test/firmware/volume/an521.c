/* an521.c - two Cortex-M33 of qemu's mps2-an521, as volume.h needs them
 * SPDX-License-Identifier: MIT
 *
 * The message handling unit interrupts the other core. */
#include "end.h"
#include "board.h"
#include "cortex-m.h"
#include "volume.h"

#define CORE REGISTER(0x5001f000)
#define SECOND_TABLE REGISTER(0x50021114) /* INITSVTOR1 */
#define WAITS REGISTER(0x50021118)        /* CPUWAIT: a bit for each core */
#define MHU_SET(core) REGISTER(0x50003004 + 0x10 * (core))
#define MHU_CLEAR(core) REGISTER(0x50003008 + 0x10 * (core))

enum { MHU_IRQ = 6 };

static void (*second_main)(void);
static uint32_t second_stack[1024];

static void rung(void)
{
    MHU_CLEAR(core()) = 1;
}

TABLE_OF(8, 0, 0, [MHU_IRQ] = rung);

static void second(void)
{
    NVIC_ISER = 1u << MHU_IRQ;
    second_main();
}

unsigned core(void)
{
    return CORE;
}

void second_start(void (*run)(void))
{
    static handler *copy[16 + MHU_IRQ + 1] __attribute__((aligned(128)));

    copy[0] = (handler *)(uintptr_t)&second_stack[1024];
    copy[1] = second;
    for (unsigned i = 2; i < 16 + MHU_IRQ; i++)
        copy[i] = stray;
    copy[16 + MHU_IRQ] = rung;
    second_main = run;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    NVIC_ISER = 1u << MHU_IRQ;
    SECOND_TABLE = (uint32_t)(uintptr_t)copy;
    WAITS = 0;
}

void core_interrupt(unsigned number)
{
    MHU_SET(number) = 1;
}

void core_wait(void)
{
    __asm__ volatile("wfi" ::: "memory");
}

/* To qemu's standard output. */
bool board_put(char byte)
{
    register uint32_t operation __asm__("r0") = 3; /* SYS_WRITEC */
    register const char *argument __asm__("r1") = &byte;

    __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(argument) : "memory");
    return true;
}
