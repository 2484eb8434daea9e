/* good_frames.c - functions that are static or declared, and fields of every kind
 * SPDX-License-Identifier: MIT
 * expect good: no diagnostic */
#include <pt/pt.h>

enum colour { RED, GREEN };

struct point {
    int x, y;
};

struct listener {
    struct pt pt;
    const char *const *names;
    const char *name;
    struct point points[4];
    enum colour colour;
    bool loud;
    double speed;
    uint8_t small;
    unsigned flag : 1;
    void (*call)(int value);
    struct listener *next;
    union {
        int number;
        char letter;
    } value;
};

struct empty {
    struct pt pt;
};

PT_DECLARE(listener);
static PT_DECLARE(empty);

static PT_ASYNC(empty, self)
{
}
PT_END

PT_ASYNC(listener, self)
{
    PT_YIELD();
    self->points[1].x++;
    self->call(self->flag ? self->value.number : self->points[0].y);
    if (self->next)
        self->next->loud = true;
    PT_YIELD();
    self->speed *= 2;
}
PT_END

static void call(int value)
{
    (void)value;
}

int main(void)
{
    static const char *const names[] = {"a", "b"};
    static struct listener l;
    struct empty e;
    struct point origin = {0, 0};

    PT_INIT(&e, empty);
    PT_INIT(&l, listener, .names = names, .name = names[0], .points[0] = origin,
            .colour = GREEN, .loud = false, .speed = 1.5, .small = 3, .flag = 1, .call = call,
            .next = NULL, .value.letter = 'x');
    while (pt_next(&l.pt) || pt_next(&e.pt)) {
    }
    return 0;
}
