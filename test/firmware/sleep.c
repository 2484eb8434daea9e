/* sleep.c - which sleep is chosen, why, and the time of a clock that stands meanwhile
 * SPDX-License-Identifier: MIT
 *
 * The board's clock is the true time here, which no task can read. The clock of the loop makes a
 * tick every TICK of it, and stands in a deep sleep; the slow counter counts every COUNT of it. */
#include "services/deep_clock.h"
#include "services/sleep.h"
#include "traced.h"
#include "virtual/i2c_model.h"

enum { TICK = 8, COUNT = 3, MASK = 0xff, DOZE = 0, NAP = 1, STOP = 2, LONGEST = 30000 };

/* --- two clocks ---------------------------------------------------------------------------- */

static uint32_t stood; /* how long the clock has stood */
static int gain;       /* by so many in a thousand it is too fast */
static pt_time added;  /* the ticks that put it right */
static struct deep_clock deep;

/* It does not wrap. */
static uint32_t true_time(void)
{
    static pt_time last;
    static uint32_t sum;

    sum += (pt_time)(board_now() - last);
    last = board_now();
    return sum;
}

static uint32_t from; /* the true time when a test begins */

/* Parts of a tick that the clock has seen. */
static uint32_t parts(void)
{
    uint32_t went = true_time() - from - stood;

    return (uint32_t)((int64_t)went + (int64_t)went * gain / 1000);
}

static pt_time clock_now(void)
{
    return (pt_time)(parts() / TICK + added);
}

static uint32_t slow_count(void)
{
    return (true_time() - from) / COUNT & MASK;
}

static void sleep_for(uint32_t time)
{
    board_wake_at((pt_time)(board_now() + (time < LONGEST ? time : LONGEST)));
    board_sleep();
}

/* --- modes of sleep ------------------------------------------------------------------------ */

static bool tells; /* each sleep is noted */

static void doze(pt_time until)
{
    if (tells)
        note("doze", "");
    (void)deep_clock_now(&deep); /* once in each round of the counter */
    sleep_for((uint32_t)(pt_time)(until - clock_now()) * TICK - parts() % TICK);
}

static void stop(pt_time until)
{
    uint32_t at = deep_clock_count_at(&deep, until), since = true_time();
    pt_time before = clock_now();

    if (tells)
        note("stop", "");
    sleep_for(((at - slow_count()) & MASK) * COUNT - (since - from) % COUNT);
    stood += true_time() - since;
    added = (pt_time)(added + deep_clock_stood(&deep, clock_now()));
    ck_assert(!pt_time_before(clock_now(), before));
}

static struct sleep_mode modes[] = {
    {.name = "doze", .enter = doze},
    {.name = "nap", .enter = doze, .least = 2},
    {.name = "stop", .enter = stop, .least = 4},
};
static struct sleep sleep_;
static struct sleep_hold bus_hold, radio_hold, pulse_hold;
static struct pt_lock radio;
static struct i2c_model bus;

static void sleep_at_most_until(pt_time until)
{
    sleep_until(&sleep_, until);
}

static void open_world(void)
{
    open_loop();
    hardware_stop(&bus.hardware);
    run_for(20); /* the board's UART has no more bytes */
    open_loop();
    from = true_time();
    stood = 0;
    gain = 0;
    added = (pt_time)(0 - 100); /* the time wraps soon */
    tells = false;
    deep = (struct deep_clock){.count = slow_count, .mask = MASK, .ticks = COUNT, .counts = TICK};
    deep_clock_open(&deep, clock_now());
    pt_loop_init(&loop, clock_now());
    sleep_ = (struct sleep){.now = clock_now, .modes = modes, .deepest = STOP};
    for (unsigned i = 0; i < 3; i++)
        modes[i].ticks = 0;
    memset(&bus, 0, sizeof bus);
    i2c_model_open(&bus, &loop);
    pt_lock_init(&radio);
    sleep_hold(&sleep_, &bus_hold, "bus", DOZE, &bus.bus.controller.lock);
    sleep_hold(&sleep_, &radio_hold, "radio", NAP, &radio);
    sleep_hold(&sleep_, &pulse_hold, "pulse", DOZE, NULL);
}

