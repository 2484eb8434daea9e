/* main.c - the pins, the clock and the sleep of a Pico
 * SPDX-License-Identifier: MIT
 *
 * The button is between BUTTON and ground. */
#include "first.h"

#include "hardware/gpio.h"
#include "hardware/irq.h"
#include "hardware/sync.h"
#include "hardware/timer.h"
#include "pico/stdlib.h"

enum { LED = PICO_DEFAULT_LED_PIN, BUTTON = 14, ALARM = 0 };

void board_led(bool on)
{
    gpio_put(LED, on);
}

bool board_button(void)
{
    return !gpio_get(BUTTON);
}

static void on_edge(uint pin, uint32_t events)
{
    (void)pin;
    (void)events;
    first_edge();
}

/* It ends a sleep, and that is all. */
static void on_alarm(void)
{
    timer_hw->intr = 1u << ALARM;
}

static pt_time pico_now(void)
{
    return timer_hw->timerawl; /* the same for both cores; the other pair of registers is a latch */
}

/* Called with interrupts masked: one that is pending ends wfi. */
static void pico_sleep_until(pt_time until)
{
    timer_hw->alarm[ALARM] = until;
    if (pt_time_before(pico_now(), until)) /* read after the store: it is not missed */
        __wfi();
}

int main(void)
{
    static struct pt_loop loop;

    gpio_init(LED);
    gpio_set_dir(LED, GPIO_OUT);
    gpio_init(BUTTON);
    gpio_pull_up(BUTTON);
    hardware_alarm_claim(ALARM);
    irq_set_exclusive_handler(hardware_alarm_get_irq_num(ALARM), on_alarm);
    hw_set_bits(&timer_hw->inte, 1u << ALARM);
    irq_set_enabled(hardware_alarm_get_irq_num(ALARM), true);
    pt_loop_init(&loop, pico_now());
    first_start(&loop);
    gpio_set_irq_enabled_with_callback(BUTTON, GPIO_IRQ_EDGE_FALL | GPIO_IRQ_EDGE_RISE, true,
                                       on_edge);
    for (;;)
        pt_loop_turn_and_sleep(&loop, pico_now, pico_sleep_until);
}
