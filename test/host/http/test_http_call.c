/* test_http_call.c - calls of libpt-http's client: requests, replies, redirects
 * SPDX-License-Identifier: MIT */
#include "answers.h"

#include <stdlib.h>

/* Check what a caller gets from a server with one answer. */
static const char *after(const char *text, bool closes)
{
    const char *seen;

    answers_open(host_pollers[0], 2);
    answers[0].text = text;
    answers[0].closes = closes;
    seen = answers_get((struct caller){.path = "/"});
    answers_close();
    return seen;
}

#define CHECK_REPLY(text, expected) ck_assert_str_eq(after(text, false), expected)
#define CHECK_CLOSED(text, expected) ck_assert_str_eq(after(text, true), expected)

START_TEST(a_call_gets_the_reply_and_its_body)
{
    static const char *const fields[] = {"Accept", "text/plain", "X-Two", "2", NULL};

    answers_open(host_pollers[_i], 2);
    answers[0].text = OK("5", "hello");
    ck_assert_str_eq(answers_get((struct caller){.path = "/a?b=c#d", .set.fields = fields}),
                     "200 hello;");
    ck_assert_str_eq(asked, "GET /a?b=c HTTP/1.1\nAccept: text/plain\nX-Two: 2\n");
    answers_close();
}
END_TEST

START_TEST(bodies_end_by_length_by_chunks_or_with_the_connection)
{
    CHECK_REPLY(OK("5", "hello"), "200 hello;");
    CHECK_REPLY(CHUNKED "3\r\nhel\r\n2;a=b\r\nlo\r\n0\r\nX-Sum: 1\r\n\r\n", "200 hello;");
    CHECK_CLOSED("HTTP/1.1 200\r\n\r\nhello", "200 hello;");
    CHECK_CLOSED("HTTP/1.0 200 OK\r\n\r\nhello", "200 hello;");
    CHECK_REPLY("HTTP/1.1 204 No Content\r\n\r\n", "204 ;");
    CHECK_REPLY("HTTP/1.1 304 x\r\nContent-Length: 7\r\n\r\n", "304 ;");
    CHECK_REPLY(OK("0", ""), "200 ;");
}
END_TEST

START_TEST(interim_replies_are_skipped)
{
    CHECK_REPLY("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n" OK("2", "ok"),
                "200 ok;");
}
END_TEST

START_TEST(a_reply_to_head_has_no_body)
{
    answers_open(host_pollers[_i], 1);
    answers[0].text = OK("5", "");
    answers[1].text = CHUNKED;
    ck_assert_str_eq(answers_get((struct caller){.path = "/", .set.method = "HEAD"}), "200 ;");
    ck_assert_str_eq(answers_get((struct caller){.path = "/", .set.method = "HEAD"}), "200 ;");
    ck_assert_int_eq(answers_connections, 1);
    answers_close();
}
END_TEST

/* Every split of replies: each gives the same, and the connection is kept. */
START_TEST(each_split_of_a_reply_gives_the_same)
{
    static const char *const texts[] = {
        "HTTP/1.1 100 x\r\n\r\n" OK("5", "hello"),
        CHUNKED "3\r\nhel\r\n2;a=b\r\nlo\r\n0\r\nX-Sum: 1\r\n\r\n",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t first = 1; first < strlen(texts[i]); first++) {
            answers_open(host_pollers[0], 1);
            answers[0].text = answers[1].text = texts[i];
            answers[0].first = first;
            answers[1].piece = 1;
            ck_assert_str_eq(answers_get((struct caller){.path = "/"}), "200 hello;");
            if (first == 1)
                ck_assert_str_eq(answers_get((struct caller){.path = "/", .reads = true}),
                                 "200 hello;");
            ck_assert_int_eq(answers_connections, 1);
            answers_close();
        }
}
END_TEST