/* Run until the true time TIME of the test. */
static void run_to(uint32_t time)
{
    static struct hardware bound = {.act = end_run};

    while (true_time() - from < time) {
        uint32_t rest = time - (true_time() - from);

        over = false;
        hardware_at(&bound, (pt_time)(board_now() + (rest < LONGEST ? rest : LONGEST)));
        while (!over)
            pt_loop_turn_and_sleep(&loop, clock_now, sleep_at_most_until);
    }
    (void)pt_loop_turn(&loop, clock_now());
}

/* --- which mode, and why ------------------------------------------------------------------- */

static void note_holds(void)
{
    const struct sleep_hold *hold = NULL;

    while ((hold = sleep_next_hold(&sleep_, hold)) != NULL)
        note(hold->name, modes[hold->mode].name);
}

START_TEST(the_deepest_sleep_that_all_holds_allow_and_that_is_worth_it_is_chosen)
{
    ck_assert_uint_eq(sleep_mode_for(&sleep_, 1), DOZE);
    ck_assert_uint_eq(sleep_mode_for(&sleep_, 2), NAP);
    ck_assert_uint_eq(sleep_mode_for(&sleep_, 4), STOP);
    radio_hold.on = true;
    ck_assert_uint_eq(sleep_mode_for(&sleep_, 4), NAP);
    ck_assert_uint_eq(sleep_mode_for(&sleep_, 1), DOZE);
    pulse_hold.on = true;
    ck_assert_uint_eq(sleep_mode_for(&sleep_, 100), DOZE);
    note_holds();
    ck_assert_str_eq(trace, "0 pulse doze; 0 radio nap; ");
    radio_hold.on = false;
    ck_assert_uint_eq(sleep_mode_for(&sleep_, 100), DOZE);
    pulse_hold.on = false;
    ck_assert_uint_eq(sleep_mode_for(&sleep_, PT_DELAY_NEVER), STOP);
    ck_assert_ptr_null(sleep_next_hold(&sleep_, NULL));
}
END_TEST

/* The deepest mode that MASK of these holds and the time allow, by trying each. */
static uint8_t deepest(const struct sleep_hold *holds, unsigned mask, pt_time ticks)
{
    for (uint8_t mode = STOP; mode; mode--) {
        bool allowed = ticks >= modes[mode].least;

        for (unsigned i = 0; i < 3; i++)
            allowed &= !(mask & 1u << i) || holds[i].mode >= mode;
        if (allowed)
            return mode;
    }
    return DOZE;
}

START_TEST(of_all_holds_and_times_the_mode_is_the_deepest_also_if_a_shallower_one_takes_longer)
{
    static struct sleep_hold holds[3];
    struct sleep_mode kept[3];

    memcpy(kept, modes, sizeof modes);
    modes[NAP].least = 6;
    sleep_.holds = NULL;
    for (uint8_t i = 0; i < 3; i++)
        sleep_hold(&sleep_, &holds[i], "hold", i, NULL);
    for (uint8_t i = 0; i < 3; i++)
        sleep_hold(&sleep_, &holds[i], "hold", i, NULL); /* as opened again */
    ck_assert(sleep_.holds == &holds[2] && holds[1].next == &holds[0] && !holds[0].next);
    for (unsigned mask = 0; mask < 8; mask++)
        for (pt_time ticks = 0; ticks < 9; ticks++) {
            for (unsigned i = 0; i < 3; i++)
                holds[i].on = mask & 1u << i;
            ck_assert_uint_eq(sleep_mode_for(&sleep_, ticks), deepest(holds, mask, ticks));
        }
    memcpy(modes, kept, sizeof modes);
}
END_TEST

/* A transfer, in a frame that is lent; then a wait. */
struct user {
    struct pt pt;
    struct i2c i2c;
    uint8_t bytes[4];
};

static PT_ASYNC(user, self)
{
    PT_WAIT(10);
    PT_WAIT_COMPLETE(&self->i2c, i2c, .bus = &bus.bus, .address = 0x48, .in = self->bytes,
                     .ins = 4);
    PT_WAIT(10);
}
PT_END

static uint8_t seven(struct i2c_device *self)
{
    (void)self;
    return 7;
}

static struct i2c_device sevens = {.address = 0x48, .read = seven};
static PT_TASK(user) user;

