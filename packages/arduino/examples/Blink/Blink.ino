/* Blink.ino - two tasks: one blinks an LED, one prints a line to the serial port every second
 * SPDX-License-Identifier: MIT */
#include <pt_arduino.h>

struct blink { /* its struct pt first, then what must survive a wait */
    struct pt pt;
    uint8_t pin;
    pt_time on, off;
};

PT_ASYNC(blink, self)
{
    pinMode(self->pin, OUTPUT);
    for (;;) {
        digitalWrite(self->pin, HIGH);
        PT_WAIT(self->on);
        digitalWrite(self->pin, LOW);
        PT_WAIT(self->off);
    }
}
PT_END

struct clock {
    struct pt pt;
    unsigned seconds;
};

PT_ASYNC(clock, self)
{
    for (;;) {
        PT_WAIT(PT_SEC(1));
        Serial.println(++self->seconds);
    }
}
PT_END

static struct pt_loop tasks;
static PT_TASK(blink) led;
static PT_TASK(clock) wall;

void setup()
{
    Serial.begin(9600);
    pt_loop_init(&tasks, millis());
    PT_START(&tasks, &led, blink, .pin = LED_BUILTIN, .on = PT_MS(100), .off = PT_MS(400));
    PT_START(&tasks, &wall, clock, .seconds = 0);
}

void loop()
{
    pt_arduino_turn(&tasks);
}
