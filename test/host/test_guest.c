/* test_guest.c - a loop as a guest: another loop waits for its descriptor, and calls for its turns
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <limits.h>
#include <poll.h>
#include <pthread.h>

static actor_task a, b;
static struct pt_io io;
static int ends[2], guest_fd;

/* These two have no descriptor. */
static bool is_a_guest(int poller)
{
    return !host_is(poller, "poll") && !host_is(poller, "io_uring");
}

static void open_guest(int poller)
{
    host_open(host_pollers[poller]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    guest_fd = pt_system_fd(&host.system);
    ck_assert_int_ge(guest_fd, 0);
    pt_system_dispatch(&host.system, 9);
}

static void close_guest(void)
{
    pt_io_close(&io);
    host_run();
    close(ends[1]);
    host_close();
}

/* What the other loop does: wait as long as the guest lets it; whether the descriptor is readable.
 * The time passes in the wait. */
static bool wait_for_guest(int timeout)
{
    struct pollfd guest = {guest_fd, POLLIN, 0};

    return poll(&guest, 1, timeout) > 0;
}

static bool is_readable(void)
{
    return wait_for_guest(0);
}

/* The other loop, until no task is alive or nothing can happen any more. */
static void run_guest(void)
{
    host.stuck = false;
    while (pt_system_dispatch(&host.system, 9) && !host.stuck)
        wait_for_guest(pt_system_timeout(&host.system));
}

START_TEST(a_guest_has_its_timers_and_events_as_in_a_loop_of_its_own)
{
    if (!is_a_guest(_i))
        return;
    for (int guest = 0; guest < 2; guest++) {
        open_guest(_i);
        host_start(&a, 'A', &io, "rsrs");
        host_start(&b, 'B', NULL, "ssys");
        host_put(ends[1], "one");
        (guest ? run_guest : host_run)();
        ck_assert_trace("Ar:one@0 As@5 Bs@5 Bs@10 By@10 Bs@15 ");
        host_put(ends[1], "two");
        (guest ? run_guest : host_run)();
        ck_assert_trace("Ar:two@15 As@20 ");
        close_guest();
    }
}
END_TEST

START_TEST(what_becomes_ready_between_dispatches_makes_the_descriptor_readable)
{
    static struct pt_remote remote;

    if (!is_a_guest(_i))
        return;
    open_guest(_i);
    pt_remote_open(&remote, &host.loop, pt_remote_wake, &a.task);
    for (int way = 0; way < 5; way++) {
        if (way > 0) {
            host_start(&a, 'A', &io, "r");
            pt_system_dispatch(&host.system, 9);
        }
        ck_assert(!is_readable());
        if (way == 0)
            host_start(&a, 'A', NULL, "y"); /* a start, a wake by its end, a cancel, a post */
        else if (way == 1)
            host_put(ends[1], "new");
        else if (way == 2)
            pt_cancel(&a.task, PT_ECANCELED);
        else if (way == 3)
            pt_remote_post(&remote);
        else
            pt_io_close(&io);
        ck_assert(is_readable());
        ck_assert(is_readable());
        pt_system_dispatch(&host.system, 9);
        ck_assert(!is_readable()); /* it does not spin */
        if (way == 3)
            pt_cancel(&a.task, PT_ECANCELED);
        pt_system_dispatch(&host.system, 9);
    }
    pt_remote_close(&remote);
    trace_take();
    close_guest();
}
END_TEST

/* A write costs a system call: once between two dispatches, and none for what a dispatch does. */
START_TEST(a_guest_writes_to_its_descriptor_only_for_its_host)
{
    int before;

    if (!is_a_guest(_i))
        return;
    open_guest(_i);
    before = host.calls[HOST_write];
    host_start(&a, 'A', NULL, "sys");
    host_start(&b, 'B', NULL, "s");
    ck_assert_int_eq(host.calls[HOST_write], before + 1);
    pt_system_dispatch(&host.system, 9);
    host.now += PT_MS(5);
    pt_system_dispatch(&host.system, 9);
    ck_assert_trace("As@5 Bs@5 Ay@5 ");
    ck_assert_int_eq(host.calls[HOST_write], before + 1);
    run_guest();
    ck_assert_trace("As@10 ");
    close_guest();
}
END_TEST

/* The first dispatch has not been made yet. */
START_TEST(what_is_ready_before_the_descriptor_is_asked_for_makes_it_readable)
{
    if (!is_a_guest(_i))
        return;
    host_open(host_pollers[_i]);
    host_start(&a, 'A', NULL, "s");
    ck_assert_int_eq(pt_system_timeout(&host.system), 0);
    guest_fd = pt_system_fd(&host.system);
    ck_assert(is_readable());
    ck_assert(pt_system_dispatch(&host.system, 1));
    run_guest();
    ck_assert_trace("As@5 ");
    host_close();
}
END_TEST

/* Between the last turn of a dispatch and the wait, a thread posts. */
static struct pt_remote late;

struct poster {
    struct pt pt;
};

static PT_ASYNC(poster, self)
{
    (void)self;
    pt_remote_post(&late);
}
PT_END

START_TEST(a_post_after_the_last_turn_of_a_dispatch_is_not_lost)
{
    static PT_TASK(poster) task;

    if (!is_a_guest(_i))
        return;
    open_guest(_i);
    pt_remote_open(&late, &host.loop, pt_remote_wake, &a.task);
    host_start(&a, 'A', &io, "r");
    pt_system_dispatch(&host.system, 9);
    (void)PT_START(&host.loop, &task, poster);
    pt_system_dispatch(&host.system, 1); /* it posts in its last step */
    ck_assert_int_eq(pt_system_timeout(&host.system), 0);
    ck_assert(is_readable());
    pt_system_dispatch(&host.system, 9);
    ck_assert(!is_readable());
    pt_remote_post(&late);
    ck_assert(is_readable());
    pt_cancel(&a.task, PT_ECANCELED);
    pt_remote_close(&late);
    close_guest();
}
END_TEST

START_TEST(a_dispatch_makes_at_most_so_many_turns_and_the_rest_stays_readable)
{
    if (!is_a_guest(_i))
        return;
    open_guest(_i);
    host_start(&a, 'A', NULL, "yyyyyyyyy");
    ck_assert(pt_system_dispatch(&host.system, 3));
    ck_assert_trace("Ay@0 Ay@0 ");
    ck_assert(is_readable());
    ck_assert_int_eq(pt_system_timeout(&host.system), 0);
    ck_assert(pt_system_dispatch(&host.system, 4));
    ck_assert_trace("Ay@0 Ay@0 Ay@0 Ay@0 ");
    ck_assert(!pt_system_dispatch(&host.system, 99));
    ck_assert_trace("Ay@0 Ay@0 Ay@0 ");
    ck_assert(!is_readable());
    ck_assert_int_eq(pt_system_timeout(&host.system), -1);
    close_guest();
}
END_TEST

struct sleeper {
    struct pt pt;
    pt_time delay;
};

static PT_ASYNC(sleeper, self)
{
    PT_WAIT(self->delay);
    trace_add("S@%d ", host_ms(PT_NOW()));
}
PT_END

START_TEST(a_timeout_is_rounded_up_and_no_timer_fires_early)
{
    static const struct {
        pt_time delay;
        int timeout;
    } rows[] = {{PT_MS(5), 5}, {PT_MS(5) + 1, 6}, {1, 1}, {PT_SEC(86400) * 30, 86400000}};
    static PT_TASK(sleeper) task;

    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_system_timeout(&host.system), -1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        PT_START(&host.loop, &task, sleeper, .delay = rows[i].delay);
        ck_assert_int_eq(pt_system_timeout(&host.system), 0);
        pt_system_dispatch(&host.system, 9);
        ck_assert_int_eq(pt_system_timeout(&host.system), rows[i].timeout);
        if (i < 3) {
            host.now += rows[i].delay - 1;
            pt_system_dispatch(&host.system, 9);
            ck_assert_trace("");
            ck_assert_int_eq(pt_system_timeout(&host.system), 1);
            host.now++;
            ck_assert_int_eq(pt_system_timeout(&host.system), 0);
            ck_assert(!pt_system_dispatch(&host.system, 9));
            ck_assert_str_ne(trace_take(), "");
        }
    }
    pt_cancel(&task.task, PT_ECANCELED);
    host_run();
    host_close();
}
END_TEST

