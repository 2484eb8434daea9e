/* main.c - the pins of an ESP32; pt_esp_idf.h has the clock and the sleep
 * SPDX-License-Identifier: MIT */
#include "first.h"

#include <driver/gpio.h>
#include <pt_esp_idf.h>

void board_led(bool on)
{
    (void)gpio_set_level((gpio_num_t)CONFIG_FIRST_LED, on);
}

bool board_button(void)
{
    return !gpio_get_level((gpio_num_t)CONFIG_FIRST_BUTTON);
}

static void on_edge(void *unused)
{
    (void)unused;
    first_edge();
}

static void start_pins(void)
{
    const gpio_config_t led = {.pin_bit_mask = 1ull << CONFIG_FIRST_LED, .mode = GPIO_MODE_OUTPUT};
    const gpio_config_t button = {.pin_bit_mask = 1ull << CONFIG_FIRST_BUTTON,
                                  .mode = GPIO_MODE_INPUT,
                                  .pull_up_en = GPIO_PULLUP_ENABLE,
                                  .intr_type = GPIO_INTR_ANYEDGE};

    ESP_ERROR_CHECK(gpio_config(&led));
    ESP_ERROR_CHECK(gpio_config(&button));
    ESP_ERROR_CHECK(gpio_install_isr_service(0));
    ESP_ERROR_CHECK(gpio_isr_handler_add((gpio_num_t)CONFIG_FIRST_BUTTON, on_edge, NULL));
}

void app_main(void)
{
    static struct pt_esp_idf port;
    static struct pt_loop loop;

    ESP_ERROR_CHECK(pt_esp_idf_open(&port));
    pt_loop_open(&loop, &port.port);
    first_start(&loop);
    start_pins();
    pt_loop_run(&loop);
}
