/* typed.c - what the line task of three.c or three_timeout.c makes of pauses, and how often it runs
 * SPDX-License-Identifier: MIT
 *
 *     -DPROGRAM='"three_timeout.c"'
 *
 * A script types; a dot ends a line. A pause of less than a second is allowed, a longer one drops the line; each byte
 * starts the second again. The task of three_timeout.c sleeps in a pause: it is resumed once, at
 * its end. The clock wraps during the run. */
#define main program /* not called: this file has a main of its own */
#include PROGRAM
#undef main
#include "end.h"
#include "input.h"

void pins_start(void);
void pins_start(void)
{
}

void board_led(uint8_t number, bool on)
{
    (void)number;
    (void)on;
}

bool board_button(void)
{
    return false;
}

static uint16_t resumes;

static pt_op counted(PT_PARAMETERS_);
static pt_op counted(PT_PARAMETERS_)
{
    resumes++;
    return PT_CALL_(PT_FN(line), pt_, pt_current_);
}

/* --- what is typed, after a pause in milliseconds ----------------------------------------- */

static const struct step {
    uint16_t pause;
    const char *bytes;
} steps[] = {{0, "f."},    {5, "s."},    {5, "f"},     {970, "."},  {5, "s"},    {1100, "."},
             {5, "q"},     {1100, "s."}, {5, "q"},     {600, "q"},  {600, "f"},  {5, "."},
             {5, "fffff"}, {5, "."},     {1500, "f."}, {1500, "s"}, {1500, "f"}, {1500, "s."}};

static void type(char byte)
{
    input_received(byte == '.' ? '\n' : (uint8_t)byte);
}

struct script {
    struct pt pt;
    uint8_t step, at;
};

static PT_ASYNC(script, self)
{
    for (; self->step < sizeof steps / sizeof *steps; self->step++) {
        resumes = 0;
        PT_WAIT(PT_MS(steps[self->step].pause));
        if (PT_TIMED_PARKS && resumes > (steps[self->step].pause > 1000))
            say("it is resumed in a pause\n");
        for (self->at = 0; steps[self->step].bytes[self->at]; self->at++)
            type(steps[self->step].bytes[self->at]);
        PT_WAIT(PT_MS(2));
        say_number(steps[self->step].pause);
        say(" ms, ");
        say(steps[self->step].bytes);
        say(period == (uint16_t)PT_MS(100) ? " fast\n" : " slow\n");
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
    PT_START(&loop, &led, blink);
    PT_START(&loop, &reader, line);
    reader.frame.pt.fn = counted;
    PT_START(&loop, &key, button);
    PT_START(&loop, &script, script);
    while (pt_task_alive(&script.task))
        board_turn(&loop, &reader.task);
    say(board_now() < start ? "the clock has wrapped\n" : "the clock has not wrapped\n");
    return 0;
}
