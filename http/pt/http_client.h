/* http_client.h - HTTP/1.1 for clients: calls, and the connections that they share
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_http_link links[8];
 *     static struct pt_http_client client = {.system = &sys, .links = links, .count = 8};
 *
 *     struct look { struct pt pt; struct pt_scope limit; struct pt_http_call call;
 *                   char in[4096], out[1024]; };
 *
 *     PT_WITH_TIMEOUT(&self->limit, PT_SEC(5)) {
 *         PT_TRY(&self->call, pt_http_call, .client = &client, .url = "http://example.org/a?b=1",
 *                .in = self->in, .in_size = sizeof self->in,
 *                .out = self->out, .out_size = sizeof self->out);
 *         printf("%d: %s\n", self->call.status, self->call.body);
 *     }
 *
 * A call sends a request and gets the reply. It takes a connection of the client's: one to that
 * host that is idle, else a new one; if none is free, it waits for its turn. A connection whose
 * reply was read to its end is kept for the next call.
 *
 * A body is whole or a stream, each way. As a whole, a request's is DATA, and that of the reply is
 * behind its head in the buffer IN. As streams: a request's comes from SOURCE, for example the body
 * of a request to a server of this library; that of the reply is read by a pt_reader from
 * pt_http_call_body, as fast as it comes or as slowly as its reader reads.
 *
 *     PT_TRY(&self->call, pt_http_call, .client = &client, .url = "http://example.org/big",
 *            .streams = true, ...);
 *     pt_reader_init(&self->in, pt_http_call_body(&self->call), self->room, sizeof self->room);
 *     PT_TRY(&self->line, pt_read_line, .reader = &self->in);
 *     PT_FINALLY
 *     pt_http_call_end(&self->call);
 *
 * A reply can begin before all of the request is sent, as that of a server which sends back what it
 * gets. The call goes on to send: while it waits for the reply, and while that is read as a stream,
 * so DATA and SOURCE last until the end of it. A reply from 300 on ends the request.
 *
 * Nothing is allocated but what pt_dial takes. There is no limit of time but that of the blocks
 * around a call: PT_WITH_TIMEOUT. A call that is ended at any wait closes its connection and gives
 * its place to the next one. Native tasks: pt_native_call(self, &call, pt_http_call, ...).
 *
 * HTTPS: a hook of the program makes a connection secure, so that this library needs no other one.
 * With libpt-tls, as in examples/http/secure.c:
 *
 *     struct secure { struct pt pt; struct pt_http_link *link; struct pt_tls tls; };
 *     static struct secure secures[8];                            one for each link
 *
 *     static PT_ASYNC(secure, self)
 *     {
 *         self->pt.status = pt_tls_open(&self->tls, &web, &self->link->io, self->link->host);
 *         if (self->pt.status != PT_OK)
 *             PT_RETURN(self->pt.status);
 *         PT_TLS_HANDSHAKE(&self->tls);
 *         self->link->why = pt_tls_error_text(&self->tls, self->pt.status);
 *         self->link->stream = pt_tls_stream(&self->tls);
 *         PT_RETURN(self->pt.status);
 *     }
 *     PT_END
 *
 *     static struct pt *make_secure(struct pt_http_link *link)    client.secure
 *     {
 *         PT_INIT(&secures[link - links], secure, .link = link);
 *         return &secures[link - links].pt;
 *     }
 *
 *     static void closing(struct pt_http_link *link)              client.closing
 *     {
 *         pt_tls_close(&secures[link - links].tls);
 *     } */
#ifndef PT_HTTP_CLIENT_H
#define PT_HTTP_CLIENT_H

#include <pt/http.h>
#include <pt/net/net.h>

/* --- the client ------------------------------------------------------------------------------ */

struct pt_http_call;

/* A connection: storage for it, zeroed. For a hook of the program; the functions write it. */
struct pt_http_link {
    struct pt_io io;         /* the connection */
    struct pt_stream stream; /* what is read and written: that of IO, unless SECURE sets another */
    char host[256];          /* the name or the address of the server; "" if it has none */
    char to[272];            /* the same with the port: "example.org:443", as pt_dial takes it */
    bool secure;             /* it is for https */
    const char *why;         /* SECURE can set it: what has failed, in words */
    struct pt_http_call *call; /* the one that has it, or NULL; the rest is private */
    pt_time since;             /* when it became idle */
};

/* What the calls of a program share. Zero it, and set what is needed; the links last as long. */
struct pt_http_client {
    struct pt_system *system;
    struct pt_http_link *links; /* an array of COUNT: so many connections in all */
    size_t count;
    size_t per_host; /* the most to one host, with its port: 0: as many as there are */
    pt_time idle;    /* how long an idle connection is used again: 0: 30 s */
    /* Make LINK, which is connected, secure: prepare a frame by PT_INIT and return its address. It
     * is awaited, and sets link->stream. Its code, unless PT_OK, ends the call. NULL: the URLs of
     * https are refused. */
    struct pt *(*secure)(struct pt_http_link *link);
    /* Called before the io of a secure link is closed, also if SECURE was ended midway; or NULL. */
    void (*closing)(struct pt_http_link *link);
    struct pt_http_call *first, *last; /* private: calls that wait for a link */
};

/* pt_http_client_close - close the connections that no call has; O(links)
 * Those that are too old are closed at the next call only: so call it if the client is not needed
 * for a while, and before the system is closed. Calls go on; their connections are kept as ever. */
