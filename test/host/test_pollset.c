/* test_pollset.c - what a library waits for: its descriptors, and a time
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <stdlib.h>
#include <sys/resource.h>

static struct pt_pollset set;
static int ends[2], more[2];

/* Waits, and writes down what it gets; reads what is there if it is to. */
struct library {
    struct pt pt;
    struct pt_pollset_wait next;
    int times; /* how many reports */
    bool reads;
    bool asks; /* for the time 0 after each report, later than the turn has begun */
};

static PT_ASYNC(library, self)
{
    char byte;

    for (; self->times > 0; self->times--) {
        PT_WAIT_COMPLETE(&self->next, pt_pollset_wait, .set = &set);
        if (self->pt.status != PT_OK) {
            trace_add("%s@%d ", pt_status_name(self->pt.status) + 3, host_ms(PT_NOW()));
            break;
        }
        if (self->next.fd < 0)
            trace_add("time@%d ", host_ms(PT_NOW()));
        else
            trace_add("%c%s%s%s%s%s@%d ", self->next.fd == ends[0] ? 'a' : 'b',
                      self->next.events & POLLIN ? "r" : "", self->next.events & POLLOUT ? "w" : "",
                      self->next.events & POLLERR ? "e" : "",
                      self->next.events & POLLHUP ? "h" : "",
                      self->next.events & POLLNVAL ? "n" : "", host_ms(PT_NOW()));
        if (self->reads && self->next.events & POLLIN)
            ck_assert_int_ge(read(self->next.fd, &byte, 1), 0);
        if (self->asks) {
            host.now += PT_MS(1);
            pt_pollset_after(&set, 0);
        }
    }
}
PT_END

static PT_TASK(library) task;

static void start(int times, bool reads)
{
    ck_assert_int_eq(PT_START(&host.loop, &task, library, .times = times, .reads = reads), PT_OK);
}

static void open_set(int poller)
{
    host_open(host_pollers[poller]);
    host_pair(ends);
    host_pair(more);
    pt_pollset_open(&set, &host.system);
}

static void close_set(void)
{
    pt_pollset_close(&set);
    host_run();
    for (int i = 0; i < 2; i++) {
        close(ends[i]);
        close(more[i]);
    }
    host_close();
}

START_TEST(a_library_gets_the_descriptors_and_the_directions_that_it_wants)
{
    open_set(_i);
    ck_assert_int_eq(pt_pollset_set(&set, ends[0], POLLIN), PT_OK);
    ck_assert_int_eq(pt_pollset_set(&set, more[0], POLLIN | POLLOUT), PT_OK);
    start(1, false);
    host_run();
    ck_assert_trace("bw@0 ");
    ck_assert_int_eq(pt_pollset_set(&set, more[0], POLLIN), PT_OK);
    start(3, true);
    host_run();
    ck_assert_trace("");
    host_put(more[1], "x");
    host_run();
    ck_assert_trace("br@0 ");
    host_put(ends[1], "yz");
    host_run();
    ck_assert_trace("ar@0 ar@0 ");
    close_set();
}
END_TEST

START_TEST(a_descriptor_is_reported_as_long_as_it_is_ready)
{
    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLIN);
    start(3, false);
    host_put(ends[1], "x");
    host_turns(20);
    ck_assert_trace("ar@0 ar@0 ar@0 ");
    start(2, true);
    host_turns(20);
    ck_assert_trace("ar@0 ");
    ck_assert_int_le(host.waits, 5); /* then the loop does not spin */
    close_set();
    ck_assert_trace("ECLOSED@0 ");
}
END_TEST

START_TEST(descriptors_and_the_time_take_turns)
{
    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLOUT);
    pt_pollset_set(&set, more[0], POLLOUT);
    pt_pollset_after(&set, 0);
    start(6, false);
    host_run();
    ck_assert_trace("time@0 aw@0 bw@0 aw@0 bw@0 aw@0 ");
    close_set();
}
END_TEST

