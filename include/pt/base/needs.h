/* needs.h - what switches on what, in a program that names the features that it uses: PT_ALL 0
 * SPDX-License-Identifier: MIT
 *
 * One line is enough for a feature: PT_GROUPS 1 switches on PT_CANCEL, which switches on
 * PT_CLEANUP. A knob that the program sets keeps its value: with PT_CLEANUP 0 as well, config.h
 * stops the compilation. It includes this before its own defaults, and describes each knob. */
#ifndef PT_NEEDS_H
#define PT_NEEDS_H

#include "compiler.h"

/* --- implementation ------------------------------------------------------------------------ */

#if !PT_ALL

#ifndef PT_TIMERS
#define PT_TIMERS PT_TIMERS_LIST
#endif
#if defined(PT_REMOTE) /* the program has it */
#elif defined(PT_WAKERS) && defined(PT_PORT)
#define PT_REMOTE PT_AND_(PT_WAKERS, PT_PORT)
#else
#define PT_REMOTE 0
#endif
#ifndef PT_TIMED_PARKS
#define PT_TIMED_PARKS 0
#endif

#ifndef PT_TIMEOUTS
#define PT_TIMEOUTS 0
#endif
#ifndef PT_GROUPS
#define PT_GROUPS 0
#endif
#ifndef PT_CANCEL /* a block that ends a nested loop cancels the tasks in it */
#define PT_CANCEL PT_OR_(PT_GROUPS, PT_AND_(PT_NESTING, PT_AND_(PT_TIMEOUTS, PT_AWAIT)))
#endif
#ifndef PT_CLEANUP
#define PT_CLEANUP PT_OR_(PT_CANCEL, PT_TIMEOUTS)
#endif

#ifndef PT_SELECTS
#define PT_SELECTS 0
#endif
#ifndef PT_CHANNELS
#define PT_CHANNELS PT_SELECTS
#endif
#ifndef PT_SYNC
#define PT_SYNC PT_CHANNELS
#endif

#ifndef PT_SUBGENERATORS
#define PT_SUBGENERATORS 0
#endif
#ifndef PT_AWAIT
#define PT_AWAIT PT_SUBGENERATORS
#endif

#ifndef PT_TRACE
#define PT_TRACE 0
#endif
#ifndef PT_INSPECT
#define PT_INSPECT PT_TRACE
#endif
#ifndef PT_CENSUS
#define PT_CENSUS PT_OR_(PT_INSPECT, PT_OR_(PT_NESTING, PT_PORT))
#endif

#endif
#endif
