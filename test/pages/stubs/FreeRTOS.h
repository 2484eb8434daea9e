/* FreeRTOS.h - replaces FreeRTOS's header, to compile doc/freertos.md: only types and declarations
 * SPDX-License-Identifier: MIT */
#ifndef INC_FREERTOS_H
#define INC_FREERTOS_H

#include <stdint.h>

#define configTICK_RATE_HZ 1000
#define pdFALSE 0
#define pdTRUE 1
#define pdPASS 1
#define portMAX_DELAY 0xffffffffu

typedef long BaseType_t;
typedef uint32_t TickType_t;

BaseType_t xPortIsInsideInterrupt(void);
void stub_yield_from_isr(BaseType_t woken);
#define portYIELD_FROM_ISR(woken) stub_yield_from_isr(woken)

#endif
