/* freertos.h - pt in a thread of FreeRTOS: its tick is the clock, and a notification ends a sleep
 * SPDX-License-Identifier: MIT
 *
 *     static struct freertos port;
 *
 *     freertos_open(&port);                        in the thread that runs the loop
 *     pt_loop_open(&loop, &port.port);
 *     PT_START(&loop, ...);
 *     pt_loop_run(&loop);
 *
 * It needs PT_PORT 1, PT_REMOTE 1, PT_TICKS_PER_SEC configTICK_RATE_HZ, and PT_TIME_BITS of a
 * TickType_t. Interrupts and other threads post: pt_waker_post, pt_remote_post, PT_RING_PUT. An
 * interrupt that posts has a priority at which FreeRTOS can be called. If the kernel's port has no
 * xPortIsInsideInterrupt, define FREERTOS_IN_INTERRUPT() as what says so: 0 in its simulators. */
#ifndef FREERTOS_PORT_H
#define FREERTOS_PORT_H

#include <pt/pt.h>

#include <FreeRTOS.h>
#include <task.h>

PT_STATIC_ASSERT(PT_TICKS_PER_SEC == configTICK_RATE_HZ, "set PT_TICKS_PER_SEC to FreeRTOS's");
PT_STATIC_ASSERT(sizeof(pt_time) <= sizeof(TickType_t),
                 "set PT_TIME_BITS to the bits of TickType_t");

#ifndef FREERTOS_IN_INTERRUPT
#define FREERTOS_IN_INTERRUPT() xPortIsInsideInterrupt()
#endif

/* The port of one loop; it must outlive the loop. */
struct freertos {
    struct pt_port port; /* for pt_loop_open */
    TaskHandle_t thread; /* the thread that runs the loop; its notification 0 is the port's */
};

static inline pt_time freertos_now_(void *context)
{
    (void)context;
    return xTaskGetTickCount();
}

/* A notification that comes before the thread sleeps ends that sleep at once: no post is lost. */
static inline bool freertos_idle_(void *context, pt_time now, pt_time until)
{
    pt_time left = (pt_time)(until - freertos_now_(context));

    if ((pt_time)(until - now) == PT_DELAY_NEVER)
        (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    else if (left <= PT_DELAY_MAX) /* else the deadline is past */
        (void)ulTaskNotifyTake(pdTRUE, left);
    return true;
}

/* A post calls it if the loop sleeps, or is about to; in a thread or in an interrupt. */
static inline void freertos_kick_(void *context)
{
    struct freertos *it = (struct freertos *)context;

    if (FREERTOS_IN_INTERRUPT()) {
        BaseType_t woken = pdFALSE;

        vTaskNotifyGiveFromISR(it->thread, &woken);
        portYIELD_FROM_ISR(woken);
    } else {
        (void)xTaskNotifyGive(it->thread);
    }
}

/* freertos_open - in the loop's thread: prepare a port */
static inline void freertos_open(struct freertos *it)
{
    it->thread = xTaskGetCurrentTaskHandle();
    it->port.now = freertos_now_;
    it->port.idle = freertos_idle_;
    it->port.resize = NULL;
    it->port.context = it;
    it->port.kick = freertos_kick_;
    it->port.turn = NULL;
    it->port.grain = 1;
    it->port.is_cheap = false;
}

#endif
