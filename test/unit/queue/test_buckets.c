/* test_buckets.c - the timer queue with buckets against a plain search, and whole loops with and without them
 * SPDX-License-Identifier: MIT */
#define PT_BUCKETS_FROM_ 4 /* so that a few timers use them */
#include "pt_test.h"

#if PT_PORT && PT_HAS_BUCKETS_ && PT_TIMEOUTS && PT_CANCEL

enum { TIMERS = 300, ROOM = 8192 };

static pt_timer_ timers[ROOM];
static struct pt_timers_ *queue;

static void queue_open(unsigned room)
{
    test_open(&world);
    queue = &world.loop.timers;
    ck_assert(pt_loop_grow_timers_(&world.loop, room));
    ck_assert_ptr_nonnull(queue->later);
}

/* The next timers to leave are FIRST up to END. */
static void expect_pops(int first, int end)
{
    for (int i = first; i < end; i++)
        ck_assert_ptr_eq(pt_timers_pop_(queue), &timers[i]);
}

enum { NEAR = 8 };

/* A queue with eight timers that are due after MS milliseconds: so later ones can be far. */
static void queue_open_with_near_at(int ms)
{
    queue_open(ROOM);
    for (int i = 0; i < NEAR; i++)
        pt_timers_add_(queue, &timers[i], test_at(ms));
}

static void queue_open_with_near(void)
{
    queue_open_with_near_at(1);
}

/* --- a model: what is armed, for when, and in which order --- */

static struct {
    struct pt_random chance;
    pt_time now, at[TIMERS];
    uint64_t order[TIMERS], pushes;
    bool armed[TIMERS];
    int count;
} model;

static bool model_before(int a, int b)
{
    pt_time first = (pt_time)(model.at[a] - model.now), second = (pt_time)(model.at[b] - model.now);

    return first < second || (first == second && model.order[a] < model.order[b]);
}

static int model_first(void)
{
    int first = -1;

    for (int i = 0; i < TIMERS; i++)
        if (model.armed[i] && (first < 0 || model_before(i, first)))
            first = i;
    return first;
}

static unsigned below(unsigned limit)
{
    return (unsigned)pt_random_below(&model.chance, limit);
}

/* Delays of all magnitudes; often equal ones. */
static pt_time random_delay(void)
{
    pt_time delay = pt_random_next(&model.chance);

    switch (below(6)) {
    case 0: return delay % 4;
    case 1: return delay % 1000;
    case 2: return (64 - model.now % 64) + delay % 64 * 64; /* of a few times, from any time */
    case 3: return delay % 1000000;
    case 4: return (delay >> (1 + below(63))) % PT_DELAY_MAX;
    default: return below(4) ? delay % 100000 : PT_DELAY_MAX;
    }
}

static void add(int i, pt_time delay)
{
    model.at[i] = (pt_time)(model.now + delay);
    model.order[i] = model.pushes++;
    model.armed[i] = true;
    model.count++;
    pt_timers_add_(queue, &timers[i], model.at[i]);
}

static void forget(int i)
{
    model.armed[i] = false;
    model.count--;
}

/* Let time pass to NOW: what is due leaves, in order. */
static void expire(pt_time now)
{
    int first;

    while ((first = model_first()) >= 0 &&
           (pt_time)(model.at[first] - model.now) <= (pt_time)(now - model.now)) {
        ck_assert_int_eq((int)(pt_timers_first_(queue) - timers), first);
        ck_assert(pt_timers_at_(queue, &timers[first]) == model.at[first]);
        ck_assert_int_eq((int)(pt_timers_pop_(queue) - timers), first);
        forget(first);
    }
    model.now = now;
    pt_timers_rebase_(queue, now);
}

/* How many timers are in the front. */
static unsigned front_count(void)
{
    const struct pt_buckets_ *later = queue->later;
    unsigned count = 0, place = later->front.place, at = later->front.at;

    for (unsigned left = later->front.left; left; left--) {
        count += later->entries[place].index != NULL;
        if (left == 1)
            break;
        if (later->front.sorted)
            place = later->front.places[++at];
        else if (++place % PT_CHUNK_ == 0)
            place = later->chunks[place / PT_CHUNK_ - 1].before * PT_CHUNK_;
    }
    return count;
}

/* Every timer has the place of its entry; and the heap or the front has the first of all. */
static void see_that_it_is_sound(void)
{
    const struct pt_heap *heap = &queue->heap;
    int first = model_first();

    ck_assert_uint_eq(heap->count + front_count() + queue->later->count, (unsigned)model.count);
    ck_assert_ptr_eq(pt_timers_first_(queue), first < 0 ? NULL : &timers[first]);
    if (queue->later->count) {
        ck_assert(pt_timers_entry_(queue)->deadline < queue->later->horizon);
        ck_assert(queue->later->horizon >= queue->later->base);
    }
    for (int i = 0; i < TIMERS; i++)
        if (model.armed[i]) {
            ck_assert(pt_timers_at_(queue, &timers[i]) == model.at[i]);
            ck_assert_ptr_eq(timers[i] & PT_TIMER_FAR_
                                 ? queue->later->entries[timers[i] & ~PT_TIMER_FAR_].index
                                 : heap->entries[timers[i]].index,
                             &timers[i]);
        }
}

