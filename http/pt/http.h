/* http.h - HTTP/1.1 for servers: a task for each request
 * SPDX-License-Identifier: MIT
 *
 *     struct hello { struct pt pt; struct pt_http_request *request; struct pt_http_reply reply; };
 *
 *     static PT_ASYNC(hello, self)
 *     {
 *         PT_TRY(&self->reply, pt_http_reply, .request = self->request, .status = 200,
 *                .type = "text/plain", .data = "hello\n", .size = 6);
 *     }
 *     PT_END
 *
 *     static struct pt *choose(struct pt_http_request *request)
 *     {
 *         union room *room = (union room *)request->room;
 *
 *         if (strcmp(request->path, "/hello"))
 *             return NULL;
 *         PT_INIT(&room->hello, hello, .request = request);
 *         return &room->hello.pt;
 *     }
 *
 *     struct client { struct pt pt; struct pt_io io; struct pt_http_serve http; union room room;
 *                     char in[4096], out[4096]; };
 *
 *     PT_TRY(&self->http, pt_http_serve, .server = &server, .io = &self->io, .room = &self->room,
 *            .in = self->in, .in_size = sizeof self->in,
 *            .out = self->out, .out_size = sizeof self->out);
 *
 * A connection is a task of the program's, started by pt_serve (serve.h) or as it likes. It awaits
 * pt_http_serve, which reads the requests of the connection one after the other. For each it calls
 * CHOOSE of the server, and awaits the function whose frame that has prepared: the handler. What a
 * handler can do: look at the request, read its body as a stream, reply as a whole or in a stream.
 *
 * Nothing is allocated. A head stays in the buffer IN, where its texts are strings. The buffer OUT
 * has the head of the reply. A connection that is idle needs sizeof(struct pt_http_serve) and the
 * two buffers.
 *
 * A request is refused, and the connection closed, if two readers could disagree about its end: two
 * lengths, a length and chunks, a line that ends without CR LF, a field that goes on in the next
 * line, a space before a colon, and so on. llhttp checks the rest.
 *
 * If the client goes away, a handler that waits is ended there, and runs its PT_FINALLY.
 *
 * By TLS, with libpt-tls: the caller ends the connection, so that the client gets the last reply,
 * and can tell it from one that was cut.
 *
 *     PT_WITH_TIMEOUT(&self->limit, PT_SEC(5))
 *         PT_TLS_HANDSHAKE(&self->tls);
 *     if (self->pt.status != PT_OK)
 *         PT_RETURN(self->pt.status);
 *     PT_WAIT_COMPLETE(&self->http, pt_http_serve, .stream = pt_tls_stream(&self->tls), ...);
 *     if (self->pt.status != PT_ECLOSED)
 *         PT_WITH_TIMEOUT(&self->limit, PT_SEC(1))
 *             PT_WAIT_COMPLETE(&self->finish, pt_tls_finish, .tls = &self->tls);
 *     PT_FINALLY
 *     pt_tls_close(&self->tls); */
#ifndef PT_HTTP_H
#define PT_HTTP_H

#include <pt/host/blocking.h>
#include <pt/host/stream.h>

/* --- the server ------------------------------------------------------------------------------ */

struct pt_http_request;

/* What the connections of a server share. Zero it, and set what differs. A limit of 0 is the
 * default; for no limit of time, set PT_DELAY_NEVER. */
