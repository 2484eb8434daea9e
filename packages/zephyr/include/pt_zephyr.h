/* pt_zephyr.h - pt in a thread of Zephyr: the kernel's clock, and a semaphore to sleep on
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_zephyr port;
 *     static struct pt_loop loop;
 *
 *     pt_zephyr_init(&port);
 *     pt_loop_open(&loop, &port.port);
 *     PT_START(&loop, ...);
 *     pt_loop_run(&loop);
 *     pt_loop_close(&loop);
 *
 * pt_loop_run returns when no task is alive. While all tasks wait, the thread sleeps, and others
 * run; if none is ready, so does the processor. Interrupts and other threads call pt_remote_post. */
#ifndef PT_ZEPHYR_H
#define PT_ZEPHYR_H

#include <pt/pt.h>

#include <zephyr/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The port of one loop: each loop needs one of its own. It must outlive the loop. */
struct pt_zephyr {
    struct pt_port port; /* for pt_loop_open */
    struct k_sem kicked; /* a post came while the loop slept, or was about to */
};

/* pt_zephyr_init - in any thread: prepare a port; before pt_loop_open */
void pt_zephyr_init(struct pt_zephyr *zephyr);

#ifdef __cplusplus
}
#endif

#endif
