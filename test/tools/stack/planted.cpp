// planted.cpp - a program in C++ of one task, for the names that pt-bounds prints
// SPDX-License-Identifier: MIT
extern "C" {
#include "run.h"
int main(void);
}

namespace app {

struct Filter {
    uint8_t values[40];

    __attribute__((noinline)) void step(volatile uint8_t *to, uint8_t count)
    {
        for (uint8_t i = 0; i < count; i++)
            to[i] = values[i];
    }

    __attribute__((noinline)) void even(uint8_t count)
    {
        volatile uint8_t bytes[16];

        step(bytes, 16);
#ifdef RECURSION
        if (count)
            odd(static_cast<uint8_t>(count - 1));
#endif
        step(bytes, count);
    }

#ifdef RECURSION
    __attribute__((noinline)) void odd(uint8_t count)
    {
        volatile uint8_t bytes[16];

        step(bytes, 16);
        if (count)
            even(static_cast<uint8_t>(count - 1));
        step(bytes, count);
    }
#endif
};

static Filter filter;

struct worker {
    struct pt pt;
    uint8_t count;
};

static PT_ASYNC(worker, self)
{
    for (;;) {
        filter.even(self->count);
        PT_YIELD();
    }
}
PT_END

static void begin(struct pt_loop *loop)
{
    static PT_TASK(worker) worker;

    PT_START(loop, &worker, worker);
}

} // namespace app

extern "C" void board_received(void) {}

int main(void)
{
    static struct pt_loop loop;

    board_start();
    pt_loop_init(&loop, board_now());
    app::begin(&loop);
    for (;;)
        board_turn(&loop, NULL);
}
