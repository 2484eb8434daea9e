/* printk.h - replaces Zephyr's header
 * SPDX-License-Identifier: MIT */
#ifndef FAKE_ZEPHYR_PRINTK_H
#define FAKE_ZEPHYR_PRINTK_H

void printk(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
