/* gpio.h - of ESP-IDF's header what the template uses, and no more: declarations
 * SPDX-License-Identifier: MIT */
#ifndef FAKE_GPIO_H
#define FAKE_GPIO_H

#include <esp_timer.h>

typedef int gpio_num_t;
typedef enum { GPIO_MODE_INPUT = 1, GPIO_MODE_OUTPUT = 2 } gpio_mode_t;
typedef enum { GPIO_PULLUP_DISABLE, GPIO_PULLUP_ENABLE } gpio_pullup_t;
typedef enum { GPIO_PULLDOWN_DISABLE, GPIO_PULLDOWN_ENABLE } gpio_pulldown_t;
typedef enum { GPIO_INTR_DISABLE, GPIO_INTR_ANYEDGE = 3 } gpio_int_type_t;
typedef void (*gpio_isr_t)(void *arg);
typedef struct {
    uint64_t pin_bit_mask;
    gpio_mode_t mode;
    gpio_pullup_t pull_up_en;
    gpio_pulldown_t pull_down_en;
    gpio_int_type_t intr_type;
} gpio_config_t;

void fake_check(esp_err_t code);
#define ESP_ERROR_CHECK(code) fake_check(code)

esp_err_t gpio_config(const gpio_config_t *config);
esp_err_t gpio_set_level(gpio_num_t pin, uint32_t level);
int gpio_get_level(gpio_num_t pin);
esp_err_t gpio_install_isr_service(int flags);
esp_err_t gpio_isr_handler_add(gpio_num_t pin, gpio_isr_t handler, void *arg);

void app_main(void);

#endif
