/* load.c - the client of bench http and bench kv: requests at a fixed rate, on kept connections
 * SPDX-License-Identifier: MIT
 *
 *     load PORT PID CONNECTIONS SECONDS RATE [tls] REQUEST
 *
 * REQUEST is "/path" for HTTP, "key" for a GET of RESP. A request is due at its time, whether or
 * not a connection is free; its latency counts from then. RATE 0: each asks again at once.
 *
 * Prints requests per second, the processor time in nanoseconds that the server PID took for each,
 * and p50, p99 and p99.9 in microseconds. */
#define _GNU_SOURCE
#include "../host/client.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

enum { MOST = 1000, ROOM = 128 << 10, SAMPLES = 1 << 23 };

struct connection {
    int fd;
    SSL *ssl;
    double due; /* when its request should have been sent */
    size_t got;
    char data[ROOM];
};

static struct connection *connections;
static int idle[MOST], idle_count; /* those without a request */
static double *times;
static long done;
static char request[512];
static size_t length;

/* The size of the reply whose beginning is TEXT, or 0 if its head is not whole. */
static size_t size_of(const char *text)
{
    const char *end = strstr(text, "\r\n"), *field;

    if (*text == '$')
        return end ? (size_t)(end + 4 - text) + strtoul(text + 1, NULL, 10) : 0;
    end = strstr(text, "\r\n\r\n");
    field = end ? strcasestr(text, "\r\nContent-Length: ") : NULL;
    return field ? (size_t)(end + 4 - text) + strtoul(field + 18, NULL, 10) : 0;
}

static void say(struct connection *to)
{
    long put = to->ssl ? SSL_write(to->ssl, request, (int)length) : write(to->fd, request, length);

    to->got = 0;
    if (put != (long)length)
        fail("write");
}

/* Read what there is: whether the reply is whole. */
static int hear(struct connection *from)
{
    size_t room = ROOM - 1 - from->got;
    long got;

    do {
        got = from->ssl ? SSL_read(from->ssl, from->data + from->got, (int)room)
                        : read(from->fd, from->data + from->got, room);
        if (got > 0)
            from->got += (size_t)got;
        room -= got > 0 ? (size_t)got : 0;
    } while (got > 0 && from->ssl);
    if (got == 0 || (got < 0 && !from->ssl && errno != EAGAIN) ||
        (from->ssl && SSL_get_error(from->ssl, (int)got) != SSL_ERROR_WANT_READ))
        fail("read");
    from->data[from->got] = '\0';
    room = size_of(from->data);
    if (room && from->got > room)
        fail("a reply that is too long");
    return room && from->got == room;
}

static void connect_all(int poller, int port, int count, SSL_CTX *tls)
{
    connections = calloc((size_t)count, sizeof *connections);
    for (int i = 0; i < count; i++) {
        struct connection *new = &connections[i];

        new->fd = dial(poller, port, i);
        if (tls && ((new->ssl = SSL_new(tls)) == NULL || !SSL_set_fd(new->ssl, new->fd) ||
                    SSL_connect(new->ssl) != 1))
            fail("SSL_connect");
        fcntl(new->fd, F_SETFL, O_NONBLOCK);
        idle[idle_count++] = i;
    }
}

/* Ask at RATE until END. */
static void ask(int poller, int count, double rate, double end)
{
    struct epoll_event events[MOST];
    double start = now(), gap = rate ? 1e9 / rate : 0, due = start;

    done = 0;
    while (now() < end || idle_count < count) {
        double time = now(), rest = (rate && due < end ? due : end) - time;
        struct timespec wait = {0, rest > 0 && rest < 1e9 ? (long)rest : rest > 0 ? 999999999 : 0};
        int ready;

        for (; idle_count && due <= time && time < end; due += gap) {
            struct connection *next = &connections[idle[--idle_count]];

            next->due = rate ? due : time;
            say(next);
        }
        if (time > end + 10e9)
            fail("a reply that never came");
        ready = epoll_pwait2(poller, events, MOST, &wait, NULL);
        for (int i = 0; i < ready; i++) {
            struct connection *from = &connections[events[i].data.u32];

            if (!hear(from))
                continue;
            if (done < SAMPLES)
                times[done++] = now() - from->due;
            idle[idle_count++] = (int)events[i].data.u32;
        }
    }
}

static SSL_CTX *make_tls(void)
{
    SSL_CTX *tls = SSL_CTX_new(TLS_client_method());

    SSL_CTX_set_min_proto_version(tls, TLS1_3_VERSION);
    SSL_CTX_set_ciphersuites(tls, "TLS_AES_128_GCM_SHA256");
    return tls;
}

int main(int argc, char **argv)
{
    int poller = epoll_create1(0), count = argc > 6 ? atoi(argv[3]) : 0, tls = argc > 7;
    double rate = count ? atof(argv[5]) : 0, cpu, start, spent;
    const char *what = argv[argc - 1];

    if (count < 1 || count > MOST)
        return 2;
    length =
        (size_t)(*what == '/'
                     ? snprintf(request, sizeof request,
                                "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: load\r\n\r\n",
                                what)
                     : snprintf(request, sizeof request, "*2\r\n$3\r\nGET\r\n$%zu\r\n%s\r\n",
                                strlen(what), what));
    times = calloc(SAMPLES, sizeof *times);
    connect_all(poller, atoi(argv[1]), count, tls ? make_tls() : NULL);
    ask(poller, count, 0, now() + 200e6); /* not measured */
    cpu = cpu_of(argv[2]);
    start = now();
    ask(poller, count, rate, start + atof(argv[4]) * 1e9);
    spent = now() - start;
    cpu = cpu_of(argv[2]) - cpu;
    qsort(times, (size_t)done, sizeof *times, compare);
    printf("%.0f %.1f %.1f %.1f %.1f\n", (double)done * 1e9 / spent, cpu / (double)done,
           times[done / 2] / 1e3, times[(long)((double)done * .99)] / 1e3,
           times[(long)((double)done * .999)] / 1e3);
    return 0;
}
