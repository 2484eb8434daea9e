/* test_http_term.c - a server that ends in each state of its connections: nothing is lost silently
 * SPDX-License-Identifier: MIT */
#include "kit.h"

#include <stdlib.h>

#ifdef PT_HAVE_OPENSSL
#include "../../../adapters/pt_https.c"
#include "../tls/talk.h"
#endif

#define GRACE PT_SEC(2)

/* What a client does, and how long that takes: the server ends at each of STEPS moments within it. */
struct scene {
    const char *input;
    size_t first, piece;
    pt_time pause, rests;
    size_t sip;
    pt_time lasts;
};

static const struct scene scenes[] = {
    /* idle, kept */
    {GET("/quick") "\r\n", 0, 0, 0, 0, 0, PT_SEC(3)},
    /* the head in pieces, then idle */
    {GET("/quick") "\r\n" GET("/tell") "\r\n", 5, 7, PT_MS(200), 0, 0, PT_SEC(3)},
    /* the body in pieces, of known length and in chunks */
    {POST("/tell") "Content-Length: 30\r\n\r\n012345678901234567890123456789", 59, 1, PT_MS(100), 0,
     0, PT_SEC(4)},
    {POST("/tell") "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", 66,
     1, PT_MS(100), 0, 0, PT_SEC(5)},
    /* a body that the handler does not read */
    {POST("/quick") "Content-Length: 30\r\n\r\n012345678901234567890123456789", 60, 1, PT_MS(100),
     0, 0, PT_SEC(4)},
    /* the handler runs, for five seconds */
    {GET("/wait") "\r\n" GET("/quick") "\r\n", 0, 0, 0, 0, 0, PT_SEC(6)},
    /* the reply goes out slowly: whole, as a stream, as a file */
    {GET("/letters?40000") "\r\n", 0, 0, 0, PT_MS(200), 2000, PT_SEC(5)},
    {POST("/echo") "Content-Length: 30\r\n\r\n012345678901234567890123456789", 60, 5, PT_MS(300),
     PT_MS(100), 3, PT_SEC(5)},
    {GET("/file-long") "\r\n", 0, 0, 0, PT_MS(200), 5000, PT_SEC(6)},
    /* several requests at once, whose replies go out slowly */
    {GET("/quick") "\r\n" GET("/letters?20000") "\r\n" GET("/tell") "\r\n", 0, 0, 0, PT_MS(200),
     2000, PT_SEC(4)},
};

/* --- what has happened ----------------------------------------------------------------------- */

static pt_time ended; /* when the server's end was over */

/* Ends the server after so long, and so many turns. */
struct ender {
    struct pt pt;
    pt_time after;
    int turns;
};

static PT_ASYNC(ender, self)
{
    PT_WAIT(self->after);
    while (self->turns--)
        PT_YIELD();
    pt_cancel(kit_serving, PT_ECANCELED);
    PT_JOIN(kit_serving);
    ended = PT_NOW();
}
PT_END

/* How often a word stands in a text. */
static int count(const char *text, const char *word)
{
    int found = 0;

    while ((text = strstr(text, word)) != NULL) {
        found++;
        text += strlen(word);
    }
    return found;
}

/* How many whole replies a text has: a head, then a body whose length or whose last chunk is there. */
static int whole_replies(const char *text)
{
    int found = 0;

    while (!strncmp(text, "HTTP/1.1 ", 9)) {
        const char *body = strstr(text, "\r\n\r\n"), *length = strstr(text, "Content-Length: ");

        if (!body)
            break;
        body += 4;
        if (length && length < body) {
            size_t size = strtoul(length + 16, NULL, 10);

            if (strlen(body) < size)
                break;
            text = body + size;
        } else {
            text = strstr(body, "0\r\n\r\n");
            if (!text)
                break;
            text += 5;
        }
        found++;
    }
    return found;
}

/* Let the server end in this moment of a scene. Each request whose head has come is in the log: it
 * has the whole of its reply, or was cut off. */
static void end_in(const char *poller, const struct scene *scene, pt_time after, int turns)
{
    static PT_TASK(ender) ender;
    struct kit_client guest = kit_says(scene->input);
    const char *output, *log;
    int served, cut;

    guest.first = scene->first;
    guest.piece = scene->piece;
    guest.pause = scene->pause;
    guest.sip = scene->sip;
    guest.rests = scene->rests;
    guest.waits = true;
    kit_serve(poller, NULL, NULL, GRACE);
    PT_START(&host.loop, &ender, ender, .after = after, .turns = turns);
    output = kit_run(guest);
    log = trace_take();
    cut = count(log, "=499 ");
    served = count(log, "=") - cut;
    ck_assert_msg(whole_replies(output) == served, "%s after %d ms and %d turns: %d whole, %s",
                  scene->input, host_ms(HOST_START + after), turns, whole_replies(output), log);
    ck_assert_int_eq(served + cut, kit_chosen);
    ck_assert_int_le(host_ms(ended), host_ms(HOST_START + after + GRACE));
}