START_TEST(what_is_no_reply_is_refused_with_words)
{
    CHECK_REPLY("HTTP/2.0 200 OK\r\n\r\n",
                "EFAILED the reply does not begin with HTTP/1.1 and a status;");
    CHECK_REPLY("HTTP/1.1 20 OK\r\n\r\n",
                "EFAILED the reply does not begin with HTTP/1.1 and a status;");
    CHECK_REPLY("HTTP/1.1 999 OK\r\n\r\n",
                "EFAILED the status of the reply is not one from 100 to 599;");
    CHECK_REPLY("\r\nHTTP/1.1 200 OK\r\n\r\n", "EFAILED the reply begins with an empty line;");
    CHECK_REPLY("HTTP/1.1 101 x\r\nUpgrade: y\r\n\r\n", "EFAILED the reply changes the protocol;");
    CHECK_REPLY("HTTP/1.1 200 OK\n\n", "EFAILED a line ends without CR LF;");
    CHECK_REPLY("HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n", "EFAILED a CR without a LF;");
    CHECK_REPLY("HTTP/1.1 200 OK\r\nA: \001\r\n\r\n", "EFAILED a control character in the head;");
    CHECK_REPLY("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", "EFAILED a line begins with a blank;");
    CHECK_REPLY("HTTP/1.1 200 OK\r\nA b\r\n\r\n",
                "EFAILED a field of the reply is not: name, colon, value;");
    CHECK_REPLY("HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\n",
                "EFAILED a field of the reply is not: name, colon, value;");
}
END_TEST

START_TEST(a_reply_whose_length_is_not_clear_is_refused)
{
    CHECK_REPLY("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
                "EFAILED the reply has Content-Length twice;");
    CHECK_REPLY("HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\na",
                "EFAILED Content-Length of the reply is no number;");
    CHECK_REPLY("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\na",
                "EFAILED the reply has both Content-Length and Transfer-Encoding;");
    CHECK_REPLY("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\na",
                "EFAILED Transfer-Encoding of the reply is not just chunked;");
    CHECK_REPLY("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na",
                "EFAILED Transfer-Encoding of the reply is not just chunked;");
    CHECK_REPLY(CHUNKED "x\r\n", "EFAILED Invalid character in chunk size;");
    CHECK_REPLY(CHUNKED "1\r\na\r\n0\r\nno field\r\n\r\n",
                "EFAILED a malformed field behind the last chunk;");
}
END_TEST

START_TEST(a_reply_that_ends_before_its_time_is_not_taken_for_a_whole_one)
{
    CHECK_CLOSED(OK("5", "hell"), "EFAILED the reply has ended before its time;");
    CHECK_CLOSED(CHUNKED "5\r\nhello\r\n", "EFAILED the reply has ended before its time;");
    CHECK_CLOSED("HTTP/1.1 200 OK\r\nConte", "ECLOSED closed;");
    CHECK_CLOSED("", "ECLOSED closed;");
}
END_TEST

START_TEST(a_reply_that_does_not_fit_is_refused)
{
    static char text[700];
    struct caller small = {.path = "/", .in_size = 512};

    for (int chunks = 0; chunks < 3; chunks++) {
        sprintf(text,
                chunks == 0   ? OK("500", "%500s")
                : chunks == 1 ? CHUNKED "1f4\r\n%500s\r\n0\r\n\r\n"
                              : "HTTP/1.1 200 OK\r\nA: %500s\r\n\r\n",
                "");
        answers_open(host_pollers[0], 1);
        answers[0].text = text;
        ck_assert_str_eq(answers_get(small),
                         chunks < 2 ? "ERANGE IN is too small for the reply;"
                                    : "ERANGE IN is too small for the head of the reply;");
        answers_close();
    }
}
END_TEST

START_TEST(chunks_with_too_much_around_them_are_refused)
{
    static char text[9000];

    strcpy(text, CHUNKED);
    while (strlen(text) < sizeof text - 200)
        strcat(
            text,
            "1;a=bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\nx\r\n");
    answers_open(host_pollers[0], 1);
    answers[0].text = text;
    ck_assert_str_eq(answers_get((struct caller){.path = "/", .in_size = 600, .reads = true}),
                     "EFAILED the chunks of the reply have too much around them;");
    answers_close();
}
END_TEST

/* --- requests -------------------------------------------------------------------------------- */

START_TEST(a_body_is_sent_as_a_whole)
{
    static char big[3000];

    answers_open(host_pollers[_i], 1);
    answers[0].text = answers[1].text = answers[2].text = OK("2", "ok");
    answers_get(
        (struct caller){.path = "/", .set = {.method = "POST", .data = "hello", .size = 5}});
    answers_get((struct caller){.path = "/", .set = {.method = "POST"}});
    ck_assert_str_eq(asked, "POST / HTTP/1.1\nContent-Length: 5\nhello\n"
                            "POST / HTTP/1.1\nContent-Length: 0\n");
    memset(big, 'b', sizeof big);
    answers_get(
        (struct caller){.path = "/", .set = {.method = "PUT", .data = big, .size = sizeof big}});
    ck_assert_uint_eq(strspn(strchr(asked, 'b'), "b"), sizeof big);
    ck_assert_int_eq(answers_connections, 1);
    answers_close();
}
END_TEST

