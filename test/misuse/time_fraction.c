/* time_fraction.c - a part of a second as a fraction, which an integer would cut to none
 * SPDX-License-Identifier: MIT
 * expect error -DPT_MISUSE=PT_WAIT(PT_SEC(0.5)): times_are_whole_numbers_use_a_smaller_unit
 * expect error -DPT_MISUSE=PT_WAIT(0.5): times_are_whole_numbers_use_a_smaller_unit
 * expect error -DPT_MISUSE=PT_WAIT(PT_MS(self->ratio)): times_are_whole_numbers_use_a_smaller_unit
 * expect error -DPT_MISUSE=pt_ticker_start(&self->ticker,PT_NOW(),PT_SEC(1)/2.,PT_TICKS_SKIP): times_are_whole_numbers_use_a_smaller_unit
 * expect error -DPT_MISUSE=PT_WITH_TIMEOUT(&self->limit,1.5){}: times_are_whole_numbers_use_a_smaller_unit
 * expect error -DPT_MISUSE=PT_REARM(&self->limit,PT_US(.5l)): times_are_whole_numbers_use_a_smaller_unit
 * expect good -DPT_MISUSE=: */
#include <pt/pt.h>

enum { A_SECOND = PT_SEC(1), TEN = 10 };

struct body {
    struct pt pt;
    struct pt_scope limit;
    struct pt_ticker ticker;
    float ratio;
    unsigned few : 3;
    signed char small;
    bool whether;
};

static const pt_time period = PT_MS(TEN * 2);
extern char buffer[PT_MS(2) / PT_MS(1)];

static pt_time choose(size_t n)
{
    switch (n) {
    case PT_SEC(2): return PT_US(n);
    case PT_SEC(3): return PT_MS((int)n * 1.5 > 4.0 ? 1 : 2);
    default: return PT_SEC(sizeof buffer);
    }
}

PT_ASYNC(body, self)
{
    pt_ticker_start(&self->ticker, PT_NOW(), PT_SEC(1) / 2, PT_TICKS_SKIP);
    PT_WAIT(A_SECOND);
    PT_WAIT(period + choose(PT_SEC(self->few)));
    PT_WAIT(PT_MS(self->small));
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(self->whether)) {
        PT_WAIT(TEN);
    }
    PT_MISUSE;
}
PT_END
