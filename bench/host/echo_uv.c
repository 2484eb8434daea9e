/* echo_uv.c - the echo server on libuv
 * SPDX-License-Identifier: MIT */
#include "listen.h"

#include <stdlib.h>
#include <uv.h>

struct connection {
    uv_tcp_t tcp;
    uv_write_t write;
    char data[64];
};

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer)
{
    (void)size;
    *buffer = uv_buf_init(((struct connection *)handle)->data, 64);
}

static void on_close(uv_handle_t *handle)
{
    free(handle);
}

static void on_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *buffer)
{
    uv_buf_t out = uv_buf_init(buffer->base, got > 0 ? (unsigned)got : 0);

    if (got < 0)
        uv_close((uv_handle_t *)stream, on_close);
    else if (got && uv_try_write(stream, &out, 1) != got)
        abort();
}

static void on_connection(uv_stream_t *listener, int status)
{
    struct connection *connection = calloc(1, sizeof *connection);

    (void)status;
    uv_tcp_init(listener->loop, &connection->tcp);
    if (!uv_accept(listener, (uv_stream_t *)connection))
        uv_read_start((uv_stream_t *)connection, on_alloc, on_read);
}

int main(void)
{
    uv_tcp_t listener;

    uv_tcp_init(uv_default_loop(), &listener);
    uv_tcp_open(&listener, bench_listen());
    uv_listen((uv_stream_t *)&listener, 4096, on_connection);
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
