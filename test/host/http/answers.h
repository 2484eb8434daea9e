/* answers.h - a server with scripted answers, and tasks that call it: the client's tests
 * SPDX-License-Identifier: MIT */
#ifndef PT_TEST_HTTP_ANSWERS_H
#define PT_TEST_HTTP_ANSWERS_H

#include "../host.h"

#include <pt/host/native_io.h>
#include <pt/http_client.h>

/* What the server does after it has read a request. */
struct answer {
    const char *text; /* what it sends, or NULL */
    bool closes;      /* it closes then */
    bool early;       /* it does not read the body of the request before */
    size_t echoes;    /* after TEXT it sends back so many bytes of the body, as it reads them */
    size_t piece;     /* it sends so many bytes at once; 0: all */
    size_t first;     /* the size of the first piece; 0: as the others */
    pt_time pause;    /* before it sends, and before it closes */
};

/* One for each request, in the order in which they come. An @ in a text becomes the server's
 * address. */
extern struct answer answers[32];

/* What the server has read: the requests, without the lines that begin with Host. */
extern char asked[20000];

extern int answers_connections; /* how many it has accepted */

extern struct pt_http_client a_client;
extern struct pt_http_link a_links[4];

/* A task that calls; the trace gets its name, its code or the status of the reply, and the body. */
struct caller {
    struct pt pt;
    const char *name;
    const char *path;        /* behind the server's address; or a whole URL */
    struct pt_http_call set; /* what the call has besides: method, fields, data, ... */
    bool reads;              /* the body is a stream, which it reads in parts of STEP bytes */
    bool stays;              /* it does not read it, but holds the connection for a second */
    bool trusts_length;      /* it reads only a byte of it */
    size_t step;
    pt_time limit, rest; /* a timeout, or 0; between two parts */
    struct pt_scope scope;
    struct pt_reader reader;
    struct pt_read_exactly get;
    struct pt_http_call call;
    size_t in_size;
    char url[200], data[200], text[5000];
    char in[4000], out[1000];
};

PT_DECLARE(caller);
typedef PT_TASK(caller) caller_task;

/* answers_open - begin: the server, and the client with LINKS places
 * answers_close ends both, and checks that nothing is left open. */
void answers_open(const char *poller, size_t links);
void answers_close(void);

/* answers_address - where the server is */
const char *answers_address(void);

/* answers_run - run until the callers are done; the server stays */
void answers_run(void);

/* answers_turn - let the server run for so many turns */
void answers_turn(int turns);

/* answers_call - start a caller; answers_get - run one, and return what it has traced */
void answers_call(caller_task *task, struct caller caller);
const char *answers_get(struct caller caller);

/* Replies. */
#define OK(size, body) "HTTP/1.1 200 OK\r\nContent-Length: " size "\r\n\r\n" body
#define CHUNKED "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
#define TO(status, location) \
    "HTTP/1.1 " status " x\r\nLocation: " location "\r\nContent-Length: 0\r\n\r\n"

#endif