static void random_operation(unsigned adds)
{
    int i = (int)below(TIMERS), first = model_first();

    if (!below(50))
        queue->later->finest = below(20); /* so that buckets of several widths are in use */
    if (below(10) < adds) {
        if (!model.armed[i])
            add(i, random_delay());
    } else if (below(3)) {
        if (first >= 0 && below(2))
            i = first;
        if (model.armed[i]) {
            pt_timers_remove_(queue, &timers[i]);
            forget(i);
        }
    } else if (first >= 0 && below(4)) {
        expire(model.at[first]);
    } else {
        expire((pt_time)(model.now + below(2000)));
    }
}

/* Phases in which the queue fills, and in which it empties. */
static void compare_with_model(uint64_t seed, unsigned chunks)
{
    static const unsigned adds[6] = {9, 2, 7, 5, 9, 1};

    memset(&model, 0, sizeof model);
    model.chance.state = seed;
    model.now = TEST_START;
    queue_open(TIMERS);
    if (chunks)
        queue->later->room = chunks;
    for (int step = 0; step < 6000; step++) {
        random_operation(adds[step / 250 % 6]);
        if (step % 16 == 0)
            see_that_it_is_sound();
    }
    while (model.count)
        expire(model.at[model_first()]);
    test_close(&world);
}

START_TEST(buckets_agree_with_a_search_for_the_first)
{
    for (uint64_t seed = 1; seed <= 4; seed++)
        compare_with_model(seed, 0);
}
END_TEST

START_TEST(the_heap_takes_what_finds_no_chunk)
{
    for (uint64_t seed = 11; seed <= 12; seed++)
        compare_with_model(seed, 12);
}
END_TEST

/* Years ahead, in buckets that begin after the epoch has moved. */
START_TEST(the_epoch_moves_with_timers_in_buckets)
{
    memset(&model, 0, sizeof model);
    model.now = TEST_START;
    queue_open(ROOM);
    for (int i = 0; i < 100; i++)
        add(i, (pt_time)i * (PT_DELAY_MAX / 100));
    while (model.count) {
        see_that_it_is_sound();
        expire(model.at[model_first()]);
    }
    ck_assert(queue->heap.epoch != TEST_START);
    test_close(&world);
}
END_TEST

/* Such a bucket would look as if it began now. It joins the next level. */
START_TEST(a_timer_a_ring_ahead_waits_in_a_wider_bucket)
{
    memset(&model, 0, sizeof model);
    model.now = TEST_START;
    queue_open(TIMERS);
    for (int i = 0; i < 4; i++)
        add(i, 1500);
    expire(TEST_START + 1023);
    add(5, 100000);
    queue->later->fills = false; /* as if a bucket had been opened, and */
    queue->later->finest = 0;    /* as if the narrowest had been right */
    add(4, 1024 * 1024 - 1);
    ck_assert_uint_eq(queue->later->count, 2);
    pt_timers_remove_(queue, &timers[5]); /* timer 4 is in the first bucket then */
    forget(5);
    ck_assert_uint_eq(queue->later->count, 1);
    see_that_it_is_sound();
    while (model.count)
        expire(model.at[model_first()]);
    test_close(&world);
}
END_TEST

/* --- what buckets are for ------------------------------------------------------------------- */

/* ROOM timers up to a second ahead; one that fires is armed again. After some time the finest level becomes FINEST.
 * Returns how many of the last ROOM that fired were in the heap, and stores it at the end. */
static unsigned taken_from_the_heap(unsigned finest, unsigned *last)
{
    struct pt_random chance = {1};
    pt_time now = TEST_START;
    unsigned near = 0;

    queue_open(2 * ROOM);
    for (int i = 0; i < ROOM; i++)
        pt_timers_add_(queue, &timers[i], (pt_time)(now + pt_random_below(&chance, PT_SEC(1))));
    for (int i = 0; i < 8 * ROOM; i++) {
        pt_timer_ *first = pt_timers_first_(queue);

        if (i == 2 * ROOM)
            queue->later->finest = finest;
        now = pt_timers_at_(queue, first);
        near += i >= 7 * ROOM && !(*first & PT_TIMER_FAR_);
        ck_assert_ptr_eq(pt_timers_pop_(queue), first);
        pt_timers_rebase_(queue, now);
        pt_timers_add_(queue, first, (pt_time)(now + pt_random_below(&chance, PT_SEC(1))));
    }
    *last = queue->later->finest;
    test_close(&world);
    return near;
}

START_TEST(few_timers_are_in_the_heap)
{
    unsigned finest;

    ck_assert_uint_lt(taken_from_the_heap(10, &finest), ROOM / 50);
    ck_assert_uint_lt(taken_from_the_heap(22, &finest), ROOM / 50);
}
END_TEST

