/* test_connect.c - connects that succeed at once, succeed later, or fail
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <netinet/in.h>

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
};

static PT_ASYNC(taker, self)
{
    PT_ACCEPT(self->from, &self->peer);
    trace_add("accept:%s@%d ", pt_status_name(self->pt.status) + 3, host_ms(PT_NOW()));
    pt_io_close(&self->peer);
}
PT_END

static PT_TASK(taker) taker;

struct caller {
    struct pt pt;
    struct pt_io io;
    const void *name;
    socklen_t length;
};

static PT_ASYNC(caller, self)
{
    PT_CONNECT(&self->io, (const struct sockaddr *)self->name, self->length);
    trace_add("connect:%s@%d ", pt_status_name(self->pt.status) + 3, host_ms(PT_NOW()));
}
PT_END

static PT_TASK(caller) caller;

START_TEST(a_connect_waits_while_the_queue_of_a_unix_socket_is_full)
{
    struct sockaddr_un name = address();
    int listener = socket(AF_UNIX, SOCK_STREAM, 0), first, taken;

    ck_assert_int_eq(bind(listener, (const struct sockaddr *)(const void *)&name, sizeof name), 0);
    ck_assert_int_eq(listen(listener, 0), 0);
    first = connect_to(&name);
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_socket(&caller.frame.io, &host.system, AF_UNIX, SOCK_STREAM, 0), PT_OK);
    PT_START(&host.loop, &caller, caller, PT_KEEP, .name = &name, .length = sizeof name);
    host_turns(4);
    ck_assert_trace("");
    taken = accept(listener, NULL, NULL);
    host_run();
    ck_assert_ptr_eq(strstr(trace_take(), "accept"), NULL);
    ck_assert_int_eq(caller.frame.pt.status, PT_OK);
    ck_assert_int_le(host.calls[HOST_connect], 6);
    pt_io_close(&caller.frame.io);
    close(listener), close(first), close(taken);
    host_close();
}
END_TEST

/* An address of this machine with an unused port. */
static struct sockaddr_in port(void)
{
    struct sockaddr_in name;
    socklen_t length = sizeof name;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    memset(&name, 0, sizeof name);
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ck_assert_int_eq(bind(fd, (const struct sockaddr *)(const void *)&name, length), 0);
    ck_assert_int_eq(getsockname(fd, (struct sockaddr *)(void *)&name, &length), 0);
    close(fd);
    return name;
}

static void call(const struct sockaddr_in *name)
{
    ck_assert_int_eq(pt_socket(&caller.frame.io, &host.system, AF_INET, SOCK_STREAM, 0), PT_OK);
    PT_START(&host.loop, &caller, caller, PT_KEEP, .name = name, .length = sizeof *name);
    host_run();
}

START_TEST(a_refused_connect_returns_its_error_and_an_accepted_one_succeeds)
{
    struct sockaddr_in name = port();

    host_open(host_pollers[_i]);
    host.patient = true;
    call(&name);
    ck_assert_trace("connect:EIO@0 ");
    ck_assert_int_eq(caller.frame.io.error, ECONNREFUSED);
    pt_io_close(&caller.frame.io);
    ck_assert_int_eq(pt_listen(&io, &host.system, (const struct sockaddr *)(const void *)&name,
                               sizeof name, false),
                     PT_OK);
    PT_START(&host.loop, &taker, taker, .from = &io);
    call(&name);
    ck_assert_ptr_nonnull(strstr(trace_take(), "connect:OK@0 "));
    pt_io_close(&caller.frame.io);
    pt_io_close(&io);
    host_close();
}
END_TEST

/* The system has no port left: nothing tells when it has. */
START_TEST(a_connect_that_the_system_cannot_begin_now_fails_and_does_not_wait)
{
    struct sockaddr_in name = port();

    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_socket(&caller.frame.io, &host.system, AF_INET, SOCK_STREAM, 0), PT_OK);
    host_fail(HOST_connect, 0, -1, EAGAIN);
    PT_START(&host.loop, &caller, caller, PT_KEEP, .name = &name, .length = sizeof name);
    host_turns(9);
    ck_assert_trace("connect:EIO@0 ");
    ck_assert_int_eq(caller.frame.io.error, EAGAIN);
    pt_io_close(&caller.frame.io);
    host_close();
}
END_TEST

START_TEST(a_connect_on_a_descriptor_that_is_not_a_socket_fails)
{
    int ends[2];

    host_open(host_pollers[_i]);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(pt_io_open(&caller.frame.io, &host.system, ends[1]), PT_OK);
    PT_START(&host.loop, &caller, caller, PT_KEEP, .name = NULL, .length = 0);
    host_run();
    ck_assert_trace("connect:EIO@0 ");
    ck_assert_int_eq(caller.frame.io.error, ENOTSOCK);
    pt_io_close(&caller.frame.io);
    close(ends[0]);
    host_close();
}
END_TEST

static actor_task a;

