/* deepest.h - the operations of a block in which there is no further block
 * SPDX-License-Identifier: MIT */
#if LEVEL == 0
#undef LEVEL
#define LEVEL 2
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
