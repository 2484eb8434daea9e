/* Button.ino - an interrupt wakes a task: each press of a button at pin 2 switches the LED
 * SPDX-License-Identifier: MIT
 *
 * The button connects pin 2 and ground. While nobody presses it, the processor sleeps. */
/* A knob, above the include: pt_remote_post. */
#define PT_REMOTE 1
#include <pt_arduino.h>

const uint8_t BUTTON = 2;

struct button {
    struct pt pt;
    bool down, lit;
};

PT_ASYNC(button, self)
{
    for (;;) {
        PT_PARK();          /* until an edge */
        PT_WAIT(PT_MS(20)); /* until it stops bouncing */
        if ((digitalRead(BUTTON) == LOW) == self->down)
            continue;
        self->down = !self->down;
        if (!self->down)
            continue;
        self->lit = !self->lit;
        digitalWrite(LED_BUILTIN, self->lit ? HIGH : LOW);
    }
}
PT_END

static struct pt_loop tasks;
static PT_TASK(button) key;
static struct pt_remote changed;

/* The interrupt: at each edge, rising and falling. */
static void edge()
{
    pt_remote_post(&changed);
}

void setup()
{
    pinMode(BUTTON, INPUT_PULLUP);
    pinMode(LED_BUILTIN, OUTPUT);
    pt_loop_init(&tasks, millis());
    pt_remote_open(&changed, &tasks, pt_remote_wake, &key.task);
    PT_START(&tasks, &key, button, .down = false, .lit = false);
    attachInterrupt(digitalPinToInterrupt(BUTTON), edge, CHANGE);
}

void loop()
{
    pt_arduino_turn(&tasks);
}