/* Such of 2^19 ns have nine timers, but 1,024 of them are half a second: the other timers would move twice. */
START_TEST(buckets_grow_until_they_reach_to_most_timers)
{
    unsigned finest;

    (void)taken_from_the_heap(17, &finest);
    ck_assert_uint_eq(finest, 20);
}
END_TEST

START_TEST(timers_of_a_bucket_that_is_too_wide_move_to_narrower_ones)
{
    queue_open_with_near();
    pt_timers_add_(queue, &timers[8], test_at(60000));
    queue->later->finest = 30;
    for (int i = 0; i < 1000; i++)
        pt_timers_add_(queue, &timers[10 + i], test_at(5000 + i * 7 % 1000));
    queue->later->finest = 10;
    expect_pops(0, NEAR);
    ck_assert_uint_lt(queue->heap.count + front_count(), 20);
    for (int at = 0; at < 1000; at++) {
        ck_assert_uint_eq(pt_timers_first_at_(queue), test_at(5000 + at));
        pt_timers_pop_(queue);
    }
    ck_assert_ptr_eq(pt_timers_pop_(queue), &timers[8]);
    test_close(&world);
}
END_TEST

/* Too many for the front, in no order, and the buckets are as narrow as they should be. */
START_TEST(many_timers_of_a_bucket_of_the_grain_move_to_the_heap)
{
    queue_open_with_near();
    pt_timers_add_(queue, &timers[8], test_at(60000));
    queue->later->finest = 30;
    for (int i = 0; i < 100; i++)
        pt_timers_add_(queue, &timers[10 + i], test_at(4300 + i * 7 % 100));
    expect_pops(0, NEAR);
    ck_assert_uint_eq(queue->heap.count, 100);
    ck_assert_uint_eq(front_count(), 0);
    for (int at = 0; at < 100; at++) {
        ck_assert_uint_eq(pt_timers_first_at_(queue), test_at(4300 + at));
        pt_timers_pop_(queue);
    }
    ck_assert_ptr_eq(pt_timers_pop_(queue), &timers[8]);
    test_close(&world);
}
END_TEST

/* Each of the buckets has a chunk of its own; wider ones would share them. */
START_TEST(the_buckets_grow_if_there_are_no_more_chunks)
{
    queue_open(ROOM);
    queue->later->room = 4;
    for (int i = 0; i < 8; i++)
        pt_timers_add_(queue, &timers[i], test_at(1));
    for (int i = 8; i < 136; i++) {
        pt_timers_add_(queue, &timers[i], test_at(10 * i));
        if (i == 8)
            queue->later->fills = false, queue->later->finest = 20; /* no guess of it */
    }
    ck_assert_uint_eq(queue->later->finest, 22);
    expect_pops(0, 136);
    test_close(&world);
}
END_TEST

/* Two buckets begin at 2^32 ns, which are 4,295 ms: timers from WIDE up to END are in the wide one, and of these
 * timer LATE is due 1 ms later. If the narrow one were opened first, others would move to the heap. */
static void check_buckets_that_begin_together(int wide, int end, int late)
{
    queue_open_with_near_at(4290);
    pt_timers_add_(queue, &timers[8], test_at(9000));
    queue->later->fills = false; /* no guess of it */
    for (int i = 9; i < 17; i++) {
        queue->later->finest = wide <= i && i < end ? 30 : 23;
        pt_timers_add_(queue, &timers[i], test_at(i == late ? 4297 : 4296));
    }
    queue->later->finest = 23;
    pt_timers_add_(queue, &timers[17], test_at(4295));
    pt_timers_rebase_(queue, test_at(4290));
    expect_pops(0, NEAR);
    ck_assert_ptr_eq(pt_timers_pop_(queue), &timers[17]);
    ck_assert_uint_eq(queue->heap.count, 0);
    ck_assert_uint_eq(front_count(), 8);
    expect_pops(9, late);
    expect_pops(late + 1, 17);
    ck_assert_ptr_eq(pt_timers_pop_(queue), &timers[late]);
    ck_assert_ptr_eq(pt_timers_pop_(queue), &timers[8]);
    test_close(&world);
}

START_TEST(of_buckets_that_begin_together_the_widest_is_opened_first)
{
    check_buckets_that_begin_together(9, 12, 9);
    check_buckets_that_begin_together(14, 17, 14);
}
END_TEST

/* While a bucket is spread, its own chunks become free. */
START_TEST(the_buckets_do_not_grow_while_one_is_spread)
{
    queue_open_with_near();
    pt_timers_add_(queue, &timers[8], test_at(60000));
    queue->later->finest = 30;
    for (int i = 9; i < 120; i++)
        pt_timers_add_(queue, &timers[i], test_at(5000 + i * 7 % 120));
    queue->later->finest = 10;
    queue->later->room = queue->later->fresh;
    expect_pops(0, NEAR);
    ck_assert_uint_ge(queue->heap.count, 50); /* also the timer with the number 64 */
    ck_assert_uint_eq(queue->later->finest, 10);
    while (pt_timers_first_(queue))
        pt_timers_pop_(queue);
    test_close(&world);
}
END_TEST

