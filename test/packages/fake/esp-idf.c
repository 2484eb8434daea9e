/* esp-idf.c - runs pt_esp_idf.h on an ESP-IDF of one thread, in virtual time; a post at every step
 * SPDX-License-Identifier: MIT */
#include "../../pages/fake.h"

#include <pt_esp_idf.h>

static struct pt_esp_idf port;
static struct pt_loop loop;
static struct pt_remote pulse;
static esp_timer_create_args_t alarm_of;
static uint64_t alarm_in; /* 0: stopped */
static bool alarm_fails;  /* it cannot be started */

BaseType_t xPortInIsrContext(void)
{
    return fake_inside;
}

void fake_yield_from_isr(BaseType_t woken)
{
    (void)woken;
}

TaskHandle_t xTaskGetCurrentTaskHandle(void)
{
    return (TaskHandle_t)(void *)&fake_now;
}

/* Without an alarm a thread that nobody notifies sleeps for its ticks, of 10 ms. */
uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t wait)
{
    unsigned ticks = wait == portMAX_DELAY ? wait : wait * 10000;

    fake_sleep(clear == pdTRUE && alarm_in && alarm_in < ticks ? (unsigned)alarm_in : ticks);
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

esp_err_t esp_timer_create(const esp_timer_create_args_t *args, esp_timer_handle_t *made)
{
    alarm_of = *args;
    *made = (esp_timer_handle_t)(void *)&alarm_of;
    return ESP_OK;
}

esp_err_t esp_timer_start_once(esp_timer_handle_t timer, uint64_t microseconds)
{
    if (alarm_in)
        fake_fail("the alarm is on already");
    if (timer && !alarm_fails)
        alarm_in = microseconds;
    return alarm_fails;
}

esp_err_t esp_timer_stop(esp_timer_handle_t timer)
{
    (void)timer;
    alarm_in = 0;
    return ESP_OK;
}

esp_err_t esp_timer_delete(esp_timer_handle_t timer)
{
    (void)timer;
    return ESP_OK;
}

int64_t esp_timer_get_time(void)
{
    fake_step();
    return ((int64_t)1 << 32) + fake_now; /* only the low bits of a stamp count */
}

void fake_interrupt(void)
{
    (void)pt_remote_post(&pulse);
}

bool fake_open(void)
{
    return pulse.loop != NULL;
}

bool fake_posted(void)
{
    return pulse.posted != 0;
}

struct meter {
    struct pt pt;
    unsigned pulses;
    pt_time at; /* of the next reading */
};

static PT_ASYNC(meter, self)
{
    for (self->at = PT_NOW();;) {
        self->at += PT_SEC(1);
        PT_WAIT_DEADLINE(self->at);
        fake_reading(self->pulses);
        self->pulses = 0;
    }
}
PT_END

static PT_TASK(meter) water;

static void count(struct pt_remote *self, unsigned times)
{
    ((struct meter *)self->target)->pulses += times;
}

struct brief {
    struct pt pt;
};

static PT_ASYNC(brief, self)
{
    PT_WAIT(5);
}
PT_END

/* Whether a wait that begins late in a tick is not shorter: it sees another tick begin. */
static bool waits_long_enough(void)
{
    static PT_TASK(brief) task;
    unsigned before = fake_now;
    bool enough;

    pt_loop_open(&loop, &port.port);
    PT_START(&loop, &task, brief);
    (void)pt_loop_run(&loop);
    pt_loop_close(&loop);
    enough = fake_now - before > 5;
    fake_now = before;
    return enough;
}

static void start(void)
{
    if (pt_esp_idf_open(&port) != ESP_OK || alarm_of.arg != port.port.context)
        fake_fail("the port opens");
    pt_loop_open(&loop, &port.port);
    pt_remote_open(&pulse, &loop, count, &water.frame);
    PT_START(&loop, &water, meter);
    (void)pt_loop_run(&loop);
    pt_loop_close(&loop);
    pt_esp_idf_close(&port);
}

/* The idle step of fake.h, with this port as the context. */
static bool idle(void *context, unsigned now, unsigned until)
{
    (void)context;
    return port.port.idle(&port, now, until);
}

int main(int argc, char **argv)
{
    (void)argv;
    alarm_fails = argc > 1; /* then 100 sleeps of a tick in a second */
    if (pt_esp_idf_open(&port) != ESP_OK || !fake_past(idle) || !waits_long_enough())
        return 1;
    return !fake_runs(start, 1000000);
}
