/* Arduino.h - what sketches use of the cores: STM32's and the RP2040's own types, or just a clock
 * SPDX-License-Identifier: MIT */
#ifndef FAKE_ARDUINO_H
#define FAKE_ARDUINO_H

#if defined(__arm__) && defined(__cplusplus)

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h> /* many a core brings clock() */

extern "C" {
#ifdef ARDUINO_ARCH_STM32
typedef uint32_t fake_pin, fake_level, fake_mode;
#define LOW 0x0
#define HIGH 0x1
#define OUTPUT 0x1
#define INPUT_PULLUP 0x2
#define CHANGE 0x2
uint32_t millis(void);
void delay(uint32_t milliseconds);
int digitalRead(fake_pin pin);
#else
typedef uint8_t fake_pin;
typedef enum { LOW, HIGH, CHANGE } fake_level;
typedef enum { INPUT_PULLUP = 2, OUTPUT } fake_mode;
unsigned long millis();
void delay(unsigned long milliseconds);
fake_level digitalRead(fake_pin pin);
#endif
void pinMode(fake_pin pin, fake_mode mode);
void digitalWrite(fake_pin pin, fake_level level);
void attachInterrupt(fake_pin pin, void (*handler)(void), fake_level edges);
}

#define LED_BUILTIN 25
#define digitalPinToInterrupt(pin) (pin)

extern struct fake_serial {
    void begin(unsigned long baud);
    void println(unsigned number);
} Serial;

#else

unsigned long millis(void);
void delay(unsigned long milliseconds);

#endif
#endif
