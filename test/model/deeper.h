/* deeper.h - the operations of a block inside a block of depth LEVEL
 * SPDX-License-Identifier: MIT */
#if LEVEL == 0
#undef LEVEL
#define LEVEL 1
#include "level.h"
#undef LEVEL
#define LEVEL 0
#elif LEVEL == 1
#undef LEVEL
#define LEVEL 2
#include "level.h"
#undef LEVEL
#define LEVEL 1
#endif