/* The bucket that was opened begins long after the loop's time. */
START_TEST(short_timers_are_in_buckets_also_after_a_far_one_was_opened)
{
    queue_open_with_near();
    for (int i = NEAR; i < 100; i++)
        pt_timers_add_(queue, &timers[i], test_at(10000));
    for (int i = 0; i < NEAR; i++)
        pt_timers_remove_(queue, &timers[i]);
    ck_assert_uint_eq(front_count(), 100 - NEAR);
    for (int i = 100; i < 1100; i++)
        pt_timers_add_(queue, &timers[i], test_at(1 + i));
    ck_assert_uint_le(queue->heap.count, 1);
    expect_pops(100, 1100);
    expect_pops(NEAR, 100);
    test_close(&world);
}
END_TEST

/* As the front it would keep those out that are armed for the same delay, again and again. */
START_TEST(a_far_timer_that_is_alone_for_a_while_is_in_the_heap)
{
    queue_open_with_near();
    pt_timers_add_(queue, &timers[NEAR], test_at(10000));
    expect_pops(0, NEAR);
    ck_assert_uint_eq(queue->later->count, 0);
    for (int i = NEAR + 1; i < 1000; i++)
        pt_timers_add_(queue, &timers[i], test_at(1));
    ck_assert_uint_eq(queue->heap.count, 1);
    ck_assert_uint_eq(front_count(), 1000 - NEAR - 1);
    expect_pops(NEAR + 1, 1000);
    expect_pops(NEAR, NEAR + 1);
    test_close(&world);
}
END_TEST

/* No bucket is opened that would show it: the first one begins in an hour. */
START_TEST(buckets_become_narrow_although_none_is_opened)
{
    queue_open_with_near();
    pt_timers_add_(queue, &timers[NEAR], test_at(3600 * 1000));
    queue->later->finest = 40;
    for (int i = 100; i > NEAR; i--)
        pt_timers_add_(queue, &timers[i], test_at(i));
    ck_assert_uint_gt(queue->heap.count, 50);
    for (int i = 0; i < 200000; i++) {
        pt_timers_add_(queue, &timers[101], test_at(5));
        pt_timers_remove_(queue, &timers[101]);
    }
    ck_assert_uint_lt(queue->later->finest, 40);
    ck_assert_uint_gt(queue->later->finest, 30);
    while (pt_timers_first_(queue))
        pt_timers_pop_(queue);
    test_close(&world);
}
END_TEST

START_TEST(a_full_bucket_keeps_the_order_of_arming)
{
    queue_open(ROOM);
    for (int i = 0; i < ROOM; i++)
        pt_timers_add_(queue, &timers[i], test_at(i < 8 ? 1 : 5000));
    ck_assert_uint_eq(queue->later->count, PT_BUCKET_MOST_);
    for (int i = 0; i < ROOM; i++)
        ck_assert_int_eq((int)(pt_timers_pop_(queue) - timers), i);
    ck_assert_ptr_null(pt_timers_first_(queue));
    test_close(&world);
}
END_TEST

/* Of a bucket that was opened, some timers are removed: the next, the last, one between. Some of them have
 * equal deadlines, and a removal before the opening put them in another order than that of their arming. */
START_TEST(a_bucket_that_was_opened_is_in_order_whatever_left_it)
{
    static const int late[6] = {70, 60, 70, 60, 80, 70};

    queue_open_with_near();
    pt_timers_add_(queue, &timers[16], test_at(60000)); /* the first one makes the buckets narrow */
    queue->later->finest = 30;                          /* more than a second wide */
    for (int i = 0; i < 6; i++)
        pt_timers_add_(queue, &timers[8 + i], test_at(5000 + late[i]));
    pt_timers_add_(queue, &timers[14], test_at(5001));
    pt_timers_add_(queue, &timers[15], test_at(5099));
    pt_timers_remove_(queue, &timers[8]); /* timer 15 takes its place */
    ck_assert_uint_eq(queue->later->count, 8);
    expect_pops(0, NEAR);
    ck_assert_uint_eq(front_count(), 7);
    ck_assert_ptr_eq(pt_timers_first_(queue), &timers[14]);
    pt_timers_add_(queue, &timers[0], test_at(5065)); /* in the heap, and between them */
    pt_timers_remove_(queue, &timers[14]);
    ck_assert_ptr_eq(pt_timers_first_(queue), &timers[9]);
    pt_timers_remove_(queue, &timers[10]);
    pt_timers_remove_(queue, &timers[15]);
    ck_assert_ptr_eq(pt_timers_pop_(queue), &timers[9]);
    ck_assert_ptr_eq(pt_timers_pop_(queue), &timers[11]);
    ck_assert_ptr_eq(pt_timers_pop_(queue), &timers[0]);
    ck_assert_ptr_eq(pt_timers_pop_(queue), &timers[13]);
    ck_assert_ptr_eq(pt_timers_pop_(queue), &timers[12]);
    ck_assert_ptr_eq(pt_timers_pop_(queue), &timers[16]);
    ck_assert_ptr_null(pt_timers_first_(queue));
    ck_assert_uint_ne(queue->later->free, PT_NO_CHUNK_);
    test_close(&world);
}
END_TEST

