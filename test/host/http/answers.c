/* answers.c - a server with scripted answers, and tasks that call it: the client's tests
 * SPDX-License-Identifier: MIT */
#include "answers.h"

#include <pt/net/serve.h>

#include <stdlib.h>

struct answer answers[32];
char asked[20000];
int answers_connections;
struct pt_http_client a_client;
struct pt_http_link a_links[4];

static char own_address[PT_ADDRESS_TEXT];
static int next_answer, descriptors, callers;

/* --- the server ------------------------------------------------------------------------------ */

struct answering {
    struct pt pt;
    struct pt_io io;
    struct pt_reader in;
    struct pt_read_line line;
    struct pt_read_exactly get;
    const struct answer *answer;
    size_t body, sent, size, step;
    bool chunked;
    char room[2000], data[6000], text[9000];
};

/* Keep a line of a request. */
static void note(struct answering *self)
{
    const char *line = self->line.text;

    if (!strncmp(line, "Content-Length:", 15))
        self->body = (size_t)atoi(line + 15);
    if (!strncmp(line, "Transfer-Encoding:", 18))
        self->chunked = true;
    if (strncmp(line, "Host:", 5) != 0)
        snprintf(asked + strlen(asked), sizeof asked - strlen(asked), "%s\n", line);
}

/* The text of an answer, with the server's address for each @. */
static void prepare(struct answering *self)
{
    const char *from = self->answer->text ? self->answer->text : "";

    for (self->size = 0; *from; from++)
        if (*from == '@')
            self->size += (size_t)sprintf(self->text + self->size, "%s", own_address);
        else
            self->text[self->size++] = *from;
    self->sent = 0;
}

static size_t next_piece(const struct answering *self)
{
    size_t left = self->size - self->sent;
    size_t most =
        self->sent == 0 && self->answer->first ? self->answer->first : self->answer->piece;

    return most && most < left ? most : left;
}