START_TEST(a_socket_polled_before_its_connect_also_costs_one_read_for_each_request)
{
    struct sockaddr_in name = port();
    int listener = socket(AF_INET, SOCK_STREAM, 0), peer;

    ck_assert_int_eq(bind(listener, (const struct sockaddr *)(const void *)&name, sizeof name), 0);
    ck_assert_int_eq(listen(listener, 1), 0);
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_socket(&caller.frame.io, &host.system, AF_INET, SOCK_STREAM, 0), PT_OK);
    host_start(&a, 'A', NULL, "s"); /* meanwhile the poller reports a hang-up */
    host_run();
    PT_START(&host.loop, &caller, caller, PT_KEEP, .name = &name, .length = sizeof name);
    host_run();
    ck_assert_trace("As@5 connect:OK@5 ");
    peer = accept(listener, NULL, NULL);
    host_start(&a, 'A', &caller.frame.io, "rr");
    host_run();
    memset(host.calls, 0, sizeof host.calls);
    host_put(peer, "ping");
    host_run();
    ck_assert_trace("Ar:ping@5 ");
    ck_assert_int_eq(host.calls[HOST_read], 1);
    close(peer), close(listener);
    pt_io_close(&caller.frame.io);
    host_run();
    host_close();
}
END_TEST

/* Connects to two addresses, the first for 100 ms, and then to the second one once more. */
struct chooser {
    struct pt pt;
    struct pt_io io;
    struct sockaddr_in first, second;
    struct pt_scope limit;
    int times;
};

static PT_ASYNC(chooser, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(100))
        PT_CONNECT(&self->io, (const struct sockaddr *)&self->first, sizeof self->first);
    for (self->times = 0; self->times < 2; self->times++) {
        PT_CONNECT(&self->io, (const struct sockaddr *)&self->second, sizeof self->second);
        trace_add("%s:%s@%d ", pt_status_name(self->pt.status) + 3, strerror(self->io.error),
                  host_ms(PT_NOW()));
    }
}
PT_END

static int listen_to(struct sockaddr_in *name, int most)
{
    socklen_t length = sizeof *name;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    memset(name, 0, sizeof *name);
    name->sin_family = AF_INET;
    name->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ck_assert_int_eq(bind(fd, (const struct sockaddr *)(const void *)name, length), 0);
    ck_assert_int_eq(listen(fd, most), 0);
    ck_assert_int_eq(getsockname(fd, (struct sockaddr *)(void *)name, &length), 0);
    return fd;
}

START_TEST(after_a_connect_that_timed_out_no_other_succeeds_on_that_socket)
{
    static PT_TASK(chooser) task;
    struct chooser *self = &task.frame;
    int full, free, filler = socket(AF_INET, SOCK_STREAM, 0);

    memset(&task, 0, sizeof task);
    full = listen_to(&self->first, 0);
    free = listen_to(&self->second, 5);
    ck_assert_int_eq(connect(filler, (struct sockaddr *)&self->first, sizeof self->first), 0);
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_socket(&self->io, &host.system, AF_INET, SOCK_STREAM, 0), PT_OK);
    PT_START(&host.loop, &task, chooser, PT_KEEP);
    host_run();
    ck_assert_trace("EIO:Operation already in progress@100 "
                    "EIO:Operation already in progress@100 ");
    pt_io_close(&self->io);
    host_start(&a, 'A', NULL, "s");
    host_run();
    trace_take();
    ck_assert_int_eq(pt_socket(&caller.frame.io, &host.system, AF_INET, SOCK_STREAM, 0), PT_OK);
    host.patient = true;
    PT_START(&host.loop, &caller, caller, PT_KEEP, .name = &self->second,
             .length = sizeof self->second);
    host_run();
    ck_assert_trace("connect:OK@105 ");
    pt_io_close(&caller.frame.io);
    close(full), close(free), close(filler);
    host_close();
}
END_TEST

START_TEST(a_socket_that_is_connected_is_not_connected_again)
{
    struct sockaddr_in name;
    int listener = listen_to(&name, 5);

    host_open(host_pollers[_i]);
    host.patient = true;
    call(&name);
    ck_assert_trace("connect:OK@0 ");
    PT_START(&host.loop, &caller, caller, PT_KEEP, .name = &name, .length = sizeof name);
    host_run();
    ck_assert_trace("connect:EIO@0 ");
    ck_assert_int_eq(caller.frame.io.error, EISCONN);
    pt_io_close(&caller.frame.io);
    close(listener);
    host_close();
}
END_TEST

Suite *host_suite_connect(void)
{
    Suite *suite = suite_create("connect");

    host_test(suite, a_connect_waits_while_the_queue_of_a_unix_socket_is_full);
    host_test(suite, a_refused_connect_returns_its_error_and_an_accepted_one_succeeds);
    host_test(suite, a_connect_that_the_system_cannot_begin_now_fails_and_does_not_wait);
    host_test(suite, a_connect_on_a_descriptor_that_is_not_a_socket_fails);
    host_test(suite, after_a_connect_that_timed_out_no_other_succeeds_on_that_socket);
    host_test(suite, a_socket_that_is_connected_is_not_connected_again);
    host_test(suite, a_socket_polled_before_its_connect_also_costs_one_read_for_each_request);
    return suite;
}