START_TEST(a_guest_in_slow_motion_asks_for_a_turn_when_its_delay_is_over_and_does_not_spin)
{
    int dispatches = 1;

    if (!is_a_guest(_i))
        return;
    open_guest(_i);
    host_start(&a, 'A', NULL, "yyy");
    pt_loop_slow(&host.loop, PT_MS(50));
    while (pt_system_dispatch(&host.system, 9)) {
        ck_assert(!is_readable());
        wait_for_guest(pt_system_timeout(&host.system));
        dispatches++;
    }
    ck_assert_trace("Ay@50 Ay@100 Ay@150 ");
    ck_assert_int_eq(dispatches, 4);
    close_guest();
}
END_TEST

/* A game needs no descriptor: it makes a few turns for each frame. */
START_TEST(turns_for_each_frame_need_no_descriptor)
{
    host_open(host_pollers[_i]);
    host_start(&a, 'A', NULL, "sys");
    for (int frame = 0; frame < 4; frame++) {
        pt_system_dispatch(&host.system, 2);
        host.now += PT_MS(4);
    }
    ck_assert_trace("As@8 Ay@8 ");
    pt_system_dispatch(&host.system, 2);
    ck_assert_trace("As@16 ");
    host_close();
}
END_TEST

START_TEST(a_poller_without_a_descriptor_says_so)
{
    host_open(host_pollers[_i]);
    errno = 0;
    ck_assert_int_eq(pt_system_fd(&host.system) < 0, !is_a_guest(_i));
    ck_assert_int_eq(errno, is_a_guest(_i) ? 0 : ENOTSUP);
    host_close();
}
END_TEST

