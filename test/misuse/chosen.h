/* chosen.h - a case with several mistakes: the argument of the program chooses one, so that it is compiled once
 * SPDX-License-Identifier: MIT */
#include <string.h>

static const char *chosen = "";

#define CHOSEN(word) (strcmp(chosen, #word) == 0)

/* choose - at the beginning of main, with its arguments */
static void choose(int count, char **arguments)
{
    if (count > 1)
        chosen = arguments[1];
}
