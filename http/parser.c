/* parser.c - the states of llhttp, from its sources where they are installed, in its strict mode
 * SPDX-License-Identifier: MIT */
#define LLHTTP_STRICT_MODE 1

#include <llhttp.c>
