/* http_floor.c - what a server of bench http does at least: http_floor [CHAIN KEY]; prints its port
 * SPDX-License-Identifier: MIT
 *
 * It waits, receives, sends, and looks at one letter of a request. By TLS it is the same loop over
 * OpenSSL as that is, which keeps its buffers. */
#define _GNU_SOURCE
#include "../host/listen.h"

#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>

enum { EVENTS = 256, MOST = 1100, LARGE = 64 << 10 };

struct reply {
    size_t size;
    char data[LARGE + 200];
};

static struct reply small, large;

static struct connection {
    SSL *ssl;
    const struct reply *reply;
    size_t left; /* of the reply */
} connections[MOST];

static void make(struct reply *reply, int size)
{
    int head = sprintf(reply->data,
                       "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n"
                       "Content-Type: text/plain\r\nContent-Length: %d\r\n\r\n",
                       size);

    reply->size = (size_t)(head + size);
}

static SSL_CTX *make_tls(const char *chain, const char *key)
{
    SSL_CTX *tls = SSL_CTX_new(TLS_server_method());

    if (SSL_CTX_use_certificate_chain_file(tls, chain) != 1 ||
        SSL_CTX_use_PrivateKey_file(tls, key, SSL_FILETYPE_PEM) != 1)
        exit(1);
    SSL_CTX_set_read_ahead(tls, 1);
    SSL_CTX_set_mode(tls, SSL_MODE_ENABLE_PARTIAL_WRITE);
    return tls;
}

static void watch(int poller, int fd, unsigned events)
{
    struct epoll_event event = {.events = events, .data.fd = fd};

    epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
}

static void take_new(int poller, int listener, SSL_CTX *tls)
{
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK), one = 1;

    if (fd < 0 || fd >= MOST)
        exit(1);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    memset(&connections[fd], 0, sizeof connections[fd]);
    if (tls) {
        connections[fd].ssl = SSL_new(tls);
        SSL_set_fd(connections[fd].ssl, fd);
        SSL_set_accept_state(connections[fd].ssl);
    }
    watch(poller, fd, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
}

/* Read a request; false: the connection has ended. */
static int hear(struct connection *self, int fd)
{
    char in[4096];
    long got = self->ssl ? SSL_read(self->ssl, in, sizeof in) : recv(fd, in, sizeof in, 0);

    if (got > 5) {
        self->reply = in[5] == 's' ? &small : &large;
        self->left = self->reply->size;
    }
    return got > 0 ||
           (got < 0 && (!self->ssl || SSL_get_error(self->ssl, (int)got) == SSL_ERROR_WANT_READ));
}

static void say(struct connection *self, int fd)
{
    long put = 1;

    for (; self->left && put > 0; self->left -= put > 0 ? (size_t)put : 0) {
        const char *data = self->reply->data + self->reply->size - self->left;

        put = self->ssl ? SSL_write(self->ssl, data, (int)self->left)
                        : send(fd, data, self->left, MSG_NOSIGNAL);
    }
}

int main(int argc, char **argv)
{
    static struct epoll_event events[EVENTS];
    SSL_CTX *tls = argc == 3 ? make_tls(argv[1], argv[2]) : NULL;
    int poller = epoll_create1(0), listener = bench_listen();

    signal(SIGPIPE, SIG_IGN);
    make(&small, 100);
    make(&large, LARGE);
    watch(poller, listener, EPOLLIN);
    for (;;) {
        int count = epoll_wait(poller, events, EVENTS, -1);

        for (int i = 0; i < count; i++) {
            int fd = events[i].data.fd;

            if (fd == listener) {
                take_new(poller, listener, tls);
            } else if (connections[fd].left || hear(&connections[fd], fd)) {
                say(&connections[fd], fd);
            } else {
                SSL_free(connections[fd].ssl);
                close(fd);
            }
        }
    }
}
