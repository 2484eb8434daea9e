/* test_accept.c - accepting connections, and the failures of accept
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <netinet/in.h>
#include <sys/resource.h>

static struct pt_io io;

/* An unused abstract Unix address. */
static struct sockaddr_un address(void)
{
    struct sockaddr_un name;

    memset(&name, 0, sizeof name);
    name.sun_family = AF_UNIX;
    snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "pt-host-%d", (int)getpid());
    return name;
}

static void listen_at(struct pt_io *listener, const struct sockaddr_un *name)
{
    ck_assert_int_eq(pt_listen(listener, &host.system, (const struct sockaddr *)(const void *)name,
                               sizeof *name, false),
                     PT_OK);
}

static int connect_to(const struct sockaddr_un *name)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    ck_assert_int_eq(connect(fd, (const struct sockaddr *)(const void *)name, sizeof *name), 0);
    return fd;
}

/* Accepts one connection. */
struct taker {
    struct pt pt;
    struct pt_io *from, peer;
    bool keep;
};

static PT_ASYNC(taker, self)
{
    PT_ACCEPT(self->from, &self->peer);
    trace_add("accept:%s@%d ", pt_status_name(self->pt.status) + 3, host_ms(PT_NOW()));
    if (!self->keep)
        pt_io_close(&self->peer);
}
PT_END

static PT_TASK(taker) taker;

/* Check that accept succeeds at the time MS, after TIMES failures of CALL with ERROR. */
static void accept_after(int poller, enum host_call call, int error, int times, int ms)
{
    struct sockaddr_un name = address();
    char told[32];
    int fd;

    snprintf(told, sizeof told, "accept:OK@%d ", ms);
    host_open(host_pollers[poller]);
    listen_at(&io, &name);
    fd = connect_to(&name);
    host_fail(call, 0, times, error);
    PT_START(&host.loop, &taker, taker, .from = &io);
    host_run();
    ck_assert_trace(told);
    ck_assert_int_eq(host.calls[HOST_accept], call == HOST_accept ? times + 1 : 1);
    ck_assert_int_le(host.waits, times + 1); /* it did not spin */
    ck_assert_uint_eq(host.system.refused, (unsigned)ms / 10);
    close(fd);
    pt_io_close(&io);
    host_close();
}

START_TEST(an_accept_without_descriptors_waits_and_recovers)
{
    accept_after(_i, HOST_accept, EMFILE, 50, 500);
    accept_after(_i, HOST_accept, ENFILE, 2, 20);
    accept_after(_i, HOST_accept, ENOBUFS, 1, 10);
    accept_after(_i, HOST_accept, ENOMEM, 1, 10);
}
END_TEST

START_TEST(a_connection_that_closes_before_it_is_accepted_is_skipped)
{
    accept_after(_i, HOST_accept, ECONNABORTED, 3, 0);
    accept_after(_i, HOST_accept, EPROTO, 1, 0);
    accept_after(_i, HOST_accept, ETIMEDOUT, 1, 0);
#ifdef ENONET
    accept_after(_i, HOST_accept, ENONET, 1, 0);
#endif
    accept_after(_i, HOST_accept, EINTR, 3, 0);
}
END_TEST

START_TEST(an_accepted_connection_waits_while_the_poller_has_no_room_for_it)
{
    if (host_is(_i, "epoll") || host_is(_i, "io_uring"))
        accept_after(_i, host_adds_by(_i), ENOSPC, 5, 50);
}
END_TEST

/* Accepts one connection, in 15 ms; then waits until there is another one. */
struct hasty {
    struct pt pt;
    struct pt_io peer;
    struct pt_scope limit;
};

static PT_ASYNC(hasty, self)
{
    memset(&self->peer, 0xff, sizeof self->peer);
    PT_WITH_TIMEOUT(&self->limit, PT_MS(15))
        PT_ACCEPT(&io, &self->peer);
    trace_add("%s@%d ", pt_timed_out(&self->limit) ? "late" : "in time", host_ms(PT_NOW()));
    PT_WAIT_READABLE(&io);
    trace_add("readable@%d ", host_ms(PT_NOW()));
}
PT_END

