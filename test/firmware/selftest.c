/* selftest.c - what the tasks do, and when, on a board with a scripted button and sensor
 * SPDX-License-Identifier: MIT
 *
 * The clock wraps after a second. All boards print the same text, with times in tenths of a second,
 * because their ticks differ and a wait is rounded up to a tick. */
#include "end.h"
#include "run.h"
#include "tasks/tasks.h"

static struct pt_loop loop;
static pt_time start;
static bool level;
static PT_TASK(blink) led;
static PT_TASK(button) key;
static PT_TASK(sensor) sensor;

/* --- output ------------------------------------------------------------------------------ */

static void tell(const char *what)
{
    long tenths = (long)(((uint32_t)(pt_time)(board_now() - start) * 10 + PT_TICKS_PER_SEC / 2) /
                         PT_TICKS_PER_SEC);

    say_number(tenths / 10);
    say(".");
    say_number(tenths % 10);
    say(" s  ");
    say(what);
    say("\n");
}

void pins_start(void);
void pins_start(void)
{
}

void board_led(uint8_t number, bool on)
{
    (void)number;
    tell(on ? "on" : "off");
}

bool board_button(void)
{
    return level;
}

static void pressed(bool long_press)
{
    tell(long_press ? "a long press" : "a short press");
    led.frame.fast = !led.frame.fast;
}

static void ask(struct sensor *device)
{
    (void)device;
    tell("asked");
}

static void report(struct sensor *device, pt_status code)
{
    tell(code == PT_OK && device->value == 21 ? "the sensor says 21" : "the sensor is mute");
}

void board_received(void)
{
}

/* --- the script -------------------------------------------------------------------------- */

struct script {
    struct pt pt;
    uint8_t at;
};

/* A time since the start. It does not use PT_MS: with 16 bits it is too long for a delay. */
#define AT(ms) ((pt_time)((ms) * (uint32_t)PT_TICKS_PER_SEC / 1000))

/* Events and their times: the button goes up or down, an answer, the end. */
static const struct {
    pt_time time;
    char what;
} events[] = {{AT(530), 'a'},  {AT(700), 'd'},  {AT(702), 'u'},  {AT(705), 'd'},
              {AT(711), 'u'},  {AT(713), 'd'},  {AT(830), 'u'},  {AT(833), 'd'},
              {AT(837), 'u'},  {AT(1340), 'd'}, {AT(1350), 'u'}, {AT(1353), 'd'},
              {AT(2200), 'u'}, {AT(2203), 'd'}, {AT(2210), 'u'}, {AT(2520), 'e'}};

static PT_ASYNC(script, self)
{
    for (; events[self->at].what != 'e'; self->at++) {
        PT_WAIT_DEADLINE((pt_time)(start + events[self->at].time));
        level = events[self->at].what == 'd' || (level && events[self->at].what != 'u');
        if (events[self->at].what == 'a') {
            sensor.frame.value = 21;
            sensor.frame.answered = true;
            pt_wake(&sensor.task);
        }
    }
    PT_WAIT_DEADLINE((pt_time)(start + events[self->at].time));
}
PT_END

int main(void)
{
    static PT_TASK(script) script;

    board_start();
    start = board_now();
    pt_loop_init(&loop, start);
    PT_START(&loop, &led, blink, .led = 0, .slow_half = PT_MS(300), .fast_half = PT_MS(100));
    PT_START(&loop, &key, button, .pressed = pressed, .long_time = PT_MS(500));
    PT_START(&loop, &sensor, sensor, .ask = ask, .report = report, .period = PT_SEC(1),
             .patience = PT_MS(100), .tries = 3);
    PT_START(&loop, &script, script);
    while (pt_task_alive(&script.task))
        board_turn(&loop, &script.task);
    tell(board_now() < start ? "the clock has wrapped" : "the clock has not wrapped");
    return 0;
}
