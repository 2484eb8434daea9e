/* pt_esp_idf.h - pt in a thread of ESP-IDF: esp_timer's clock and alarm, and a notification to sleep on
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_esp_idf port;
 *     static struct pt_loop loop;
 *
 *     if (pt_esp_idf_open(&port) != ESP_OK) ...         in the thread that runs the loop
 *     pt_loop_open(&loop, &port.port);
 *     PT_START(&loop, ...);
 *     pt_loop_run(&loop);
 *     pt_loop_close(&loop);
 *     pt_esp_idf_close(&port);
 *
 * A tick is a microsecond. pt_loop_run returns when no task is alive. While all tasks wait, the
 * thread sleeps, and others run. Interrupts and threads of both cores call pt_remote_post. The port
 * needs ESP-IDF 5. The component sets the knobs for every file, from the menu of the project.
 *
 * An interrupt with ESP_INTR_FLAG_IRAM runs while the flash cannot be read. Its handler posts, if it
 * begins with PT_ESP_IDF_IRAM, and FreeRTOS is in IRAM (in ESP-IDF 6: CONFIG_FREERTOS_IN_IRAM):
 *
 *     static PT_ESP_IDF_IRAM void on_edge(void *remote)
 *     {
 *         (void)pt_remote_post((struct pt_remote *)remote);
 *     } */
#ifndef PT_ESP_IDF_H
#define PT_ESP_IDF_H

#include <pt/pt.h>

#include <esp_attr.h>
#include <esp_timer.h>
#include <freertos/FreeRTOS.h>
#include <freertos/task.h>

PT_STATIC_ASSERT(PT_TICKS_PER_SEC == 1000000, "esp_timer counts microseconds");

/* PT_ESP_IDF_IRAM - a function in IRAM, with all of pt that it calls; for the handler of an interrupt
 * pt_remote_post, pt_waker_post, pt_mailbox_post and PT_RING_PUT become a part of it. Not at -O0, and
 * not with PT_DEBUG, whose checks are in flash. */
#define PT_ESP_IDF_IRAM IRAM_ATTR __attribute__((__flatten__))

/* The port of one loop: each loop needs one of its own. It must outlive the loop. */
struct pt_esp_idf {
    struct pt_port port;      /* for pt_loop_open */
    TaskHandle_t thread;      /* the thread that runs the loop; its notification 0 is the port's */
    esp_timer_handle_t alarm; /* ends a sleep; FreeRTOS's ticks are 10 ms by default */
};

/* pt_esp_idf_open - in the loop's thread: prepare a port; ESP_OK, or the code of esp_timer_create */
static inline esp_err_t pt_esp_idf_open(struct pt_esp_idf *esp);

/* pt_esp_idf_close - in the loop's thread, after pt_loop_close: delete the alarm
 * Nobody may post any more: a post could notify the thread. */
static inline void pt_esp_idf_close(struct pt_esp_idf *esp);

/* --- implementation ------------------------------------------------------------------------ */

static inline pt_time pt_esp_idf_now_(void *context)
{
    (void)context;
    return (pt_time)esp_timer_get_time();
}

/* A notification that comes before the thread sleeps ends that sleep at once: no post is lost. */
static inline bool pt_esp_idf_idle_(void *context, pt_time now, pt_time until)
{
    struct pt_esp_idf *esp = (struct pt_esp_idf *)context;
    pt_time left = (pt_time)(until - pt_esp_idf_now_(context));

    if ((pt_time)(until - now) == PT_DELAY_NEVER) {
        (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    } else if (left && left <= PT_DELAY_MAX) { /* else the deadline is past */
        bool armed = esp_timer_start_once(esp->alarm, left) == ESP_OK;

        (void)ulTaskNotifyTake(pdTRUE, armed ? portMAX_DELAY : 1);
        (void)esp_timer_stop(esp->alarm);
    }
    return true;
}

/* In an interrupt or a thread, on any core. */
static inline IRAM_ATTR void pt_esp_idf_kick_(void *context)
{
    struct pt_esp_idf *esp = (struct pt_esp_idf *)context;

    if (xPortInIsrContext()) {
        BaseType_t woken = pdFALSE;

        vTaskNotifyGiveFromISR(esp->thread, &woken);
        portYIELD_FROM_ISR(woken);
    } else {
        (void)xTaskNotifyGive(esp->thread);
    }
}

static inline esp_err_t pt_esp_idf_open(struct pt_esp_idf *esp)
{
    esp_timer_create_args_t alarm;

    alarm.callback = pt_esp_idf_kick_;
    alarm.arg = esp;
    alarm.dispatch_method = ESP_TIMER_TASK;
    alarm.name = "pt";
    alarm.skip_unhandled_events = false;
    esp->thread = xTaskGetCurrentTaskHandle();
    esp->port.now = pt_esp_idf_now_;
    esp->port.idle = pt_esp_idf_idle_;
    esp->port.resize = NULL;
    esp->port.context = esp;
    esp->port.kick = pt_esp_idf_kick_;
    esp->port.turn = NULL;
    esp->port.grain = 1;
    esp->port.is_cheap = false;
    return esp_timer_create(&alarm, &esp->alarm);
}

static inline void pt_esp_idf_close(struct pt_esp_idf *esp)
{
    (void)esp_timer_stop(esp->alarm);
    (void)esp_timer_delete(esp->alarm);
}

#endif