START_TEST(equal_deadlines_of_an_opened_bucket_leave_in_arming_order)
{
    queue_open(ROOM);
    for (int i = 0; i < 4; i++)
        pt_timers_add_(queue, &timers[i], test_at(1));
    for (int i = 4; i < 24; i++)
        pt_timers_add_(queue, &timers[i], test_at(5000));
    queue->later->finest = 30;
    for (int i = 4; i < 10; i += 2)
        pt_timers_remove_(queue, &timers[i]); /* the last ones take their places */
    for (int i = 0; i < 4; i++)
        pt_timers_pop_(queue);
    ck_assert_uint_eq(front_count(), 17);
    for (int i = 5; i < 24; i += i < 9 ? 2 : 1)
        ck_assert_ptr_eq(pt_timers_pop_(queue), &timers[i]);
    ck_assert_ptr_null(pt_timers_first_(queue));
    test_close(&world);
}
END_TEST

/* The width follows from the average, so that it does not change by chance. */
START_TEST(timers_at_an_even_rate_soon_leave_only_from_the_front)
{
    struct pt_random chance = {1};
    pt_time now = TEST_START;
    unsigned from_heap = 0;

    queue_open(ROOM);
    for (int i = 0; i < 1000; i++)
        pt_timers_add_(queue, &timers[i], (pt_time)(now + pt_random_below(&chance, PT_SEC(1))));
    for (int i = 0; i < 20000; i++) {
        pt_timer_ *first = pt_timers_first_(queue);

        from_heap += i >= 10000 && !(*first & PT_TIMER_FAR_);
        now = pt_timers_first_at_(queue);
        ck_assert_ptr_eq(pt_timers_pop_(queue), first);
        pt_timers_rebase_(queue, now);
        pt_timers_add_(queue, first, (pt_time)(now + pt_random_below(&chance, PT_SEC(1))));
    }
    ck_assert_uint_lt(from_heap, 500); /* of 10,000: what is armed for the rest of the front */
    test_close(&world);
}
END_TEST

/* Many tasks with one period: what belongs to no bucket is behind the last one. */
START_TEST(timers_of_one_delay_queue_up_in_the_front)
{
    pt_time now = TEST_START;

    queue_open(ROOM);
    for (int turn = 0; turn < 50; turn++) {
        now = (pt_time)(now + 10);
        for (int i = 0; i < 1000; i++)
            pt_timers_add_(queue, &timers[i], now);
        ck_assert_uint_lt(queue->heap.count, 10);
        for (int i = 999; i > 100; i -= 3)
            pt_timers_remove_(queue, &timers[i]);
        for (int i = 0; i < 1000; i++)
            if (i <= 100 || i % 3)
                ck_assert_ptr_eq(pt_timers_pop_(queue), &timers[i]);
        ck_assert_ptr_null(pt_timers_first_(queue));
        pt_timers_rebase_(queue, now);
    }
    ck_assert_uint_lt(queue->later->fresh, 1000 / PT_CHUNK_ + 3);
    test_close(&world);
}
END_TEST

/* An entry that was removed leaves its place behind, until all of its chunk were. */
START_TEST(timers_of_the_front_that_are_removed_give_their_chunks_back)
{
    queue_open(ROOM);
    pt_timers_add_(queue, &timers[0], test_at(10));
    for (int i = 0; i < 1000; i++) {
        pt_timers_add_(queue, &timers[1], test_at(10));
        pt_timers_remove_(queue, &timers[1]);
    }
    ck_assert_uint_le(queue->later->front.left, PT_CHUNK_);
    for (int i = 1; i < 500; i++)
        pt_timers_add_(queue, &timers[i], test_at(10));
    for (int i = 1; i < 500; i += 2)
        pt_timers_remove_(queue, &timers[i]);
    for (int i = 452; i < 500; i += 2)
        pt_timers_remove_(queue, &timers[i]);
    for (int i = 400; i > 50; i -= 2)
        pt_timers_remove_(queue, &timers[i]);
    ck_assert_uint_eq(front_count(), 26 + 25);
    ck_assert_uint_le(queue->later->front.left, 100 + 3 * PT_CHUNK_);
    ck_assert_uint_eq(queue->heap.count, 0);
    pt_timers_add_(queue, &timers[1], test_at(10));
    for (int i = 0; i < 452; i += i == 50 ? 352 : 2)
        ck_assert_ptr_eq(pt_timers_pop_(queue), &timers[i]);
    ck_assert_ptr_eq(pt_timers_pop_(queue), &timers[1]);
    ck_assert_ptr_null(pt_timers_first_(queue));
    test_close(&world);
}
END_TEST

