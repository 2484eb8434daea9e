/* pt_arduino.h - pt in an Arduino sketch: tasks use the clock of millis()
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_loop tasks;
 *
 *     void setup() { pt_loop_init(&tasks, millis()); ... }
 *     void loop() { pt_loop_turn(&tasks, millis()); }
 */
#ifndef PT_ARDUINO_H
#define PT_ARDUINO_H

#include "pt/pt.h"

PT_STATIC_ASSERT(PT_TICKS_PER_SEC == 1000, "millis() has 1000 ticks in a second");

#endif
