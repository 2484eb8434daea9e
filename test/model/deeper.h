/* deeper.h - the operations of a block inside a block of depth LEVEL, and its end
 * SPDX-License-Identifier: MIT
 *
 * With INNERMOST the block has the last depth: there is no further block in it. */
#if LEVEL == 0 && !defined INNERMOST
#undef LEVEL
#define LEVEL 1
#include "level.h"
#undef LEVEL
#define LEVEL 0
#elif LEVEL == 0
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
if (IS(BREAK))
    break;
if (IS(CONTINUE))
    continue;