START_TEST(a_guest_s_last_tasks_can_end_in_a_loop_of_its_own)
{
    if (!is_a_guest(_i))
        return;
    open_guest(_i);
    host_start(&a, 'A', &io, "r");
    pt_system_dispatch(&host.system, 9);
    pt_loop_cancel(&host.loop, PT_ECANCELED);
    ck_assert_int_eq(pt_loop_run(&host.loop), PT_OK);
    ck_assert(!pt_task_alive(&a.task));
    close_guest();
}
END_TEST

/* The callback of a post: the system is closed in the middle of a turn. */
static void close_system(struct pt_remote *remote, unsigned times)
{
    (void)times;
    pt_remote_close(remote);
    pt_system_close(&host.system);
}

START_TEST(a_callback_may_close_the_system_in_a_dispatch)
{
    static struct pt_remote remote;

    if (!is_a_guest(_i))
        return;
    open_guest(_i);
    pt_io_close(&io);
    pt_remote_open(&remote, &host.loop, close_system, NULL);
    pt_remote_post(&remote);
    ck_assert(!pt_system_dispatch(&host.system, 9));
    ck_assert_ptr_null(host.system.loop);
    close(ends[1]);
    host_close();
}
END_TEST

START_TEST(after_a_run_the_descriptor_is_asked_for_again)
{
    if (!is_a_guest(_i))
        return;
    open_guest(_i);
    pt_system_dispatch(&host.system, 9);
    host_start(&a, 'A', &io, "r");
    pt_loop_cancel(&host.loop, PT_ECANCELED);
    ck_assert_int_eq(pt_loop_run(&host.loop), PT_OK);
    ck_assert_int_eq(pt_system_fd(&host.system), guest_fd);
    host_start(&a, 'A', &io, "r");
    ck_assert(is_readable());
    pt_loop_cancel(&host.loop, PT_ECANCELED);
    ck_assert_int_eq(pt_loop_run(&host.loop), PT_OK);
    close_guest();
}
END_TEST

START_TEST(the_descriptor_stays_the_same)
{
    int fd;

    if (!is_a_guest(_i))
        return;
    open_guest(_i);
    fd = pt_system_fd(&host.system);
    host_start(&a, 'A', &io, "r");
    pt_system_dispatch(&host.system, 9);
    ck_assert_int_eq(pt_system_fd(&host.system), fd);
    ck_assert(!is_readable());
    host_put(ends[1], "new");
    ck_assert(is_readable());
    run_guest();
    ck_assert_trace("Ar:new@0 ");
    close_guest();
}
END_TEST