/* A library that wants to be called at once, again and again. */
START_TEST(a_time_that_is_always_due_leaves_the_descriptors_their_turn)
{
    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLOUT);
    for (int i = 0; i < 4; i++) {
        pt_pollset_after(&set, 0);
        start(1, false);
        host_run();
    }
    ck_assert_trace("time@0 aw@0 time@0 aw@0 ");
    close_set();
}
END_TEST

/* It is not put off until the next turn, and not due again before the poller has looked. */
START_TEST(a_time_of_0_is_due_in_the_turn_that_runs)
{
    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLOUT);
    ck_assert_int_eq(PT_START(&host.loop, &task, library, .times = 4, .asks = true), PT_OK);
    host_run();
    ck_assert_trace("aw@0 time@0 aw@2 time@2 ");
    close_set();
}
END_TEST

START_TEST(the_time_is_reported_once_and_the_last_one_counts)
{
    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLIN);
    pt_pollset_after(&set, PT_MS(50));
    pt_pollset_after(&set, PT_MS(5));
    start(2, false);
    host_run();
    ck_assert_trace("time@5 ");
    pt_pollset_after(&set, PT_MS(5)); /* while it waits */
    host_run();
    ck_assert_trace("time@10 ");
    pt_pollset_after(&set, PT_MS(5));
    pt_pollset_after(&set, PT_DELAY_NEVER);
    start(1, false);
    host_run();
    ck_assert_trace("");
    close_set();
    ck_assert_trace("ECLOSED@10 ");
}
END_TEST

START_TEST(what_is_wanted_can_change_while_a_task_waits)
{
    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLIN);
    start(1, false);
    host_run();
    host_put(more[1], "x");
    pt_pollset_set(&set, more[0], POLLIN);
    host_run();
    ck_assert_trace("br@0 ");
    start(1, false);
    pt_pollset_set(&set, more[0], 0);
    host_run();
    ck_assert_trace("");
    pt_pollset_set(&set, ends[0], POLLOUT);
    host_run();
    ck_assert_trace("aw@0 ");
    close_set();
}
END_TEST

START_TEST(a_library_that_is_always_called_lets_other_tasks_run)
{
    static actor_task other;

    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLOUT);
    start(100, false);
    host_start(&other, 'O', NULL, "yy");
    host_turns(2);
    ck_assert(strstr(trace_take(), "Oy@0 ") != NULL);
    ck_assert_int_gt(task.frame.times, 0);
    host_run();
    trace_take();
    close_set();
}
END_TEST

START_TEST(the_other_side_s_end_is_reported)
{
    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLIN);
    start(1, false);
    host_run();
    close(ends[1]);
    ends[1] = -1;
    host_run();
    ck_assert_trace(host_is(_i, "kqueue") ? "ar@0 " : "arh@0 "); /* its read filter knows less */
    close_set();
}
END_TEST

START_TEST(an_end_or_an_error_alone_is_reported_whatever_is_wanted)
{
    int input[2], output[2];

    if (host_is(_i, "kqueue")) /* it reports an end as readable */
        return;
    open_set(_i);
    ck_assert_int_eq(pipe(input), 0);
    ck_assert_int_eq(pipe(output), 0);
    pt_pollset_set(&set, input[0], POLLIN);
    start(2, false);
    host_run();
    close(input[1]);
    host_run();
    ck_assert_trace("bh@0 bh@0 ");
    pt_pollset_set(&set, input[0], 0);
    pt_pollset_set(&set, output[1], POLLIN); /* which it never has */
    start(2, false);
    host_run();
    close(output[0]);
    host_turns(20);
    ck_assert(strncmp(trace_take(), "be@0 be@", 8) == 0); /* poll(2) is asked again soon */
    pt_pollset_set(&set, output[1], 0);
    close(input[0]);
    close(output[1]);
    close_set();
}
END_TEST

START_TEST(a_loop_sleeps_although_another_side_has_ended_and_nobody_comes_for_more)
{
    static actor_task other;

    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLOUT);
    pt_pollset_set(&set, more[0], POLLIN);
    close(ends[1]);
    close(more[1]);
    ends[1] = more[1] = -1;
    start(1, false);
    host_run();
    trace_take();
    host.waits = 0;
    host_start(&other, 'O', NULL, "sss");
    host_turns(20);
    ck_assert_trace("Os@5 Os@10 Os@15 ");
    ck_assert_int_le(host.waits, 9);
    start(2, false);
    host_run();
    ck_assert_int_eq(task.frame.times, 0);
    trace_take();
    close_set();
}
END_TEST

