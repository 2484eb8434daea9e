/* pt_config.h - the knobs of pt: the same in each file
 * SPDX-License-Identifier: MIT */
#define PT_TICKS_PER_SEC 1000000 /* TIMER's */
#define PT_TIME_BITS 32
#define PT_REMOTE 1   /* pt_waker: a post from an interrupt */
#define PT_TIMEOUTS 1 /* PT_WITH_TIMEOUT */