/* Only a new instance of epoll is rid of it: not at once, if that cannot be made. */
START_TEST(a_guest_sleeps_although_a_file_that_was_closed_too_early_lives_on)
{
    static struct pt_pollset set;
    int other[2] = {-1, -1}, copy = -1;

    if (!is_a_guest(_i))
        return;
    for (int fault = 0; fault < 3; fault++) {
        open_guest(_i);
        host_pair(other);
        pt_pollset_open(&set, &host.system);
        ck_assert_int_eq(pt_pollset_set(&set, other[0], POLLIN), PT_OK);
        pt_system_dispatch(&host.system, 9);
        copy = dup(other[0]);
        close(other[0]);
        host_put(other[1], "x");
        pt_pollset_close(&set);
        if (fault && host_is(_i, "epoll"))
            host_fail(fault == 1 ? HOST_epoll_create1 : HOST_epoll_ctl, fault - 1, 1, ENOMEM);
        for (int i = 0; i < 3 && is_readable(); i++)
            pt_system_dispatch(&host.system, 1);
        ck_assert(!is_readable());
        host_start(&a, 'A', &io, "r"); /* all others are still there */
        ck_assert(is_readable());
        pt_system_dispatch(&host.system, 9);
        ck_assert(!is_readable());
        host_put(ends[1], "new");
        ck_assert(is_readable());
        run_guest();
        ck_assert_trace("Ar:new@0 ");
        close(other[1]);
        close(copy);
        close_guest();
    }
}
END_TEST

START_TEST(a_descriptor_for_another_loop_that_cannot_be_made_is_asked_for_again)
{
    if (!host_is(_i, "epoll"))
        return;
    host_open(host_pollers[_i]);
    host_fail(HOST_epoll_create1, 0, 1, EMFILE);
    ck_assert_int_eq(pt_system_fd(&host.system), -1);
    ck_assert_int_eq(errno, EMFILE);
    host_fail(HOST_epoll_ctl, 0, 1, ENOSPC);
    ck_assert_int_eq(pt_system_fd(&host.system), -1);
    ck_assert_int_eq(errno, ENOSPC);
    guest_fd = pt_system_fd(&host.system);
    host_start(&a, 'A', NULL, "y");
    ck_assert(is_readable());
    run_guest();
    ck_assert_trace("Ay@0 ");
    host_close();
}
END_TEST

/* --- a guest of another loop of pt ------------------------------------------------------------ */

struct hosting {
    struct pt pt;
    struct pt_pollset set;
    struct pt_pollset_wait next;
    struct pt_system *guest;
};

static void wait_at_most(struct pt_pollset *set, int timeout)
{
    pt_pollset_after(set, timeout < 0 ? PT_DELAY_NEVER : PT_MS((pt_time)timeout));
}

static PT_ASYNC(hosting, self)
{
    pt_pollset_set(&self->set, pt_system_fd(self->guest), POLLIN);
    while (pt_system_dispatch(self->guest, 4)) {
        wait_at_most(&self->set, pt_system_timeout(self->guest));
        PT_WAIT_COMPLETE(&self->next, pt_pollset_wait, .set = &self->set);
    }
    PT_FINALLY
    pt_pollset_close(&self->set);
}
PT_END

START_TEST(a_loop_of_pt_is_a_guest_in_another_one)
{
    static PT_TASK(hosting) task;
    static struct pt_system guest;
    static struct pt_loop inner;
    static struct pt_io inner_io;
    static actor_task in;

    if (!is_a_guest(_i))
        return;
    host_open(host_one_of_many(_i));
    host_pair(ends);
    ck_assert_int_eq(pt_system_open(&guest, &inner, host_one_of_many(_i)), PT_OK);
    ck_assert_int_eq(pt_io_open(&inner_io, &guest, ends[0]), PT_OK);
    pt_pollset_open(&task.frame.set, &host.system);
    PT_START(&inner, &in, actor, .name = 'I', .steps = "srys", .io = &inner_io);
    PT_START(&host.loop, &task, hosting, PT_KEEP, .guest = &guest);
    host_start(&a, 'A', NULL, "ss");
    host_run();
    ck_assert_trace("Is@5 As@5 As@10 ");
    host_put(ends[1], "new");
    host_run();
    ck_assert_trace("Ir:new@10 Iy@10 Is@15 ");
    ck_assert(!pt_task_alive(&task.task));
    pt_io_close(&inner_io);
    close(ends[1]);
    pt_system_close(&guest);
    host_close();
}
END_TEST