/* An early timer is in a narrow bucket of its own, which is opened before the front is empty. */
START_TEST(of_the_front_and_an_opened_bucket_the_shorter_moves_to_the_heap)
{
    queue_open_with_near();
    pt_timers_add_(queue, &timers[8], test_at(20));
    queue->later->finest = 30; /* more than a second wide: what follows belongs to no bucket */
    for (int i = 9; i < 500; i++)
        pt_timers_add_(queue, &timers[i], test_at(21));
    expect_pops(0, 9);
    ck_assert_uint_eq(queue->heap.count, 0);
    ck_assert_uint_eq(front_count(), 491);
    expect_pops(9, 500);
    test_close(&world);
}
END_TEST

/* Timers FIRST up to END, armed for one time, in a bucket of 2^FINEST ns. */
static void add_to_bucket(unsigned finest, int first, int end, int ms)
{
    queue->later->fills = false; /* no guess of it */
    queue->later->finest = finest;
    for (int i = first; i < end; i++)
        pt_timers_add_(queue, &timers[i], test_at(ms));
}

static void see_that_all_chunks_are_free(void)
{
    unsigned count = 0;

    for (unsigned chunk = queue->later->free; chunk != PT_NO_CHUNK_; count++)
        chunk = queue->later->chunks[chunk].before;
    ck_assert_uint_eq(count, queue->later->fresh);
}

/* The wide bucket is opened first: timers 19 to 23 leave, and with the next ones, in the middle of a chunk, the narrow
 * one begins. Its timers were armed before those. */
static void open_buckets_of_two_widths(void)
{
    queue_open_with_near_at(4290);
    pt_timers_add_(queue, &timers[8], test_at(9000));
    add_to_bucket(23, 9, 19, 4400);
    add_to_bucket(30, 19, 24, 4296);
    add_to_bucket(30, 24, 36, 4400);
    queue->later->finest = 23;
    pt_timers_rebase_(queue, test_at(4290));
    expect_pops(0, NEAR);
    ck_assert_uint_eq(front_count(), 17);
    expect_pops(19, 24);
    ck_assert_uint_eq(queue->heap.count, 0);
    ck_assert_uint_eq(front_count(), 22);
}

START_TEST(equal_deadlines_in_buckets_of_two_widths_leave_in_arming_order)
{
    open_buckets_of_two_widths();
    expect_pops(9, 19);
    expect_pops(24, 36);
    expect_pops(8, 9);
    ck_assert_ptr_null(pt_timers_first_(queue));
    see_that_all_chunks_are_free();
    test_close(&world);
}
END_TEST

/* Also the first, the last, and all of the chunk where the two meet. */
START_TEST(timers_leave_a_front_of_two_buckets)
{
    open_buckets_of_two_widths();
    pt_timers_remove_(queue, &timers[9]);
    for (int i = 24; i < 28; i++)
        pt_timers_remove_(queue, &timers[i]);
    pt_timers_remove_(queue, &timers[35]);
    pt_timers_add_(queue, &timers[24], test_at(4400));
    ck_assert_uint_eq(queue->heap.count, 0);
    expect_pops(10, 19);
    expect_pops(28, 35);
    expect_pops(24, 25);
    expect_pops(8, 9);
    ck_assert_ptr_null(pt_timers_first_(queue));
    see_that_all_chunks_are_free();
    test_close(&world);
}
END_TEST

/* Four far timers were armed first, when there were too few for buckets: they are the front. */
static void open_with_a_front_of_far_timers(void)
{
    queue_open(ROOM);
    for (int i = 0; i < 4; i++)
        pt_timers_add_(queue, &timers[i], test_at(9000));
    pt_timers_add_(queue, &timers[4], test_at(50));
    pt_timers_add_(queue, &timers[5], test_at(60000)); /* the first one makes the buckets narrow */
}

START_TEST(timers_in_no_order_precede_a_front_of_far_ones)
{
    open_with_a_front_of_far_timers();
    for (int i = 8; i < 20; i++)
        add_to_bucket(23, i, i + 1, 93 + i * 5 % 7);
    ck_assert_uint_eq(queue->later->count, 13);
    pt_timers_rebase_(queue, test_at(50));
    expect_pops(4, 5);
    ck_assert_uint_eq(queue->heap.count, 0);
    ck_assert_uint_eq(front_count(), 12 + 4);
    for (int at = 0; at < 7; at++)
        for (int i = 8; i < 20; i++)
            if (i * 5 % 7 == at)
                expect_pops(i, i + 1);
    expect_pops(0, 4);
    expect_pops(5, 6);
    ck_assert_ptr_null(pt_timers_first_(queue));
    see_that_all_chunks_are_free();
    test_close(&world);
}
END_TEST

START_TEST(more_timers_than_can_be_sorted_precede_no_front)
{
    open_with_a_front_of_far_timers();
    for (int i = 70; i >= 8; i--)
        add_to_bucket(23, i, i + 1, 93 + i / 10);
    pt_timers_rebase_(queue, test_at(50));
    expect_pops(4, 5);
    ck_assert_uint_eq(queue->heap.count, 63 + 4);
    for (int at = 0; at <= 7; at++)
        for (int i = 70; i >= 8; i--)
            if (i / 10 == at)
                expect_pops(i, i + 1);
    expect_pops(0, 4);
    expect_pops(5, 6);
    test_close(&world);
}
END_TEST

