/* hand.c - the product as state machines and a superloop; it does what pt.c does, at the same times
 * SPDX-License-Identifier: MIT */
#include "product.h"

static uint16_t rate = 1; /* seconds */

static bool over(pt_time now, pt_time at)
{
    return !pt_time_before(now, at);
}

/* The next deadline of all, which each step lowers. */
static pt_time next;

static void until(pt_time at)
{
    if (pt_time_before(at, next))
        next = at;
}

/* --- a measurement: by the sampler, or by the command read ------------------------------------ */

struct measure {
    uint8_t doing, left;
    bool aborted, canceled, good;
    pt_time at; /* the end of the try, of patience, or of the pause */
    uint8_t samples[SAMPLES];
};

static struct measure by_period, by_command;
static struct measure *owner; /* of the sensor */
static volatile bool owned;   /* the hardware has its memory */

void sampler_done(void)
{
    owned = false;
}

static void measure_begin(struct measure *it)
{
    it->doing = WAITS_FOR_SENSOR;
    it->left = TRIES;
    it->canceled = it->good = false;
}

static void ask_to_let_go(struct measure *it, pt_time now)
{
    it->aborted = true;
    it->at = (pt_time)(now + PATIENCE + 1); /* the tick that runs does not count */
    sampler_abort();
}

/* It ends when the hardware has let go. */
static void measure_cancel(struct measure *it, pt_time now)
{
    it->canceled = true;
    if (it->doing != MEASURES)
        it->doing = SLEEPS;
    else if (!it->aborted)
        ask_to_let_go(it, now);
}

static void let_go(struct measure *it, pt_time now)
{
    owner = NULL;
    if (!it->aborted) {
        record_take(average(it->samples));
        it->good = true;
    }
    if (it->good || it->canceled || --it->left == 0) {
        it->doing = SLEEPS;
        return;
    }
    it->doing = PAUSES;
    it->at = (pt_time)(now + PAUSE);
}

static void measure_step(struct measure *it, pt_time now)
{
    if (it->doing == MEASURES) {
        if (owned && over(now, it->at) && !it->aborted)
            ask_to_let_go(it, now);
        if (owned && over(now, it->at)) {
            sampler_reset();
            owned = false;
        }
        if (!owned)
            let_go(it, now);
    }
    if (it->doing == PAUSES && over(now, it->at))
        it->doing = WAITS_FOR_SENSOR;
    if (it->doing == WAITS_FOR_SENSOR && !owner) {
        owner = it;
        owned = true;
        it->doing = MEASURES;
        it->aborted = false;
        it->at = (pt_time)(now + TRY_LIMIT);
        sampler_start(it->samples);
    }
    if (it->doing == MEASURES || it->doing == PAUSES)
        until(it->at);
}

/* --- the sampler ---------------------------------------------------------------------------- */

static bool measuring;
static pt_time sample_at;

static void sampler_begin(pt_time now)
{
    sample_at = now;
    measuring = true;
    measure_begin(&by_period);
}

static void sampler_step(pt_time now)
{
    if (!measuring && over(now, sample_at)) {
        measuring = true;
        measure_begin(&by_period);
    }
    measure_step(&by_period, now);
    if (measuring && by_period.doing == SLEEPS && !by_period.canceled) {
        measuring = false;
        if (!by_period.good)
            record.failed++;
        sample_at = (pt_time)(sample_at + PT_SEC(rate));
    }
    if (!measuring)
        until(sample_at);
}

/* --- the command line ----------------------------------------------------------------------- */

static struct line line;
static bool typing;         /* a line has begun */
static pt_time shell_until; /* when a line is forgotten, or a read ends */
static uint8_t sent;
static enum { LISTENS, READS, RESTARTS, ANSWERS } shell;

static void obey(uint8_t command, pt_time now)
{
    line.length = 0;
    typing = false;
    shell = ANSWERS;
    if (command == READ) {
        shell = READS;
        shell_until = (pt_time)(now + READ_LIMIT);
        measure_begin(&by_command);
    } else if (command == RATE) {
        shell = RESTARTS;
        measure_cancel(&by_period, now);
    } else {
        say_at_once(command, now, rate, by_period.doing);
    }
}

static void listen(pt_time now)
{
    while (shell == LISTENS && board_has_input()) {
        typing = true;
        shell_until = (pt_time)(now + LINE_LIMIT);
        if (line_take(&line, board_get()))
            obey(command_of(line.text, &rate), now);
    }
    if (shell == LISTENS && typing) {
        if (over(now, shell_until))
            obey(FORGOTTEN, now);
        else
            until(shell_until);
    }
}

static void wait_for_read(pt_time now)
{
    if (by_command.doing != SLEEPS && !by_command.canceled && over(now, shell_until))
        measure_cancel(&by_command, now);
    measure_step(&by_command, now);
    if (by_command.doing == SLEEPS) {
        say_value(by_command.good);
        shell = ANSWERS;
    } else if (!by_command.canceled) {
        until(shell_until);
    }
}

static void restart(pt_time now)
{
    if (by_period.doing != SLEEPS)
        return;
    sampler_begin(now);
    say("ok\n");
    shell = ANSWERS;
}

static void send(pt_time now)
{
    while (sent < answer.length && board_put(answer.text[sent]))
        sent++;
    if (sent < answer.length) {
        until((pt_time)(now + 1));
        return;
    }
    answer.length = sent = 0;
    shell = LISTENS;
}

static void shell_step(pt_time now)
{
    do {
        listen(now);
        if (shell == READS)
            wait_for_read(now);
        if (shell == RESTARTS)
            restart(now);
        if (shell == ANSWERS)
            send(now);
    } while (shell == LISTENS && board_has_input());
}

/* --- all of them ---------------------------------------------------------------------------- */

void board_received(void)
{
}

/* Whether a step has made another one possible. */
static bool goes_on(void)
{
    return (shell == RESTARTS && by_period.doing == SLEEPS) ||
           (!owner &&
            (by_period.doing == WAITS_FOR_SENSOR || by_command.doing == WAITS_FOR_SENSOR));
}

static pt_time step(pt_time now)
{
    do {
        next = (pt_time)(now + PT_DELAY_MAX);
        shell_step(now);
        sampler_step(now);
    } while (goes_on());
    return next;
}

/* Whether an interrupt has come for one of them. */
static bool called(void)
{
    return (shell == LISTENS && board_has_input()) || (owner && !owned);
}

int main(void)
{
    board_start();
    sampler_begin(board_now());
    for (;;) {
        board_state state;

        board_wake_at(step(board_now()));
        state = board_lock();
        if (!called() && !board_rang())
            board_sleep();
        board_unlock(state);
    }
}