struct pt_http_server {
    /* Choose the handler of REQUEST: prepare its frame by PT_INIT, for example in request->room,
     * and return its address. NULL: the reply is 404. It must not wait. */
    struct pt *(*choose)(struct pt_http_request *request);
    /* Called after each reply, also to a request that was refused. Of a reply that is not whole,
     * request->status is not what was sent: 499, the client has gone, or takes no more, or the
     * connection was canceled; 500, the handler has failed midway. NULL: not called. It must not
     * wait. */
    void (*log)(const struct pt_http_request *request);
    void *context; /* for both: request->server->context */
    /* Once this is set, idle connections end, and the others after their reply: &serve.frame.ending
     * of pt_serve; or NULL. */
    struct pt_event *ending;
    /* A client that has shut down its writing side still gets its reply. One of HTTP/1.1 gets a 102
     * each second until then: a write that fails tells that it has gone. */
    bool half_closed;
    size_t line;       /* the most bytes of a line of a head: 4096. 414 or 431 if it is longer */
    size_t fields;     /* the most fields of a head: 100. 431; as for a head that IN cannot hold */
    uint64_t body;     /* the most bytes of a body: 1 MiB. 413 */
    pt_time idle;      /* how long a connection waits for the next request: 60 s */
    pt_time head_time; /* from the first byte of a head to its end: 10 s. 408 */
    /* From the end of a head to that of its body: 60 s, and a second more for each body_rate bytes,
     * 1 KiB, that have come: so a slow upload can be long. 408 */
    pt_time body_time;
    uint64_t body_rate;
    pt_time write_time;         /* how long a write waits until the client takes something: 60 s */
    uint64_t connections, open; /* counts, which the functions write: ever, and now */
    uint64_t requests, statuses[6], gone; /* all; by class, as logged, [2]: 2xx; those of 499 */
    uint64_t received, sent;              /* bytes, with heads */
    uint64_t refused;                     /* requests that reached no handler, without 404 */
    uint64_t within[6]; /* requests that took up to 1, 10, 100 ms, 1, 10 s; and longer */
    uint64_t took;      /* all of them together, in ticks */
    char date[40];      /* private, as is the next one */
    int64_t dated;
};

/* pt_http_metrics - print the counts of SERVER to WRITER, as the text that Prometheus reads
 * It never waits; about 1 KB. PT_ERANGE if it does not fit: then the writer has failed. The
 * content type is "text/plain; version=0.0.4". */
PT_EXPORT pt_status pt_http_metrics(const struct pt_http_server *server, struct pt_writer *writer);

/* --- a request ------------------------------------------------------------------------------- */

/* A request. Its texts are valid until its handler ends. */
struct pt_http_request {
    const char *method; /* "GET"; "" if the head was refused, unless only its path is wrong */
    const char *path;   /* from the "/" on, before a "?"; or "*". Not decoded: "%20" stays so */
    const char *query;  /* what is behind the "?", or NULL */
    int minor;          /* 1, or 0 for HTTP/1.0 */
    uint64_t id;        /* 1 for the first request of the server */
    pt_time begun;      /* when its first byte was there, and the reply before it was sent */
    int status;         /* of its reply; 0: it has none yet */
    uint64_t body;      /* how many bytes of the body were read */
    uint64_t sent;      /* how many bytes of the reply were sent, with its head */
    void *room;         /* that of the connection */
    struct pt_http_server *server;
    struct pt_http_serve *connection; /* private */
};

/* pt_http_field - the value of the field NAME of a request, in any case; or NULL
 * The first one, if there are several. Without the blanks around it. Cost: O(bytes of the head) */
PT_EXPORT const char *pt_http_field(const struct pt_http_request *request, const char *name);

/* pt_http_body - the body of a request, as a stream to read
 * For a pt_reader. PT_ECLOSED at its end. PT_ERANGE: it is longer than the limit; PT_EINVAL: it is
 * not well formed, or ended before its time; PT_ETIMEDOUT. If the handler then ends without a
 * reply, the client gets the status for that. To a client that expects it, the first read that
 * finds nothing of it sends 100 Continue. What the handler does not read is dropped, up to 64 KiB;
 * if it is more, the connection ends with the reply. */
PT_EXPORT struct pt_stream pt_http_body(struct pt_http_request *request);

/* --- its reply ------------------------------------------------------------------------------- */

