/* test_fair.c - ready tasks, timers and descriptors share a loop: none of them starves
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <pt/host/stream.h>

static actor_task a, b;
static struct pt_io io;
static int ends[2];

/* Reads an endless file, and never waits. */
struct greedy {
    struct pt pt;
    struct pt_io io;
    struct pt_scope limit;
    int reads, most;
    size_t got;
    char data[16];
};

static PT_ASYNC(greedy, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(20)) {
        for (; self->reads < self->most; self->reads++)
            PT_READ(&self->io, self->data, sizeof self->data, &self->got);
    }
    trace_add("greedy:%d@%d ", pt_timed_out(&self->limit), host_ms(PT_NOW()));
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

static PT_TASK(greedy) greedy;

static void start_greedy(int most)
{
    ck_assert_int_eq(pt_io_open(&greedy.frame.io, &host.system, open("/dev/zero", O_RDONLY)),
                     PT_OK);
    ck_assert_int_eq(PT_START(&host.loop, &greedy, greedy, PT_KEEP, .reads = 0, .most = most),
                     PT_OK);
}

/* Runs in each turn until it is stopped, and counts the reads of the greedy task. */
struct witness {
    struct pt pt;
    int longest, last;
    bool over;
};

static PT_ASYNC(witness, self)
{
    for (; pt_task_alive(&greedy.task) && !self->over; self->last = greedy.frame.reads) {
        PT_YIELD();
        if (greedy.frame.reads - self->last > self->longest)
            self->longest = greedy.frame.reads - self->last;
    }
}
PT_END

static PT_TASK(witness) witness;

START_TEST(a_task_that_always_has_data_lets_the_others_run)
{
    host_open(host_pollers[_i]);
    PT_START(&host.loop, &witness, witness);
    start_greedy(1000);
    host_run();
    ck_assert_int_gt(witness.frame.longest, 0);
    ck_assert_int_le(witness.frame.longest, 32);
    host_close();
}
END_TEST

START_TEST(the_timeout_of_a_busy_task_fires)
{
    host_open(host_pollers[_i]);
    host.tick = PT_MS(1);
    start_greedy(1000000);
    host_run();
    ck_assert_trace("greedy:1@23 ");
    host_close();
}
END_TEST

/* A host with task A, which reads, and a ping for it. */
static void open_with_ping(const char *poller)
{
    host_open(poller);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    host_start(&a, 'A', &io, "r");
    host_run();
    host_put(ends[1], "ping");
}

static void close_with_ping(void)
{
    trace_take();
    pt_io_close(&io);
    close(ends[1]);
    host_close();
}

START_TEST(busy_tasks_do_not_starve_descriptors)
{
    open_with_ping(host_pollers[_i]);
    start_greedy(1000000);
    PT_START(&host.loop, &witness, witness);
    host.tick = PT_US(1);
    host_turns(60);
    ck_assert_trace("Ar:ping@0 ");
    pt_cancel(&greedy.task, PT_ECANCELED);
    host_run();
    close_with_ping();
}
END_TEST

/* Runs until the other task is done; each of its steps takes a millisecond. */
struct burner {
    struct pt pt;
    int steps;
};

static PT_ASYNC(burner, self)
{
    for (self->steps = 0; pt_task_alive(&a.task); self->steps++) {
        host.now += PT_MS(1);
        PT_YIELD();
    }
}
PT_END

static PT_TASK(burner) burner;

START_TEST(after_a_long_step_the_poller_is_asked)
{
    open_with_ping(host_pollers[_i]);
    PT_START(&host.loop, &burner, burner);
    ck_assert_int_eq(pt_loop_run(&host.loop), PT_OK);
    ck_assert_int_le(burner.frame.steps, 3);
    close_with_ping();
}
END_TEST

/* A callback that posts its remote again. */
static void again(struct pt_remote *self, unsigned times)
{
    (void)times;
    if (!*(bool *)self->target)
        pt_remote_post(self);
}

