/* fiber.h - coroutines on stacks of their own, without a loop
 * SPDX-License-Identifier: MIT */
#ifndef PT_FIBER_H
#define PT_FIBER_H

#if defined(__GNUC__)
#pragma GCC diagnostic push /* base/compiler.h: PT_QUIET_OPEN_ */
#endif
#include "stack/fiber.h"
#include "stack/stack.h"
#if PT_CONTEXT != PT_CONTEXT_UCONTEXT /* a ucontext does not tell what to copy */
#include "stack/copied.h"
#endif
PT_QUIET_CLOSE_

#endif
