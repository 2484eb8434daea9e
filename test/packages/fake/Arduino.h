/* Arduino.h - replaces the header of a core, for core.cc
 * SPDX-License-Identifier: MIT */
#ifndef FAKE_ARDUINO_H
#define FAKE_ARDUINO_H

unsigned long millis(void);
void delay(unsigned long milliseconds);

#endif
