/* FreeRTOS.h - replaces FreeRTOS's header, to compile doc/freertos.md: only types and declarations
 * SPDX-License-Identifier: MIT */
#ifndef STUB_FREERTOS_H
#define STUB_FREERTOS_H

#include <stdint.h>

#define configTICK_RATE_HZ 1000
#define pdFALSE 0
#define pdTRUE 1
#define pdPASS 1
#define portMAX_DELAY 0xffffffffu

typedef long BaseType_t;
typedef uint32_t TickType_t;
typedef struct stub_queue *QueueHandle_t;

BaseType_t xPortIsInsideInterrupt(void);
void stub_yield_from_isr(BaseType_t woken);
#define portYIELD_FROM_ISR(woken) stub_yield_from_isr(woken)

BaseType_t xQueueSend(QueueHandle_t queue, const void *item, TickType_t wait);

#endif