/* A source of LENGTH bytes, of which it gives 7 at most at once. */
struct source {
    size_t given, length;
    pt_status end;
    int turns;
};

static pt_status source_read(void *object, void *data, size_t size, size_t *got)
{
    struct source *self = (struct source *)object;
    size_t left = self->length - self->given, most = size < 7 ? size : 7;

    if (self->turns++ % 2)
        return PT_EAGAIN;
    if (left == 0)
        return self->end;
    *got = left < most ? left : most;
    memset(data, 's', *got);
    self->given += *got;
    return PT_OK;
}

static const struct pt_stream_ops source_ops = {source_read, NULL, NULL, NULL};

START_TEST(a_body_is_sent_from_a_stream)
{
    struct source ten = {.length = 10, .end = PT_ECLOSED};
    struct caller caller = {.path = "/", .set = {.method = "PUT", .source = {&source_ops, &ten}}};

    answers_open(host_pollers[_i], 1);
    answers[0].text = answers[1].text = OK("2", "ok");
    caller.set.size = PT_HTTP_CHUNKED;
    ck_assert_str_eq(answers_get(caller), "200 ok;");
    ck_assert_str_eq(asked, "PUT / HTTP/1.1\nTransfer-Encoding: chunked\n"
                            "7\r\nsssssss\r\n3\r\nsss\r\n0\r\n");
    *asked = '\0';
    ten.given = 0;
    caller.set.size = 9;
    ck_assert_str_eq(answers_get(caller), "200 ok;");
    ck_assert_str_eq(asked, "PUT / HTTP/1.1\nContent-Length: 9\nsssssssss\n");
    ck_assert_int_eq(answers_connections, 1);
    answers_close();
}
END_TEST

START_TEST(a_source_that_ends_or_fails_ends_the_call)
{
    struct source ten = {.length = 10, .end = PT_ECLOSED};
    struct caller caller = {.path = "/",
                            .set = {.method = "PUT", .size = 11, .source = {&source_ops, &ten}}};

    answers_open(host_pollers[_i], 1);
    ck_assert_str_eq(answers_get(caller), "EINVAL the source has ended before SIZE bytes;");
    ten = (struct source){.length = 10, .end = PT_EOVERRUN};
    ck_assert_str_eq(answers_get(caller), "EOVERRUN the source has failed;");
    answers_close();
}
END_TEST

START_TEST(a_reply_before_the_end_of_the_request_ends_that)
{
    struct source much = {.length = 100000000, .end = PT_ECLOSED};
    struct caller caller = {
        .path = "/",
        .set = {.method = "PUT", .size = PT_HTTP_CHUNKED, .source = {&source_ops, &much}}};

    answers_open(host_pollers[_i], 1);
    host.tick = PT_US(60); /* so that the poller is asked while tasks are ready */
    answers[0] =
        (struct answer){.text = "HTTP/1.1 413 x\r\nContent-Length: 3\r\n\r\nbig", .early = true};
    answers[1].text = OK("2", "ok");
    ck_assert_str_eq(answers_get(caller), "413 big;");
    ck_assert_str_eq(answers_get((struct caller){.path = "/"}), "200 ok;");
    ck_assert_int_eq(answers_connections, 2);
    answers_close();
}
END_TEST

START_TEST(what_cannot_be_sent_is_refused)
{
    static const char *const bad[][3] = {{"A", "b\r\nc: d", NULL},
                                         {"A b", "c", NULL},
                                         {"Content-Length", "1", NULL},
                                         {"", "x", NULL}};
    static const char *const urls[][2] = {
        {"ftp://x/", "EINVAL the URL does not begin with http:// or https://;"},
        {"https://x/", "EINVAL https, and the client has no hook for that;"},
        {"http:///", "EINVAL the URL has no host, or a wrong character;"},
        {"http://a@b/", "EINVAL the URL has no host, or a wrong character;"},
        {"http://a:0/", "EINVAL the URL has no host, or a wrong character;"},
        {"http://a:65536/", "EINVAL the URL has no host, or a wrong character;"},
        {"http://a:1x/", "EINVAL the URL has no host, or a wrong character;"},
        {"http://[::1/", "EINVAL the URL has no host, or a wrong character;"},
        {"http://a/b c", "EINVAL the URL has no host, or a wrong character;"},
        {"http://a/b\r\nc", "EINVAL the URL has no host, or a wrong character;"},
    };

    answers_open(host_pollers[0], 1);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_str_eq(answers_get((struct caller){.path = "/", .set.fields = bad[i]}),
                         "EINVAL a field of the request cannot be sent;");
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++)
        ck_assert_str_eq(answers_get((struct caller){.path = urls[i][0]}), urls[i][1]);
    ck_assert_str_eq(answers_get((struct caller){.path = "/", .set.method = "G T"}),
                     "EINVAL the method is no word;");
    ck_assert_int_eq(answers_connections, 0);
    answers_close();
}
END_TEST

