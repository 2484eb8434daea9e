/* switch_enum.c - a suspension in a switch on an enumeration
 * SPDX-License-Identifier: MIT
 * expect error: changes value from|overflow|narrow */
#include <pt/pt.h>

enum state { IDLE = 100, BUSY };

struct body {
    struct pt pt;
    enum state state;
};

PT_ASYNC(body, self)
{
    switch (self->state) {
    case IDLE: break;
    case BUSY: PT_YIELD(); break;
    }
}
PT_END

int main(void)
{
    struct body b;

    PT_INIT(&b, body, .state = BUSY);
    while (pt_next(&b.pt)) {
    }
    return 0;
}
