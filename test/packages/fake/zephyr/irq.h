/* irq.h - replaces Zephyr's header
 * SPDX-License-Identifier: MIT */
#ifndef FAKE_ZEPHYR_IRQ_H
#define FAKE_ZEPHYR_IRQ_H

unsigned irq_lock(void);
void irq_unlock(unsigned state);

#endif