/* --- redirects ------------------------------------------------------------------------------- */

START_TEST(redirects_are_followed_up_to_their_number)
{
    answers_open(host_pollers[_i], 1);
    answers[0].text = answers[1].text = answers[2].text = TO("302", "/b");
    ck_assert_str_eq(answers_get((struct caller){.path = "/a", .set.redirects = 2}), "302 ;");
    ck_assert_str_eq(asked, "GET /a HTTP/1.1\nGET /b HTTP/1.1\nGET /b HTTP/1.1\n");
    ck_assert_int_eq(answers_connections, 1);
    answers[3].text = TO("302", "/b");
    ck_assert_str_eq(answers_get((struct caller){.path = "/a"}), "302 ;");
    answers_close();
}
END_TEST

/* Where a Location leads to from /a/b/c?d. */
START_TEST(a_location_can_be_relative)
{
    static const char *const leads[][2] = {
        {"/x", "/x"},           {"x", "/a/b/x"},    {"../x", "/a/x"},  {"../../../x", "/x"},
        {"./x", "/a/b/x"},      {"?e", "/a/b/c?e"}, {"x/..", "/a/b/"}, {"x/./y?.", "/a/b/x/y?."},
        {"", "/a/b/c?d"},       {"#e", "/a/b/c?d"}, {"//@/y", "/y"},   {"http://@", "/"},
        {"http://@/z#f", "/z"}, {".", "/a/b/"},     {"..", "/a/"},     {"/.x/..y", "/.x/..y"},
    };
    char location[100], expected[100];

    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
        answers_open(host_pollers[0], 1);
        sprintf(location, "HTTP/1.1 307 x\r\nLocation: %s\r\nContent-Length: 2\r\n\r\nxy",
                leads[i][0]);
        sprintf(expected, "GET /a/b/c?d HTTP/1.1\nGET %s HTTP/1.1\n", leads[i][1]);
        answers[0].text = location;
        answers[1].text = OK("2", "ok");
        ck_assert_str_eq(answers_get((struct caller){.path = "/a/b/c?d", .set.redirects = 1}),
                         "200 ok;");
        ck_assert_str_eq(asked, expected);
        ck_assert_int_eq(answers_connections, 1);
        answers_close();
    }
}
END_TEST

/* What is sent behind a POST with a body. */
static const char *sent_behind(const char *status)
{
    static const char *const fields[] = {"Content-Type", "a/b", "X", "y", NULL};
    static char text[200];

    sprintf(text, "HTTP/1.1 %s x\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n", status);
    answers_open(host_pollers[0], 1);
    answers[0].text = text;
    answers[1].text = OK("2", "ok");
    answers_get((struct caller){
        .path = "/a",
        .set = {.method = "POST", .fields = fields, .data = "hi", .size = 2, .redirects = 1}});
    answers_close();
    return strstr(asked, "hi\n") + 3;
}

START_TEST(a_redirect_keeps_the_method_or_makes_it_a_get)
{
    ck_assert_str_eq(sent_behind("301"), "GET /b HTTP/1.1\nX: y\n");
    ck_assert_str_eq(sent_behind("302"), "GET /b HTTP/1.1\nX: y\n");
    ck_assert_str_eq(sent_behind("303"), "GET /b HTTP/1.1\nX: y\n");
    ck_assert_str_eq(sent_behind("307"),
                     "POST /b HTTP/1.1\nContent-Type: a/b\nX: y\nContent-Length: 2\nhi\n");
    ck_assert_str_eq(sent_behind("308"),
                     "POST /b HTTP/1.1\nContent-Type: a/b\nX: y\nContent-Length: 2\nhi\n");
    ck_assert_str_eq(sent_behind("300"), "");
}
END_TEST