/* --- posts from threads, with real waits: a post that is lost is waited for without end --------- */

enum { THREADS = 4, POSTS = 2000 };

static struct pt_remote remotes[THREADS];
static unsigned counts[THREADS];
static pthread_barrier_t turns;

static void counted(struct pt_remote *self, unsigned times)
{
    counts[self - remotes] += times;
    pt_wake((struct pt_task *)self->target);
}

static void *post_often(void *argument)
{
    struct pt_remote *remote = argument;

    pthread_barrier_wait(&turns);
    for (int i = 0; i < POSTS; i++)
        pt_remote_post(remote);
    return NULL;
}

struct counting {
    struct pt pt;
    pt_time ticks;
};

static unsigned count_all(void)
{
    unsigned sum = 0;

    for (int i = 0; i < THREADS; i++)
        sum += counts[i];
    return sum;
}

/* Waits for the posts, and now and then for a timer. */
static PT_ASYNC(counting, self)
{
    for (; count_all() < THREADS * POSTS; self->ticks++) {
        if (self->ticks % 8 == 7)
            PT_WAIT(PT_US(50));
        else
            PT_PARK();
    }
}
PT_END

START_TEST(no_post_of_many_threads_is_lost_while_the_other_loop_waits)
{
    static PT_TASK(counting) task;
    pthread_t threads[THREADS];
    bool alive = true;

    if (!is_a_guest(_i))
        return;
    host_open(host_pollers[_i]);
    host.real = true;
    memset(counts, 0, sizeof counts);
    pthread_barrier_init(&turns, NULL, THREADS + 1);
    (void)PT_START(&host.loop, &task, counting);
    for (int i = 0; i < THREADS; i++) {
        pt_remote_open(&remotes[i], &host.loop, counted, &task.task);
        pthread_create(&threads[i], NULL, post_often, &remotes[i]);
    }
    pthread_barrier_wait(&turns);
    guest_fd = pt_system_fd(&host.system);
    while (alive) {
        wait_for_guest(pt_system_timeout(&host.system));
        alive = pt_system_dispatch(&host.system, 2);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        pt_remote_close(&remotes[i]);
        ck_assert_uint_eq(counts[i], POSTS);
    }
    pthread_barrier_destroy(&turns);
    pt_system_close(&host.system);
}
END_TEST

Suite *host_suite_guest(void)
{
    Suite *suite = suite_create("guest");

    host_test(suite, a_guest_has_its_timers_and_events_as_in_a_loop_of_its_own);
    host_test(suite, what_becomes_ready_between_dispatches_makes_the_descriptor_readable);
    host_test(suite, a_guest_writes_to_its_descriptor_only_for_its_host);
    host_test(suite, what_is_ready_before_the_descriptor_is_asked_for_makes_it_readable);
    host_test(suite, a_post_after_the_last_turn_of_a_dispatch_is_not_lost);
    host_test(suite, a_dispatch_makes_at_most_so_many_turns_and_the_rest_stays_readable);
    host_test(suite, a_timeout_is_rounded_up_and_no_timer_fires_early);
    host_test(suite,
              a_guest_in_slow_motion_asks_for_a_turn_when_its_delay_is_over_and_does_not_spin);
    host_test(suite, turns_for_each_frame_need_no_descriptor);
    host_test(suite, a_poller_without_a_descriptor_says_so);
    host_test(suite, a_guest_s_last_tasks_can_end_in_a_loop_of_its_own);
    host_test(suite, a_callback_may_close_the_system_in_a_dispatch);
    host_test(suite, after_a_run_the_descriptor_is_asked_for_again);
    host_test(suite, the_descriptor_stays_the_same);
    host_test(suite, a_guest_sleeps_although_a_file_that_was_closed_too_early_lives_on);
    host_test(suite, a_descriptor_for_another_loop_that_cannot_be_made_is_asked_for_again);
    host_test(suite, a_loop_of_pt_is_a_guest_in_another_one);
    host_test(suite, no_post_of_many_threads_is_lost_while_the_other_loop_waits);
    return suite;
}