static void start_user(void)
{
    i2c_model_add(&bus, &sevens);
    bus.pace = 5 * TICK;
    tells = true;
    memset(&user, 0, sizeof user);
    PT_START(&loop, &user, user);
}

START_TEST(a_transfer_keeps_the_part_awake_and_a_wait_does_not)
{
    start_user();
    run_to(400);
    ck_assert(pt_task_done(&user.task));
    ck_assert_str_eq(trace, "0 stop ; 78 doze ; " /* to the next tick */
                            "86 doze ; 126 doze ; 166 doze ; 206 doze ; 246 doze ; "
                            "286 stop ; 360 stop ; ");
    ck_assert_uint_eq(bus_hold.ticks, 25);
    ck_assert_uint_eq(radio_hold.ticks, 0);
    ck_assert_uint_eq(modes[DOZE].ticks, 26);
}
END_TEST

START_TEST(a_canceled_transfer_keeps_the_part_awake_until_the_hardware_has_let_go)
{
    bus.lag = 1;
    start_user();
    run_to(130); /* in the second byte */
    note_holds();
    pt_cancel(&user.task, PT_ECANCELED);
    run_to(400);
    ck_assert_int_eq(pt_task_status(&user.task), PT_ECANCELED);
    ck_assert_str_eq(trace, "0 stop ; 78 doze ; 86 doze ; 126 doze ; "
                            "130 bus doze; 130 doze ; 166 doze ; 206 stop ; ");
    ck_assert_ptr_null(sleep_next_hold(&sleep_, NULL));
}
END_TEST

struct talker {
    struct pt pt;
    struct pt_held held;
};

static PT_ASYNC(talker, self)
{
    PT_WITH_LOCK(&self->held, &radio) {
        PT_WAIT(PT_DELAY_MAX);
    }
}
PT_END

START_TEST(a_hold_of_a_task_ends_with_its_block_also_by_a_cancel)
{
    static PT_TASK(talker) talker;

    memset(&talker, 0, sizeof talker);
    PT_START(&loop, &talker, talker);
    run_to(100 * TICK);
    ck_assert_ptr_eq(sleep_next_hold(&sleep_, NULL), &radio_hold);
    ck_assert_uint_eq(radio_hold.ticks, 100);
    pt_cancel(&talker.task, PT_ECANCELED);
    run_to(200 * TICK);
    ck_assert_ptr_null(sleep_next_hold(&sleep_, NULL));
    ck_assert_uint_eq(radio_hold.ticks, 100);
    ck_assert_uint_eq(modes[NAP].ticks, 100);
}
END_TEST

/* --- the time ------------------------------------------------------------------------------ */

static uint32_t noise; /* of a generator */

static uint32_t draw(uint32_t below)
{
    noise = noise * 1664525 + 1013904223;
    return (noise >> 16) % below;
}

/* An interrupt at any time, which wakes nobody. */
static void disturb(struct hardware *self)
{
    hardware_at(self, (pt_time)(board_now() + 1 + draw(97)));
}

static struct hardware disturber = {.act = disturb};

struct ticker {
    struct pt pt;
    pt_time period, due;
    unsigned ticks;
};

/* Of the true time: positive if the clock is ahead. */
static int32_t error_in_ticks(void)
{
    return (int32_t)(int16_t)(clock_now() + 100 - (pt_time)((true_time() - from) / TICK));
}

static int32_t least, most;

static PT_ASYNC(ticker, self)
{
    for (;;) {
        self->due = (pt_time)(PT_NOW() + self->period);
        PT_WAIT_DEADLINE(self->due);
        self->ticks++;
        ck_assert(gain ? !pt_time_before(PT_NOW(), self->due) : PT_NOW() == self->due);
        least = error_in_ticks() < least ? error_in_ticks() : least;
        most = error_in_ticks() > most ? error_in_ticks() : most;
    }
}
PT_END

static PT_TASK(ticker) ticker;

static void tick_for(uint32_t time, pt_time period)
{
    memset(&ticker, 0, sizeof ticker);
    least = most = 0;
    PT_START(&loop, &ticker, ticker, .period = period);
    run_to(time);
    ck_assert_uint_ge(ticker.frame.ticks + 1, time / TICK / period * 9 / 10);
    hardware_stop(&disturber);
}