/* pt_http_add - add a field to the reply, before it begins; FORMAT is that of printf(3)
 * PT_EINVAL: NAME or the value has characters that a field cannot have, such as a newline, or NAME
 * is Date, Content-Length, Transfer-Encoding or Connection, which the functions below write;
 * PT_ERANGE: OUT has no room. Then the reply is a 500 without a body, whatever the handler replies;
 * so it is if the TYPE of a reply has such characters. */
PT_EXPORT pt_status pt_http_add(struct pt_http_request *request, const char *name,
                                const char *format, ...)
    __attribute__((__format__(__printf__, 3, 4)));

/* The frame of pt_http_reply: send a reply as a whole. A request has one reply: the program stops
 * at a second one. Codes as pt_write_all. */
struct pt_http_reply {
    struct pt pt;
    struct pt_http_request *request; /* the caller sets this and the next four */
    int status;                      /* 200 to 599 */
    const char *type;                /* the Content-Type; or NULL */
    const void *data;                /* the body, which must last until the end */
    size_t size;
    struct pt_write_all write;
};

/* The size of a body that nobody knows: it is sent in chunks. */
#define PT_HTTP_CHUNKED UINT64_MAX

/* pt_http_begin - begin a reply whose body has SIZE bytes, or PT_HTTP_CHUNKED; returns the body
 * A stream to write, for a pt_writer: each flush is sent at once, and waits while the client takes
 * nothing. The handler's end ends the reply; so flush before. If it ends with another code than
 * PT_OK, or has written less than SIZE, the connection is closed without the end of the reply, so
 * that the client sees that it is not whole; if nothing was sent yet, it gets a 500 instead, or the
 * status for what is wrong with its body. PT_ERANGE for a write of more than SIZE. A reply without
 * a body, such as one to HEAD, is whole with its head: what is written is dropped. */
PT_EXPORT struct pt_stream pt_http_begin(struct pt_http_request *request, int status,
                                         const char *type, uint64_t size);

/* The frame of pt_http_file: reply with the file FD, or with the range of it that the request asks
 * for: 206 or 416. A request for several ranges gets the whole. On a plain connection it is
 * pt_send_file that sends it, so the loop waits for the disk if the file is not in memory. PT_EIO
 * with errno in ERROR if it is no file, or cannot be read. PT_ERANGE: it has become shorter
 * meanwhile. PT_ETIMEDOUT: the client has taken nothing for the write_time of the server; on a
 * plain connection it can take twice as long until that is noticed. The file stays open. */
struct pt_http_file {
    struct pt pt;
    struct pt_http_request *request; /* the caller sets this and the next two */
    const char *type;
    int fd;
    int error;            /* the function writes this and the rest */
    int status;           /* 200, 206 or 416 */
    uint64_t first, left; /* what is to be sent */
    struct pt_scope limit;
    struct pt_flush flush;
    struct pt_send_file send;
    struct pt_http_reply reply;
};

PT_EXPORT PT_DECLARE(pt_http_reply);
PT_EXPORT PT_DECLARE(pt_http_file);

/* --- a connection ---------------------------------------------------------------------------- */

/* The storage of a wait of a connection for its stream, with a limit of time. Private. */
struct pt_http_wait_ {
    struct pt pt;
    struct pt_http_serve *of;
    struct pt *inner; /* the wait of the stream below, or NULL: for a turn */
    struct pt_scope limit;
    struct pt_stream_wait_ spare;
    bool writing;
};

/* Waits until the client has gone while a handler runs, or the server ends. Private. */
struct pt_http_watch_ {
    struct pt pt;
    struct pt_http_serve *of;
    PT_SELECTION(2) next;
};

/* Reads a head. Private, as is the next one. */
struct pt_http_head_ {
    struct pt pt;
    struct pt_http_serve *of;
    size_t got;
    int found;
};