START_TEST(several_sets_and_a_pt_io_wait_for_one_descriptor)
{
    static PT_TASK(pt_pollset_wait) wait;
    static struct pt_pollset second;
    static actor_task owner;
    static struct pt_io io;

    open_set(_i);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    pt_pollset_open(&second, &host.system);
    pt_pollset_set(&set, ends[0], POLLIN);
    pt_pollset_set(&second, ends[0], POLLIN);
    start(1, false);
    PT_START(&host.loop, &wait, pt_pollset_wait, .set = &second);
    host_start(&owner, 'O', &io, "R");
    host_run();
    host_put(ends[1], "x");
    host_run();
    ck_assert_int_eq(wait.frame.fd, ends[0]);
    ck_assert_int_eq(wait.frame.events, POLLIN);
    ck_assert(strstr(trace_take(), "ar@0 ") != NULL);
    ck_assert(!pt_task_alive(&owner.task));
    ck_assert_int_eq(pt_io_close(&io), PT_OK); /* its owner closes it */
    start(1, false);
    host_run();
    ck_assert_trace("an@0 ");
    pt_pollset_close(&second);
    ends[0] = dup(more[0]);
    close_set();
}
END_TEST

/* libpq: after a step of its connecting, the socket can be another one with the same number. */
START_TEST(a_number_that_is_another_file_s_by_now_is_seen_when_it_is_set_again)
{
    int old = -1;

    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLIN);
    start(1, false);
    host_run();
    old = ends[1];
    ck_assert_int_eq(dup2(more[0], ends[0]), ends[0]);
    ck_assert_int_eq(pt_pollset_set(&set, ends[0], POLLIN), PT_OK);
    ck_assert_int_eq(read(old, &(char){0}, 1), 0); /* no poll holds the closed file */
    host_run();
    ck_assert_trace("");
    host_put(more[1], "x");
    host_run();
    ck_assert_trace("ar@0 ");
    close_set();
}
END_TEST

START_TEST(what_cannot_be_watched_is_not_in_the_set)
{
    open_set(_i);
    ck_assert_int_eq(pt_pollset_set(&set, 1000, POLLIN), PT_EIO);
    ck_assert_int_eq(set.error, EBADF);
    ck_assert_int_eq(pt_pollset_set(&set, 1000, 0), PT_OK);
    host_fail(HOST_calloc, 0, 1, ENOMEM);
    ck_assert_int_eq(pt_pollset_set(&set, ends[0], POLLIN), PT_ENOMEM);
    host_put(ends[1], "x");
    start(1, false);
    host_run();
    ck_assert_trace("");
    ck_assert_int_eq(pt_pollset_set(&set, ends[0], POLLIN), PT_OK);
    host_run();
    ck_assert_trace("ar@0 ");
    close_set();
}
END_TEST

/* What a library pays: a wait for a report, and nothing besides. */
START_TEST(a_report_costs_one_look_of_the_poller)
{
    enum { ROUNDS = 10 };

    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLIN);
    start(ROUNDS, true);
    host_run();
    memset(host.calls, 0, sizeof host.calls);
    for (int i = 0; i < ROUNDS; i++) {
        host_put(ends[1], "x");
        host_run();
    }
    ck_assert_trace("ar@0 ar@0 ar@0 ar@0 ar@0 ar@0 ar@0 ar@0 ar@0 ar@0 ");
    ck_assert_int_le(host.calls[host_waits_by(_i)], 3 * ROUNDS); /* host_run waits, too */
    if (host_is(_i, "io_uring")) /* the bytes were there before the wait */
        ck_assert_int_le(host.calls[HOST_poll], ROUNDS);
    else if (!host_is(_i, "poll"))
        ck_assert_int_eq(host.calls[HOST_poll], 0);
    if (!host_is(_i, "kqueue")) /* its model makes them */
        ck_assert_int_eq(host.calls[HOST_epoll_ctl], 0);
    memset(host.calls, 0, sizeof host.calls);
    pt_pollset_set(&set, ends[0], POLLIN | POLLOUT);
    if (host_is(_i, "epoll"))
        ck_assert_int_eq(host.calls[HOST_epoll_ctl], 1);
    close_set();
}
END_TEST

