/* good_locals.c - locals that live between two suspensions, and others that look uninitialized
 * SPDX-License-Identifier: MIT
 * expect good: no diagnostic */
#include <pt/pt.h>
#include <stdio.h>
#include <string.h>

struct body {
    struct pt pt;
    int n, sum;
    char name[16];
};

int measure(void);
bool try_measure(int *value);

int measure(void);

PT_ASYNC(body, self)
{
    {
        int before = measure();
        char text[16];

        snprintf(text, sizeof text, "%d", before);
        memcpy(self->name, text, sizeof self->name);
    }
    PT_YIELD();
    for (; self->n > 0; self->n--) {
        {
            int square = self->n * self->n;
            int values[4] = {square, 1, 2, 3};

            for (int i = 0; i < 4; i++)
                self->sum += values[i];
        }
        PT_YIELD();
        {
            static const int steps[] = {1, 2, 3};
            int value;

            if (try_measure(&value))
                self->sum += value + steps[self->n % 3];
        }
        if (self->sum > 1000) {
            int over = self->sum - 1000;
            int digits;

            for (digits = 0; over > 0; over /= 10)
                digits++;
            self->sum = digits;
        } else if (self->sum < 0) {
            const char *text = self->name;

            while (*text)
                self->sum += *text++;
        }
    }
    PT_YIELD();
    {
        static int kept; /* static, so it is not lost */
        struct {
            int x, y;
        } point = {1, 2};
        int both;

        if (self->n > 3)
            both = point.x;
        else
            both = point.y;
        kept += both;
        self->sum = kept;
    }
}
PT_END
