/* 10.c - talking: a value goes from one task to another, and whichever comes first */
#include "pt.h"
#include "virtual.h"
#include <stdio.h>

//- sensor
struct sensor {
    struct pt pt;
    struct pt_channel *to;
    int value, step, ms;
};

static PT_ASYNC(sensor, self)
{
    for (; self->value > 0; self->value -= self->step) {
        PT_WAIT(PT_MS(self->ms));
        PT_SEND(self->to, &self->value);
    }
    pt_channel_close(self->to);
}
PT_END

//- panel
static struct pt_channel fuel, speed;

struct panel {
    struct pt pt;
    int fuel, speed;
    struct pt_waiter either[2];
};

static PT_ASYNC(panel, self)
{
    for (;;) {
        PT_SELECT(self->either, PT_CASE_RECV(&fuel, &self->fuel), PT_CASE_RECV(&speed, &self->speed));
        if (self->pt.status == PT_ECLOSED)
            break;
        printf("%3d ms: %s\n", (int)(PT_NOW() / PT_MS(1)), PT_SELECTED() == 0 ? "fuel" : "speed");
    }
    printf("fuel %d, speed %d; the %s sensor has closed\n", self->fuel, self->speed,
           PT_SELECTED() == 0 ? "fuel" : "speed");
}
PT_END

//- main
int main(void)
{
    static PT_TASK(sensor) tank, wheel;
    static PT_TASK(panel) panel;
    static struct pt_virtual world;
    static struct pt_loop loop;

    pt_virtual_init(&world);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &panel, panel);
    PT_START(&loop, &tank, sensor, .to = &fuel, .value = 30, .step = 10, .ms = 40);
    PT_START(&loop, &wheel, sensor, .to = &speed, .value = 900, .step = 100, .ms = 25);
    printf("the loop: %s\n", pt_loop_run(&loop) == PT_EDEADLK ? "PT_EDEADLK: a sensor still sends" : "PT_OK");
    return 0;
}
