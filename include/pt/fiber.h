/* fiber.h - coroutines on stacks of their own, without a loop
 * SPDX-License-Identifier: MIT */
#ifndef PT_FIBER_H
#define PT_FIBER_H

#include "stack/fiber.h"
#include "stack/stack.h"
#if PT_CONTEXT != PT_CONTEXT_UCONTEXT /* a ucontext does not tell what to copy */
#include "stack/copied.h"
#endif

#endif
