/* echo_uring.c - the yardstick for io_uring: an echo server written by hand, with liburing
 * SPDX-License-Identifier: MIT
 *
 * An operation is in progress while its connection waits, so each connection has a buffer, idle or
 * not. */
#define _GNU_SOURCE
#include "listen.h"

#include <errno.h>
#include <liburing.h>
#include <stdlib.h>

struct connection {
    int fd;
    enum { READS, WRITES } does;
    char data[64];
};

static struct io_uring ring;

static struct io_uring_sqe *next(void)
{
    struct io_uring_sqe *entry = io_uring_get_sqe(&ring);

    if (!entry) {
        io_uring_submit(&ring);
        entry = io_uring_get_sqe(&ring);
    }
    return entry;
}

static void read_some(struct connection *connection)
{
    struct io_uring_sqe *entry = next();

    connection->does = READS;
    io_uring_prep_recv(entry, connection->fd, connection->data, sizeof connection->data, 0);
    io_uring_sqe_set_data(entry, connection);
}

static void write_all(struct connection *connection, int size)
{
    struct io_uring_sqe *entry = next();

    connection->does = WRITES;
    io_uring_prep_send(entry, connection->fd, connection->data, (size_t)size, MSG_WAITALL);
    io_uring_sqe_set_data(entry, connection);
}

static void accept_all(int listener)
{
    struct io_uring_sqe *entry = next();

    io_uring_prep_multishot_accept(entry, listener, NULL, NULL, 0);
    io_uring_sqe_set_data(entry, NULL);
}

static void take(const struct io_uring_cqe *event, int listener)
{
    struct connection *connection = io_uring_cqe_get_data(event);

    if (!connection) {
        if (event->res >= 0) {
            connection = malloc(sizeof *connection);
            connection->fd = event->res;
            read_some(connection);
        }
        if (!(event->flags & IORING_CQE_F_MORE))
            accept_all(listener);
    } else if (event->res <= 0) {
        close(connection->fd);
        free(connection);
    } else if (connection->does == READS) {
        write_all(connection, event->res);
    } else {
        read_some(connection);
    }
}

int main(void)
{
    struct io_uring_params options;
    int listener, error;

    memset(&options, 0, sizeof options);
    options.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CQSIZE;
    options.cq_entries = 32768;
    error = io_uring_queue_init_params(512, &ring, &options);
    if (error) {
        fprintf(stderr, "io_uring: %s\n", strerror(-error));
        return 1;
    }
    listener = bench_listen();
    accept_all(listener);
    for (;;) {
        struct io_uring_cqe *event;
        unsigned head, count = 0;

        io_uring_submit_and_wait(&ring, 1);
        io_uring_for_each_cqe(&ring, head, event)
        {
            take(event, listener);
            count++;
        }
        io_uring_cq_advance(&ring, count);
    }
}