START_TEST(head_stays_head_behind_a_303)
{
    answers_open(host_pollers[0], 1);
    answers[0].text = TO("303", "/b");
    answers[1].text = OK("5", "");
    ck_assert_str_eq(
        answers_get((struct caller){.path = "/a", .set = {.method = "HEAD", .redirects = 1}}),
        "200 ;");
    ck_assert_str_eq(asked, "HEAD /a HTTP/1.1\nHEAD /b HTTP/1.1\n");
    answers_close();
}
END_TEST

START_TEST(secrets_are_not_sent_to_another_host)
{
    static const char *const fields[] = {"authorization", "Basic x", "Cookie", "c", "X", "y", NULL};
    char location[200];

    answers_open(host_pollers[0], 2);
    sprintf(location,
            "HTTP/1.1 302 x\r\nLocation: http://LOCALHOST%s/c\r\nContent-Length: 0\r\n\r\n",
            strrchr(answers_address(), ':'));
    answers[0].text = TO("302", "/b");
    answers[2].text = TO("302", "http://@/d");
    answers[3].text = OK("2", "ok");
    answers[1].text = location;
    ck_assert_str_eq(
        answers_get((struct caller){.path = "/a", .set = {.fields = fields, .redirects = 3}}),
        "200 ok;");
    ck_assert_str_eq(asked, "GET /a HTTP/1.1\nauthorization: Basic x\nCookie: c\nX: y\n"
                            "GET /b HTTP/1.1\nauthorization: Basic x\nCookie: c\nX: y\n"
                            "GET /c HTTP/1.1\nX: y\nGET /d HTTP/1.1\nX: y\n");
    answers_close();
}
END_TEST

START_TEST(a_redirect_that_cannot_be_followed_is_the_reply)
{
    static const char *const texts[] = {TO("302", "ftp://x/"), TO("302", "https://@/"),
                                        TO("302", "http://a b/"), TO("302", "mailto:a@b"),
                                        "HTTP/1.1 302 x\r\nContent-Length: 0\r\n\r\n"};
    struct source ten = {.length = 10, .end = PT_ECLOSED};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        answers_open(host_pollers[0], 1);
        answers[0].text = texts[i];
        ck_assert_str_eq(answers_get((struct caller){.path = "/", .set.redirects = 9}), "302 ;");
        answers_close();
    }
    answers_open(host_pollers[0], 1);
    answers[0].text = TO("307", "/b");
    ck_assert_str_eq(answers_get((struct caller){.path = "/",
                                                 .set = {.method = "PUT",
                                                         .size = PT_HTTP_CHUNKED,
                                                         .source = {&source_ops, &ten},
                                                         .redirects = 1}}),
                     "307 ;");
    answers_close();
}
END_TEST

/* --- streams --------------------------------------------------------------------------------- */

START_TEST(a_call_without_a_reply_has_no_body_that_could_be_whole)
{
    static caller_task task;
    struct pt_stream body;
    size_t got;
    char byte;

    answers_open(host_pollers[_i], 1);
    answers[0].text = "nonsense\r\nX: y\r\n\r\n";
    answers_call(&task, (struct caller){.path = "/", .reads = true});
    answers_run();
    body = pt_http_call_body(&task.frame.call);
    ck_assert_int_eq(body.ops->try_read(body.object, &byte, 1, &got), PT_EINVAL);
    ck_assert_ptr_null(pt_http_call_field(&task.frame.call, "X"));
    answers_close();
}
END_TEST

START_TEST(a_body_is_read_as_a_stream_of_any_parts)
{
    for (size_t step = 1; step < 9; step++) {
        answers_open(host_pollers[_i], 1);
        answers[0].text = OK("6", "stream");
        answers[1].text = CHUNKED "4\r\nstre\r\n2\r\nam\r\n0\r\n\r\n";
        answers[2] = (struct answer){.text = "HTTP/1.1 200 OK\r\n\r\nstream", .closes = true};
        for (int i = 0; i < 3; i++)
            ck_assert_str_eq(answers_get((struct caller){.path = "/", .reads = true, .step = step}),
                             "200 stream;");
        ck_assert_int_eq(answers_connections, 1);
        answers_close();
    }
}
END_TEST

