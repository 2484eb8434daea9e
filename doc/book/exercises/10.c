/* Mend the panel: it receives from two channels until both are closed, and adds up all values. */
#include "pt.h"
#include "virtual.h"
#include <stdio.h>

struct sensor {
    struct pt pt;
    struct pt_channel *to;
    int value, ms;
};

static PT_ASYNC(sensor, self)
{
    for (; self->value > 0; self->value--) {
        PT_WAIT(PT_MS(self->ms));
        PT_SEND(self->to, &self->value);
    }
    pt_channel_close(self->to);
}
PT_END

static struct pt_channel a, b;

struct panel {
    struct pt pt;
    int value, sum;
    struct pt_channel *other;
    struct pt_waiter either[2];
};

static PT_ASYNC(panel, self)
{
    for (;;) {
        PT_SELECT(self->either, PT_CASE_RECV(&a, &self->value), PT_CASE_RECV(&b, &self->value));
        if (self->pt.status == PT_ECLOSED)
            break;
        self->sum += self->value;
    }
#ifdef SOLUTION
    self->other = PT_SELECTED() == 0 ? &b : &a;
    for (;;) {
        PT_RECV(self->other, &self->value);
        if (self->pt.status == PT_ECLOSED)
            break;
        self->sum += self->value;
    }
#else
    /* your code: one channel is closed; receive from the other one until it is, too */
#endif
}
PT_END

/* --- the test: leave it as it is --- */

/* Two sensors with these values, one every so many ms; which channel closes first? */
static bool adds_up(int a_values, int a_ms, int b_values, int b_ms, int sum)
{
    PT_TASK(sensor) one = {0}, two = {0};
    PT_TASK(panel) panel = {0};
    struct pt_virtual world;
    struct pt_loop loop;
    pt_status status;

    a = b = (struct pt_channel){0};
    pt_virtual_init(&world);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &panel, panel, .sum = 0);
    PT_START(&loop, &one, sensor, .to = &a, .value = a_values, .ms = a_ms);
    PT_START(&loop, &two, sensor, .to = &b, .value = b_values, .ms = b_ms);
    status = pt_loop_run(&loop);
    if (status != PT_OK || panel.frame.sum != sum) {
        printf("FAIL: a sends %d values, b sends %d: the sum is %d, not %d; the loop ended with %d, not 0\n",
               a_values, b_values, panel.frame.sum, sum, status);
        return false;
    }
    return true;
}

int main(void)
{
    if (!adds_up(4, 10, 10, 7, 65) || !adds_up(10, 7, 4, 10, 65))
        return 1;
    printf("passed\n");
    return 0;
}
