/* registers.h - the parts of an RP2040 that this board needs
 * SPDX-License-Identifier: MIT */
#ifndef REGISTERS_H
#define REGISTERS_H

#include "cortex-m.h"

/* A write so far behind a peripheral's register sets or clears the bits of what is written. */
enum { SET = 0x2000, CLEAR = 0x3000 };

#define CLOCKS_REF_CTRL REGISTER(0x40008030)
#define CLOCKS_SYS_CTRL REGISTER(0x4000803c)
#define CLOCKS_SYS_SELECTED REGISTER(0x40008044)
#define CLOCKS_PERI_CTRL REGISTER(0x40008048)
#define RESETS_RESET(alias) REGISTER(0x4000c000 + (alias))
#define RESETS_DONE REGISTER(0x4000c008)
#define XOSC_CTRL REGISTER(0x40024000)
#define XOSC_STATUS REGISTER(0x40024004)
#define XOSC_STARTUP REGISTER(0x4002400c)
#define PLL_CS REGISTER(0x40028000)
#define PLL_PWR(alias) REGISTER(0x40028004 + (alias))
#define PLL_FBDIV REGISTER(0x40028008)
#define PLL_PRIM REGISTER(0x4002800c)
#define WATCHDOG_TICK REGISTER(0x4005802c)

#define TIMER_ALARM(i) REGISTER(0x40054010 + 4 * (i))
#define TIMER_ARMED REGISTER(0x40054020)
#define TIMER_HIGH REGISTER(0x40054024)
#define TIMER_LOW REGISTER(0x40054028)
#define TIMER_INTR REGISTER(0x40054034)
#define TIMER_INTE(alias) REGISTER(0x40054038 + (alias))

#define UART_DATA REGISTER(0x40034000)
#define UART_STATE REGISTER(0x40034018)
#define UART_IBRD REGISTER(0x40034024)
#define UART_FBRD REGISTER(0x40034028)
#define UART_LINE REGISTER(0x4003402c)
#define UART_CTRL REGISTER(0x40034030)
#define UART_LEVELS REGISTER(0x40034034)
#define UART_ENABLE REGISTER(0x40034038)
#define UART_CLEAR REGISTER(0x40034044)

#define PIN_CTRL(pin) REGISTER(0x40014004 + 8 * (pin))
#define PIN_EDGES(pin) REGISTER(0x400140f0 + (pin) / 8 * 4)
#define PIN_ENABLE(pin, alias) REGISTER(0x40014100 + (pin) / 8 * 4 + (alias)) /* of core 0 */
#define PAD(pin) REGISTER(0x4001c004 + 4 * (pin))

#define SIO_IN REGISTER(0xd0000004)
#define SIO_OUT_SET REGISTER(0xd0000014)
#define SIO_OUT_CLEAR REGISTER(0xd0000018)
#define SIO_DRIVE_SET REGISTER(0xd0000024)
#define SIO_FIFO_STATE REGISTER(0xd0000050)
#define SIO_FIFO_WRITE REGISTER(0xd0000054)
#define SIO_FIFO_READ REGISTER(0xd0000058)

#define NVIC_IPR(word) REGISTER(0xe000e400 + 4 * (word)) /* priorities, four in a word */
#define VTOR REGISTER(0xe000ed08)
#define SCR REGISTER(0xe000ed10)

enum { SEVONPEND = 1 << 4 };                                     /* in SCR: what pends ends wfe */
enum { TIMER_IRQ = 0, PINS_IRQ = 13, UART_IRQ = 20, IRQS = 26 }; /* the timer has four */

#endif