START_TEST(a_loop_sleeps_although_a_descriptor_that_nobody_waits_for_is_ready)
{
    static actor_task other;

    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLIN);
    pt_pollset_set(&set, more[0], POLLOUT);
    start(2, false);
    host_put(ends[1], "x");
    host_run();
    ck_assert_int_eq((int)strlen(trace_take()), 10);
    host.waits = 0;
    host_start(&other, 'O', NULL, "sss");
    host_turns(20);
    ck_assert_trace("Os@5 Os@10 Os@15 ");
    ck_assert_int_le(host.waits, 9);
    start(3, true);
    host_run();
    trace_take();
    ck_assert_int_eq(task.frame.times, 0);
    close_set();
}
END_TEST

START_TEST(what_another_has_read_since_is_not_reported)
{
    static actor_task other;
    char byte;

    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLIN);
    start(1, false);
    host_put(ends[1], "x");
    host_run();
    ck_assert_trace("ar@0 ");
    host_start(&other, 'O', NULL, "ss"); /* the poller reports it again meanwhile */
    host_turns(20);
    trace_take();
    ck_assert_int_eq(read(ends[0], &byte, 1), 1);
    start(1, true);
    host_run();
    ck_assert_trace("");
    host_put(ends[1], "y");
    host_run();
    ck_assert_trace("ar@10 ");
    close_set();
}
END_TEST

/* The descriptor can be blocking: a read that finds nothing would stop the loop. */
START_TEST(what_was_read_before_the_poller_was_asked_is_not_reported)
{
    char byte;

    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLIN);
    start(1, true);
    host_run();
    host_put(ends[1], "x");
    ck_assert_int_eq(read(ends[0], &byte, 1), 1);
    host_run();
    ck_assert_trace("");
    host_put(ends[1], "y");
    host_run();
    ck_assert_trace("ar@0 ");
    close_set();
}
END_TEST

START_TEST(a_set_that_is_not_waited_for_holds_up_no_other)
{
    static PT_TASK(pt_pollset_wait) wait;
    static struct pt_pollset second;

    open_set(_i);
    pt_pollset_open(&second, &host.system);
    pt_pollset_set(&second, ends[0], POLLOUT);
    pt_pollset_set(&set, ends[0], POLLIN);
    start(2, true);
    host_run();
    host_put(ends[1], "x");
    host_run();
    host_put(ends[1], "y");
    host_run();
    ck_assert_trace("ar@0 ar@0 ");
    PT_START(&host.loop, &wait, pt_pollset_wait, .set = &second);
    host_run();
    ck_assert_int_eq(wait.frame.events, POLLOUT);
    pt_pollset_close(&second);
    close_set();
}
END_TEST

START_TEST(an_owner_that_comes_before_the_poller_is_asked_changes_nothing_for_a_set)
{
    static struct pt_io io;

    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLIN);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    start(1, true);
    host_put(ends[1], "x");
    host_run();
    ck_assert_trace("ar@0 ");
    pt_pollset_set(&set, ends[0], 0);
    pt_io_release(&io);
    close_set();
}
END_TEST

START_TEST(an_owner_that_comes_later_changes_nothing_for_a_set)
{
    static actor_task owner;
    static struct pt_io io;
    static char full[4096];

    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLIN);
    start(6, true);
    host_run();
    host_put(ends[1], "12");
    host_run();
    ck_assert_trace("ar@0 ar@0 ");
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    host_start(&owner, 'O', &io, "R");
    host_run();
    host_put(ends[1], "34");
    host_run();
    ck_assert(strstr(trace_take(), "ar@0 ") != NULL);
    ck_assert_int_eq(task.frame.times, 2);
    while (write(ends[0], full, sizeof full) > 0) {
    }
    host_start(&owner, 'O', &io, "W"); /* which no set wants */
    host_run();
    while (recv(ends[1], full, sizeof full, MSG_DONTWAIT) > 0) {
    }
    host_run();
    ck_assert_trace("OW@0 ");
    ck_assert_int_eq(pt_io_release(&io), ends[0]);
    host_put(ends[1], "56");
    host_run();
    ck_assert_trace("ar@0 ar@0 ");
    close_set();
}
END_TEST

