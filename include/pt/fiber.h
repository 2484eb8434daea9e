/* fiber.h - coroutines on stacks of their own, without a loop
 * SPDX-License-Identifier: MIT */
#ifndef PT_FIBER_H
#define PT_FIBER_H

#include "stack/fiber.h"
#include "stack/copied.h"
#include "stack/stack.h"

#endif