START_TEST(endless_posts_do_not_starve_descriptors)
{
    struct pt_remote remote;
    bool over = false;

    host_open(host_pollers[_i]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    host_start(&a, 'A', &io, "r");
    host_run();
    pt_remote_open(&remote, &host.loop, again, &over);
    pt_remote_post(&remote);
    host_put(ends[1], "ping");
    host.tick = PT_US(1);
    host_turns(60);
    ck_assert_trace("Ar:ping@0 ");
    over = true;
    pt_remote_close(&remote);
    pt_io_close(&io);
    close(ends[1]);
    host_close();
}
END_TEST

START_TEST(busy_descriptors_do_not_starve_timers)
{
    host_open(host_pollers[_i]);
    host.tick = PT_US(100);
    start_greedy(1000000);
    host_start(&a, 'A', NULL, "ss");
    host_turns(300);
    ck_assert_trace("As@5 As@10 greedy:1@20 ");
    host_run();
    host_close();
}
END_TEST

START_TEST(an_idle_loop_calls_the_poller_once_for_each_event)
{
    host_open(host_pollers[_i]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    host_start(&a, 'A', &io, "rrrr");
    host_start(&b, 'B', NULL, "s");
    host_run();
    host.waits = 0;
    for (int i = 0; i < 3; i++) {
        host_put(ends[1], "x");
        host_run();
    }
    ck_assert_int_eq(host.waits, 3); /* the last one of each finds nothing */
    pt_io_close(&io);
    host_run();
    close(ends[1]);
    host_close();
}
END_TEST

/* Reads lines that are all in the buffer, and counts them. */
struct liner {
    struct pt pt;
    struct pt_reader in;
    struct pt_read_line line;
    uint8_t share;
    int count;
    char room[1024];
};

static PT_ASYNC(liner, self)
{
    pt_reader_init(&self->in, pt_io_stream(&io), self->room, sizeof self->room);
    self->in.share = self->share;
    do {
        PT_WAIT_COMPLETE(&self->line, pt_read_line, .reader = &self->in);
        self->count += self->pt.status == PT_OK;
    } while (self->pt.status == PT_OK);
}
PT_END

static PT_TASK(liner) liner;

START_TEST(a_reader_of_buffered_lines_yields_as_often_as_configured)
{
    static const int shares[] = {32, 4, 0, UINT8_MAX};
    static const int most[] = {32, 4, 1, 430}; /* all that there is */
    char newlines[431];

    memset(newlines, '\n', 430);
    newlines[430] = '\0';
    for (int i = 0; i < 4; i++) {
        int longest = 0, last = 0;

        host_open(host_pollers[_i]);
        host_pair(ends);
        ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
        host_put(ends[1], newlines);
        close(ends[1]);
        PT_START(&host.loop, &liner, liner, .share = (uint8_t)shares[i]);
        for (int turns = 0; pt_task_alive(&liner.task) && turns < 1000; turns++) {
            host_turns(1);
            if (liner.frame.count - last > longest)
                longest = liner.frame.count - last;
            last = liner.frame.count;
        }
        ck_assert_int_eq(liner.frame.count, 430);
        ck_assert_int_eq(longest, most[i]);
        pt_io_close(&io);
        host_close();
    }
}
END_TEST

Suite *host_suite_fair(void)
{
    Suite *suite = suite_create("fair");

    host_test(suite, a_task_that_always_has_data_lets_the_others_run);
    host_test(suite, the_timeout_of_a_busy_task_fires);
    host_test(suite, busy_tasks_do_not_starve_descriptors);
    host_test(suite, after_a_long_step_the_poller_is_asked);
    host_test(suite, endless_posts_do_not_starve_descriptors);
    host_test(suite, busy_descriptors_do_not_starve_timers);
    host_test(suite, an_idle_loop_calls_the_poller_once_for_each_event);
    host_test(suite, a_reader_of_buffered_lines_yields_as_often_as_configured);
    return suite;
}
