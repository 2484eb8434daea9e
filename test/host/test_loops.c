/* test_loops.c - loops in several threads; how a loop sleeps: slack, and spinning before a sleep
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "host.h"

#include <netinet/in.h>
#include <pthread.h>

/* --- several loops --------------------------------------------------------------------------- */

struct work {
    struct pt_mail mail;
    int number;
    struct pt_mailbox *back;
};

struct half {
    struct pt_system system;
    struct pt_loop loop;
    struct pt_mailbox box;
    const char *poller;
    pthread_t thread;
    int seen;
};

/* Takes each message, adds one, and sends it to the other loop, until its mailbox is closed. */
struct relay {
    struct pt pt;
    struct half *half;
    struct pt_mail *mail;
    int times;
};

static PT_ASYNC(relay, self)
{
    while (self->times--) {
        struct work *work;

        PT_RECV_MAIL(&self->half->box, &self->mail);
        work = (struct work *)(void *)self->mail;
        work->number++;
        self->half->seen++;
        pt_mailbox_post(work->back, self->mail);
    }
}
PT_END

static void *run_half(void *argument)
{
    struct half *half = argument;
    PT_TASK(relay) task;

    memset(&task, 0, sizeof task);
    PT_START(&half->loop, &task, relay, .half = half, .times = 1000);
    pt_loop_run(&half->loop);
    pt_mailbox_close(&half->box);
    return NULL;
}

START_TEST(work_is_posted_from_loop_to_loop_and_back)
{
    static struct half halves[2];
    static struct work works[4];

    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pt_system_open(&halves[i].system, &halves[i].loop, host_one_of_many(_i)),
                         PT_OK);
        pt_mailbox_open(&halves[i].box, &halves[i].loop);
    }
    for (int i = 0; i < 4; i++) {
        works[i].number = 0;
        works[i].back = &halves[i % 2].box;
        pt_mailbox_post(&halves[i % 2].box, &works[i].mail);
    }
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_create(&halves[i].thread, NULL, run_half, &halves[i]), 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(halves[i].thread, NULL);
        ck_assert_int_eq(halves[i].seen, 1000);
        halves[i].seen = 0;
        pt_system_close(&halves[i].system);
    }
    ck_assert_int_eq(works[0].number + works[1].number + works[2].number + works[3].number, 2000);
}
END_TEST

START_TEST(loops_share_a_port_and_each_takes_connections)
{
    struct pt_system systems[2];
    struct pt_loop loops[2];
    struct pt_io listeners[2], second;
    struct sockaddr_in name;
    socklen_t length = sizeof name;

    memset(&name, 0, sizeof name);
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pt_system_open(&systems[i], &loops[i], host_pollers[_i]), PT_OK);
        if (!strcmp(host_pollers[_i], "kqueue") && i)
            break; /* the model allows only one loop */
        ck_assert_int_eq(pt_listen(&listeners[i], &systems[i],
                                   (const struct sockaddr *)(const void *)&name, length, true),
                         PT_OK);
        ck_assert_int_eq(getsockname(listeners[i].fd, (struct sockaddr *)(void *)&name, &length),
                         0);
    }
    ck_assert_int_eq(pt_listen(&second, &systems[0], (const struct sockaddr *)(const void *)&name,
                               length, false),
                     PT_EIO);
    ck_assert_int_eq(second.error, EADDRINUSE);
    for (int i = 0; i < 2; i++) {
        if (i == 0 || strcmp(host_pollers[_i], "kqueue"))
            pt_io_close(&listeners[i]);
        pt_system_close(&systems[i]);
    }
}
END_TEST

/* --- sleeping -------------------------------------------------------------------------------- */

static actor_task a, b;

struct nap {
    struct pt pt;
    pt_time delay;
};

static PT_ASYNC(nap, self)
{
    PT_WAIT(self->delay);
    trace_add("%d", (int)(self->delay / PT_US(100)));
    trace_add("@%d ", (int)((PT_NOW() - HOST_START) / PT_US(100)));
}
PT_END

START_TEST(with_slack_timers_fire_together_and_never_early)
{
    static PT_TASK(nap) naps[4];

    host_open(host_pollers[_i]);
    pt_system_slack(&host.system, PT_MS(4));
    for (int i = 0; i < 4; i++)
        PT_START(&host.loop, &naps[i], nap, .delay = PT_US(2100) + (pt_time)i * PT_US(200));
    host.waits = 0;
    host_run();
    for (const char *told = trace_take(); *told; told = strchr(told, ' ') + 1) {
        int delay, at;

        ck_assert_int_eq(sscanf(told, "%d@%d", &delay, &at), 2);
        ck_assert_int_ge(at, delay);
        ck_assert_int_le(at, delay + 40);
    }
    ck_assert_int_le(host.waits, 2);
    host_close();
}
END_TEST

START_TEST(a_spinning_loop_polls_for_a_while_and_then_sleeps)
{
    host_open(host_pollers[_i]);
    pt_system_spin(&host.system, PT_US(50));
    host.system.spin = PT_US(50); /* even on one processor */
    host.tick = PT_US(1);
    host_start(&a, 'A', NULL, "s");
    host_run();
    ck_assert_trace("As@5 ");
    ck_assert_int_ge(host.waits, 1);
    if (strcmp(host_pollers[_i], "poll"))               /* it counts in milliseconds */
        ck_assert(host.now - HOST_START < PT_US(5040)); /* the spinning did not delay it */
    ck_assert(host.system.patience < PT_US(50));        /* it found nothing */
    host_close();
}
END_TEST

START_TEST(a_loop_that_spun_in_vain_spins_again_after_a_short_sleep)
{
    static PT_TASK(nap) naps[3];

    host_open(host_pollers[_i]);
    PT_START(&host.loop, &naps[0], nap,
             .delay = PT_MS(5)); /* later waits do not report that the wakeup is writable */
    host_run();
    host.system.spin = PT_MS(2);
    host.tick = PT_US(1);
    PT_START(&host.loop, &naps[1], nap, .delay = PT_MS(5));
    host_run();
    ck_assert(host.system.patience == 0);
    PT_START(&host.loop, &naps[2], nap, .delay = PT_MS(1));
    host_run();
    ck_assert(host.system.patience == PT_MS(2));
    trace_take();
    host_close();
}
END_TEST

START_TEST(a_spinning_loop_gets_events_without_a_sleep)
{
    struct pt_io io;
    int ends[2];

    host_open(host_pollers[_i]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    host.system.spin = host.system.patience = PT_US(50);
    host.tick = PT_US(1);
    host_start(&a, 'A', &io, "r");
    host_turns(0);
    host_put(ends[1], "ping");
    host.waits = 0;
    host_turns(2);
    ck_assert_trace("Ar:ping@0 ");
    ck_assert_int_eq(host.waits, 0);
    host_start(&b, 'B', &io, "c");
    host_run();
    close(ends[1]);
    host_close();
}
END_TEST

Suite *host_suite_loops(void)
{
    Suite *suite = suite_create("loops");

    host_test(suite, work_is_posted_from_loop_to_loop_and_back);
    host_test(suite, loops_share_a_port_and_each_takes_connections);
    host_test(suite, with_slack_timers_fire_together_and_never_early);
    host_test(suite, a_spinning_loop_polls_for_a_while_and_then_sleeps);
    host_test(suite, a_loop_that_spun_in_vain_spins_again_after_a_short_sleep);
    host_test(suite, a_spinning_loop_gets_events_without_a_sleep);
    return suite;
}
