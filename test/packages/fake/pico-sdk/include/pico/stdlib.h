/* stdlib.h - of the Pico SDK what the template uses, and no more: declarations
 * SPDX-License-Identifier: MIT */
#ifndef FAKE_PICO_H
#define FAKE_PICO_H

#include <stdbool.h>
#include <stdint.h>

typedef unsigned int uint;

#define PICO_DEFAULT_LED_PIN 25
#define GPIO_OUT true
#define GPIO_IRQ_EDGE_FALL 0x4u
#define GPIO_IRQ_EDGE_RISE 0x8u

typedef void (*gpio_irq_callback_t)(uint gpio, uint32_t event_mask);
typedef void (*irq_handler_t)(void);
typedef struct {
    volatile uint32_t timerawl, alarm[4], intr, inte;
} timer_hw_t;

#define timer_hw ((timer_hw_t *)0x40054000)

void gpio_init(uint gpio);
void gpio_set_dir(uint gpio, bool out);
void gpio_pull_up(uint gpio);
void gpio_put(uint gpio, bool value);
bool gpio_get(uint gpio);
void gpio_set_irq_enabled_with_callback(uint gpio, uint32_t event_mask, bool enabled,
                                        gpio_irq_callback_t callback);
void hardware_alarm_claim(uint alarm_num);
uint hardware_alarm_get_irq_num(uint alarm_num);
void irq_set_exclusive_handler(uint num, irq_handler_t handler);
void irq_set_enabled(uint num, bool enabled);

static inline void hw_set_bits(volatile uint32_t *at, uint32_t mask)
{
    *at |= mask;
}

static inline void __wfi(void)
{
    __asm__ volatile("wfi" ::: "memory");
}

#endif