static PT_ASYNC(answering, self)
{
    answers_connections++;
    pt_tcp_tune(&self->io, true, 0); /* each piece is there at once */
    pt_reader_init(&self->in, pt_io_stream(&self->io), self->room, sizeof self->room);
    for (;;) {
        self->body = 0;
        self->chunked = false;
        do {
            PT_TRY(&self->line, pt_read_line, .reader = &self->in);
            if (self->line.length && self->line.text[self->line.length - 1] == '\r')
                self->line.text[--self->line.length] = '\0';
            if (self->line.length)
                note(self);
        } while (self->line.length);
        self->answer = &answers[next_answer++];
        if (self->body && !self->answer->early) {
            PT_TRY(&self->get, pt_read_exactly, .reader = &self->in, .data = self->data,
                   .size = self->body);
            snprintf(asked + strlen(asked), sizeof asked - strlen(asked), "%.*s\n", (int)self->body,
                     self->data);
        }
        while (self->chunked && !self->answer->early) {
            PT_TRY(&self->line, pt_read_line, .reader = &self->in);
            self->chunked = self->line.length > 1;
            if (self->chunked)
                snprintf(asked + strlen(asked), sizeof asked - strlen(asked), "%s\n",
                         self->line.text);
        }
        prepare(self);
        if (self->answer->pause)
            PT_WAIT(self->answer->pause);
        while (self->sent < self->size) {
            PT_WRITE(&self->io, self->text + self->sent, next_piece(self), &self->step);
            if (self->pt.status != PT_OK)
                PT_RETURN(self->pt.status);
            self->sent += self->step;
            PT_YIELD();
        }
        for (self->sent = 0; self->sent < self->answer->echoes; self->sent += self->get.got) {
            PT_TRY(&self->get, pt_read_exactly, .reader = &self->in, .data = self->data,
                   .size = 500);
            for (self->step = 0; self->step < self->get.got; self->step += self->size) {
                PT_WRITE(&self->io, self->data + self->step, self->get.got - self->step,
                         &self->size);
                if (self->pt.status != PT_OK)
                    PT_RETURN(self->pt.status);
            }
        }
        if (self->answer->closes && self->answer->pause)
            PT_WAIT(self->answer->pause);
        if (self->answer->closes)
            PT_RETURN(PT_OK);
    }
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

static PT_POOL(answering, 8) answering_pool;
static PT_TASK(pt_serve) serve;
static struct pt_io listener;

static struct pt_task *meet(struct pt_loop *loop, struct pt_io *peer, void *context)
{
    (void)context;
    if (PT_START_FROM(loop, &answering_pool, answering, .io = pt_io_take(peer)) != PT_OK)
        return NULL;
    return &answering_pool.taken->task;
}

/* --- the callers ----------------------------------------------------------------------------- */

static void tell(struct caller *self, pt_status status)
{
    trace_add("%s", self->name ? self->name : "");
    if (status == PT_OK)
        trace_add("%d %s;", self->call.status,
                  self->reads       ? self->text
                  : self->call.body ? self->call.body
                                    : "-");
    else
        trace_add("%s %s;", pt_status_name(status) + 3, self->call.why ? self->call.why : "-");
}

/* The URL of a path of the server; or another one. */
static void aim(struct caller *self)
{
    bool is_path = *self->path == '/';

    snprintf(self->url, sizeof self->url, "%s%s%s", is_path ? "http://" : "",
             is_path ? own_address : "", self->path);
}

/* One call, with what the test has set; then its body, if that is a stream. */
PT_ASYNC(caller, self)
{
    aim(self);
    PT_WITH_TIMEOUT(&self->scope, self->limit ? self->limit : PT_DELAY_NEVER) {
        PT_WAIT_COMPLETE(&self->call, pt_http_call, .client = &a_client, .url = self->url,
                         .method = self->set.method, .fields = self->set.fields,
                         .data = self->set.data, .size = self->set.size, .source = self->set.source,
                         .streams = self->reads || self->stays, .redirects = self->set.redirects,
                         .in = self->in, .in_size = self->in_size, .out = self->out,
                         .out_size = sizeof self->out);
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
        if (self->stays)
            PT_WAIT(PT_SEC(1));
        pt_reader_init(&self->reader, pt_http_call_body(&self->call), NULL, 0);
        while (self->reads) {
            PT_WAIT_COMPLETE(&self->get, pt_read_exactly, .reader = &self->reader,
                             .data = self->data, .size = self->step);
            strncat(self->text, self->data, self->get.got);
            if (self->pt.status == PT_ECLOSED)
                break;
            if (self->pt.status != PT_OK)
                PT_RETURN(self->pt.status);
            if (self->trusts_length)
                break;
            if (self->rest)
                PT_WAIT(self->rest);
        }
        self->pt.status = PT_OK;
    }
    PT_RETURN(pt_timed_out(&self->scope) ? (pt_status)PT_ETIMEDOUT : self->pt.status);
    PT_FINALLY
    tell(self, self->pt.result);
    pt_http_call_end(&self->call);
    callers--;
}
PT_END

/* --- a test ---------------------------------------------------------------------------------- */

void answers_open(const char *poller, size_t links)
{
    struct pt_address address;

    memset(answers, 0, sizeof answers);
    memset(a_links, 0, sizeof a_links);
    memset(&a_client, 0, sizeof a_client);
    *asked = '\0';
    next_answer = answers_connections = callers = 0;
    descriptors = host_descriptors();
    host_open(poller);
    a_client.system = &host.system;
    a_client.links = a_links;
    a_client.count = links;
    ck_assert_int_eq(pt_listen_at(&listener, &host.system, "127.0.0.1:0"), PT_OK);
    ck_assert_int_eq(pt_io_local(&listener, &address), PT_OK);
    pt_address_text(&address, own_address, sizeof own_address);
    PT_START(&host.loop, &serve, pt_serve, .listener = &listener, .start = meet,
             .pool = &answering_pool.pool);
}

const char *answers_address(void)
{
    return own_address;
}

void answers_turn(int turns)
{
    host_turns(turns);
}

void answers_run(void)
{
    for (int turns = 0; callers && turns < 20000; turns++)
        host_turns(1);
    ck_assert_int_eq(callers, 0);
    answers_turn(20);
}

void answers_call(caller_task *task, struct caller caller)
{
    callers++;
    ck_assert_int_eq(PT_START(&host.loop, task, caller, .name = caller.name, .path = caller.path,
                              .set = caller.set, .reads = caller.reads, .stays = caller.stays,
                              .trusts_length = caller.trusts_length,
                              .step = caller.step ? caller.step : 50, .limit = caller.limit,
                              .rest = caller.rest,
                              .in_size = caller.in_size ? caller.in_size : sizeof caller.in),
                     PT_OK);
}

const char *answers_get(struct caller caller)
{
    static caller_task task;

    answers_call(&task, caller);
    answers_run();
    return trace_take();
}

void answers_close(void)
{
    for (size_t i = 0; i < a_client.count; i++)
        ck_assert_ptr_null(a_links[i].call);
    ck_assert_ptr_null(a_client.first);
    ck_assert_ptr_null(a_client.last);
    pt_http_client_close(&a_client);
    pt_loop_cancel(&host.loop, PT_ECANCELED);
    host_run();
    host_close();
    ck_assert_int_eq(host_descriptors(), descriptors);
}