START_TEST(a_server_that_ends_at_any_time_has_served_or_logged_each_request)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        for (pt_time after = 0; after < scenes[i].lasts; after += PT_MS(130))
            end_in(host_pollers[_i], &scenes[i], after, 0);
}
END_TEST

START_TEST(a_server_that_ends_in_any_turn_has_served_or_logged_each_request)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        for (int turns = 0; turns < 40; turns++)
            end_in(host_pollers[_i], &scenes[i], 0, turns);
}
END_TEST

START_TEST(a_connection_whose_reply_began_before_the_end_ends_behind_it)
{
    static PT_TASK(ender) ender;
    struct kit_client guest =
        kit_says(POST("/echo") "Content-Length: 30\r\n\r\n012345678901234567890123456789");

    guest.first = guest.size - 20;
    guest.piece = 10;
    guest.pause = PT_SEC(1);
    guest.waits = true;
    kit_serve(host_pollers[_i], NULL, NULL, PT_SEC(60));
    PT_START(&host.loop, &ender, ender, .after = PT_MS(500));
    ck_assert_int_eq(whole_replies(kit_run(guest)), 1);
    ck_assert_trace("POST /echo=200 ");
    ck_assert_int_eq(host_ms(ended), 3000); /* when the client has read it */
}
END_TEST

/* --- by TLS ---------------------------------------------------------------------------------- */

#ifdef PT_HAVE_OPENSSL
/* A client that shakes hands, unless it is silent, asks, and reads up to the end. */
struct by_tls {
    struct pt pt;
    bool silent;
    struct pt_reader in;
    struct pt_writer out;
    struct pt_flush flush;
    struct pt_read_exactly get;
    char room[100], text[500];
};

static PT_ASYNC(by_tls, self)
{
    if (self->silent)
        PT_WAIT_HANGUP(&client.io);
    else
        PT_TLS_HANDSHAKE(&client.tls);
    if (self->silent || self->pt.status != PT_OK)
        PT_RETURN(self->pt.status);
    pt_reader_init(&self->in, pt_tls_stream(&client.tls), NULL, 0);
    pt_writer_init(&self->out, pt_tls_stream(&client.tls), self->room, sizeof self->room);
    pt_printf(&self->out, GET("/quick") "\r\n");
    PT_TRY(&self->flush, pt_flush, .writer = &self->out);
    PT_WAIT_COMPLETE(&self->get, pt_read_exactly, .reader = &self->in, .data = self->text,
                     .size = sizeof self->text - 1);
    PT_FINALLY
    pt_tls_close(&client.tls);
    pt_io_close(&client.io);
}
PT_END

/* Let a server of HTTPS end then; returns the reply. */
static const char *end_by_tls(const char *poller, bool silent, pt_time after, int turns)
{
    static PT_TASK(by_tls) task;
    static PT_TASK(ender) ender;
    struct pt_https https = {.server = &kit_server, .tls = &server.context, .room = 16 << 10};

    ck_assert_int_eq(
        pt_io_open(&client.io, &host.system, kit_serve(poller, pt_https_start, &https, GRACE)),
        PT_OK);
    ck_assert_int_eq(pt_tls_open(&client.tls, &client.context, &client.io, client.host), PT_OK);
    PT_START(&host.loop, &task, by_tls, .silent = silent);
    PT_START(&host.loop, &ender, ender, .after = after, .turns = turns);
    kit_end();
    ck_assert_uint_eq(https.open, 0);
    ck_assert_int_le(host_ms(ended), host_ms(HOST_START + after + GRACE));
    return task.frame.text;
}

START_TEST(a_server_of_https_that_ends_in_any_turn_has_served_or_logged_each_request)
{
    client.host = "example.test";
    talk_load("example");
    for (int turns = 0; turns < 40; turns++) {
        const char *reply = end_by_tls(host_pollers[_i], false, 0, turns);

        ck_assert_int_eq(whole_replies(reply), count(trace_take(), "GET /quick=200 "));
    }
    ck_assert_str_eq(end_by_tls(host_pollers[_i], true, PT_SEC(1), 0), "");
    ck_assert_trace("");
    pt_tls_unload(&client.context);
    pt_tls_unload(&server.context);
}
END_TEST
#endif

Suite *host_suite_http_term(void)
{
    Suite *suite = suite_create("http_term");

    host_test(suite, a_server_that_ends_at_any_time_has_served_or_logged_each_request);
    host_test(suite, a_server_that_ends_in_any_turn_has_served_or_logged_each_request);
    host_test(suite, a_connection_whose_reply_began_before_the_end_ends_behind_it);
#ifdef PT_HAVE_OPENSSL
    host_test(suite, a_server_of_https_that_ends_in_any_turn_has_served_or_logged_each_request);
#endif
    return suite;
}
