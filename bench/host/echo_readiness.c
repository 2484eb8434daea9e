/* echo_readiness.c - an echo server that uses io_uring only as a poller, and reads and writes itself
 * SPDX-License-Identifier: MIT
 *
 * It shows the cost of a poller with libpt's interface. */
#define _GNU_SOURCE
#include "listen.h"

#include <fcntl.h>
#include <liburing.h>
#include <poll.h>

static struct io_uring ring;

static void watch(int fd)
{
    struct io_uring_sqe *entry = io_uring_get_sqe(&ring);

    if (!entry) {
        io_uring_submit(&ring);
        entry = io_uring_get_sqe(&ring);
    }
    io_uring_prep_poll_multishot(entry, fd, POLLIN);
    io_uring_sqe_set_data64(entry, (unsigned)fd);
}

static void take(int fd, int listener)
{
    char data[128]; /* more than a request: one read gets all of it */
    ssize_t got;

    if (fd == listener) {
        while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0)
            watch(fd);
    } else if ((got = read(fd, data, sizeof data)) <= 0 || write(fd, data, (size_t)got) != got) {
        close(fd);
    }
}

int main(void)
{
    struct io_uring_params options;
    int listener;

    memset(&options, 0, sizeof options);
    options.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CQSIZE;
    options.cq_entries = 32768;
    if (io_uring_queue_init_params(512, &ring, &options))
        return 1;
    listener = bench_listen();
    fcntl(listener, F_SETFL, O_NONBLOCK);
    watch(listener);
    for (;;) {
        struct io_uring_cqe *event;
        unsigned head, count = 0;

        io_uring_submit_and_wait(&ring, 1);
        io_uring_for_each_cqe(&ring, head, event)
        {
            int fd = (int)io_uring_cqe_get_data64(event);

            take(fd, listener);
            if (!(event->flags & IORING_CQE_F_MORE))
                watch(fd);
            count++;
        }
        io_uring_cq_advance(&ring, count);
    }
}