/* A callback of a library sets what it wants, forgets, closes, and opens again. */
struct changing {
    struct pt pt;
    struct pt_pollset_wait next;
};

static PT_ASYNC(changing, self)
{
    PT_WAIT_COMPLETE(&self->next, pt_pollset_wait, .set = &set);
    trace_add("%c%x ", self->next.fd == ends[0] ? 'a' : 'b', (unsigned)self->next.events);
    pt_pollset_set(&set, ends[0], POLLOUT);
    PT_WAIT_COMPLETE(&self->next, pt_pollset_wait, .set = &set);
    trace_add("%c%x ", self->next.fd == ends[0] ? 'a' : 'b', (unsigned)self->next.events);
    pt_pollset_set(&set, self->next.fd, 0);
    close(self->next.fd);
    ends[0] = dup(more[0]); /* gets the number */
    pt_pollset_set(&set, ends[0], POLLIN);
    PT_WAIT_COMPLETE(&self->next, pt_pollset_wait, .set = &set);
    trace_add("%c%x ", self->next.fd == ends[0] ? 'a' : 'b', (unsigned)self->next.events);
    pt_pollset_close(&set);
    pt_pollset_open(&set, &host.system);
}
PT_END

START_TEST(a_callback_may_change_forget_and_close_what_is_reported)
{
    static PT_TASK(changing) changes;

    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLIN);
    host_put(ends[1], "x");
    PT_START(&host.loop, &changes, changing);
    host_run();
    ck_assert_trace("a1 a4 ");
    host_put(more[1], "x");
    host_run();
    ck_assert_trace("a1 ");
    close_set();
}
END_TEST

/* A copy keeps the file open, and only its number could have taken it out of epoll. */
START_TEST(a_descriptor_that_is_closed_too_early_does_not_keep_the_loop_awake)
{
    static actor_task other;
    int copy = -1;

    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLIN);
    pt_pollset_set(&set, more[0], POLLIN);
    start(2, true);
    host_run();
    copy = dup(ends[0]);
    close(ends[0]);
    pt_pollset_set(&set, ends[0], 0);
    host_put(ends[1], "x");
    host.waits = 0;
    host_start(&other, 'O', NULL, "sss");
    host_turns(20);
    ck_assert_trace("Os@5 Os@10 Os@15 ");
    ck_assert_int_le(host.waits, 9);
    ends[0] = copy;
    ck_assert_int_eq(pt_pollset_set(&set, ends[0], POLLIN), PT_OK);
    host_run();
    ck_assert_trace("ar@15 ");
    host_put(more[1], "x");
    host_run();
    ck_assert_trace("br@15 ");
    close_set();
}
END_TEST

START_TEST(of_a_thousand_ready_descriptors_each_is_reported_before_one_is_twice)
{
    enum { MANY = 1000 };
    static PT_TASK(pt_pollset_wait) wait;
    static int seen[4096], copies[MANY];
    struct rlimit limit;

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max < 4096 ? limit.rlim_max : 4096;
    setrlimit(RLIMIT_NOFILE, &limit);
    memset(seen, 0, sizeof seen);
    open_set(_i);
    host_put(ends[1], "x");
    for (int i = 0; i < MANY; i++) {
        copies[i] = dup(ends[0]);
        ck_assert_int_ge(copies[i], 0);
        ck_assert_int_eq(pt_pollset_set(&set, copies[i], POLLIN), PT_OK);
    }
    for (int i = 0; i < 2 * MANY; i++) {
        PT_START(&host.loop, &wait, pt_pollset_wait, .set = &set);
        host.awaited = &wait.task;
        host_run();
        host.awaited = NULL;
        ck_assert_int_eq(wait.frame.events, POLLIN);
        ck_assert_int_eq(seen[wait.frame.fd]++, i / MANY);
    }
    pt_pollset_close(&set);
    for (int i = 0; i < MANY; i++)
        close(copies[i]);
    close_set();
}
END_TEST

