/* freertos.c - three workers, five jobs, with FreeRTOS 10 or 11
 * SPDX-License-Identifier: MIT */
//- jobs
#include <FreeRTOS.h>
#include <queue.h>
#include <semphr.h>
#include <stdbool.h>
#include <stdio.h>
#include <task.h>
#include <timers.h>

enum { LATE, DONE, FAILED, STOP }; /* notifications */

struct job {
    const char *name;
    uint32_t ms;
    bool broken;
};

static const struct job list[] = {
    {"logo", 100, false}, {"movie", 900, false},
    {"news", 200, true},  {"map", 200, false},
    {"mail", 900, false},
};
enum { COUNT = sizeof list / sizeof list[0] };
static QueueHandle_t jobs;
static SemaphoreHandle_t ended;
static volatile bool stopping;
//- fetch
struct worker {
    TaskHandle_t task;
    TimerHandle_t timer; /* stands for the network */
    struct job job;
};

static void arrives(TimerHandle_t timer)
{
    struct worker *self = pvTimerGetTimerID(timer);

    xTaskNotify(self->task,
                self->job.broken ? FAILED : DONE,
                eSetValueWithOverwrite);
}

static uint32_t fetch(struct worker *self)
{
    uint32_t news;

    xTimerChangePeriod(self->timer,
                       pdMS_TO_TICKS(self->job.ms),
                       portMAX_DELAY); /* starts it, too */
    if (!xTaskNotifyWait(0, 0, &news, pdMS_TO_TICKS(500)))
        news = LATE;
    xTimerStop(self->timer, portMAX_DELAY);
    /* It may have come late. configTIMER_TASK_PRIORITY must
     * be above 2, or it can come later still. */
    xTaskNotifyStateClear(NULL);
    printf("%s: closed\n", self->job.name);
    return news;
}
//- worker
static void worker(void *argument)
{
    struct worker *self = argument;

    for (;;) {
        uint32_t news;

        xQueueReceive(jobs, &self->job, portMAX_DELAY);
        if (stopping)
            break;
        news = fetch(self);
        if (stopping)
            break;
        if (news == LATE)
            printf("%s: too late\n", self->job.name);
        else if (news == FAILED)
            printf("%s: failed\n", self->job.name);
        else
            printf("%s: done\n", self->job.name);
    }
    xSemaphoreGive(ended);
    vTaskDelete(NULL);
}
//- office
static struct worker workers[3];

static void office(void *unused)
{
    static const struct job none; /* wakes an idle worker */
    int i;

    (void)unused;
    jobs = xQueueCreate(COUNT + 3, sizeof(struct job));
    ended = xSemaphoreCreateCounting(3, 0);
    for (i = 0; i < COUNT; i++)
        xQueueSend(jobs, &list[i], 0);
    for (i = 0; i < 3; i++) {
        workers[i].timer = xTimerCreate(
            "net", 1, pdFALSE, &workers[i], arrives);
        xTaskCreate(worker, "worker", 256, &workers[i], 2,
                    &workers[i].task);
    }
    vTaskDelay(pdMS_TO_TICKS(600));
    stopping = true;
    for (i = 0; i < 3; i++) {
        xTaskNotify(workers[i].task, STOP,
                    eSetValueWithOverwrite);
        xQueueSend(jobs, &none, 0);
    }
    for (i = 0; i < 3; i++)
        xSemaphoreTake(ended, portMAX_DELAY);
    printf("all workers have ended\n");
    vTaskDelete(NULL);
}
//- main
int main(void)
{
    xTaskCreate(office, "office", 512, NULL, 3, NULL);
    vTaskStartScheduler(); /* does not return */
}