START_TEST(the_time_is_right_to_a_count_however_often_and_whenever_a_deep_sleep_ends)
{
    for (uint32_t seed = 1; seed <= 20; seed++) {
        open_world();
        noise = seed;
        disturb(&disturber);
        tick_for(100000, (pt_time)(5 + seed));
        ck_assert_uint_gt(modes[STOP].ticks, modes[DOZE].ticks);
        ck_assert(least >= -1 && most <= 0);
    }
}
END_TEST

START_TEST(a_sleep_can_be_longer_than_a_round_of_the_slow_counter)
{
    tick_for(200000, 2000); /* twenty rounds each */
    ck_assert_uint_eq(ticker.frame.ticks, 12);
    ck_assert(least >= -1 && most <= 0);
}
END_TEST

START_TEST(a_clock_that_is_too_fast_or_too_slow_is_put_right_by_each_deep_sleep_and_never_goes_back)
{
    for (gain = -20; gain <= 20; gain += 5) {
        int kept = gain;

        open_world();
        gain = kept;
        noise = (uint32_t)(100 + gain);
        disturb(&disturber);
        tick_for(100000, 40);
        ck_assert(least >= -2 && most <= 2); /* or it would be 250 */
        pulse_hold.on = true;
        run_to(120000); /* awake, so that it is ahead by more than a deep sleep takes */
        pulse_hold.on = false;
        disturb(&disturber);
        run_to(130000);
        hardware_stop(&disturber);
        ck_assert(error_in_ticks() >= -2 && error_in_ticks() <= 2);
    }
}
END_TEST

START_TEST(the_counter_is_read_in_time_at_any_phase_and_distance)
{
    for (uint32_t phase = 0; phase < TICK * COUNT; phase++)
        for (uint32_t ahead = 0; ahead < 300; ahead++) {
            pt_time until = (pt_time)(clock_now() + ahead);
            uint32_t counts, when = (uint32_t)(pt_time)(until + 100) * TICK; /* true */

            sleep_for(0);
            counts = (deep_clock_count_at(&deep, until) - slow_count()) & MASK;
            if (ahead && ahead < 40) { /* less than half a round */
                uint32_t at = (true_time() - from) / COUNT * COUNT + counts * COUNT;

                ck_assert(at <= when && when < at + COUNT);
            } else {
                ck_assert(counts <= MASK / 2);
            }
            if (ahead == 299)
                sleep_for(1);
        }
}
END_TEST

START_TEST(an_alarm_is_at_most_half_a_round_of_the_slow_counter_ahead)
{
    for (uint32_t counts = 2; counts < MASK; counts++) {
        struct deep_clock other = {
            .count = slow_count, .mask = MASK, .ticks = COUNT, .counts = counts};

        deep_clock_open(&other, clock_now());
        for (pt_time ticks = 0; ticks < 300; ticks++) {
            uint32_t at = deep_clock_count_at(&other, (pt_time)(clock_now() + ticks));

            ck_assert_uint_le((at - slow_count()) & MASK, MASK / 2);
        }
    }
}
END_TEST

int main(void)
{
    static const TTest *const *const tests[] = {
        &the_deepest_sleep_that_all_holds_allow_and_that_is_worth_it_is_chosen,
        &of_all_holds_and_times_the_mode_is_the_deepest_also_if_a_shallower_one_takes_longer,
        &a_transfer_keeps_the_part_awake_and_a_wait_does_not,
        &a_canceled_transfer_keeps_the_part_awake_until_the_hardware_has_let_go,
        &a_hold_of_a_task_ends_with_its_block_also_by_a_cancel,
        &the_time_is_right_to_a_count_however_often_and_whenever_a_deep_sleep_ends,
        &a_sleep_can_be_longer_than_a_round_of_the_slow_counter,
        &a_clock_that_is_too_fast_or_too_slow_is_put_right_by_each_deep_sleep_and_never_goes_back,
        &the_counter_is_read_in_time_at_any_phase_and_distance,
        &an_alarm_is_at_most_half_a_round_of_the_slow_counter_ahead,
    };

    return run_tests(tests, sizeof tests / sizeof *tests, open_world);
}
