/* needs.h - the knobs that the model requires
 * SPDX-License-Identifier: MIT
 *
 * test/kit/knobs uses it to check whether a set of knobs is valid for the model. */
#include <pt/base/config.h>

#if !(PT_TIMERS && PT_AWAIT && PT_CENSUS && PT_CLEANUP && PT_POOLS && PT_SELECTS)
#error "the model needs timers, PT_AWAIT, PT_CENSUS, PT_CLEANUP, PT_POOLS and PT_SELECTS"
#endif
