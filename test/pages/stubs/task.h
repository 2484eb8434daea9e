/* task.h - replaces FreeRTOS's header, to compile doc/freertos.md
 * SPDX-License-Identifier: MIT */
#ifndef STUB_TASK_H
#define STUB_TASK_H

#ifndef INC_FREERTOS_H /* as FreeRTOS's own */
#error "include FreeRTOS.h must appear in source files before include task.h"
#endif

typedef struct stub_thread *TaskHandle_t;

TickType_t xTaskGetTickCount(void);
TaskHandle_t xTaskGetCurrentTaskHandle(void);
void vTaskDelete(TaskHandle_t thread);
uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t wait);
BaseType_t xTaskNotifyGive(TaskHandle_t thread);
void vTaskNotifyGiveFromISR(TaskHandle_t thread, BaseType_t *woken);

#endif
