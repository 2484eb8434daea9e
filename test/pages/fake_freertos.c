/* fake_freertos.c - runs the code of doc/freertos.md on a simulated FreeRTOS
 * SPDX-License-Identifier: MIT */
#include "fake.h"

#include "pt_freertos.c"

BaseType_t xPortIsInsideInterrupt(void)
{
    return fake_inside;
}

void stub_yield_from_isr(BaseType_t woken)
{
    (void)woken;
}

TickType_t xTaskGetTickCount(void)
{
    fake_step();
    return fake_now;
}

TaskHandle_t xTaskGetCurrentTaskHandle(void)
{
    return (TaskHandle_t)(void *)&fake_now;
}

void vTaskDelete(TaskHandle_t thread)
{
    (void)thread;
}

uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t wait)
{
    fake_sleep(clear == pdTRUE ? wait : 0);
    return 1;
}

BaseType_t xTaskNotifyGive(TaskHandle_t thread)
{
    fake_woken = thread == port.thread && !fake_inside;
    return pdPASS;
}

void vTaskNotifyGiveFromISR(TaskHandle_t thread, BaseType_t *woken)
{
    fake_woken = thread == port.thread && fake_inside;
    *woken = pdTRUE;
}

BaseType_t xQueueSend(QueueHandle_t queue, const void *item, TickType_t wait)
{
    (void)queue;
    (void)wait;
    fake_reading(*(const unsigned *)item);
    return pdPASS;
}

void fake_interrupt(void)
{
    pulse_interrupt();
}

bool fake_open(void)
{
    return pulse.loop != NULL;
}

bool fake_posted(void)
{
    return pulse.posted != 0;
}

static void start(void)
{
    pt_main(NULL);
}

int main(void)
{
    return fake_past(freertos_idle_) && fake_runs(start, configTICK_RATE_HZ) ? 0 : 1;
}
