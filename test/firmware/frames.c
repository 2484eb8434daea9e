/* frames.c - how a Modbus slave answers whole, damaged and torn frames
 * SPDX-License-Identifier: MIT
 *
 * A script simulates the line: a byte each millisecond. The transmitter is busy every other time.
 * The clock wraps during the run. */
#define MODBUS_REGISTERS 4
#define board_put heard
#include "tasks/modbus.c"
#include "tasks/send.c"
#undef board_put
#include "end.h"
#include "input.h"
#include "run.h"

static struct pt_loop loop;
static PT_TASK(modbus) slave;
static uint16_t holding[4], input_words[2] = {0x0304, 0x0506};

void pins_start(void);
void pins_start(void)
{
}

void board_led(uint8_t led, bool on)
{
    (void)led;
    (void)on;
}

bool board_button(void)
{
    return false;
}

void board_received(void)
{
}

bool heard(char byte);
bool heard(char byte)
{
    static const char digits[] = "0123456789abcdef";
    static bool ready;
    char text[] = " 00";

    ready = !ready;
    if (ready) {
        text[1] = digits[(uint8_t)byte >> 4];
        text[2] = digits[byte & 15];
        say(text);
    }
    return ready;
}

static void written(struct modbus *self)
{
    (void)self;
    say(" (written)");
}

/* --- what comes over the line ------------------------------------------------------------- */

/* In milliseconds, in the middle of the frame; QUIET ends a frame. */
enum { SHORT = 15, LONG = 60, QUIET = 20 };

static const struct step {
    const char *what, *bytes;
    uint8_t length, pause;
} steps[] = {{"write one", "\x11\x06\x00\x01\x12\x34\xd7\xed", 8, 0},
             {"read holding", "\x11\x03\x00\x00\x00\x02\xc6\x9b", 8, 0},
             {"read input", "\x11\x04\x00\x01\x00\x01\x62\x9a", 8, 0},
             {"write some", "\x11\x10\x00\x02\x00\x02\x04\x0a\x0b\x0c\x0d\x90\x69", 13, 0},
             {"read all", "\x11\x03\x00\x00\x00\x04\x46\x99", 8, 0},
             {"no such function", "\x11\x2b\x00\x00\x00\x01\xe6\x9c", 8, 0},
             {"read beyond the end", "\x11\x03\x00\x03\x00\x02\x36\x9b", 8, 0},
             {"write beyond the end", "\x11\x06\x00\x04\x00\x01\x0b\x5b", 8, 0},
             {"read nothing", "\x11\x04\x00\x00\x00\x00\xf2\x9a", 8, 0},
             {"a count of bytes that lies", "\x11\x10\x00\x00\x00\x01\x04\x00\x01\x4a\x51", 11, 0},
             {"a word is missing", "\x11\x10\x00\x00\x00\x02\x04\x00\x01\x4a\x15", 11, 0},
             {"more than fits",
              "\x11\x10\x00\x00\x00\x05\x0a\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\xe7\xaf", 19,
              0},
             {"a wrong checksum", "\x11\x06\x00\x00\xff\xff\x8b\xea", 8, 0},
             {"no function", "\x11\x7f\x4c", 3, 0},
             {"for another", "\x12\x06\x00\x00\xff\xff\x8a\xd9", 8, 0},
             {"for all", "\x00\x06\x00\x00\x00\xaa\x08\x64", 8, 0},
             {"a short pause", "\x11\x03\x00\x00\x00\x01\x86\x9a", 8, SHORT},
             {"a long pause", "\x11\x03\x00\x00\x00\x01\x86\x9a", 8, LONG},
             {"again", "\x11\x03\x00\x00\x00\x04\x46\x99", 8, 0}};

struct script {
    struct pt pt;
    uint8_t step, at;
};

static PT_ASYNC(script, self)
{
    for (; self->step < sizeof steps / sizeof *steps; self->step++) {
        say(steps[self->step].what);
        say(":");
        for (self->at = 0; self->at < steps[self->step].length; self->at++) {
            if (self->at == 4)
                PT_WAIT(PT_MS(steps[self->step].pause));
            input_received((uint8_t)steps[self->step].bytes[self->at]);
            PT_WAIT(PT_MS(1));
        }
        PT_WAIT(PT_MS(100));
        say("\n");
    }
}
PT_END

int main(void)
{
    static PT_TASK(script) script;
    pt_time start;

    board_start();
    start = board_now();
    pt_loop_init(&loop, start);
    PT_START(&loop, &slave, modbus, .address = 0x11, .holding = holding, .input = input_words,
             .holdings = 4, .inputs = 2, .written = written, .silence = PT_MS(QUIET));
    PT_START(&loop, &script, script);
    while (pt_task_alive(&script.task))
        board_turn(&loop, &slave.task);
    say(board_now() < start ? "the clock has wrapped\n" : "the clock has not wrapped\n");
    return 0;
}
