/* test_cores.c - posts from two cores without atomics: each has a mask of its own, and they share a lock
 * SPDX-License-Identifier: MIT
 *
 * A thread stands for a core. test/explore tries all orders of a few posts of such cores. */
#undef PT_ATOMICS
#define PT_ATOMICS 0
#if !defined(PT_REMOTE) || PT_REMOTE
#define PT_CRITICAL_ENTER() mask()
#define PT_CRITICAL_LEAVE(state) unmask(state)
#define PT_POST_ENTER() lock()
#define PT_POST_LEAVE(state) unlock(state)

static unsigned mask(void);
static void unmask(unsigned state);
static unsigned lock(void);
static void unlock(unsigned state);
#endif

#include "test_talk.h"

#if PT_PORT && PT_REMOTE && PT_CHANNELS

#include <pthread.h>
#include <sched.h>

#if defined(__SANITIZE_THREAD__)
#define RACES_FOUND 1
#elif defined(__has_feature)
#define RACES_FOUND __has_feature(thread_sanitizer)
#else
#define RACES_FOUND 0
#endif

enum { CORES = 2, EACH = 20000 };

static unsigned held;                    /* the lock, a register that all cores share */
static unsigned masks, sections, sleeps; /* of the loop's core, while no other one runs */

static unsigned mask(void)
{
    ck_assert_uint_eq(held, 0);
    return masks++;
}

static void unmask(unsigned state)
{
    ck_assert_uint_eq(masks, state + 1);
}

static unsigned lock(void)
{
    while (__atomic_exchange_n(&held, 1, __ATOMIC_SEQ_CST))
        sched_yield();
    sections++;
    return 1;
}

static void unlock(unsigned state)
{
    __atomic_store_n(&held, state - 1, __ATOMIC_SEQ_CST);
}

static struct pt_remote remote;
static struct pt_mailbox mailbox;
static unsigned long posts;

static void count(struct pt_remote *self, unsigned times)
{
    ck_assert_ptr_eq(self, &remote);
    posts += times;
}

static void open_world(void)
{
    posts = 0;
    masks = sections = sleeps = 0;
    test_open(&world);
    world.loop.port = NULL; /* as on a part: nothing to kick */
    pt_remote_open(&remote, &world.loop, count, NULL);
    pt_mailbox_open(&mailbox, &world.loop);
}

static pt_time board_now(void)
{
    return world.clock.now;
}

static void board_sleep_until(pt_time until)
{
    (void)until;
    ck_assert_uint_eq(masks, sleeps + 1);
    ck_assert_uint_eq(held, 0); /* else another core could never post, and wake this one */
    sleeps++;
}

START_TEST(without_atomics_a_post_takes_the_lock_and_a_sleep_only_masks)
{
    struct pt_mail mail;

    open_world();
    ck_assert_int_eq(pt_remote_post(&remote), PT_OK);
    ck_assert_int_eq(pt_mailbox_post(&mailbox, &mail), PT_OK);
    ck_assert_uint_ge(sections, 2);
    ck_assert_uint_eq(masks, 0);
    turn(0);
    ck_assert_uint_eq(masks, 0);
    sections = 0;
    pt_loop_turn_and_sleep(&world.loop, board_now, board_sleep_until);
    ck_assert_uint_eq(sleeps, 1);
    ck_assert_uint_eq(sections, 0);
    test_close(&world);
}
END_TEST

#if !RACES_FOUND /* a look at a word takes no lock: a processor loads it in one instruction */
static struct pt_mail mails[CORES][EACH];
static int running;

static void *post_each(void *number)
{
    for (int i = 0; i < EACH; i++) {
        pt_remote_post(&remote);
        pt_mailbox_post(&mailbox, &mails[*(int *)number][i]);
    }
    __atomic_sub_fetch(&running, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

START_TEST(posts_of_two_cores_without_atomics_all_arrive)
{
    static int numbers[CORES] = {0, 1};
    pthread_t threads[CORES];
    int letters = 0;

    open_world();
    running = CORES;
    for (int i = 0; i < CORES; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, post_each, &numbers[i]), 0);
    do {
        turn(0);
        while (pt_mailbox_try(&mailbox))
            letters++;
    } while (__atomic_load_n(&running, __ATOMIC_SEQ_CST));
    for (int i = 0; i < CORES; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    turn(0);
    while (pt_mailbox_try(&mailbox))
        letters++;
    ck_assert_uint_eq(posts, (unsigned long)CORES * EACH);
    ck_assert_int_eq(letters, CORES * EACH);
    test_close(&world);
}
END_TEST
#endif

Suite *suite_cores(void)
{
    Suite *suite = test_suite("cores");

    test_add(suite, without_atomics_a_post_takes_the_lock_and_a_sleep_only_masks);
#if !RACES_FOUND
    test_add(suite, posts_of_two_cores_without_atomics_all_arrive);
#endif
    return suite;
}
#else

PT_MAYBE_UNUSED static unsigned mask(void)
{
    return 0;
}

PT_MAYBE_UNUSED static void unmask(unsigned state)
{
    (void)state;
}

PT_MAYBE_UNUSED static unsigned lock(void)
{
    return 0;
}

PT_MAYBE_UNUSED static void unlock(unsigned state)
{
    (void)state;
}

Suite *suite_cores(void)
{
    return test_suite("cores");
}

#endif