START_TEST(a_stream_that_is_broken_ends_with_a_code)
{
    answers_open(host_pollers[_i], 1);
    answers[0] = (struct answer){.text = OK("60", "half"), .closes = true};
    ck_assert_str_eq(answers_get((struct caller){.path = "/", .reads = true}),
                     "EFAILED the reply has ended before its time;");
    answers_close();
}
END_TEST

/* Whether its rest is there, or still to come. */
START_TEST(a_stream_that_is_not_read_to_its_end_closes_its_connection)
{
    for (int comes = 0; comes < 2; comes++) {
        answers_open(host_pollers[_i], 1);
        answers[0].text = comes ? OK("4", "ha") : OK("4", "half");
        answers[1].text = OK("2", "ok");
        ck_assert_str_eq(answers_get((struct caller){
                             .path = "/", .reads = true, .trusts_length = true, .step = 2}),
                         "200 ha;");
        ck_assert_str_eq(answers_get((struct caller){.path = "/"}), "200 ok;");
        ck_assert_int_eq(answers_connections, 2);
        answers_close();
    }
}
END_TEST

/* --- both styles ----------------------------------------------------------------------------- */

static char native_url[100];

static pt_status fetch_natively(struct pt_native *self)
{
    struct pt_http_call call;
    struct pt_reader reader;
    char in[1000], out[1000], line[64], *text;
    size_t length;
    pt_status status = pt_native_call(self, &call, pt_http_call, .client = &a_client,
                                      .url = native_url, .streams = true, .in = in,
                                      .in_size = sizeof in, .out = out, .out_size = sizeof out);

    if (status == PT_OK) {
        pt_reader_init(&reader, pt_http_call_body(&call), line, sizeof line);
        while (pt_native_read_line(self, &reader, &text, &length) == PT_OK)
            trace_add("%s;", text);
        trace_add("%s ", pt_http_call_field(&call, "content-length"));
    }
    pt_http_call_end(&call);
    return status;
}

START_TEST(an_ordinary_function_calls_too)
{
    static char stack[32 << 10] __attribute__((__aligned__(16)));
    static PT_TASK(pt_native) task;

    answers_open(host_pollers[_i], 1);
    answers[0].text = OK("8", "one\ntwo\n");
    sprintf(native_url, "http://%s/", answers_address());
    PT_START(&host.loop, &task, pt_native, .function = fetch_natively, .stack = stack,
             .bytes = sizeof stack);
    answers_turn(100);
    ck_assert_trace("one;two;8 ");
    answers_close();
}
END_TEST

Suite *host_suite_http_call(void)
{
    Suite *suite = suite_create("http_call");

    host_test(suite, a_call_gets_the_reply_and_its_body);
    host_test_once(suite, bodies_end_by_length_by_chunks_or_with_the_connection);
    host_test_once(suite, interim_replies_are_skipped);
    host_test(suite, a_reply_to_head_has_no_body);
    host_test_once(suite, each_split_of_a_reply_gives_the_same);
    host_test_once(suite, what_is_no_reply_is_refused_with_words);
    host_test_once(suite, a_reply_whose_length_is_not_clear_is_refused);
    host_test_once(suite, a_reply_that_ends_before_its_time_is_not_taken_for_a_whole_one);
    host_test_once(suite, a_reply_that_does_not_fit_is_refused);
    host_test_once(suite, chunks_with_too_much_around_them_are_refused);
    host_test(suite, a_body_is_sent_as_a_whole);
    host_test(suite, a_body_is_sent_from_a_stream);
    host_test(suite, a_source_that_ends_or_fails_ends_the_call);
    host_test(suite, a_reply_before_the_end_of_the_request_ends_that);
    host_test_once(suite, what_cannot_be_sent_is_refused);
    host_test(suite, redirects_are_followed_up_to_their_number);
    host_test_once(suite, a_location_can_be_relative);
    host_test_once(suite, a_redirect_keeps_the_method_or_makes_it_a_get);
    host_test_once(suite, head_stays_head_behind_a_303);
    host_test_once(suite, secrets_are_not_sent_to_another_host);
    host_test_once(suite, a_redirect_that_cannot_be_followed_is_the_reply);
    host_test(suite, a_call_without_a_reply_has_no_body_that_could_be_whole);
    host_test(suite, a_body_is_read_as_a_stream_of_any_parts);
    host_test(suite, a_stream_that_is_broken_ends_with_a_code);
    host_test(suite, a_stream_that_is_not_read_to_its_end_closes_its_connection);
    host_test(suite, an_ordinary_function_calls_too);
    return suite;
}
