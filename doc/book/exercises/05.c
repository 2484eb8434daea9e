/* Sleep sort: a task for each number sleeps that long, and then reports. Equal numbers keep their order.
 * And a clock of 8 bits, which wraps. */
#include "pt.h"
#include "virtual.h"
#include <stdio.h>
#include <string.h>

static char sorted[64];

struct sleeper {
    struct pt pt;
    int number;
    char name;
};

static PT_ASYNC(sleeper, self)
{
#ifdef SOLUTION
    PT_WAIT(PT_MS(self->number));
#else
    /* your code */
#endif
    sprintf(sorted + strlen(sorted), "%d%c ", self->number, self->name);
}
PT_END

/* Whether A is before B on a clock that counts from 0 to 255, and then from 0 again. */
static bool before(uint8_t a, uint8_t b)
{
#ifdef SOLUTION
    return (uint8_t)(a - b) > 127;
#else
    /* your code: pt_time_before does the same with 64 bits */
    return a < b;
#endif
}

/* --- the test: leave it as it is --- */

int main(void)
{
    static const int numbers[] = {30, 10, 10, 30, 10};
    static PT_TASK(sleeper) tasks[5];
    static struct pt_virtual world;
    static struct pt_loop loop;

    pt_virtual_init(&world);
    pt_loop_open(&loop, &world.port);
    for (int i = 0; i < 5; i++)
        PT_START(&loop, &tasks[i], sleeper, .number = numbers[i], .name = (char)('a' + i));
    pt_loop_run(&loop);
    if (strcmp(sorted, "10b 10c 10e 30a 30d ") || world.now != PT_MS(30)) {
        printf("FAIL: sorted \"%s\" in %.3f ms, not \"10b 10c 10e 30a 30d \" in 30 ms\n", sorted,
               (double)world.now / 1e6);
        return 1;
    }
    for (int now = 0; now < 256; now++)
        for (int delay = -127; delay < 128; delay++)
            if (before((uint8_t)now, (uint8_t)(now + delay)) != (delay > 0)) {
                printf("FAIL: %d before %d: %s, not %s\n", now, (now + delay) & 255, delay > 0 ? "no" : "yes",
                       delay > 0 ? "yes" : "no");
                return 1;
            }
    printf("passed\n");
    return 0;
}
