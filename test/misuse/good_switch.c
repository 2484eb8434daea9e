/* good_switch.c - switches that do not suspend, in bodies that do
 * SPDX-License-Identifier: MIT
 * expect good: no diagnostic */
#include <pt/pt.h>

enum state { IDLE, BUSY, BROKEN };

struct body {
    struct pt pt;
    enum state state;
    int n;
    uint64_t wide;
    char letter;
};

void use(int value);

PT_ASYNC(body, self)
{
    switch (self->state) {
    case IDLE: self->state = BUSY; break;
    case BUSY: use(1); break;
    case BROKEN: PT_RETURN(PT_EINVAL);
    }
    PT_YIELD();
    while (self->n > 0) {
        switch (self->n) {
        case 0:
        case 1: use(1); break;
        case 2: self->n = 7; continue;
        default: use(3);
        }
        switch (self->letter) {
        case 'a': self->letter = 'b'; break;
        default: self->letter = 'a';
        }
        self->n--;
        PT_YIELD();
        switch (self->wide) {
        case 0xffffffffffu: use(4); break;
        default: break;
        }
    }
    {
        int digit;

        switch (self->letter) {
        case 'a': digit = 10; break;
        case 'b': digit = 11; break;
        default: digit = -1;
        }
        use(digit);
    }
}
PT_END
