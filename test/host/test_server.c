/* test_server.c - a server, while each system call that it makes fails in turn
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <netinet/in.h>

enum { MOST = 8 };

/* Sends back what it receives. */
struct echo {
    struct pt pt;
    struct pt_io io;
    size_t got, put, done;
    char data[16];
};

static PT_ASYNC(echo, self)
{
    for (;;) {
        PT_READ(&self->io, self->data, sizeof self->data, &self->got);
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
        for (self->done = 0; self->done < self->got; self->done += self->put) {
            PT_WRITE(&self->io, self->data + self->done, self->got - self->done, &self->put);
            if (self->pt.status != PT_OK)
                PT_RETURN(self->pt.status);
        }
    }
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

/* Accepts connections, and starts a task for each. */
struct serve {
    struct pt pt;
    struct pt_io listener;
    int next;
    PT_TASK(echo) tasks[MOST];
};

static PT_ASYNC(serve, self)
{
    for (;;) {
        while (pt_task_alive(&self->tasks[self->next].task)) {
            self->next = (self->next + 1) % MOST;
            PT_YIELD();
        }
        PT_ACCEPT(&self->listener, &self->tasks[self->next].frame.io);
        if (self->pt.status == PT_ECLOSED)
            break;
        if (self->pt.status == PT_OK)
            PT_SPAWN(&self->tasks[self->next], echo, PT_KEEP);
    }
    PT_FINALLY
    pt_io_close(&self->listener);
}
PT_END

static PT_TASK(serve) server;
static struct sockaddr_in name;

static void open_server(int poller)
{
    socklen_t length = sizeof name;

    host_open(host_pollers[poller]);
    memset(&name, 0, sizeof name);
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ck_assert_int_eq(pt_listen(&server.frame.listener, &host.system,
                               (const struct sockaddr *)(const void *)&name, length, false),
                     PT_OK);
    ck_assert_int_eq(
        getsockname(server.frame.listener.fd, (struct sockaddr *)(void *)&name, &length), 0);
    PT_START(&host.loop, &server, serve, PT_KEEP);
}

static void close_server(void)
{
    pt_loop_cancel(&host.loop, PT_ECANCELED);
    host_run();
    ck_assert_uint_eq(pt_loop_live(&host.loop), 0);
    host_close();
}

static int client(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    ck_assert_int_eq(connect(fd, (const struct sockaddr *)(const void *)&name, sizeof name), 0);
    return fd;
}

/* Send on FD, run the loop, and return whether the same comes back. */
static bool echoes(int fd)
{
    char data[8];

    host_put(fd, "ping");
    for (int i = 0; i < 1000; i++) {
        ssize_t got = recv(fd, data, sizeof data, MSG_DONTWAIT);

        if (got >= 0)
            return got == 4 && !memcmp(data, "ping", 4);
        host_turns(4);
    }
    return false;
}

/* The calls that a server makes, and how they can fail. */
static const struct host_fault faults[] = {
    {HOST_accept, 0, 0, EMFILE, 0},
    {HOST_accept, 0, 0, ENFILE, 0},
    {HOST_accept, 0, 0, ENOBUFS, 0},
    {HOST_accept, 0, 0, ENOMEM, 0},
    {HOST_accept, 0, 0, EINTR, 0},
    {HOST_accept, 0, 0, ECONNABORTED, 0},
    {HOST_accept, 0, 0, EPERM, 0},
    {HOST_accept, 0, 0, EAGAIN, 0},
    {HOST_read, 0, 0, EINTR, 0},
    {HOST_read, 0, 0, ECONNRESET, 0},
    {HOST_read, 0, 0, ETIMEDOUT, 0},
    {HOST_read, 0, 0, ENOMEM, 0},
    {HOST_sendmsg, 0, 0, EINTR, 0},
    {HOST_sendmsg, 0, 0, EPIPE, 0},
    {HOST_sendmsg, 0, 0, ECONNRESET, 0},
    {HOST_sendmsg, 0, 0, ENOBUFS, 0},
    {HOST_epoll_ctl, 0, 0, ENOSPC, 0},
    {HOST_epoll_ctl, 0, 0, ENOMEM, 0},
    {HOST_epoll_pwait2, 0, 0, EINTR, 0},
    {HOST_epoll_pwait2, 0, 0, ENOSYS, 0},
    {HOST_epoll_pwait2, 0, 0, ENOMEM, 0},
    {HOST_poll, 0, 0, EINTR, 0},
    {HOST_poll, 0, 0, ENOMEM, 0},
    {HOST_realloc, 0, 0, ENOMEM, 0},
    {HOST_malloc, 0, 0, ENOMEM, 0},
    {HOST_epoll_wait, 0, 0, EINTR, 0},
    {HOST_io_uring_submit, 0, 0, EAGAIN, 0},
    {HOST_io_uring_submit, 0, 0, ENOSPC, 0},
    {HOST_io_uring_submit_and_get_events, 0, 0, ENOMEM, 0},
    {HOST_io_uring_submit_and_get_events, 0, 0, EBADR, 0},
    {HOST_io_uring_submit_and_wait_timeout, 0, 0, EINTR, 0},
    {HOST_io_uring_submit_and_wait_timeout, 0, 0, ENOMEM, 0},
    {HOST_io_uring_submit_and_wait_timeout, 0, 0, EBADR, 0},
    {HOST_write, 0, 0, EAGAIN, 0},
    {HOST_close, 0, 0, EINTR, 0},
};

/* Let a call fail TIMES times, after AFTER successful calls, while one client is connected and
 * another one connects. */
static void survive(int poller, const struct host_fault *fault, int after, int times)
{
    int before = host_descriptors(), first, second, third;

    open_server(poller);
    first = client();
    ck_assert(echoes(first));
    host_put(first, "x");
    second = client();
    host_fail(fault->call, after, times, fault->error);
    host_turns(50);
    host.fault.times = 0;
    host_turns(50);
    third = client();
    ck_assert_msg(echoes(third), "call %d, error %d, %d times behind %d: not served",
                  (int)fault->call, fault->error, times, after);
    close(first), close(second), close(third);
    close_server();
    if (fault->call != HOST_close)
        ck_assert_int_eq(host_descriptors(), before);
}

START_TEST(after_any_single_failure_a_server_serves_the_next_client)
{
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        for (int after = 0; after < 4; after++)
            survive(_i, &faults[i], after, 1);
}
END_TEST

START_TEST(after_any_lasting_failure_a_server_serves_the_next_client)
{
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        survive(_i, &faults[i], 0, -1);
}
END_TEST

Suite *host_suite_server(void)
{
    Suite *suite = suite_create("server");

    host_test(suite, after_any_single_failure_a_server_serves_the_next_client);
    host_test(suite, after_any_lasting_failure_a_server_serves_the_next_client);
    return suite;
}
