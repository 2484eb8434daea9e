/* main.c - a meter: an interrupt posts pulses, a task prints a reading each second
 * SPDX-License-Identifier: MIT
 *
 * A timer of the kernel stands for the interrupt of a pin: its function runs in an interrupt, too.
 * There, call nothing of pt but pt_remote_post. */
#include <pt_zephyr.h>

#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

struct meter { /* what must survive a wait */
    struct pt pt;
    unsigned pulses, readings;
    pt_time at; /* of the next reading: the seconds do not drift */
};

static PT_ASYNC(meter, self)
{
    self->at = PT_NOW();
    for (self->readings = 1; self->readings <= 3; self->readings++) {
        self->at += PT_SEC(1);
        PT_WAIT_DEADLINE(self->at);
        printk("reading %u: %u pulses\n", self->readings, self->pulses);
        self->pulses = 0;
    }
}
PT_END

static struct pt_zephyr port;
static struct pt_loop loop;
static PT_TASK(meter) water;
static struct pt_remote pulse;

/* The remote's callback: runs in the loop's thread, with the number of posts. */
static void count(struct pt_remote *self, unsigned times)
{
    ((struct meter *)self->target)->pulses += times;
}

static void interrupt(struct k_timer *timer)
{
    (void)timer;
    (void)pt_remote_post(&pulse);
}

K_TIMER_DEFINE(turning, interrupt, NULL);

int main(void)
{
    pt_zephyr_init(&port);
    pt_loop_open(&loop, &port.port);
    pt_remote_open(&pulse, &loop, count, &water.frame);
    (void)PT_START(&loop, &water, meter, .pulses = 0);
    k_timer_start(&turning, K_MSEC(30), K_MSEC(30)); /* after pt_remote_open */
    (void)pt_loop_run(&loop);
    k_timer_stop(&turning);
    pt_loop_close(&loop);
    return 0;
}
