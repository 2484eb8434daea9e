/* needs.h - the knobs without which the model has too little to do
 * SPDX-License-Identifier: MIT
 *
 * test/knobs asks the preprocessor whether a set is one for the model. */
#include <pt/pt.h>

#if !(PT_TIMERS && PT_AWAIT && PT_CENSUS && PT_CLEANUP && PT_POOLS && PT_SELECTS)
#error "the model needs timers, PT_AWAIT, PT_CENSUS, PT_CLEANUP, PT_POOLS and PT_SELECTS"
#endif
