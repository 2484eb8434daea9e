/* task.h - replaces FreeRTOS's header, to compile doc/freertos.md
 * SPDX-License-Identifier: MIT */
#ifndef STUB_TASK_H
#define STUB_TASK_H

#include "FreeRTOS.h"

typedef struct stub_thread *TaskHandle_t;

TickType_t xTaskGetTickCount(void);
TaskHandle_t xTaskGetCurrentTaskHandle(void);
void vTaskDelete(TaskHandle_t thread);
uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t wait);
BaseType_t xTaskNotifyGive(TaskHandle_t thread);
void vTaskNotifyGiveFromISR(TaskHandle_t thread, BaseType_t *woken);

#endif
