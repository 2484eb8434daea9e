/* parser_calls.c - the functions of llhttp, which do not compile in one file with its states
 * SPDX-License-Identifier: MIT */
#define LLHTTP_STRICT_MODE 1

#include <http.c>

#include <api.c>