/* Then the front ends in the middle of a chunk of the narrow bucket. */
START_TEST(of_a_front_of_two_buckets_the_one_behind_leaves)
{
    open_buckets_of_two_widths();
    for (int i = 35; i >= 24; i--)
        pt_timers_remove_(queue, &timers[i]);
    pt_timers_add_(queue, &timers[24], test_at(4399));
    pt_timers_add_(queue, &timers[25], test_at(4400));
    ck_assert_uint_eq(queue->heap.count, 1);
    expect_pops(24, 25);
    expect_pops(9, 19);
    expect_pops(25, 26);
    expect_pops(8, 9);
    see_that_all_chunks_are_free();
    test_close(&world);
}
END_TEST

/* Both begin together, and the wide one is opened first: the timers of the other were armed later. */
START_TEST(a_bucket_that_does_not_precede_the_front_moves_to_the_heap)
{
    queue_open_with_near_at(4200);
    pt_timers_add_(queue, &timers[8], test_at(9000));
    add_to_bucket(23, 9, 10, 4250);
    add_to_bucket(30, 20, 40, 4296);
    add_to_bucket(23, 40, 50, 4296);
    pt_timers_rebase_(queue, test_at(4200));
    expect_pops(0, NEAR);
    ck_assert_uint_eq(queue->heap.count, 0);
    expect_pops(9, 10);
    ck_assert_uint_eq(queue->heap.count, 10);
    expect_pops(20, 50);
    expect_pops(8, 9);
    see_that_all_chunks_are_free();
    test_close(&world);
}
END_TEST

START_TEST(a_bucket_that_becomes_empty_gives_its_chunk_back)
{
    queue_open_with_near();
    for (int i = 0; i < 2 * ROOM; i++) {
        pt_timers_add_(queue, &timers[8], test_at(1000 + i));
        pt_timers_remove_(queue, &timers[8]);
    }
    ck_assert_uint_lt(queue->later->fresh, 3);
    while (pt_timers_first_(queue))
        pt_timers_pop_(queue);
    test_close(&world);
}
END_TEST

/* The buckets that were right for seconds are too wide for microseconds. */
START_TEST(buckets_become_narrow_again)
{
    struct pt_random chance = {1};
    pt_time now = TEST_START;

    queue_open(ROOM);
    queue->later->finest = 50;
    for (int i = 0; i < ROOM; i++)
        pt_timers_add_(queue, &timers[i], (pt_time)(now + 1 + pt_random_below(&chance, PT_MS(1))));
    ck_assert_uint_lt(queue->heap.count, 2000);
    while (pt_timers_first_(queue))
        pt_timers_pop_(queue);
    test_close(&world);
}
END_TEST

/* --- whole loops ------------------------------------------------------------------------------ */

enum { TASKS = 120, EVENTS = 60000 };

/* What happened: a task, and the time since the start. Each task draws from one source of chance, so
 * that a change of order changes everything after it. */
static struct {
    struct pt_random chance;
    uint64_t event[EVENTS];
    unsigned count;
} story;

static void tell(unsigned task, unsigned what, pt_time now)
{
    if (story.count < EVENTS)
        story.event[story.count++] = ((now - TEST_START) << 12 ^ (uint64_t)task << 2) + what;
}

static pt_time draw(uint64_t limit)
{
    return pt_random_below(&story.chance, limit);
}

struct sleeper {
    struct pt pt;
    unsigned number, naps;
    struct pt_scope limit;
};

static PT_ASYNC(sleeper, self)
{
    for (; self->naps; self->naps--) {
        if (draw(2)) {
            PT_WAIT(draw(2) ? PT_MS(draw(50)) : draw(PT_MS(40)));
        } else {
            PT_WITH_TIMEOUT(&self->limit, PT_MS(draw(60))) {
                PT_WAIT(PT_MS(draw(60)));
                PT_WAIT(draw(PT_SEC(1)));
            }
        }
        tell(self->number, pt_timed_out(&self->limit), PT_NOW());
    }
    PT_FINALLY
    PT_WAIT(draw(PT_US(10)));
    tell(self->number, 2, PT_NOW());
}
PT_END

static PT_TASK(sleeper) sleepers[TASKS];

/* Cancels tasks, and starts again those that have ended. */
struct director {
    struct pt pt;
    unsigned rounds;
};

static void direct(unsigned i)
{
    if (pt_task_alive(&sleepers[i].task))
        PT_IF_(PT_CANCEL, pt_cancel(&sleepers[i].task, PT_ECANCELED));
    else
        PT_START(&world.loop, &sleepers[i], sleeper, .number = i, .naps = (unsigned)draw(20));
}

static PT_ASYNC(director, self)
{
    for (; self->rounds; self->rounds--) {
        direct((unsigned)draw(TASKS));
        tell(0, 3, PT_NOW());
        PT_WAIT(draw(PT_MS(1)));
    }
}
PT_END

