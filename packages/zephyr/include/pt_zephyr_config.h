/* pt_zephyr_config.h - pt's knobs, from Kconfig; the module's build names it for every file
 * SPDX-License-Identifier: MIT */
#ifndef PT_ZEPHYR_CONFIG_H_
#define PT_ZEPHYR_CONFIG_H_

#include <zephyr/irq.h>
#include <zephyr/sys/util_macro.h>

#ifdef PT_ZEPHYR_CONFIG_H
#include PT_ZEPHYR_CONFIG_H
#endif

#define PT_TICKS_PER_SEC CONFIG_SYS_CLOCK_TICKS_PER_SEC
#ifdef CONFIG_PT_TIME_64
#define PT_TIME_BITS 64
#else
#define PT_TIME_BITS 32
#endif

#ifdef CONFIG_PT_TIMERS_NONE
#define PT_TIMERS PT_TIMERS_NONE
#elif defined(CONFIG_PT_TIMERS_HEAP)
#define PT_TIMERS PT_TIMERS_HEAP
#else
#define PT_TIMERS PT_TIMERS_LIST
#endif

/* The queue needs no storage. */
#define PT_READY PT_READY_LIST

#define PT_PORT 1
#define PT_CENSUS 1 /* PT_PORT needs it */
#define PT_AWAIT IS_ENABLED(CONFIG_PT_AWAIT)
#define PT_SUBGENERATORS IS_ENABLED(CONFIG_PT_SUBGENERATORS)
#define PT_REMOTE IS_ENABLED(CONFIG_PT_REMOTE)
#define PT_CLEANUP IS_ENABLED(CONFIG_PT_CLEANUP)
#define PT_CANCEL IS_ENABLED(CONFIG_PT_CANCEL)
#define PT_TIMEOUTS IS_ENABLED(CONFIG_PT_TIMEOUTS)
#define PT_TIMED_PARKS IS_ENABLED(CONFIG_PT_TIMED_PARKS)
#define PT_GROUPS IS_ENABLED(CONFIG_PT_GROUPS)
#define PT_JOINS IS_ENABLED(CONFIG_PT_JOINS)
#define PT_PAUSE IS_ENABLED(CONFIG_PT_PAUSE)
#define PT_SYNC IS_ENABLED(CONFIG_PT_SYNC)
#define PT_CHANNELS IS_ENABLED(CONFIG_PT_CHANNELS)
#define PT_SELECTS IS_ENABLED(CONFIG_PT_SELECTS)
#define PT_POOLS IS_ENABLED(CONFIG_PT_POOLS)
#define PT_NESTING IS_ENABLED(CONFIG_PT_NESTING)
#define PT_SLOWMO IS_ENABLED(CONFIG_PT_SLOWMO)
#define PT_INSPECT IS_ENABLED(CONFIG_PT_INSPECT)
#define PT_SINCE IS_ENABLED(CONFIG_PT_SINCE)
#define PT_TRACE IS_ENABLED(CONFIG_PT_TRACE)
#define PT_DEBUG IS_ENABLED(CONFIG_PT_DEBUG)

/* Posts on a part without atomics. */
#define PT_CRITICAL_ENTER() irq_lock()
#define PT_CRITICAL_LEAVE(state) irq_unlock(state)

/* Misuse that no code can report: a message, then Zephyr's fatal error. */
PT_C_LINKAGE_ void pt_zephyr_panic(const char *what, const char *where, unsigned line);
#define PT_PANIC(what, where, line) pt_zephyr_panic(what, where, line)

#endif