START_TEST(a_file_is_always_ready_and_takes_turns)
{
    char name[] = "/tmp/pt-pollset-XXXXXX";
    int file = mkstemp(name);
    const char *trace;

    open_set(_i);
    unlink(name);
    ck_assert_int_eq(pt_pollset_set(&set, file, POLLIN), PT_OK);
    ck_assert_int_eq(pt_pollset_set(&set, ends[0], POLLIN), PT_OK);
    pt_pollset_after(&set, 0);
    host_put(ends[1], "x");
    host.tick = PT_US(60); /* the poller is asked while there is work, too */
    start(70, false);
    host_run();
    ck_assert_int_eq(task.frame.times, 0);
    trace = trace_take();
    ck_assert_int_eq(strncmp(trace, "time@0 br@0 ", 12), 0);
    ck_assert_ptr_nonnull(strstr(trace, "ar@"));
    ck_assert_int_eq(pt_pollset_set(&set, file, 0), PT_OK);
    close(file);
    close_set();
}
END_TEST

START_TEST(a_cancel_ends_the_wait_and_loses_nothing)
{
    open_set(_i);
    pt_pollset_set(&set, ends[0], POLLIN);
    start(1, false);
    host_run();
    host_put(ends[1], "x");
    host.loop.port->idle(host.loop.port->context, host.now, host.now); /* the event has come */
    pt_cancel(&task.task, PT_ECANCELED);
    host_run();
    ck_assert_trace("");
    start(1, false);
    host_run();
    ck_assert_trace("ar@0 ");
    close_set();
}
END_TEST

Suite *host_suite_pollset(void)
{
    Suite *suite = suite_create("pollset");

    host_test(suite, a_library_gets_the_descriptors_and_the_directions_that_it_wants);
    host_test(suite, a_descriptor_is_reported_as_long_as_it_is_ready);
    host_test(suite, descriptors_and_the_time_take_turns);
    host_test(suite, a_time_that_is_always_due_leaves_the_descriptors_their_turn);
    host_test(suite, a_time_of_0_is_due_in_the_turn_that_runs);
    host_test(suite, the_time_is_reported_once_and_the_last_one_counts);
    host_test(suite, what_is_wanted_can_change_while_a_task_waits);
    host_test(suite, a_library_that_is_always_called_lets_other_tasks_run);
    host_test(suite, the_other_side_s_end_is_reported);
    host_test(suite, an_end_or_an_error_alone_is_reported_whatever_is_wanted);
    host_test(suite, several_sets_and_a_pt_io_wait_for_one_descriptor);
    host_test(suite, a_number_that_is_another_file_s_by_now_is_seen_when_it_is_set_again);
    host_test(suite, what_cannot_be_watched_is_not_in_the_set);
    host_test(suite, a_report_costs_one_look_of_the_poller);
    host_test(suite, a_loop_sleeps_although_a_descriptor_that_nobody_waits_for_is_ready);
    host_test(suite, a_loop_sleeps_although_another_side_has_ended_and_nobody_comes_for_more);
    host_test(suite, what_another_has_read_since_is_not_reported);
    host_test(suite, what_was_read_before_the_poller_was_asked_is_not_reported);
    host_test(suite, a_set_that_is_not_waited_for_holds_up_no_other);
    host_test(suite, an_owner_that_comes_before_the_poller_is_asked_changes_nothing_for_a_set);
    host_test(suite, an_owner_that_comes_later_changes_nothing_for_a_set);
    host_test(suite, a_callback_may_change_forget_and_close_what_is_reported);
    host_test(suite, a_descriptor_that_is_closed_too_early_does_not_keep_the_loop_awake);
    host_test(suite, of_a_thousand_ready_descriptors_each_is_reported_before_one_is_twice);
    host_test(suite, a_file_is_always_ready_and_takes_turns);
    host_test(suite, a_cancel_ends_the_wait_and_loses_nothing);
    return suite;
}
