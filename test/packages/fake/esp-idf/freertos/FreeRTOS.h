/* FreeRTOS.h - replaces ESP-IDF's header, to compile pt_esp_idf.h: only types and declarations
 * SPDX-License-Identifier: MIT */
#ifndef INC_FREERTOS_H
#define INC_FREERTOS_H

#include <stdint.h>

#define pdFALSE 0
#define pdTRUE 1
#define pdPASS 1
#define portMAX_DELAY 0xffffffffu

typedef int BaseType_t;
typedef uint32_t TickType_t;

BaseType_t xPortInIsrContext(void);
void fake_yield_from_isr(BaseType_t woken);
#define portYIELD_FROM_ISR(woken) fake_yield_from_isr(woken)

#endif
