/* test_team.c - loops in threads: they run together, pass on work, share a port, and end
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "host.h"

#include <pt/host/team.h>

#include <netinet/in.h>
#include <semaphore.h>
#include <sys/socket.h>

enum { COUNT = 3 };

static struct pt_team team;

static void open_team(int which)
{
    ck_assert_int_eq(pt_team_open(&team, COUNT, host_one_of_many(which)), PT_OK);
    ck_assert_uint_eq(team.count, COUNT);
}

/* Passes each message to the next hand, until it has seen enough. */
struct hand {
    struct pt pt;
    struct pt_mailbox box, *next;
    struct pt_mail *mail;
    int times;
    pthread_t thread;
};

static int begun;
static sem_t all_begun;

static PT_ASYNC(hand, self)
{
    self->thread = pthread_self();
    if (__atomic_add_fetch(&begun, 1, __ATOMIC_SEQ_CST) == COUNT)
        sem_post(&all_begun);
    while (self->times--) {
        PT_RECV_MAIL(&self->box, &self->mail);
        if (self->next)
            pt_mailbox_post(self->next, self->mail);
    }
    PT_FINALLY
    pt_mailbox_close(&self->box);
}
PT_END

static PT_TASK(hand) hands[COUNT];

static void start_hands(int times)
{
    begun = 0;
    ck_assert_int_eq(sem_init(&all_begun, 0, 0), 0);
    for (int i = 0; i < COUNT; i++) {
        struct pt_member *member = &team.members[i];

        PT_START(&member->loop, &hands[i], hand, .next = &hands[(i + 1) % COUNT].frame.box,
                 .times = times);
        pt_mailbox_open(&hands[i].frame.box, &member->loop);
    }
}

START_TEST(work_is_posted_around_a_team_from_thread_to_thread)
{
    static struct pt_mail baton;

    open_team(_i);
    start_hands(1000);
    pt_mailbox_post(&hands[0].frame.box, &baton);
    ck_assert_int_eq(pt_team_run(&team), PT_OK);
    for (int i = 0; i < COUNT; i++) {
        ck_assert_int_eq(pt_task_status(&hands[i].task), PT_OK);
        ck_assert_int_eq(hands[i].frame.times, -1);
        ck_assert(!pthread_equal(hands[i].frame.thread, hands[(i + 1) % COUNT].frame.thread));
    }
    ck_assert(pthread_equal(hands[0].frame.thread, pthread_self()));
    pt_team_close(&team);
}
END_TEST

static void *halt(void *nothing)
{
    sem_wait(&all_begun);
    pt_team_halt(&team);
    return nothing;
}

