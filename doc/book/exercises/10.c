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

struct panel {
    struct pt pt;
    int value, sum;
    struct pt_channel *a, *b, *other;
    struct pt_waiter either[2];
};

static PT_ASYNC(panel, self)
{
    for (;;) {
        PT_SELECT(self->either, PT_CASE_RECV(self->a, &self->value), PT_CASE_RECV(self->b, &self->value));
        if (self->pt.status == PT_ECLOSED)
            break;
        self->sum += self->value;
    }
#ifdef SOLUTION
    self->other = PT_SELECTED() == 0 ? self->b : self->a;
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

struct test {
    struct pt_channel a, b;
    PT_TASK(sensor) one, two;
    PT_TASK(panel) panel;
};

/* A panel, and two sensors with these values, one every so many ms: which channel closes first? */
static void start(struct pt_loop *loop, struct test *test, int a_values, int a_ms, int b_values, int b_ms)
{
    PT_START(loop, &test->panel, panel, .a = &test->a, .b = &test->b);
    PT_START(loop, &test->one, sensor, .to = &test->a, .value = a_values, .ms = a_ms);
    PT_START(loop, &test->two, sensor, .to = &test->b, .value = b_values, .ms = b_ms);
}

int main(void)
{
    static struct test tests[2];
    static struct pt_virtual world;
    static struct pt_loop loop;
    pt_status status;

    pt_virtual_init(&world);
    pt_loop_open(&loop, &world.port);
    start(&loop, &tests[0], 4, 10, 10, 7);
    start(&loop, &tests[1], 10, 7, 4, 10);
    status = pt_loop_run(&loop);
    for (int i = 0; i < 2; i++)
        if (tests[i].panel.frame.sum != 65) {
            printf("FAIL: channel %s closes first: the sum is %d, not 65\n", i == 0 ? "a" : "b",
                   tests[i].panel.frame.sum);
            return 1;
        }
    if (status != PT_OK) {
        printf("FAIL: a sensor still sends: the loop ended with %d, not 0\n", status);
        return 1;
    }
    printf("passed\n");
    return 0;
}
