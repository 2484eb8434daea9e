/* assert.h - stop the program where what must hold does not, for programs of the playground
 * SPDX-License-Identifier: MIT */
#ifndef PLAY_ASSERT_H
#define PLAY_ASSERT_H

#include <stdlib.h>

#define assert(holds) ((holds) ? (void)0 : abort())

#endif
