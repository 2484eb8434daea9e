/* size_over.c - a task that takes more RAM than its budget
 * SPDX-License-Identifier: MIT
 * expect error -DBUDGET=4: led is over its budget of BUDGET bytes
 * expect good -DBUDGET=sizeof(led): */
#include <pt/pt.h>

struct blink {
    struct pt pt;
};

static PT_TASK(blink) led;

PT_ASSERT_SIZE(led, BUDGET);
PT_ASSERT_SIZE(PT_TASK(blink), sizeof led);

PT_ASYNC(blink, self)
{
    PT_WAIT(1);
}
PT_END

int main(void)
{
    struct pt_loop loop;

    pt_loop_init(&loop, 0);
    PT_START(&loop, &led, blink);
    return pt_loop_turn(&loop, 0) == 0;
}
