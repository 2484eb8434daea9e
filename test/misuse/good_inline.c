/* good_inline.c - bodies that call inline functions with loops and locals of their own
 * SPDX-License-Identifier: MIT
 * expect good: no diagnostic */
#include <pt/pt.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct body {
    struct pt pt;
    char line[32];
    int numbers[8];
    int n, found;
};

static inline int find(const int *numbers, int n, int wanted)
{
    int at;

    for (at = 0; at < n; at++)
        if (numbers[at] == wanted)
            break;
    return at < n ? at : -1;
}

static inline bool parse(const char *text, int *value)
{
    int sum = 0;

    for (; isdigit((unsigned char)*text); text++)
        sum = sum * 10 + (*text - '0');
    if (*text)
        return false;
    *value = sum;
    return true;
}

static inline int largest(const int *numbers, int n)
{
    int best = 0;
    bool any = false;

    for (int i = 0; i < n; i++)
        if (!any || numbers[i] > best) {
            best = numbers[i];
            any = true;
        }
    return best;
}

static inline void sort(int *numbers, int n)
{
    for (int i = 1; i < n; i++) {
        int moved = numbers[i], j = i;

        for (; j > 0 && numbers[j - 1] > moved; j--)
            numbers[j] = numbers[j - 1];
        numbers[j] = moved;
    }
}

PT_ASYNC(body, self)
{
    while (fgets(self->line, sizeof self->line, stdin)) {
        {
            int value;

            self->line[strcspn(self->line, "\n")] = 0;
            if (!parse(self->line, &value))
                PT_RETURN(PT_EINVAL);
            self->numbers[self->n++ % 8] = value;
        }
        PT_YIELD();
        sort(self->numbers, 8);
        self->found = find(self->numbers, 8, largest(self->numbers, 8));
        PT_WAIT(PT_MS(1));
        {
            char *end;
            long number = strtol(self->line, &end, 10);

            errno = 0;
            if (end != self->line && number < 8)
                self->found = find(self->numbers, (int)number, self->found);
        }
    }
    printf("%d\n", self->found);
}
PT_END
