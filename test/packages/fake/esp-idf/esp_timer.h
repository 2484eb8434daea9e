/* esp_timer.h - replaces ESP-IDF's header, to compile pt_esp_idf.h
 * SPDX-License-Identifier: MIT */
#ifndef FAKE_ESP_TIMER_H
#define FAKE_ESP_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#define ESP_OK 0

typedef int esp_err_t;
typedef struct esp_timer *esp_timer_handle_t;
typedef void (*esp_timer_cb_t)(void *arg);
typedef enum { ESP_TIMER_TASK } esp_timer_dispatch_t;
typedef struct {
    esp_timer_cb_t callback;
    void *arg;
    esp_timer_dispatch_t dispatch_method;
    const char *name;
    bool skip_unhandled_events;
} esp_timer_create_args_t;

esp_err_t esp_timer_create(const esp_timer_create_args_t *args, esp_timer_handle_t *made);
esp_err_t esp_timer_start_once(esp_timer_handle_t timer, uint64_t microseconds);
esp_err_t esp_timer_stop(esp_timer_handle_t timer);
esp_err_t esp_timer_delete(esp_timer_handle_t timer);
int64_t esp_timer_get_time(void);

#endif
