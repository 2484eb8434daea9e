/* Classic.ino - a sketch for classic protothreads, unchanged: one thread blinks, one counts
 * SPDX-License-Identifier: MIT
 *
 * Such threads have no loop and no timers: each one is called all the time, and checks by itself
 * whether it can continue. The processor does not sleep. */
#include "pt.h"
#include "pt-sem.h"

static struct pt blink_pt, count_pt;
static struct pt_sem blinked;

static PT_THREAD(blink(struct pt *pt))
{
    static unsigned long since; /* a local is lost at a wait, a static one is not */

    PT_BEGIN(pt);
    for (;;) {
        since = millis();
        digitalWrite(LED_BUILTIN, HIGH);
        PT_WAIT_UNTIL(pt, millis() - since >= 100);
        digitalWrite(LED_BUILTIN, LOW);
        PT_WAIT_UNTIL(pt, millis() - since >= 500);
        PT_SEM_SIGNAL(pt, &blinked);
    }
    PT_END(pt);
}

static PT_THREAD(count(struct pt *pt))
{
    static unsigned times;

    PT_BEGIN(pt);
    for (;;) {
        PT_SEM_WAIT(pt, &blinked);
        Serial.println(++times);
    }
    PT_END(pt);
}

void setup()
{
    Serial.begin(9600);
    pinMode(LED_BUILTIN, OUTPUT);
    PT_INIT(&blink_pt);
    PT_INIT(&count_pt);
    PT_SEM_INIT(&blinked, 0);
}

void loop()
{
    blink(&blink_pt);
    count(&count_pt);
}
