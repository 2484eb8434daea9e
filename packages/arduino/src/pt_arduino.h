/* pt_arduino.h - pt in an Arduino sketch: the clock of millis(), and sleep between the tasks
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_loop tasks;
 *
 *     void setup()
 *     {
 *         pt_loop_init(&tasks, millis());
 *         PT_START(&tasks, ...);
 *     }
 *
 *     void loop()
 *     {
 *         pt_arduino_turn(&tasks);
 *     }
 *
 * Knobs (pt/base/config.h lists them) are lines above the include, the same in every file of the
 * sketch that includes pt: no file of the library is compiled, so the sketch decides alone.
 *
 *     #define PT_TIME_BITS 16
 *     #include <pt_arduino.h> */
#ifndef PT_ARDUINO_H
#define PT_ARDUINO_H

#include <Arduino.h>

#include "pt/pt.h"

/* pt_arduino_turn - one turn of the tasks; then, if none is ready, sleep until an interrupt
 * Call it in loop(). On AVR, SAM, SAMD, STM32 and RP2040 (Earle Philhower's core) the processor
 * stops until the next interrupt, at the latest that of the next millisecond; millis(), serial
 * ports and PWM go on. Elsewhere, and beside FreeRTOS on an RP2040, it calls delay(1), in which a
 * core can run its other threads or stop the processor: a post then waits for up to a millisecond.
 * Other code in loop() runs once for each call. A sketch that must not sleep calls
 * pt_loop_turn(&tasks, millis()) instead. */
static inline void pt_arduino_turn(struct pt_loop *loop);

/* --- implementation ------------------------------------------------------------------------ */

PT_STATIC_ASSERT(PT_TICKS_PER_SEC == 1000, "millis() has 1000 ticks in a second");
PT_STATIC_ASSERT(PT_TIME_BITS <= 32, "millis() wraps at 32 bits: set PT_TIME_BITS 32 or 16");

static inline pt_time pt_arduino_now_(void)
{
    return (pt_time)millis();
}

/* Whether nothing is to be done before the next tick of millis(). */
static inline bool pt_arduino_rests_(const struct pt_loop *loop, pt_time now)
{
    PT_IF_(PT_OR_(PT_REMOTE, PT_WAKERS), if (pt_loop_posted(loop)) return false;)
    return pt_loop_idle(loop) && pt_arduino_now_() == now;
}

#if defined(__AVR__) || defined(ARDUINO_ARCH_SAM) || defined(ARDUINO_ARCH_SAMD) || \
    defined(ARDUINO_ARCH_STM32)

#ifdef __AVR__
#include <avr/sleep.h>

/* Idle stops the processor and nothing else. After sei one more instruction runs before any
 * interrupt: none can come before the sleep. */
PT_ALWAYS void pt_arduino_stop_(void)
{
    set_sleep_mode(SLEEP_MODE_IDLE);
    sleep_enable();
    __asm__ volatile("sei\n\tsleep\n\tcli" ::: "memory");
    sleep_disable();
}
#else
/* A pending interrupt ends it, masked or not. */
PT_ALWAYS void pt_arduino_stop_(void)
{
    __asm__ volatile("wfi" ::: "memory");
}
#endif

/* While the clock shows the time of the turn, nothing has become due since. Interrupts are masked
 * from that check to the stop: a tick, or an interrupt that posts, ends the stop at once. */
static inline void pt_arduino_turn(struct pt_loop *loop)
{
    pt_time now = pt_arduino_now_();
    unsigned masked;

    (void)pt_loop_turn(loop, now);
    masked = PT_CRITICAL_ENTER();
    if (pt_arduino_rests_(loop, now))
        pt_arduino_stop_();
    PT_CRITICAL_LEAVE(masked);
}

#elif defined(ARDUINO_ARCH_RP2040) && !defined(ARDUINO_ARCH_MBED)

#include <pico/time.h>

extern bool __isFreeRTOS; /* the core's: whether loop() is a task of FreeRTOS */

/* Nothing is masked, because an interrupt that returns leaves an event, as sev of the other core
 * does: behind the check, too, it ends the wfe. The timer interrupts for an alarm only, so there is
 * one at the next tick of millis(). */
static inline void pt_arduino_turn(struct pt_loop *loop)
{
    pt_time now = pt_arduino_now_();

    (void)pt_loop_turn(loop, now);
    if (!pt_arduino_rests_(loop, now))
        return;
    if (__isFreeRTOS)
        delay(1);
    else
        (void)best_effort_wfe_or_timeout(make_timeout_time_us(1000 - time_us_64() % 1000));
}

#else

static inline void pt_arduino_turn(struct pt_loop *loop)
{
    pt_time now = pt_arduino_now_();

    (void)pt_loop_turn(loop, now);
    if (pt_arduino_rests_(loop, now))
        delay(1);
}

#endif
#endif
