/* product.h - what pt.c and hand.c share: a product's hardware, its commands and its words
 * SPDX-License-Identifier: MIT
 *
 * A sensor is sampled by DMA once a period. A try has TRY_LIMIT; after the last of TRIES the
 * measurement has failed. LED 1 is on from ALARM_ON until the value is below ALARM_OFF. Commands
 * come from the UART:
 *
 *     help, status, reset    status shows what the sampler does, and its statistics
 *     read                   measure now; the answer comes in READ_LIMIT
 *     rate N                 a period of N seconds, from now; what is being measured is given up
 *
 * However a transfer ends, its memory is in use until the hardware has let go; it is reset if it
 * has not after PATIENCE. One transfer runs at a time: a read and a sample wait for each other. A
 * line that pauses for LINE_LIMIT is forgotten. */
#ifndef PRODUCT_H
#define PRODUCT_H

#include "board.h"

enum { SAMPLES = 8, TRIES = 3, ALARM_ON = 200, ALARM_OFF = 190, RATE_MOST = 3600 };

#define TRY_LIMIT PT_MS(50)
#define PAUSE PT_MS(100) /* before the next try */
#define READ_LIMIT PT_MS(400)
#define PATIENCE PT_MS(20)
#define LINE_LIMIT PT_SEC(10)

/* --- the sensor ----------------------------------------------------------------------------- */

/* sampler_start - begin to write SAMPLES bytes to TO
 * sampler_abort - ask the hardware to let go of TO; no effect if it has
 * sampler_reset - take TO from it */
void sampler_start(uint8_t *to);
void sampler_abort(void);
void sampler_reset(void);

/* sampler_done - defined by the program: called in the interrupt when the hardware has let go */
void sampler_done(void);

static inline uint8_t average(const uint8_t *samples)
{
    uint16_t sum = 0;

    for (uint8_t i = 0; i < SAMPLES; i++) /* pt-bounds: loop 8 */
        sum = (uint16_t)(sum + samples[i]);
    return (uint8_t)(sum / SAMPLES);
}

/* --- statistics, and the alarm -------------------------------------------------------------- */

static struct record {
    uint16_t values, failed;
    uint8_t last, least, most;
    bool alarm;
} record;

static inline void record_take(uint8_t value)
{
    record.last = value;
    if (!record.values || value < record.least)
        record.least = value;
    if (value > record.most)
        record.most = value;
    record.values++;
    record.alarm = value >= ALARM_ON || (record.alarm && value >= ALARM_OFF);
    board_led(1, record.alarm);
}

static inline void record_clear(void)
{
    record.values = record.failed = 0;
    record.most = 0;
}

/* --- answers -------------------------------------------------------------------------------- */

/* What the sampler does; the words of status. */
enum doing { SLEEPS, WAITS_FOR_SENSOR, MEASURES, PAUSES };

static struct answer {
    uint8_t length;
    char text[120];
} answer;

static void say(const char *text)
{
    while (*text && answer.length < sizeof answer.text) /* pt-bounds: loop 34 */
        answer.text[answer.length++] = *text++;
}

static void say_number(const char *before, uint32_t number)
{
    char text[11], *digit = &text[sizeof text - 1];

    *digit = '\0';
    do {
        *--digit = (char)('0' + number % 10);
        number /= 10;
    } while (number); /* pt-bounds: loop 10 */
    say(before);
    say(digit);
}

static inline void say_status(pt_time now, uint16_t rate, uint8_t doing)
{
    static const char *const words[] = {"sleeps", "waits for the sensor", "measures", "pauses"};

    say_number("up ", now / PT_TICKS_PER_SEC);
    say_number(" s, rate ", rate);
    say(" s\nsampler ");
    say(words[doing]);
    say_number("\nvalues ", record.values);
    say_number(", failed ", record.failed);
    say_number(", last ", record.last);
    say_number(", from ", record.least);
    say_number(" to ", record.most);
    say(record.alarm ? ", alarm\n" : "\n");
}

/* --- lines and commands --------------------------------------------------------------------- */

struct line {
    uint8_t length;
    char text[16];
};

/* Whether the line is complete; what does not fit is dropped. */
static inline bool line_take(struct line *line, int byte)
{
    if (byte == '\r' || byte == '\n') {
        line->text[line->length] = '\0';
        return true;
    }
    if (byte == '\b' && line->length)
        line->length--;
    else if (byte >= ' ' && line->length < sizeof line->text - 1)
        line->text[line->length++] = (char)byte;
    return false;
}

enum command { HELP, READ, RATE, STATUS, RESET, FORGOTTEN };

/* What follows WORD in TEXT, or NULL if something else stands there. */
static const char *behind(const char *text, const char *word)
{
    while (*word) /* pt-bounds: loop 7 */
        if (*text++ != *word++)
            return NULL;
    return text;
}

/* The number in TEXT, from 1 to RATE_MOST; 0 if there is none. */
static inline uint16_t rate_of(const char *text)
{
    uint32_t rate = 0;

    for (; *text >= '0' && *text <= '9' && rate <= RATE_MOST; text++) /* pt-bounds: loop 6 */
        rate = rate * 10 + (uint32_t)(*text - '0');
    return *text || rate > RATE_MOST ? 0 : (uint16_t)rate;
}

/* The command in TEXT; HELP if it is none. RATE also sets *rate. */
static inline enum command command_of(const char *text, uint16_t *rate)
{
    static const char *const words[] = {"read", "rate ", "status", "reset"};

    for (uint8_t i = 0; i < sizeof words / sizeof *words; i++) { /* pt-bounds: loop 4 */
        const char *rest = behind(text, words[i]);
        uint16_t number;

        if (!rest)
            continue;
        if (i + 1 != RATE)
            return *rest ? HELP : (enum command)(i + 1);
        number = rate_of(rest);
        if (!number)
            return HELP;
        *rate = number;
        return RATE;
    }
    return HELP;
}

/* The answer to a command that needs no time. */
static inline void say_at_once(uint8_t command, pt_time now, uint16_t rate, uint8_t doing)
{
    if (command == STATUS) {
        say_status(now, rate, doing);
    } else if (command == RESET) {
        record_clear();
        say("ok\n");
    } else {
        say(command == FORGOTTEN ? "forgotten\n" : "help, status, reset, read, rate N\n");
    }
}

static inline void say_value(bool good)
{
    if (good)
        say_number("value ", record.last);
    else
        say("no answer");
    say("\n");
}

#endif
