/* task.h - replaces ESP-IDF's header, to compile pt_esp_idf.h
 * SPDX-License-Identifier: MIT */
#ifndef FAKE_TASK_H
#define FAKE_TASK_H

#ifndef INC_FREERTOS_H /* as ESP-IDF's own */
#error "include FreeRTOS.h must appear in source files before include task.h"
#endif

typedef struct fake_thread *TaskHandle_t;

TaskHandle_t xTaskGetCurrentTaskHandle(void);
uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t wait);
BaseType_t xTaskNotifyGive(TaskHandle_t thread);
void vTaskNotifyGiveFromISR(TaskHandle_t thread, BaseType_t *woken);

#endif
