/* rv32.c - two harts of qemu's "virt", as volume.h needs them
 * SPDX-License-Identifier: MIT
 *
 * A hart sleeps by wfi, and the software interrupt of the other one ends that. It stays masked, and
 * is cleared before the loop looks at its posts: one that comes later is pending in the next
 * sleep. */
#include "end.h"
#include "board.h"
#include "volume.h"

#define MSIP(hart) (*(volatile uint32_t *)(0x02000000 + 4 * (hart)))
#define UART(offset) (*(volatile uint8_t *)(0x10000000 + (offset)))

enum { TX_EMPTY = 0x20, SOFTWARE = 8 };

/* Both harts begin here; the second one waits until it is told what to run. */
__asm__(".section .start, \"ax\"\n"
        ".global start\n"
        "start:\n"
        "    .option push\n"
        "    .option norelax\n"
        "    la gp, __global_pointer$\n"
        "    .option pop\n"
        "    csrr a0, mhartid\n"
        "    mv tp, a0\n" /* each csrr costs the emulator much */
        "    la sp, stack_top\n"
        "    slli a1, a0, 16\n"
        "    sub sp, sp, a1\n"
        "    csrwi mie, 8\n" /* the software interrupt can end wfi */
        "    bnez a0, 2f\n"
        "    call main\n"
        "    call board_end\n"
        "1:  j 1b\n"
        "2:  call second\n"
        "    .text\n");

static void (*second_main)(void);

void second(void);
void second(void)
{
    void (*run)(void);

    while (!(run = __atomic_load_n(&second_main, __ATOMIC_SEQ_CST))) {
    }
    run();
}

void second_start(void (*run)(void))
{
    __atomic_store_n(&second_main, run, __ATOMIC_SEQ_CST);
}

unsigned core(void)
{
    unsigned hart;

    __asm__("mv %0, tp" : "=r"(hart));
    return hart;
}

void core_interrupt(unsigned number)
{
    MSIP(number) = 1;
}

void core_wait(void)
{
    __asm__ volatile("wfi" ::: "memory");
    MSIP(core()) = 0;
    __asm__ volatile("fence" ::: "memory");
}

bool board_put(char byte)
{
    if (!(UART(5) & TX_EMPTY))
        return false;
    UART(0) = (uint8_t)byte;
    return true;
}
