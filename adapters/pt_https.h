/* pt_https.h - a server of HTTP by TLS: libpt-http over libpt-tls, a task for each connection
 * SPDX-License-Identifier: MIT
 *
 *     static PT_TASK(pt_serve) serve;
 *     static struct pt_http_server server = {.choose = choose, .ending = &serve.frame.ending};
 *     static struct pt_https https = {.server = &server, .tls = &context, .room = sizeof(union room)};
 *
 *     pt_tls_load(&context);
 *     PT_START(&loop, &serve, pt_serve, .listener = &listener, .start = pt_https_start,
 *              .context = &https, .grace = PT_SEC(5));
 *
 * Copy the two files, or build them with the program: they need libpt-http and libpt-tls. A program
 * that has its connections in a pool, and allocates nothing, does by hand what pt_https.c does. */
#ifndef PT_HTTPS_H
#define PT_HTTPS_H

#include <pt/host.h>
#include <pt/http.h>
#include <pt/tls.h>

/* What the connections share. It lasts as long as they. */
struct pt_https {
    struct pt_http_server *server;    /* the caller sets this and the next four */
    const struct pt_tls_context *tls; /* loaded; a reload holds for the connections that follow */
    size_t room;                      /* so many bytes for a handler: request->room; zeroed once */
    size_t out;  /* bytes for what is sent at once: 0: 4096; 16384 for large files */
    size_t most; /* connections at once: 0: 1000; the others are closed */
    size_t open; /* how many there are; the functions write it */
};

/* pt_https_start - start a task on the heap of LOOP that serves PEER: .start of pt_serve
 * CONTEXT is a struct pt_https. A connection takes some 7 KB, its OUT and its room, beside what OpenSSL has.
 * The handshake has 10 seconds. At the end of a connection the client has a second to take the last
 * reply, and close_notify. The codes are those of pt_http_serve, or of the handshake. */
struct pt_task *pt_https_start(struct pt_loop *loop, struct pt_io *peer, void *context);

#endif
