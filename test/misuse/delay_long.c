/* delay_long.c - a delay that is longer than a stamp can be ahead: the function would end with PT_ERANGE
 * SPDX-License-Identifier: MIT
 * expect first -DPT_TIME_BITS=16 -DPT_TICKS_PER_SEC=32768 -DPT_MISUSE=PT_WAIT(PT_SEC(1)): time_negative_or_over_PT_DELAY_MAX_use_a_wider_PT_TIME_BITS
 * expect first -DPT_TIME_BITS=16 -DPT_MISUSE=PT_WAIT(40000): time_negative_or_over_PT_DELAY_MAX_use_a_wider_PT_TIME_BITS
 * expect first -DPT_TIME_BITS=16 -DPT_MISUSE=PT_PARK_FOR(PT_SEC(66)): time_negative_or_over_PT_DELAY_MAX_use_a_wider_PT_TIME_BITS
 * expect first -DPT_TIME_BITS=16 -DPT_MISUSE=PT_WITH_TIMEOUT(&self->limit,40000){}: time_negative_or_over_PT_DELAY_MAX_use_a_wider_PT_TIME_BITS
 * expect first -DPT_TIME_BITS=16 -DPT_MISUSE=PT_REARM(&self->limit,PT_DELAY_NEVER): time_negative_or_over_PT_DELAY_MAX_use_a_wider_PT_TIME_BITS
 * expect first -DPT_TIME_BITS=16 -DPT_MISUSE=PT_SELECT(&self->choice,PT_CASE_AFTER(PT_MS(66000))): time_negative_or_over_PT_DELAY_MAX_use_a_wider_PT_TIME_BITS
 * expect first -DPT_TIME_BITS=16 -DPT_MISUSE=(void)PT_START(&loop,&task,body,.long_delay=PT_SEC(40)): time_negative_or_over_PT_DELAY_MAX_use_a_wider_PT_TIME_BITS
 * expect first -DPT_TIME_BITS=16 -DPT_MISUSE=pt_ticker_start(&ticker,0,PT_DELAY_NEVER,PT_TICKS_SKIP): time_negative_or_over_PT_DELAY_MAX_use_a_wider_PT_TIME_BITS
 * expect first -DPT_TIME_BITS=16 -DPT_MISUSE=(void)pt_native_wait(native,PT_SEC(40)): time_negative_or_over_PT_DELAY_MAX_use_a_wider_PT_TIME_BITS
 * expect first -DPT_TIME_BITS=32 -DPT_MISUSE=PT_WAIT(-1): time_negative_or_over_PT_DELAY_MAX_use_a_wider_PT_TIME_BITS
 * expect output -DPT_TIME_BITS=16 WAIT: ^PT_ERANGE$
 * expect trap -DPT_DEBUG=1 -DPT_TIME_BITS=16 WAIT: body_pt_: PT_WAIT with a delay over PT_DELAY_MAX: use a wider PT_TIME_BITS or slower ticks, or wait several times; or PT_MS of a negative number: .* .line 61
 * expect trap -DPT_DEBUG=1 -DPT_TIME_BITS=16 SECONDS: PT_WAIT with a delay over PT_DELAY_MAX
 * expect trap -DPT_DEBUG=1 -DPT_TIME_BITS=16 PARK: PT_PARK_FOR with a delay over PT_DELAY_MAX
 * expect trap -DPT_DEBUG=1 -DPT_TIME_BITS=16 TIMEOUT: PT_WITH_TIMEOUT with a delay over PT_DELAY_MAX
 * expect trap -DPT_DEBUG=1 -DPT_TIME_BITS=16 SELECT: PT_CASE_AFTER with a delay over PT_DELAY_MAX
 * expect output -DPT_DEBUG=1 -DPT_TIME_BITS=16 NEVER: ^PT_OK$
 * expect good -DPT_TIME_BITS=16 -DPT_MISUSE=PT_WAIT(PT_DELAY_MAX): */
#include <pt/pt.h>
#include <pt/native.h>
#include <stdio.h>
#include "chosen.h"

struct body {
    struct pt pt;
    struct pt_scope limit;
    PT_SELECTION(1) choice;
    uint32_t long_delay;
    unsigned seconds;
    unsigned few : 3;
};

enum { A_SECOND = PT_SEC(1) };
static const pt_time period = PT_MS(20);
extern char buffer[PT_MS(2) / PT_MS(1)];

static struct pt_loop loop;
static PT_LOOP_STORAGE(4) room;
static PT_TASK(body) task;
static struct pt_ticker ticker;
static struct pt_native *native;

PT_ASYNC(body, self)
{
    (void)native, (void)ticker;
    PT_WAIT(A_SECOND + period);
    PT_WAIT(self->seconds++);
    PT_WAIT(PT_SEC(self->few));
    PT_WAIT(PT_MS((signed char)self->few));
    PT_WAIT(self->few > 1);
    PT_WITH_TIMEOUT(&self->limit, PT_DELAY_NEVER) {
    }
    self->long_delay = 40000;
    self->seconds = 80;
#if defined(PT_MISUSE)
    PT_MISUSE;
#endif
    if (CHOSEN(WAIT)) {
        PT_WAIT(self->long_delay);
    } else if (CHOSEN(SECONDS)) {
        PT_WAIT(PT_SEC(self->seconds));
    } else if (CHOSEN(PARK)) {
        PT_PARK_FOR(self->long_delay);
    } else if (CHOSEN(TIMEOUT)) {
        PT_WITH_TIMEOUT(&self->limit, self->long_delay) {
        }
    } else if (CHOSEN(SELECT)) {
        PT_SELECT(&self->choice, PT_CASE_AFTER(self->long_delay));
    } else if (CHOSEN(NEVER)) {
        PT_WITH_TIMEOUT(&self->limit, PT_DELAY_NEVER) {
        }
    }
}
PT_END

int main(int argc, char **argv)
{
    choose(argc, argv);
    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &room);
    (void)PT_START(&loop, &task, body);
    for (pt_time now = 0; now < PT_SEC(3); now = (pt_time)(now + PT_MS(20)))
        pt_loop_turn(&loop, now);
    printf("%s\n", pt_status_name(pt_task_status(&task.task)));
    return 0;
}
