/* first.c - the pins of examples/firmware/first, on Arm's MPS2 boards: a button that bounces
 * SPDX-License-Identifier: MIT
 *
 * Timer 0 moves the pin by a script, a step a millisecond, and each edge is an interrupt. It prints each change of the LED. */
#include "cortex-m.h"

#include <stdbool.h>

#define TIMER_CTRL REGISTER(0x40000000)
#define TIMER_RELOAD REGISTER(0x40000008)
#define TIMER_INTCLEAR REGISTER(0x4000000c)
#define UART_DATA REGISTER(0x40004000)
#define UART_STATE REGISTER(0x40004004)
#define UART_CTRL REGISTER(0x40004008)
#define UART_BAUDDIV REGISTER(0x40004010)

enum { PIN_IRQ = 0, TIMER_IRQ = 8, END = 900 };

void board_start(void);
bool board_button(void);
void board_led(bool on);
void button_interrupt(void);
void SysTick_Handler(void);
bool board_put(char byte);
void say(const char *text);

/* When the pin moves, in milliseconds; first down. Three presses, two of them with bounces, and
 * two pulses that are too short. */
static const uint16_t edges[] = {100, 101, 103, 106, 112, 300, 302, 305, 400, 403, 500,
                                 501, 518, 519, 519, 600, 615, 616, 700, 740, 800, 810};

#ifdef SYSTICK_1MS_HANDLER /* as in a vendor's code, which has the handler */
void SYSTICK_1MS_HANDLER(void);
void SysTick_Handler(void)
{
    SYSTICK_1MS_HANDLER();
}
#endif

static volatile bool pin;
static unsigned ms, edge;

static void timer(void)
{
    TIMER_INTCLEAR = 1;
    ms++;
    for (; edge < sizeof edges / sizeof *edges && edges[edge] == ms; edge++) {
        pin = !pin;
        NVIC_ISPR = 1u << PIN_IRQ;
    }
    if (ms == END)
        board_end(pin);
}

bool board_button(void)
{
    return pin;
}

void board_led(bool on)
{
    say(on ? "on\n" : "off\n");
}

bool board_put(char byte)
{
    if (UART_STATE & 1)
        return false;
    UART_DATA = (uint8_t)byte;
    return true;
}

void board_start(void)
{
    UART_BAUDDIV = 217;
    UART_CTRL = 1;
    TIMER_RELOAD = 25000;
    TIMER_CTRL = 9;
    NVIC_ISER = 1u << PIN_IRQ | 1u << TIMER_IRQ;
}

TABLE_OF(9, 0, SysTick_Handler, [PIN_IRQ] = button_interrupt, [TIMER_IRQ] = timer);
