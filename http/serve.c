/* serve.c - a connection: requests one after the other, and its end
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "connection.h"

#include <stdio.h>
#include <string.h>

/* How much of a body that the handler has not read is dropped, for the sake of the next request. */
enum { DROPPED = 64 << 10, READS = 32 };

/* How long a connection stays after its last reply, so that the client gets that. */
#define LINGER PT_SEC(1)

/* How often a client that has shut down its writing side gets a sign, or is looked at. */
#define SIGNS PT_SEC(1)

/* --- the head of a request ------------------------------------------------------------------- */

/* What was read behind the last request is the beginning of the next one. */
static void next_request(struct pt_http_serve *of)
{
    of->used -= of->next;
    memmove(of->in, of->in + of->next, of->used);
    of->next = 0;
    pt_http_begin_lines_(&of->lines, of->in_size, PT_HTTP_LIMIT_(of, line, 4096),
                         PT_HTTP_LIMIT_(of, fields, 100));
    memset(&of->request, 0, sizeof of->request);
    of->request.method = of->request.path = "";
    of->request.room = of->room;
    of->request.server = of->server;
    of->request.connection = of;
    of->why = of->interim = NULL;
    of->raw = of->owed = 0;
    of->broken = PT_OK;
    of->refusal = 0;
    of->reply = PT_HTTP_NONE_;
    of->body = PT_HTTP_ENDED_;
    of->expects = of->is_head = of->bad_field = of->lost = false;
}

/* Nothing of a request has come. */
static bool is_idle(const struct pt_http_serve *of)
{
    return !of->handling && of->used == of->lines.start;
}

/* A request has its reply, and the rest of its body is dropped, if it has one. */
static bool is_answered(const struct pt_http_serve *of)
{
    return !of->handling && of->request.status;
}

/* The first byte of a request is there. */
static void begin_head(struct pt_http_serve *of, pt_time now)
{
    of->request.begun = now;
    of->request.id = ++of->server->requests;
    of->read_until = now + PT_HTTP_LIMIT_(of, head_time, PT_SEC(10));
}

/* The head has not come in time: that is a reply, too. */
static int refuse_late(struct pt_http_serve *of)
{
    of->why = "the head took too long";
    return 408;
}

static PT_ASYNC(pt_http_head_, self)
{
    next_request(self->of);
    self->of->read_until = PT_NOW() + PT_HTTP_LIMIT_(self->of, idle, PT_SEC(60));
    while (self->found == 0) {
        if (self->of->used > self->of->lines.start && self->of->request.id == 0)
            begin_head(self->of, PT_NOW());
        self->found = pt_http_scan_(self->of);
        if (self->found)
            break;
        self->got = 0;
        self->pt.status = pt_http_raw_read_(self->of, self->of->in + self->of->used,
                                            self->of->in_size - self->of->used, &self->got);
        if (self->pt.status == PT_EAGAIN && is_idle(self->of) && pt_http_ends_(self->of))
            PT_RETURN(PT_ECLOSED); /* its reply had begun before the end */
        if (self->pt.status == PT_EAGAIN)
            PT_HTTP_AWAIT_(pt_http_raw_wait_(self->of, false, NULL));
        if (self->pt.status == PT_ETIMEDOUT && !is_idle(self->of))
            self->found = refuse_late(self->of);
        else if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
        self->of->used += self->got;
    }
    self->of->next = self->of->lines.end;
    self->of->refusal = self->found == 200 ? pt_http_parse_(self->of) : self->found;
}
PT_END

/* --- the end of a request -------------------------------------------------------------------- */

/* Count a request that has its reply, or whose client is lost, and tell the log. */
static void account(struct pt_http_serve *of, pt_time now)
{
    static const pt_time bounds[] = {PT_MS(1), PT_MS(10), PT_MS(100), PT_SEC(1), PT_SEC(10)};
    struct pt_http_server *server = of->server;
    pt_time took = now - of->request.begun;
    size_t i = 0;

    if (of->lost) {
        of->request.status = 499;
        server->gone++;
    }
    while (i < 5 && took > bounds[i])
        i++;
    server->within[i]++;
    server->took += took;
    server->statuses[of->request.status / 100]++;
    if (server->log)
        server->log(&of->request);
    of->handling = false;
}

/* End the connection so that the client sees an error, where the end would be that of the body:
 * whether it is so. By another stream than a plain one that is up to the caller. */
