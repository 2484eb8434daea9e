/* cortex-m.h - what the boards with a Cortex-M share
 * SPDX-License-Identifier: MIT */
#ifndef CORTEX_M_H
#define CORTEX_M_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

#define SYST_CSR REGISTER(0xe000e010)
#define SYST_RVR REGISTER(0xe000e014)
#define SYST_CVR REGISTER(0xe000e018)
#define NVIC_ISER REGISTER(0xe000e100)
#define NVIC_ICER REGISTER(0xe000e180)
#define NVIC_ISPR REGISTER(0xe000e200)
#define NVIC_ICPR REGISTER(0xe000e280)
#define ICSR REGISTER(0xe000ed04)
#define CPACR REGISTER(0xe000ed88)

enum { PENDSTSET = 1 << 26 }; /* in ICSR: the interrupt of SysTick is pending */

int main(void);
void board_end(int code); /* called with main's result; a program can define its own */
void start(void);         /* after a reset */
void stray(void);         /* on an unexpected interrupt, and after main */

/* The interrupt table: first the processor's, then the board's. */
typedef void handler(void);
extern uint32_t stack_top[];

/* TABLE_OF(n, pendsv, systick, [UART_IRQ] = uart, ...) - the table of a board with N interrupts
 * Those without a handler here go to stray, by an extension of gcc and clang. */
#define TABLE_OF(n, pendsv, systick, ...)                                              \
    struct table {                                                                     \
        uint32_t *stack;                                                               \
        handler *core[15], *board[n];                                                  \
    };                                                                                 \
    extern const struct table table;                                                   \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wpedantic\"")    \
        _Pragma("GCC diagnostic ignored \"-Woverride-init\"") const struct table table \
        __attribute__((section(".vectors"), used)) = {                                 \
            stack_top,                                                                 \
            {start, stray, stray, 0, 0, 0, 0, 0, 0, 0, stray, 0, 0, pendsv, systick},  \
            {[0 ...(n) - 1] = stray, __VA_ARGS__}};                                    \
    _Pragma("GCC diagnostic pop") extern const struct table table

#endif
