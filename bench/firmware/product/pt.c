/* pt.c - the product: tasks, a lock, timeouts, a cancel that waits for the hardware
 * SPDX-License-Identifier: MIT */
#include "product.h"
#include "drivers/transfer.h"
#include "run.h"

static struct pt_loop loop;
static uint16_t rate = 1; /* seconds */

/* --- the sensor ----------------------------------------------------------------------------- */

static struct controller sensor;

void sampler_done(void)
{
    controller_done(&sensor, PT_OK);
}

static void sensor_start(struct controller *by)
{
    sampler_start(by->transfer->in);
}

static void sensor_abort(struct controller *by)
{
    (void)by;
    sampler_abort();
}

static void sensor_reset(struct controller *by)
{
    (void)by;
    sampler_reset();
}

static const struct controller_ops sensor_ops = {sensor_start, sensor_abort, sensor_reset, NULL,
                                                 PATIENCE};

/* measure - up to TRIES transfers, and the value into the record */
struct measure {
    struct pt pt;
    uint8_t left, doing;
    struct pt_held held;
    struct pt_scope limit;
    struct transfer transfer;
    uint8_t samples[SAMPLES];
};

static PT_ASYNC(measure, self)
{
    for (self->left = TRIES;;) {
        self->doing = WAITS_FOR_SENSOR;
        PT_WITH_LOCK(&self->held, &sensor.lock) {
            self->doing = MEASURES;
            PT_WITH_TIMEOUT(&self->limit, TRY_LIMIT) {
                PT_WAIT_COMPLETE(&self->transfer, transfer, .by = &sensor, .in = self->samples,
                                 .ins = SAMPLES);
            }
        }
        if (!pt_timed_out(&self->limit)) {
            record_take(average(self->samples));
            PT_RETURN(PT_OK);
        }
        if (--self->left == 0)
            PT_RETURN(PT_ETIMEDOUT);
        self->doing = PAUSES;
        PT_WAIT(PAUSE);
    }

    PT_FINALLY
    self->doing = SLEEPS;
}
PT_END

/* --- the sampler ---------------------------------------------------------------------------- */

struct sampler {
    struct pt pt;
    pt_time next;
    struct measure measure;
};

static PT_ASYNC(sampler, self)
{
    self->next = PT_NOW();
    for (;;) {
        PT_WAIT_COMPLETE(&self->measure, measure);
        if (self->pt.status != PT_OK)
            record.failed++;
        self->next = (pt_time)(self->next + PT_SEC(rate));
        PT_WAIT_DEADLINE(self->next);
    }
}
PT_END

static PT_TASK(sampler) sampler;

/* --- the command line ----------------------------------------------------------------------- */

struct shell {
    struct pt pt;
    uint8_t command, sent;
    struct line line;
    struct pt_scope limit;
    struct measure measure;
};

/* pt-bounds: runs 2, in a turn: until it awaits a measurement, and behind it
 * pt-bounds: loop 16, commands of one byte that are there at once */
static PT_ASYNC(shell, self)
{
    for (;;) {
        self->line.length = 0;
        self->command = FORGOTTEN;
        PT_WITH_TIMEOUT(&self->limit, PT_DELAY_NEVER) {
            for (;; PT_REARM(&self->limit, LINE_LIMIT)) {
                while (!board_has_input()) /* pt-bounds: loop 16 */
                    PT_PARK();
                if (line_take(&self->line, board_get()))
                    break;
            }
            self->command = command_of(self->line.text, &rate);
        }
        if (self->command == READ) {
            PT_WITH_TIMEOUT(&self->limit, READ_LIMIT) {
                PT_WAIT_COMPLETE(&self->measure, measure);
            }
            say_value(self->pt.status == PT_OK);
        } else if (self->command == RATE) {
            pt_cancel(&sampler.task, PT_ECANCELED);
            PT_JOIN(&sampler.task);
            PT_SPAWN(&sampler, sampler);
            say("ok\n");
        } else {
            say_at_once(self->command, PT_NOW(), rate, sampler.frame.measure.doing);
        }
        for (self->sent = 0; self->sent < answer.length; self->sent++) /* pt-bounds: loop 120 */
            while (!board_put(answer.text[self->sent]))
                PT_WAIT(1);
        answer.length = 0;
    }
}
PT_END

static PT_TASK(shell) shell;
static struct pt_waker received;

void board_received(void)
{
    pt_waker_post(&received);
}

int main(void)
{
    board_start();
    pt_loop_init(&loop, board_now());
    controller_open(&sensor, &sensor_ops, &loop);
    pt_waker_open(&received, &loop, &shell.task);
    PT_START(&loop, &sampler, sampler);
    PT_START(&loop, &shell, shell);
    for (;;)
        board_turn_posted(&loop);
}