static PT_TASK(director) director_task;

/* Run everything; with BUCKETS, or on storage that has none. */
static void tell_a_story(uint64_t seed, bool buckets)
{
    static PT_LOOP_STORAGE(TASKS + 8) storage;

    memset(&story, 0, sizeof story);
    story.chance.state = seed;
    test_zero(sleepers);
    test_zero(director_task);
    test_open(&world);
    if (!buckets) {
        world.clock.port.resize = NULL;
        pt_loop_use(&world.loop, &storage);
    }
    PT_START(&world.loop, &director_task, director, .rounds = 3000);
    for (unsigned i = 0; i < TASKS; i++)
        PT_START(&world.loop, &sleepers[i], sleeper, .number = i, .naps = 20);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_int_eq(world.loop.timers.later != NULL, buckets);
    test_close(&world);
}

START_TEST(wakes_cancels_and_timeouts_are_the_same_with_buckets)
{
    static uint64_t events[EVENTS];

    for (uint64_t seed = 1; seed <= 3; seed++) {
        unsigned count;

        tell_a_story(seed, false);
        count = story.count;
        ck_assert_uint_gt(count, 5000);
        ck_assert_uint_lt(count, EVENTS);
        memcpy(events, story.event, sizeof events);
        tell_a_story(seed, true);
        ck_assert_uint_eq(story.count, count);
        ck_assert(!memcmp(events, story.event, sizeof events));
    }
}
END_TEST

/* Of the blocks that a growing loop asks for, each in turn cannot be had. */
START_TEST(without_memory_for_buckets_the_heap_takes_all)
{
    for (int call = 2; call <= 4; call++) {
        test_open(&world);
        queue = &world.loop.timers;
        test_memory.calls = 0;
        test_memory.fail_from = test_memory.fail_to = call;
        ck_assert(pt_loop_grow_timers_(&world.loop, ROOM));
        for (int i = 0; i < ROOM; i++)
            pt_timers_add_(queue, &timers[i], test_at(ROOM - i));
        ck_assert_uint_eq(queue->heap.count, ROOM);
        for (int i = ROOM; i--;)
            ck_assert_int_eq((int)(pt_timers_pop_(queue) - timers), i);
        test_close(&world);
    }
}
END_TEST

#endif

Suite *suite_buckets(void)
{
    Suite *suite = test_suite("buckets");

#if PT_PORT && PT_HAS_BUCKETS_ && PT_TIMEOUTS && PT_CANCEL
    test_add(suite, buckets_agree_with_a_search_for_the_first);
    test_add(suite, the_heap_takes_what_finds_no_chunk);
    test_add(suite, the_epoch_moves_with_timers_in_buckets);
    test_add(suite, a_timer_a_ring_ahead_waits_in_a_wider_bucket);
    test_add(suite, few_timers_are_in_the_heap);
    test_add(suite, buckets_grow_until_they_reach_to_most_timers);
    test_add(suite, timers_of_a_bucket_that_is_too_wide_move_to_narrower_ones);
    test_add(suite, many_timers_of_a_bucket_of_the_grain_move_to_the_heap);
    test_add(suite, the_buckets_grow_if_there_are_no_more_chunks);
    test_add(suite, of_buckets_that_begin_together_the_widest_is_opened_first);
    test_add(suite, the_buckets_do_not_grow_while_one_is_spread);
    test_add(suite, short_timers_are_in_buckets_also_after_a_far_one_was_opened);
    test_add(suite, a_far_timer_that_is_alone_for_a_while_is_in_the_heap);
    test_add(suite, buckets_become_narrow_although_none_is_opened);
    test_add(suite, a_full_bucket_keeps_the_order_of_arming);
    test_add(suite, a_bucket_that_was_opened_is_in_order_whatever_left_it);
    test_add(suite, equal_deadlines_of_an_opened_bucket_leave_in_arming_order);
    test_add(suite, timers_at_an_even_rate_soon_leave_only_from_the_front);
    test_add(suite, timers_of_one_delay_queue_up_in_the_front);
    test_add(suite, timers_of_the_front_that_are_removed_give_their_chunks_back);
    test_add(suite, of_the_front_and_an_opened_bucket_the_shorter_moves_to_the_heap);
    test_add(suite, equal_deadlines_in_buckets_of_two_widths_leave_in_arming_order);
    test_add(suite, timers_leave_a_front_of_two_buckets);
    test_add(suite, timers_in_no_order_precede_a_front_of_far_ones);
    test_add(suite, more_timers_than_can_be_sorted_precede_no_front);
    test_add(suite, of_a_front_of_two_buckets_the_one_behind_leaves);
    test_add(suite, a_bucket_that_does_not_precede_the_front_moves_to_the_heap);
    test_add(suite, a_bucket_that_becomes_empty_gives_its_chunk_back);
    test_add(suite, buckets_become_narrow_again);
    test_add(suite, wakes_cancels_and_timeouts_are_the_same_with_buckets);
    test_add(suite, without_memory_for_buckets_the_heap_takes_all);
#endif
    return suite;
}