START_TEST(any_thread_can_halt_a_team_that_waits_forever)
{
    struct pt_mail late;
    pthread_t thread;
    int before = host_descriptors();

    open_team(_i);
    start_hands(1);
    ck_assert_int_eq(pthread_create(&thread, NULL, halt, NULL), 0);
    ck_assert_int_eq(pt_team_run(&team), PT_OK);
    pthread_join(thread, NULL);
    for (int i = 0; i < COUNT; i++) {
        ck_assert_int_eq(pt_task_status(&hands[i].task), PT_ECANCELED);
        ck_assert_int_eq(pt_mailbox_post(&hands[i].frame.box, &late), PT_ECLOSED);
        ck_assert_int_eq(pt_remote_post(&team.members[i].halt), PT_ECLOSED);
    }
    pt_team_close(&team);
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

/* Waits for a post, as a call in another thread does. */
struct late {
    struct pt pt;
    struct pt_remote again;
    pt_status posted;
};

static PT_ASYNC(late, self)
{
    self->posted = pt_remote_post(&self->again);
    if (self->posted == PT_OK)
        PT_PARK();
}
PT_END

static PT_TASK(late) last;

static void start_last(struct pt_remote *self, unsigned times)
{
    (void)times;
    PT_START(self->loop, &last, late, PT_KEEP, .posted = PT_EINVAL);
}

struct parting {
    struct pt pt;
    struct pt_remote *post;
};

static PT_ASYNC(parting, self)
{
    pt_remote_post(self->post);
}
PT_END

START_TEST(what_the_last_post_of_a_loop_starts_can_wait_for_posts)
{
    static PT_TASK(parting) first;
    struct pt_remote post;

    open_team(_i);
    pt_remote_open(&post, &team.members[1].loop, start_last, NULL);
    pt_remote_open(&last.frame.again, &team.members[1].loop, pt_remote_wake, &last.task);
    PT_START(&team.members[1].loop, &first, parting, .post = &post);
    ck_assert_int_eq(pt_team_run(&team), PT_OK);
    ck_assert_int_eq(last.frame.posted, PT_OK);
    ck_assert(pt_task_done(&last.task));
    ck_assert_int_eq(pt_remote_post(&post), PT_ECLOSED);
    ck_assert_int_eq(pt_team_run(&team), PT_OK); /* nothing is left to run */
    pt_team_close(&team);
}
END_TEST

/* --- a shared port --------------------------------------------------------------------------- */

enum { CLIENTS = 64 };

/* Accepts connections; the task that accepts the last one of all ends the team. */
struct taker {
    struct pt pt;
    struct pt_io listener, peer;
    int taken;
};

static int all_taken;

static PT_ASYNC(taker, self)
{
    for (;;) {
        PT_ACCEPT(&self->listener, &self->peer);
        pt_io_close(&self->peer);
        self->taken++;
        if (__atomic_add_fetch(&all_taken, 1, __ATOMIC_SEQ_CST) == CLIENTS)
            pt_team_halt(&team);
    }
    PT_FINALLY
    pt_io_close(&self->listener);
}
PT_END

static PT_TASK(taker) takers[COUNT];

START_TEST(a_team_shares_the_connections_of_a_port)
{
    struct sockaddr_in name;
    socklen_t length = sizeof name;
    int clients[CLIENTS], busy = 0;

    open_team(_i);
    all_taken = 0;
    memset(&name, 0, sizeof name);
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0; i < COUNT; i++) {
        struct pt_io *io = &takers[i].frame.listener;

        PT_START(&team.members[i].loop, &takers[i], taker, PT_KEEP, .taken = 0);
        ck_assert_int_eq(
            pt_listen(io, &team.members[i].system, (struct sockaddr *)(void *)&name, length, true),
            PT_OK);
        ck_assert_int_eq(getsockname(io->fd, (struct sockaddr *)(void *)&name, &length), 0);
    }
    for (int i = 0; i < CLIENTS; i++) {
        clients[i] = socket(AF_INET, SOCK_STREAM, 0);
        ck_assert_int_eq(connect(clients[i], (struct sockaddr *)(void *)&name, length), 0);
    }
    ck_assert_int_eq(pt_team_run(&team), PT_OK);
    for (int i = 0; i < COUNT; i++)
        busy += takers[i].frame.taken > 0;
    ck_assert_int_eq(all_taken, CLIENTS);
    ck_assert_int_gt(busy, 1);
    for (int i = 0; i < CLIENTS; i++)
        close(clients[i]);
    pt_team_close(&team);
}
END_TEST

/* --- errors of the system -------------------------------------------------------------------- */

START_TEST(a_team_without_enough_threads_does_not_run_and_returns_an_error)
{
    open_team(_i);
    start_hands(0);
    for (int enough = 0; enough < COUNT - 1; enough++) {
        host_fail(HOST_pthread_create, enough, 1, EAGAIN);
        ck_assert_int_eq(pt_team_run(&team), PT_EIO);
        ck_assert_int_eq(errno, EAGAIN);
        for (int i = 0; i < COUNT; i++)
            ck_assert(pt_task_alive(&hands[i].task));
    }
    host.real = true;
    ck_assert_int_eq(pt_team_run(&team), PT_OK); /* now there are enough */
    pt_team_close(&team);
}
END_TEST

START_TEST(a_team_that_fails_to_open_returns_the_reason_and_leaks_nothing)
{
    int before = host_descriptors();

    ck_assert_int_eq(pt_team_open(&team, COUNT, "select"), PT_EINVAL);
    host_fail(HOST_calloc, 0, 1, ENOMEM);
    ck_assert_int_eq(pt_team_open(&team, COUNT, host_one_of_many(_i)), PT_ENOMEM);
    host_fail(host_adds_by(_i), 2, 1, ENOMEM);
    ck_assert_int_eq(pt_team_open(&team, COUNT, host_one_of_many(_i)), PT_ENOMEM);
    host.real = true;
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(a_team_has_as_many_loops_as_there_are_processors)
{
    ck_assert_int_eq(pt_team_open(&team, 0, host_one_of_many(_i)), PT_OK);
    ck_assert_uint_eq(team.count, (unsigned)sysconf(_SC_NPROCESSORS_ONLN));
    ck_assert_int_eq(pt_team_run(&team), PT_OK); /* without a task it returns at once */
    pt_team_close(&team);
}
END_TEST

Suite *host_suite_team(void)
{
    Suite *suite = suite_create("team");

    host_test(suite, work_is_posted_around_a_team_from_thread_to_thread);
    host_test(suite, any_thread_can_halt_a_team_that_waits_forever);
    host_test(suite, what_the_last_post_of_a_loop_starts_can_wait_for_posts);
    host_test(suite, a_team_shares_the_connections_of_a_port);
    host_test(suite, a_team_without_enough_threads_does_not_run_and_returns_an_error);
    host_test(suite, a_team_that_fails_to_open_returns_the_reason_and_leaks_nothing);
    host_test(suite, a_team_has_as_many_loops_as_there_are_processors);
    return suite;
}
