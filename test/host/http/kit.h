/* kit.h - a server of HTTP and a client of bytes, for the tests of libpt-http
 * SPDX-License-Identifier: MIT */
#ifndef PT_TEST_HTTP_KIT_H
#define PT_TEST_HTTP_KIT_H

#include "../host.h"

#include <pt/host/native_io.h>
#include <pt/http.h>

/* The server: the fields that a test sets, then its log goes to the trace. */
extern struct pt_http_server kit_server;

/* What a client does: it sends INPUT in pieces, waits, and reads up to the end. */
struct kit_client {
    struct pt pt;
    const char *input;
    size_t size;      /* of INPUT */
    size_t first;     /* the size of the first piece; 0: all at once */
    size_t piece;     /* the size of the others; 0: all that is left */
    pt_time pause;    /* between two pieces */
    pt_time stays;    /* before it shuts down its writing side, or leaves */
    pt_time reads_at; /* how long it waits before it reads */
    size_t sip;       /* the most that it reads at once; 0: all that is there */
    pt_time rests;    /* between two reads */
    bool leaves;      /* it closes without reading */
    bool waits;       /* it does not shut down its writing side */
    struct pt_io io;
    size_t sent, step, got;
    char output[200000];
};

PT_DECLARE(kit_client);

/* The connection of the server. */
extern struct pt_task *const kit_task;
extern pt_status kit_status; /* with which pt_http_serve has ended */
extern pt_status kit_ended;  /* how what the client has read has ended */

extern int kit_chosen; /* how many requests have reached a handler */

/* The field Host of the last request, as the log has seen it. */
extern char kit_host[80];

/* The sockets are local ones: how much they take does not depend on timers of the system. */
extern bool kit_local;

/* kit_start - begin with a pair of sockets and the server on one of them; OVER: not as a
 * plain one, but by a stream of the test's. */
void kit_start(const char *poller, size_t in_size, bool over);

/* kit_serve - begin with pt_serve at a local socket, and returns that of its client: START and
 * CONTEXT are those of pt_serve; NULL: the server of the other tests, which can send 4 KB ahead.
 * What cancels kit_serving ends it, with GRACE. */
typedef struct pt_task *kit_starter(struct pt_loop *loop, struct pt_io *peer, void *context);
int kit_serve(const char *poller, kit_starter *start, void *context, pt_time grace);
extern struct pt_task *const kit_serving;

/* kit_run - let the client talk; returns all that it has got, without the Date fields */
const char *kit_run(struct kit_client client);

/* kit_end - run to the end without that client, and check that nothing is left open */
void kit_end(void);

/* kit_talk - both, with a buffer of 1024 bytes for the head */
const char *kit_talk(const char *input);

/* kit_says - a client that sends a text, ends its side, and reads what comes */
struct kit_client kit_says(const char *input);

/* kit_narrow - let the system keep only some KB on the way to the client */
void kit_narrow(void);

/* kit_choke - the server's writes take SIZE bytes in all, until kit_choke(0) */
void kit_choke(size_t size);

/* The texts that tests send and expect. */
#define GET(path) "GET " path " HTTP/1.1\r\nHost: x\r\n"
#define POST(path) "POST " path " HTTP/1.1\r\nHost: x\r\n"
#define OK_HEAD(size) "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " size "\r\n"

#endif