PT_EXPORT void pt_http_client_close(struct pt_http_client *client);

/* --- a call ---------------------------------------------------------------------------------- */

/* Waits until the request can go on, beside what waits for the reply. Private, as the next one. */
struct pt_http_sends_ {
    struct pt pt;
    struct pt_http_call *of;
};

/* Waits until the reply, or the request, can go on. */
struct pt_http_either_ {
    struct pt pt;
    struct pt_http_call *of;
    struct pt_group first;
    pt_status code; /* of the wait to send */
    PT_TASK(pt_http_sends_) sends;
};

/* The frame of pt_http_call: send a request and get the reply.
 *
 * PT_OK: there is a reply, whatever its STATUS is. PT_EINVAL: URL, METHOD or FIELDS are not well
 * formed. PT_ERANGE: the request does not fit in OUT, or the reply not in IN. PT_EFAILED: what has
 * come is no reply, or its body has ended before its time. PT_ECLOSED: the server has closed before
 * the end of its head. Else the code of pt_dial, of SECURE, of the stream, or of SOURCE. WHY has
 * words for each.
 *
 * A kept connection can be closed by the server just when it is used. If no byte of a reply has
 * come, the request is sent once more on a new one, unless that could do a thing twice: METHOD must
 * be GET, HEAD, PUT, DELETE, OPTIONS or TRACE, and the body no stream.
 *
 * Up to REDIRECTS times a redirect is followed: 301, 302, 303, 307, 308. 303 becomes a GET, except
 * for HEAD, and so does a POST by 301 or 302. Authorization, Cookie and Proxy-Authorization are not
 * sent to another host, port or scheme. What cannot be followed is the reply: one redirect too
 * many, one to another scheme than http and https or from https to http, or a body to send again
 * that was a stream.
 *
 * The program stops if a field is missing. */
struct pt_http_call {
    struct pt pt;
    struct pt_http_client *client; /* the caller sets this and the rest up to out_size */
    const char *method;            /* NULL: "GET" */
    const char *url; /* "http://host:port/path?query"; what has spaces in it is encoded already */
    /* Names and values in turn, then a NULL: {"Accept", "text/plain", NULL}; or NULL. They last
     * until the reply is there. Host, Content-Length, Transfer-Encoding and Connection are written
     * by the function. */
    const char *const *fields;
    const void *data;        /* the body, if it is whole; it lasts as long */
    uint64_t size;           /* of DATA or of what SOURCE gives; PT_HTTP_CHUNKED: unknown */
    struct pt_stream source; /* the body as a stream, of which SIZE bytes are read; or not set */
    bool streams;            /* the function ends behind the head, and the body is a stream */
    uint8_t redirects;       /* how many are followed */
    char *in;                /* a buffer for the head of the reply, and for a whole body */
    size_t in_size;          /* at least 512 */
    char *out;               /* a buffer for the request, and for parts of SOURCE */
    size_t out_size;         /* at least 512 */

    int status;         /* of the reply; the functions write this and the rest */
    char *body;         /* if it is whole: its bytes, with a 0 behind them */
    size_t length;      /* of BODY, or the bytes of the stream that were read */
    const char *why;    /* what has failed, in words; or NULL */
    uint8_t redirected; /* how many redirects were followed */

    struct pt_http_link *link;   /* the connection, or NULL; this and the rest is private */
    struct pt_http_call *next;   /* the one that waits behind this one */
    struct pt_event given;       /* LINK is there */
    size_t begin, sent, end;     /* in OUT, behind the target: what is sent, and how far it is */
    uint64_t owed;               /* of the body to send, which is not in OUT */
    struct pt_http_lines_ lines; /* of the head, which is in IN */
    size_t used;                 /* in IN: the end of the bytes */
    size_t base, from;           /* where the next bytes of a body go; what is parsed */
    uint64_t left, raw;          /* of a body of known length; of one in chunks, with its frames */
    pt_status broken, unsent;    /* why the body ends; why the request was not sent */
    uint8_t phase, kind, steps;
    bool secure, is_head, no_body, elsewhere, reused, asked, heard, last, waits, again;
    struct pt_http_parser_ parser;
    struct pt *hears, *sends; /* the waits for the reply, and to send more; NULL: for a turn */
    struct pt *wait;          /* for either, or for both */
    struct pt_stream_wait_ spares[2];
    struct pt_http_either_ either;
    struct pt_dial dial;
};

PT_EXPORT PT_DECLARE(pt_http_call);

/* pt_http_call_field - the value of the field NAME of the reply, in any case; or NULL
 * The first one, if there are several. Valid as long as IN. Cost: O(bytes of the head) */
PT_EXPORT const char *pt_http_call_field(const struct pt_http_call *call, const char *name);

/* pt_http_call_body - the body of the reply to a call that STREAMS, for a pt_reader
 * PT_ECLOSED at its end, and only there. PT_EFAILED: it is not well formed, or ended before its
 * time; PT_EINVAL: there is no reply, or it was given back; else the code of the connection, or of
 * SOURCE. */
PT_EXPORT struct pt_stream pt_http_call_body(struct pt_http_call *call);

/* pt_http_call_end - give back the connection of a call that STREAMS
 * It is kept if the body was read to its end, PT_ECLOSED; else it is closed. No effect if the call
 * has none: a cleanup may call it in any case, if the frame was zeroed or the call was made. */
PT_EXPORT void pt_http_call_end(struct pt_http_call *call);

#endif
