/* fiber.h - coroutines on stacks of their own, without a loop
 * SPDX-License-Identifier: MIT */
#ifndef PT_FIBER_H
#define PT_FIBER_H

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic push /* base/compiler.h: PT_QUIET_OPEN_ */
#endif
#include "base/compiler.h"
PT_QUIET_
#include "stack/fiber.h"
#include "stack/stack.h"
PT_QUIET_CLOSE_

#endif
