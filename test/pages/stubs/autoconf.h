/* autoconf.h - replaces Kconfig's output, which the build of Zephyr includes before each file
 * SPDX-License-Identifier: MIT */
#define CONFIG_SYS_CLOCK_TICKS_PER_SEC 10000
