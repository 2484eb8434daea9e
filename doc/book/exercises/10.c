/* Receive from two channels until both are closed; add up all values. */
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

struct adder {
    struct pt pt;
    int value, sum;
    struct pt_channel *other;
    struct pt_waiter either[2];
};

static PT_ASYNC(adder, self)
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

int main(void)
{
    static PT_TASK(sensor) one, two;
    static PT_TASK(adder) adder;
    static struct pt_virtual world;
    static struct pt_loop loop;
    pt_status status;

    pt_virtual_init(&world, 1, NULL);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &adder, adder, .sum = 0);
    PT_START(&loop, &one, sensor, .to = &a, .value = 4, .ms = 10);
    PT_START(&loop, &two, sensor, .to = &b, .value = 10, .ms = 7);
    status = pt_loop_run(&loop);
    if (status != PT_OK || adder.frame.sum != 65) {
        printf("FAIL: the sum is %d, not 65; the loop ended with %d\n", adder.frame.sum, status);
        return 1;
    }
    printf("passed\n");
    return 0;
}
