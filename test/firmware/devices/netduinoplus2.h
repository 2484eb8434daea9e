/* netduinoplus2.h - the bench on an STM32F405: USART2 and USART3 at the ends of one line
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "chips/stm32/stm32_usart.h"
#include "cortex-m.h"
#include "interrupts.h"

enum { USART3 = 39 };

static uint8_t near_in[16], near_out[16], far_in[32], far_out[16];
static struct stm32_usart near_end = {
    .uart = {.in = UART_RING(near_in), .out = UART_RING(near_out)}};
static struct stm32_usart far_end = {.uart = {.in = UART_RING(far_in), .out = UART_RING(far_out)}};

void usart2_interrupt(void)
{
    stm32_usart_interrupt(&near_end);
}

void usart3_interrupt(void)
{
    stm32_usart_interrupt(&far_end);
    if (bench_interrupted())
        (&NVIC_ICER)[1] = 1u << (USART3 - 32);
}

void bench_hold_after(unsigned count)
{
    bench_count(count);
}

void bench_release(void)
{
    bench.left = 0;
    (&NVIC_ISER)[1] = 1u << (USART3 - 32);
}

static inline void bench_line(void)
{
    stm32_usart_open(&near_end, 0x40004400, BOARD_APB1_HZ, 115200, &loop);
    stm32_usart_open(&far_end, 0x40004800, BOARD_APB1_HZ, 115200, &loop);
}
