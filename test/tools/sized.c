/* sized.c - a program whose bytes are known, for pt-size
 * SPDX-License-Identifier: MIT */
#include "run.h"

struct worker {
    struct pt pt;
    uint8_t own[10];
};

#ifdef MORE
struct mixed {
    struct pt_scope scope; /* pt's, in a struct of the program */
    uint32_t own;
};

void *volatile used;
static struct mixed mixed[3];
static uint32_t of_program[3 * sizeof(struct mixed) / sizeof(uint32_t)];
static uint32_t scopes[3 * sizeof(struct pt_scope) / sizeof(uint32_t)];
#endif

#ifdef DROPPED
void dropped(uint8_t *bytes, uint8_t count);

/* Nobody calls it, so the linker drops it, and leaves its debug information. */
void dropped(uint8_t *bytes, uint8_t count)
{
    while (count--)
        bytes[count] = (uint8_t)(bytes[count] * 3 + count);
}
#endif

void board_received(void)
{
}

PT_ASYNC(worker, self)
{
    for (;;) {
        self->own[0]++;
        PT_WAIT(1);
    }
}
PT_END

int main(void)
{
    static PT_TASK(worker) worker;
    static struct pt_loop loop;

    board_start();
    pt_loop_init(&loop, board_now());
#ifdef MORE
    used = mixed;
    used = of_program;
    used = scopes;
#endif
    PT_START(&loop, &worker, worker);
    for (;;)
        board_turn(&loop, NULL);
}
