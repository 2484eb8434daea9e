/* few_features.h - the file that includes this first has only the features that it names after it
 * SPDX-License-Identifier: MIT */
#undef PT_AWAIT
#undef PT_CANCEL
#undef PT_CENSUS
#undef PT_CHANNELS
#undef PT_CLEANUP
#undef PT_DEBUG
#undef PT_GROUPS
#undef PT_INSPECT
#undef PT_JOINS
#undef PT_NESTING
#undef PT_PAUSE
#undef PT_POOLS
#undef PT_PORT
#undef PT_READY
#undef PT_REMOTE
#undef PT_SELECTS
#undef PT_SINCE
#undef PT_SLOWMO
#undef PT_SUBGENERATORS
#undef PT_SYNC
#undef PT_TICKS_PER_SEC
#undef PT_TIMED_PARKS
#undef PT_TIMEOUTS
#undef PT_TIMERS
#undef PT_TIME_BITS
#undef PT_TRACE
#undef PT_WAKERS
#undef PT_ALL
#define PT_ALL 0
#define PT_READY PT_READY_LIST
#define PT_OTHER_KNOBS 1
