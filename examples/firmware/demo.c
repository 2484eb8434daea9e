/* demo.c - all tasks: two LEDs, a button, a sensor, and a shell that ends at "bye"
 * SPDX-License-Identifier: MIT
 *
 * A short press changes the rate of the first LED, a long press that of the second. */
#include "run.h"
#include "tasks/tasks.h"

static struct pt_loop loop;
static PT_TASK(blink) led, led2;
static PT_TASK(button) key;
static PT_TASK(sensor) sensor;
static PT_TASK(shell) shell;

static void pressed(bool long_press)
{
    struct blink *blink = long_press ? &led2.frame : &led.frame;

    blink->fast = !blink->fast;
}

/* No board has a sensor: this one answers at once. */
static void ask(struct sensor *device)
{
    device->value = (int16_t)(board_button() ? 1 : 0);
    device->answered = true;
}

static void report(struct sensor *device, pt_status code)
{
    (void)device;
    (void)code;
}

void board_received(void)
{
}

/* pt-bounds: loop ready, where the compiler says the line of none */
int main(void)
{
    board_start();
    pt_loop_init(&loop, board_now());
    PT_START(&loop, &led, blink, .led = 0, .slow_half = PT_MS(500), .fast_half = PT_MS(100));
    PT_START(&loop, &led2, blink, .led = 1, .slow_half = PT_MS(300), .fast_half = PT_MS(75));
    PT_START(&loop, &key, button, .pressed = pressed, .long_time = PT_MS(800));
    PT_START(&loop, &sensor, sensor, .ask = ask, .report = report, .period = PT_SEC(1),
             .patience = PT_MS(50), .tries = 3);
    PT_START(&loop, &shell, shell, .loop = &loop, .blink = &led.frame);
    while (pt_task_alive(&shell.task))
        board_turn(&loop, &shell.task);
    return 0;
}
