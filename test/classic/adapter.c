/* adapter.c - a classic thread runs as a task of a loop; the clock starts just below its wrap
 * SPDX-License-Identifier: MIT */
#include <pt/classic/adapter.h>

#include <stdio.h>

#include "adapted.h"

#define START ((pt_time)((pt_time)0 - 3))

static struct pt_loop loop;
static PT_LOOP_STORAGE(1) storage;
static PT_TASK(pt_classic) led;
static char text[160];
static int calls;

/* step - call the thread, and count the calls */
static char step(void *state)
{
    calls++;
    return blink_step(state);
}

/* turns - run N turns, a tick apart; trace how often each called the thread, or . if the task is
 * done */
static void turns(int n)
{
    static unsigned length;

    for (; n-- > 0 && length < sizeof text - 1; length++) {
        calls = 0;
        pt_loop_turn(&loop, (pt_time)(START + length));
        text[length] = pt_task_done(&led.task) && calls == 0 ? '.' : (char)('0' + calls);
    }
}

static void start(pt_time poll)
{
    blink_go = 0;
    if (PT_START(&loop, &led, pt_classic, .step = step, .state = blink_state, .poll = poll) !=
        PT_OK)
        printf("FAIL the task is not started\n");
}

static int failed;

/* traced - whether HOLDS, and the trace since the last call equals EXPECTED */
static void traced(const char *sentence, int holds, const char *expected)
{
    static unsigned from;
    unsigned i = 0;

    while (expected[i] && expected[i] == text[from + i])
        i++;
    holds = holds && !expected[i] && !text[from + i];
    printf("%s %s\n", holds ? "ok" : "FAIL", sentence);
    if (!holds)
        printf("    %s\n    %s\n", text + from, expected);
    while (text[from])
        from++;
    failed += !holds;
}

int main(void)
{
    pt_loop_init(&loop, START);
    pt_loop_use(&loop, &storage);

    start(0);
    turns(3);
    blink_go = 1;
    turns(3);
    blink_go = 3;
    turns(2);
    traced("a_thread_that_waits_is_called_in_each_turn", led.frame.said == PT_CLASSIC_ENDED,
           "1111111.");

    start(4);
    turns(6);
    blink_go = 1;
    turns(6);
    blink_go = 2;
    turns(5);
    traced("a_thread_that_waits_is_called_at_its_period_and_at_once_when_it_yields",
           led.frame.said == PT_CLASSIC_EXITED, "10001000110001...");

    start(PT_DELAY_NEVER);
    turns(3);
    pt_wake(&led.task);
    turns(2);
    blink_go = 1;
    turns(2);
    pt_wake(&led.task);
    turns(4);
    blink_go = 3;
    pt_wake(&led.task);
    turns(2);
    traced("a_thread_that_waits_is_called_when_it_is_woken",
           pt_task_status(&led.task) == PT_OK && led.frame.said == PT_CLASSIC_ENDED,
           "100100011001.");

    start(2);
    turns(3);
    pt_cancel(&led.task, PT_ECANCELED);
    turns(3);
    traced("the_thread_of_a_canceled_task_is_not_called_again",
           pt_task_status(&led.task) == PT_ECANCELED, "101...");
    return failed != 0;
}
