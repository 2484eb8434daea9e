/* test_posters.h - a loop that threads post to while it runs
 * SPDX-License-Identifier: MIT */
#ifndef TEST_POSTERS_H
#define TEST_POSTERS_H

#define PT_THREADS /* pt_single.h includes threads.h, too */
#include "pt_test.h"

#if PT_REMOTE && PT_CHANNELS && PT_CANCEL && PT_PAUSE && PT_PORT

#include <pt/threads.h>
#include <sched.h>

enum { POSTERS = 4, EACH = 500 };

static struct pt_shared shared;
static struct pt_loop loop;
static struct pt_remote remotes[POSTERS];
static struct pt_semaphore units;
static pthread_t threads[POSTERS];

static void open_loop(void)
{
    ck_assert_int_eq(pt_shared_open(&shared, &loop), PT_OK);
    pt_semaphore_init(&units, 0, UINT_MAX);
}

/* Starts the threads in a turn, so that the loop is running when they post. */
struct starter {
    struct pt pt;
    int count;
    void *(*post)(void *);
};

static PT_ASYNC(starter, self)
{
    static int numbers[] = {0, 1, 2, 3};

    for (int i = 0; i < self->count; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, self->post, &numbers[i]), 0);
}
PT_END

/* Run the loop while each of COUNT threads calls POST with its number. */
static void run_with(int count, void *(*post)(void *))
{
    static PT_TASK(starter) starter_task;

    test_zero(starter_task);
    PT_START(&loop, &starter_task, starter, .count = count, .post = post);
    ck_assert_int_eq(pt_shared_run(&shared), PT_OK);
}

static void join(int count)
{
    for (int i = 0; i < count; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}

static void run_to_the_end(int count, void *(*post)(void *))
{
    run_with(count, post);
    join(count);
    pt_shared_close(&shared);
}

/* Takes `wanted` units. */
struct taker {
    struct pt pt;
    int wanted;
};

static PT_ASYNC(taker, self)
{
    for (; self->wanted; self->wanted--)
        PT_ACQUIRE(&units);
}
PT_END

static PT_TASK(taker) taker_task;

static void start_taker(int wanted)
{
    test_zero(taker_task);
    ck_assert_int_eq(PT_START(&loop, &taker_task, taker, .wanted = wanted), PT_OK);
}

#endif
#endif
