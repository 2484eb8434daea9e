/* pt_esp_idf_config.h - pt's knobs, from the menu of the project; the component names it for every file
 * SPDX-License-Identifier: MIT */
#ifndef PT_ESP_IDF_CONFIG_H
#define PT_ESP_IDF_CONFIG_H

#include <sdkconfig.h>

#ifdef PT_ESP_IDF_CONFIG
#include PT_ESP_IDF_CONFIG
#endif

/* 1, if an option is on, which ESP-IDF defines as 1; 0, if it is off, which it leaves undefined. */
#define PT_ESP_IDF_ON_(option) PT_ESP_IDF_IS_(option)
#define PT_ESP_IDF_IS_(value) PT_ESP_IDF_PICK_(PT_ESP_IDF_COMMA_##value 1, 0, 0)
#define PT_ESP_IDF_PICK_(...) PT_ESP_IDF_SECOND_(__VA_ARGS__)
#define PT_ESP_IDF_SECOND_(ignored, value, ...) value
#define PT_ESP_IDF_COMMA_1 ,

#define PT_TICKS_PER_SEC 1000000 /* esp_timer's microseconds */
#ifdef CONFIG_PT_TIME_64
#define PT_TIME_BITS 64
#else
#define PT_TIME_BITS 32
#endif

#ifdef CONFIG_PT_TIMERS_NONE
#define PT_TIMERS PT_TIMERS_NONE
#elif defined(CONFIG_PT_TIMERS_HEAP)
#define PT_TIMERS PT_TIMERS_HEAP
#else
#define PT_TIMERS PT_TIMERS_LIST
#endif

#define PT_PORT 1
#define PT_CENSUS 1 /* PT_PORT needs it */
/* @FEATURES@ */

#endif