/* Ends a reply, and drops the rest of the body. */
struct pt_http_tail_ {
    struct pt pt;
    struct pt_http_serve *of;
    pt_status code; /* that of the handler */
    struct pt_flush flush;
    struct pt_http_reply whole;
    size_t dropped, step;
    unsigned reads;
    char text[160];
};

/* The lines of a head as far as they have come: places in its buffer, and limits. */
struct pt_http_lines_ {
    size_t start;           /* the first line, behind empty ones */
    size_t scanned;         /* what is looked at */
    size_t line, count;     /* the line under way; how many came before it */
    size_t end;             /* behind the empty line; 0: the head is not whole */
    size_t room;            /* the most bytes of the head */
    size_t longest, fields; /* those of a line; the most fields */
    const char *why;        /* what is wrong */
};

/* What parses a head, and a body in chunks. */
struct pt_http_parser_ {
    void *state_of_llhttp[14];
    char *into;      /* where a part of a body goes, */
    size_t moved;    /* and how much of it is there */
    uint64_t room;   /* how many bytes of a body may still come */
    const char *why; /* what is wrong */
    char state;      /* of the body */
    bool bare;       /* there is no body, whatever the head says */
    bool keeps;      /* the connection is kept, as far as the head says */
    bool has_ended;
};

/* The frame of pt_http_serve: serve the requests of a connection until it ends.
 *
 * PT_OK: it has ended in order, after a reply, or between two requests. PT_ECLOSED: the client has
 * gone before, or its reply was cut, and it sees that only by an end out of order. PT_ETIMEDOUT;
 * PT_EINVAL: the client has sent what was refused. If a handler has not ended its reply as it has
 * begun it: its code, or PT_EINVAL for PT_OK. Else the code of the stream. When it is the server
 * that ends it, pt_http_serve awaits pt_finish for up to a second first, so that the client gets
 * the last reply; then IO is closed. It cannot do that for another STREAM: unless it returns
 * PT_ECLOSED, the caller ends that, as by pt_tls_finish. The caller closes IO in any case, as in
 * its PT_FINALLY. The program stops if a field is missing. */
struct pt_http_serve {
    struct pt pt;
    struct pt_http_server *server; /* the caller sets this and the rest up to out_size */
    struct pt_io *io; /* the connection; its hang-up ends the handler. NULL: only STREAM is known */
    struct pt_stream stream; /* what is read and written, for example TLS over IO; not set: IO */
    void *room;              /* what CHOOSE gets: storage for the frame of a handler */
    char *in;                /* a buffer for the head of a request; it limits that */
    size_t in_size;          /* at least 512 */
    char *out;               /* a buffer for the head of a reply, and for a small body */
    size_t out_size;         /* at least 512 */

    struct pt_http_request request; /* the one that is served; the functions write the rest */
    struct pt_http_lines_ lines;    /* of the head, which is in IN */
    size_t used, next;              /* in IN: the end of the bytes; what is parsed */
    uint64_t left;                  /* of a body of known length */
    uint64_t raw;                   /* bytes of a body in chunks, with its frames */
    uint64_t owed;                  /* of the reply's body or of its chunk */
    pt_time read_until;
    const char *why;     /* what is wrong with the request */
    const char *interim; /* the rest of an interim reply */
    pt_status broken;    /* why the body can be read no more */
    int refusal;         /* the status for that */
    uint8_t reply;       /* see http.c */
    uint8_t body;
    bool last, expects, is_head, handling, plain, bad_field, lost;
    pt_status code;    /* what it will return */
    struct pt *choice; /* the handler's frame */
    struct pt_http_parser_ parser;
    struct pt_writer writer;
    struct pt_http_wait_ waits[2];
    struct pt_http_head_ head;
    struct pt_http_tail_ tail;
    struct pt_finish finish;
    struct pt_scope limit;
    struct pt_group both;
    PT_TASK(pt_http_watch_) watch;
};

PT_EXPORT PT_DECLARE(pt_http_serve);

#endif
