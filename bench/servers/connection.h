/* connection.h - the frame of the servers on pt: connections, plain or by TLS
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_CONNECTION_H
#define BENCH_CONNECTION_H

#include "../host/listen.h"

#include <pt/host.h>
#include <pt/tls.h>

static struct pt_tls_certificate certificate;
static struct pt_tls_context context = {.certificates = &certificate, .count = 1};

struct connection {
    struct pt_io io;
    struct pt_tls tls;
};

/* The stream of a connection, which is open. */
static inline struct pt_stream connection_stream(struct connection *self)
{
    pt_io_batch(&self->io);
    if (!context.ssl)
        return pt_io_stream(&self->io);
    pt_tls_open(&self->tls, &context, &self->io, NULL);
    return pt_tls_stream(&self->tls);
}

static inline void connection_close(struct connection *self)
{
    pt_tls_close(&self->tls);
    pt_io_close(&self->io);
}

/* Serve until it is killed; ARGV has the names of the certificate, if it is by TLS. */
static inline int serve(int argc, char **argv,
                        struct pt_task *(*start)(struct pt_loop *, struct pt_io *, void *),
                        struct pt_pool *pool)
{
    static PT_TASK(pt_serve) task;
    static struct pt_system sys;
    static struct pt_loop loop;
    struct pt_io listener;

    if (argc == 3) {
        certificate.chain = argv[1];
        certificate.key = argv[2];
        if (pt_tls_load(&context) != PT_OK)
            return puts(context.error), 1;
    }
    pt_system_open(&sys, &loop, NULL);
    if (pt_io_open(&listener, &sys, bench_listen()) != PT_OK)
        return 1;
    PT_START(&loop, &task, pt_serve, .listener = &listener, .start = start, .pool = pool);
    return pt_loop_run(&loop) != PT_OK;
}

#endif