static bool reset(struct pt_http_serve *of)
{
    const struct linger now = {1, 0};

    of->last = true;
    if (of->reply != PT_HTTP_CHUNKS_ || of->request.minor == 1)
        return false;
    if (of->plain)
        (void)setsockopt(of->io->fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    return true;
}

/* The client has gone, or the connection was canceled, while a request was handled. */
static void give_up(struct pt_http_serve *of, pt_time now)
{
    (void)reset(of);
    of->lost = true;
    account(of, now);
}

/* What the library replies if the handler has not: its status, and its text. */
static int own_reply(struct pt_http_serve *of, char *text, size_t size)
{
    int status = of->refusal ? of->refusal : of->choice ? 500 : 404;
    const char *why = of->refusal  ? of->why
                      : of->choice ? "the handler has not replied"
                                   : "there is nothing at this path";

    of->last = of->last || of->refusal;
    of->bad_field = false;
    of->reply = PT_HTTP_NONE_;
    of->writer.first = of->writer.end = 0;
    of->writer.failed = PT_OK;
    snprintf(text, size, "%d: %s\n", status, why ? why : "bad request");
    return status;
}

/* Whether the reply has begun, and cannot be ended as it should: its client must see that. */
static bool is_cut_off(const struct pt_http_serve *of, pt_status code)
{
    if (of->writer.failed != PT_OK)
        return true;
    return of->reply != PT_HTTP_WHOLE_ && (code != PT_OK || of->owed);
}

/* Whether the library replies: the handler has not, its head has no room, or it has failed before
 * anything of its reply was sent. */
static bool replies_itself(const struct pt_http_serve *of, pt_status code)
{
    return of->reply <= PT_HTTP_FIELDS_ || of->writer.failed == PT_ERANGE ||
           (!of->request.sent && of->writer.failed == PT_OK && is_cut_off(of, code));
}

/* Whether nothing is left to do for a request: its body is read, and its reply is written. */
static bool is_over(const struct pt_http_serve *of, pt_status code)
{
    return code == PT_OK && of->reply == PT_HTTP_WHOLE_ && of->body == PT_HTTP_ENDED_ &&
           of->writer.failed == PT_OK && of->writer.first == of->writer.end;
}

static PT_ASYNC(pt_http_tail_, self)
{
    if (replies_itself(self->of, self->code)) {
        self->of->request.status = own_reply(self->of, self->text, sizeof self->text);
        PT_TRY(&self->whole, pt_http_reply, .request = &self->of->request,
               .status = self->of->request.status, .type = "text/plain", .data = self->text,
               .size = strlen(self->text));
    } else if (is_cut_off(self->of, self->code)) {
        self->of->request.status = 500; /* which the client cannot be told */
        if (reset(self->of))
            PT_RETURN(PT_ECLOSED); /* nobody ends it in order */
        PT_RETURN(self->code != PT_OK ? self->code : (pt_status)PT_EINVAL);
    } else {
        if (self->of->reply == PT_HTTP_CHUNKS_ && self->of->request.minor == 1)
            pt_printf(&self->of->writer, "0\r\n\r\n");
        PT_TRY(&self->flush, pt_flush, .writer = &self->of->writer);
    }
    account(self->of, PT_NOW());
    if (self->of->body != PT_HTTP_ENDED_ && (self->of->expects || pt_http_ends_(self->of)))
        self->of->last = true; /* the client may send it or not; no request follows it */
    while (!self->of->last && self->of->body != PT_HTTP_ENDED_) {
        self->pt.status =
            pt_http_read_body_(self->of, self->of->out, self->of->out_size, &self->step);
        if (self->pt.status == PT_EAGAIN)
            PT_HTTP_AWAIT_(pt_http_raw_wait_(self->of, false, NULL));
        else if (++self->reads % READS == 0)
            PT_YIELD();
        self->dropped += self->step;
        if ((self->pt.status != PT_OK && self->pt.status != PT_ECLOSED) || self->dropped > DROPPED)
            self->of->last = true;
    }
    PT_RETURN(PT_OK);
}
PT_END

/* --- the watch ------------------------------------------------------------------------------- */

/* Tell the client that its request is worked on, unless its reply has begun: a code if it has gone. */
static pt_status give_sign(struct pt_http_serve *of)
{
    size_t put;
    pt_status status;

    if (!of->handling || of->reply > PT_HTTP_FIELDS_ || of->request.minor == 0)
        return PT_OK;
    if (!of->interim)
        of->interim = "HTTP/1.1 102 Processing\r\n\r\n";
    status = pt_http_raw_write_(of, NULL, 0, &put);
    return status == PT_EAGAIN ? (pt_status)PT_OK : status;
}

/* Ends when the connection must: its end is that of the block in which the requests are served. TCP
 * does not tell a client that has gone from one that has shut down its writing side, until something
 * is written: if such clients are served, they get a sign each second. */
static PT_ASYNC(pt_http_watch_, self)
{
    if (!self->of->server->ending)
        PT_WAIT_HANGUP(self->of->io);
    else if (!self->of->io)
        PT_WAIT_EVENT(self->of->server->ending);
    else
        PT_SELECT(&self->next, PT_CASE_EVENT(self->of->server->ending),
                  PT_CASE_HANGUP(self->of->io));
    if (pt_http_ends_(self->of)) {
        if (is_idle(self->of) || is_answered(self->of))
            PT_RETURN(PT_OK);
        if (self->of->io)
            PT_WAIT_HANGUP(self->of->io);
        else
            PT_PARK();
    }
    while (self->of->server->half_closed) {
        PT_WAIT(SIGNS);
        self->pt.status = give_sign(self->of);
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
    }
    while (!self->of->handling) /* what it has sent before is served; its end is read */
        PT_WAIT(SIGNS);
}
PT_END

/* --- a connection ---------------------------------------------------------------------------- */

static void set_up(struct pt_http_serve *of)
{
    PT_NEEDS_FIELD_(of, server, "pt_http_serve");
    PT_NEEDS_FIELD_(of, server->choose, "pt_http_serve");
    PT_NEEDS_(of->io || of->stream.ops, ".io is not set, nor .stream", "pt_http_serve");
    PT_NEEDS_(of->in && of->in_size >= 512, ".in has less than 512 bytes", "pt_http_serve");
    PT_NEEDS_(of->out && of->out_size >= 512, ".out has less than 512 bytes", "pt_http_serve");
    if (!of->stream.ops)
        of->stream = pt_io_stream(of->io);
    of->plain = of->io && of->stream.ops == pt_io_stream(of->io).ops;
    pt_writer_init(&of->writer, pt_http_raw_(of), of->out, of->out_size);
    of->server->connections++;
    of->server->open++;
}

/* The handler of the request that was read; NULL if it is refused, or if there is none. */
static struct pt *choose(struct pt_http_serve *of)
{
    if (!of->refusal)
        return of->server->choose(&of->request);
    of->server->refused++;
    return NULL;
}

PT_ASYNC(pt_http_serve, self)
{
    set_up(self);
    PT_WITH_GROUP(&self->both, PT_GROUP_FIRST) {
        if (self->server->ending || self->io) {
            PT_SPAWN_IN(&self->both, &self->watch, pt_http_watch_, .of = self);
            if (self->pt.status != PT_OK)
                PT_RETURN(self->pt.status);
        }
        while (!self->last) {
            PT_WAIT_COMPLETE(&self->head, pt_http_head_, .of = self);
            if (self->pt.status != PT_OK) {
                self->code = self->pt.status;
                break;
            }
            self->handling = true;
            self->read_until = PT_NOW() + PT_HTTP_LIMIT_(self, body_time, PT_SEC(60));
            self->choice = choose(self);
            if (self->choice)
                PT_HTTP_AWAIT_(self->choice);
            self->code = self->pt.status;
            if (!is_over(self, self->code)) {
                PT_WAIT_COMPLETE(&self->tail, pt_http_tail_, .of = self, .code = self->code);
                self->code = self->pt.status;
                self->last = self->last || self->code != PT_OK; /* its reply may be cut off */
            }
            if (self->handling)
                account(self, PT_NOW());
        }
        break;
    }
    if (self->handling) {
        give_up(self, PT_NOW());
        PT_RETURN(PT_ECLOSED);
    }
    if (is_idle(self) && (self->code == PT_ECLOSED || self->code == PT_ETIMEDOUT))
        self->code = PT_OK;
    if (self->plain && self->code != PT_ECLOSED)
        PT_WITH_TIMEOUT(&self->limit, LINGER) {
            PT_WAIT_COMPLETE(&self->finish, pt_finish, .io = self->io);
        }
    PT_RETURN(self->refusal && self->code == PT_OK ? (pt_status)PT_EINVAL : self->code);
    PT_FINALLY
    if (self->handling)
        give_up(self, PT_NOW());
    self->server->open--;
}
PT_END
