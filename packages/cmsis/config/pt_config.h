/* pt_config.h - the knobs of pt, for all files of the project: this copy is yours
 * SPDX-License-Identifier: MIT
 *
 * pt/base/config.h explains each, and has more. A use of a feature that is off does not compile, and
 * the message names its knob. */

#define PT_TICKS_PER_SEC 1000 /* of your clock; 1000: milliseconds */
#define PT_TIME_BITS 32       /* delays up to half of the range: 24 days of milliseconds */

#define PT_REMOTE 1   /* pt_remote_post, pt_waker_post: from interrupts */
#define PT_AWAIT 0    /* PT_WAIT_COMPLETE: a task that awaits another function */
#define PT_TIMEOUTS 0 /* PT_WITH_TIMEOUT */
#define PT_CANCEL 0   /* pt_cancel */
#define PT_JOINS 0    /* PT_JOIN */
#define PT_GROUPS 0   /* PT_WITH_GROUP */
#define PT_SYNC 0     /* events, locks, semaphores */
#define PT_CHANNELS 0 /* channels, queues, rings, mailboxes */
#define PT_DEBUG 0    /* checks of misuse, with messages */