START_TEST(a_connection_without_room_outlives_a_timeout_and_ends_with_its_listener)
{
    static PT_TASK(hasty) hasty;
    struct sockaddr_un name = address();
    int before = host_descriptors(), fd;
    char byte;

    if (!host_is(_i, "epoll") && !host_is(_i, "io_uring"))
        return;
    for (int round = 0; round < 2; round++) {
        host_open(host_pollers[_i]);
        listen_at(&io, &name);
        fd = connect_to(&name);
        host_fail(host_adds_by(_i), 0, round ? -1 : 3, ENOSPC);
        PT_START(&host.loop, &hasty, hasty);
        host_run();
        ck_assert_trace("late@15 readable@15 ");
        ck_assert_ptr_null(hasty.frame.peer.system); /* there is nothing to close */
        if (round == 0) {
            PT_START(&host.loop, &taker, taker, .from = &io);
            host_run();
            ck_assert_trace("accept:OK@25 ");
        }
        ck_assert_int_eq(host.calls[HOST_accept], 1);
        pt_io_close(&io);
        ck_assert_int_eq(read(fd, &byte, 1), 0); /* its other side is closed */
        close(fd);
        host.fault.times = 0;
        host_close();
    }
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(an_accept_on_a_descriptor_that_does_not_listen_fails)
{
    int ends[2];

    host_open(host_pollers[_i]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    PT_START(&host.loop, &taker, taker, .from = &io);
    host_run();
    ck_assert_trace("accept:EIO@0 ");
    ck_assert_int_eq(io.error, EINVAL);
    pt_io_close(&io);
    close(ends[1]);
    host_close();
}
END_TEST

static void check_flags(int fd)
{
    ck_assert_int_ne(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
    ck_assert_int_ne(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
}

/* Accepts one connection, and inspects it. */
struct looker {
    struct pt pt;
    struct pt_io peer;
};

static PT_ASYNC(looker, self)
{
    PT_ACCEPT(&io, &self->peer);
    check_flags(io.fd);
    check_flags(self->peer.fd);
    pt_io_close(&self->peer);
}
PT_END

START_TEST(created_and_accepted_sockets_do_not_block_and_no_child_inherits_them)
{
    static PT_TASK(looker) looker;
    struct sockaddr_un name = address();
    int fd;

    host_open(host_pollers[_i]);
    listen_at(&io, &name);
    fd = connect_to(&name);
    PT_START(&host.loop, &looker, looker);
    host_run();
    ck_assert(!pt_task_alive(&looker.task));
    close(fd);
    pt_io_close(&io);
    host_close();
}
END_TEST

/* Closes a descriptor that it held in reserve. */
struct giver {
    struct pt pt;
    int spare;
};

static PT_ASYNC(giver, self)
{
    PT_WAIT(PT_MS(95));
    close(self->spare);
}
PT_END

START_TEST(connections_are_accepted_again_when_descriptors_are_free_again)
{
    static PT_TASK(giver) giver;
    struct sockaddr_un name = address();
    struct rlimit limit;
    int fd, spare;

    host_open(host_pollers[_i]);
    listen_at(&io, &name);
    fd = connect_to(&name);
    spare = dup(fd);
    limit.rlim_cur = limit.rlim_max = (rlim_t)spare + 1;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    PT_START(&host.loop, &taker, taker, .from = &io);
    PT_START(&host.loop, &giver, giver, .spare = spare);
    host_run();
    ck_assert_trace("accept:OK@100 ");
    ck_assert_int_eq(host.calls[HOST_accept], 11);
    ck_assert_int_le(host.waits, 11);
    close(fd);
    pt_io_close(&io);
    host_close();
}
END_TEST

START_TEST(an_accepted_connection_costs_one_read_for_each_request)
{
    struct taker *self = &taker.frame;
    static actor_task reader;
    struct sockaddr_in name;
    socklen_t length = sizeof name;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    host_open(host_pollers[_i]);
    memset(&name, 0, sizeof name);
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ck_assert_int_eq(pt_listen(&io, &host.system, (struct sockaddr *)(void *)&name, length, false),
                     PT_OK);
    ck_assert_int_eq(getsockname(io.fd, (struct sockaddr *)(void *)&name, &length), 0);
    ck_assert_int_eq(connect(fd, (struct sockaddr *)(void *)&name, length), 0);
    PT_START(&host.loop, &taker, taker, .from = &io, .keep = true);
    host_run();
    ck_assert_trace("accept:OK@0 ");
    host_start(&reader, 'A', &self->peer, "rr");
    host_run();
    memset(host.calls, 0, sizeof host.calls);
    host_put(fd, "ping");
    host_run();
    ck_assert_trace("Ar:ping@0 ");
    ck_assert_int_eq(host.calls[HOST_read], 1);
    close(fd);
    pt_io_close(&self->peer);
    pt_io_close(&io);
    host_run();
    host_close();
}
END_TEST

Suite *host_suite_accept(void)
{
    Suite *suite = suite_create("accept");

    host_test(suite, an_accept_without_descriptors_waits_and_recovers);
    host_test(suite, a_connection_that_closes_before_it_is_accepted_is_skipped);
    host_test(suite, an_accepted_connection_waits_while_the_poller_has_no_room_for_it);
    host_test(suite, a_connection_without_room_outlives_a_timeout_and_ends_with_its_listener);
    host_test(suite, an_accept_on_a_descriptor_that_does_not_listen_fails);
    host_test(suite, created_and_accepted_sockets_do_not_block_and_no_child_inherits_them);
    host_test(suite, connections_are_accepted_again_when_descriptors_are_free_again);
    host_test(suite, an_accepted_connection_costs_one_read_for_each_request);
    return suite;
}
