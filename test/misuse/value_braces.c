/* value_braces.c - a field's value in braces: its commas separate arguments of the macro
 * SPDX-License-Identifier: MIT
 * expect error -DPT_MISUSE=BARE: expected
 * expect good -DPT_MISUSE=PARENTHESES: */
#include <pt/pt.h>

struct pair {
    int x, y;
};

struct body {
    struct pt pt;
    struct pair pair;
};

#ifdef __cplusplus
#define PAIR pair
#else
#define PAIR (struct pair)
#endif
#define BARE PT_INIT(storage, body, .pair = {1, 2})
#define PARENTHESES PT_INIT(storage, body, .pair = (PAIR{1, 2}))

PT_DECLARE(body);

void start(struct body *storage);

void start(struct body *storage)
{
    PT_MISUSE;
}
