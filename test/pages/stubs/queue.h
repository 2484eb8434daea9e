/* queue.h - replaces FreeRTOS's header, to compile doc/freertos.md
 * SPDX-License-Identifier: MIT */
#ifndef STUB_QUEUE_H
#define STUB_QUEUE_H

#ifndef INC_FREERTOS_H /* as FreeRTOS's own */
#error "include FreeRTOS.h must appear in source files before include queue.h"
#endif

typedef struct stub_queue *QueueHandle_t;

BaseType_t xQueueSend(QueueHandle_t queue, const void *item, TickType_t wait);

#endif
