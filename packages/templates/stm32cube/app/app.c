/* app.c - the pins, the clock and the sleep of an STM32, by ST's HAL
 * SPDX-License-Identifier: MIT
 *
 * LD2 and B1 are the labels that CubeMX gives to the LED and the button of a Nucleo-64. B1 needs an
 * interrupt at both edges: in CubeMX "External Interrupt Mode with Rising/Falling edge", and its
 * line in NVIC. */
#include "app.h"
#include "first.h"
#include "main.h"

void board_led(bool on)
{
    HAL_GPIO_WritePin(LD2_GPIO_Port, LD2_Pin, on ? GPIO_PIN_SET : GPIO_PIN_RESET);
}

bool board_button(void)
{
    return HAL_GPIO_ReadPin(B1_GPIO_Port, B1_Pin) == GPIO_PIN_RESET;
}

static volatile bool started;

/* The HAL's, in the interrupt. Newer families have one for each edge. */
void HAL_GPIO_EXTI_Callback(uint16_t pin)
{
    if (pin == B1_Pin && started)
        first_edge();
}

void HAL_GPIO_EXTI_Rising_Callback(uint16_t pin);
void HAL_GPIO_EXTI_Falling_Callback(uint16_t pin);

void HAL_GPIO_EXTI_Rising_Callback(uint16_t pin)
{
    HAL_GPIO_EXTI_Callback(pin);
}

void HAL_GPIO_EXTI_Falling_Callback(uint16_t pin)
{
    HAL_GPIO_EXTI_Callback(pin);
}

static pt_time app_now(void)
{
    return HAL_GetTick();
}

/* Called with interrupts masked: one that is pending ends wfi. The HAL's tick does so each ms. */
static void app_sleep_until(pt_time until)
{
    if (pt_time_before(app_now(), until))
        __WFI();
}

void app_run(void)
{
    static struct pt_loop loop;

    pt_loop_init(&loop, app_now());
    first_start(&loop);
    started = true;
    for (;;)
        pt_loop_turn_and_sleep(&loop, app_now, app_sleep_until);
}
