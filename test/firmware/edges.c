/* edges.c - edges of a pin at any time: none is lost, and a contact that bounces is one press
 * SPDX-License-Identifier: MIT */
#include "drivers/edges.h"
#include "traced.h"

static struct edges pin;

/* --- a pin whose edges stand in a table --------------------------------------------------- */

static const char *edges_at; /* a digit for each tick: so many edges */

static void act(struct hardware *self)
{
    for (int left = *edges_at++ - '0'; left; left--)
        edges_post(&pin);
    if (*edges_at)
        hardware_at(self, (pt_time)(board_now() + 1));
}

static struct hardware contact = {.act = act};

static void play(const char *edges)
{
    edges_at = edges;
    hardware_at(&contact, (pt_time)(board_now() + 1));
}

static void open_pin(void)
{
    open_loop();
    hardware_stop(&contact);
    memset(&pin, 0, sizeof pin);
    edges_open(&pin, &loop);
}

struct counter {
    struct pt pt;
    pt_time busy; /* after each wait */
    pt_time limit_ticks;
    unsigned all;
    uint16_t seen;
    struct pt_scope limit;
    struct edges_wait edge;
};

static PT_ASYNC(counter, self)
{
    for (;;) {
        PT_WITH_TIMEOUT(&self->limit, self->limit_ticks) {
            PT_WAIT_COMPLETE(&self->edge, edges_wait, .pin = &pin, .seen = self->seen);
        }
        if (!pt_timed_out(&self->limit)) {
            self->all += self->edge.count;
            self->seen = (uint16_t)(self->seen + self->edge.count);
        }
        PT_WAIT(self->busy);
    }
}
PT_END

static PT_TASK(counter) counters[3];

START_TEST(each_task_counts_each_edge_also_while_it_works_or_times_out)
{
    for (int late = 0; late < 2; late++)
        for (pt_time busy = 0; busy < 7; busy++) {
            open_pin();
            hardware_is_late = late;
            memset(counters, 0, sizeof counters);
            for (unsigned i = 0; i < 3; i++)
                PT_START(&loop, &counters[i], counter, .busy = (pt_time)(busy + i),
                         .limit_ticks = i == 2 ? 2 : PT_DELAY_NEVER);
            play("1002104300123009");
            run_for(40);
            for (unsigned i = 0; i < 3; i++)
                ck_assert_uint_eq(counters[i].frame.all, 26);
        }
}
END_TEST

struct button {
    struct pt pt;
    uint16_t seen;
    struct edges_settle press;
};

static PT_ASYNC(button, self)
{
    for (;;) {
        PT_TRY(&self->press, edges_settle, .pin = &pin, .seen = self->seen, .quiet = 3);
        self->seen = (uint16_t)(self->seen + self->press.count);
        note("settled:", self->press.count % 2 ? "odd" : "even");
    }
}
PT_END

static PT_TASK(button) button;

START_TEST(a_contact_that_bounces_settles_once)
{
    memset(&button, 0, sizeof button);
    PT_START(&loop, &button, button);
    play("1201000000001010");
    run_for(40);
    ck_assert_str_eq(trace, "7 settled: even; 18 settled: even; ");
}
END_TEST

START_TEST(a_task_that_was_canceled_is_not_woken_by_an_edge)
{
    memset(counters, 0, sizeof counters);
    PT_START(&loop, &counters[0], counter, .limit_ticks = PT_DELAY_NEVER);
    play("1111");
    run_for(2);
    pt_cancel(&counters[0].task, PT_ECANCELED);
    run_for(1);
    ck_assert(pt_task_done(&counters[0].task));
    memset((void *)&counters[0], POISON, sizeof counters[0]);
    run_for(10);
    ck_assert(is_poison(&counters[0], sizeof counters[0]));
    ck_assert_uint_eq(pin.count, 4);
}
END_TEST

int main(void)
{
    static const TTest *const *const tests[] = {
        &each_task_counts_each_edge_also_while_it_works_or_times_out,
        &a_contact_that_bounces_settles_once,
        &a_task_that_was_canceled_is_not_woken_by_an_edge,
    };

    return run_tests(tests, sizeof tests / sizeof *tests, open_pin);
}
