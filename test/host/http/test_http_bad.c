/* test_http_bad.c - what libpt-http refuses: malformed requests, hidden ones, too long or too slow
 * SPDX-License-Identifier: MIT */
#include "kit.h"

#include <stdlib.h>

/* The status of the first reply, and that it is the last, and says why. */
static void check_refused(const char *input, int expected)
{
    const char *output = kit_talk(input);
    int status = *output ? atoi(output + 9) : 0;

    ck_assert_msg(status == expected, "%d, not %d, for <%s>: %s", status, expected, input, output);
    if (expected >= 400) {
        ck_assert_msg(strstr(output, "Connection: close\r\n") != NULL, "%s: %s", input, output);
        ck_assert_msg(strstr(output, "\nHTTP/1.1 ") == NULL, "%s: %s", input, output);
        ck_assert_int_eq(atoi(strstr(output, "\r\n\r\n") + 4), expected);
    }
}

static const struct bad {
    int status;
    const char *input;
} heads[] = {
    /* the request line */
    {400, "\x16\x03\x01\x02\r\n\r\n"}, /* TLS */
    {400, "GET /quick\r\n\r\n"},       /* HTTP/0.9 */
    {400, "GET\r\n\r\n"},
    {400, " GET /quick HTTP/1.1\r\nHost: x\r\n\r\n"},
    {400, "GET  /quick HTTP/1.1\r\nHost: x\r\n\r\n"},
    {400, "GET /quick  HTTP/1.1\r\nHost: x\r\n\r\n"},
    {400, "GET /quick HTTP/1.1 \r\nHost: x\r\n\r\n"},
    {400, "GET\t/quick\tHTTP/1.1\r\nHost: x\r\n\r\n"},
    {400, "GET /quick HTTP/1.1x\r\nHost: x\r\n\r\n"},
    {400, "GET /quick HTTP/11\r\nHost: x\r\n\r\n"},
    {400, "GET /quick http/1.1\r\nHost: x\r\n\r\n"},
    {400, "GET /quick HTTP/01.1\r\nHost: x\r\n\r\n"},
    {400, "GET /qu\x01ick HTTP/1.1\r\nHost: x\r\n\r\n"},
    {400, "GET quick HTTP/1.1\r\nHost: x\r\n\r\n"},
    {400, "G(T /quick HTTP/1.1\r\nHost: x\r\n\r\n"},
    {501, "FETCH /quick HTTP/1.1\r\nHost: x\r\n\r\n"},
    {501, "get /quick HTTP/1.1\r\nHost: x\r\n\r\n"},
    {501, "CONNECT example.org:80 HTTP/1.1\r\nHost: x\r\n\r\n"},
    {505, "GET /quick HTTP/2.0\r\nHost: x\r\n\r\n"},
    {505, "GET /quick HTTP/1.2\r\nHost: x\r\n\r\n"},
    {505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
    /* the ends of lines */
    {400, "GET /quick HTTP/1.1\nHost: x\n\n"},
    {400, "GET /quick HTTP/1.1\r\nHost: x\n\r\n"},
    {400, "GET /quick HTTP/1.1\r\nHost: x\r\n\n"},
    {400, "GET /quick HTTP/1.1\r\nHost: x\rX: y\r\n\r\n"},
    {400, "GET /quick HTTP/1.1\r\nHost: x\r\r\n\r\n"},
    {400, "\nGET /quick HTTP/1.1\r\nHost: x\r\n\r\n"},
    /* fields */
    {400, GET("/quick") " folded: y\r\n\r\n"},
    {400, GET("/quick") "X: y\r\n folded\r\n\r\n"},
    {400, GET("/quick") "X:\r\n\tfolded\r\n\r\n"},
    {400, GET("/quick") "X : y\r\n\r\n"},
    {400, GET("/quick") "X\t: y\r\n\r\n"},
    {400, GET("/quick") ": y\r\n\r\n"},
    {400, GET("/quick") "X\r\n\r\n"},
    {400, GET("/quick") "X y: z\r\n\r\n"},
    {400, GET("/quick") "X\x80: z\r\n\r\n"},
    {400, GET("/quick") "X: \x01\r\n\r\n"},
    {400, GET("/quick") "X: \x7f\r\n\r\n"},
    {400, "GET /quick HTTP/1.1\r\n\r\n"}, /* no Host */
    {400, GET("/quick") "Host: y\r\n\r\n"},
    {400, "GET /quick HTTP/1.1\r\nHost: a, b\r\n\r\n"},
    {417, POST("/quick") "Expect: 200-ok\r\n\r\n"},
    /* lengths */
    {400, POST("/quick") "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"},
    {400, POST("/quick") "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc"},
    {400, POST("/quick") "Content-Length: 3, 3\r\n\r\nabc"},
    {400, POST("/quick") "Content-Length: +3\r\n\r\nabc"},
    {400, POST("/quick") "Content-Length: -3\r\n\r\nabc"},
    {400, POST("/quick") "Content-Length: 0x3\r\n\r\nabc"},
    {400, POST("/quick") "Content-Length: 3 4\r\n\r\nabc"},
    {400, POST("/quick") "Content-Length: 3;a\r\n\r\nabc"},
    {400, POST("/quick") "Content-Length: \r\n\r\nabc"},
    {400, POST("/quick") "Content-Length: 1e1\r\n\r\nabc"},
    {400, POST("/quick") "Content-Length : 3\r\n\r\nabc"},
    {413, POST("/quick") "Content-Length: 99999999999999999999999\r\n\r\n"},
    {413, POST("/quick") "Content-Length: 18446744073709551616\r\n\r\n"},
    {413, POST("/quick") "Content-Length: 1048577\r\n\r\n"},
    /* hosts and targets */
    {400, "GET /quick HTTP/1.1\r\nHost:\r\n\r\n"},
    {400, "GET /quick HTTP/1.1\r\nHost: x/y\r\n\r\n"},
    {400, "GET /quick HTTP/1.1\r\nHost: a@x\r\n\r\n"},
    {400, "GET /quick HTTP/1.1\r\nHost: x..y\r\n\r\n"},
    {400, "GET /quick HTTP/1.1\r\nHost: x:y\r\n\r\n"},
    {400, "GET /quick HTTP/1.1\r\nHost: :80\r\n\r\n"},
    {400, "GET /quick HTTP/1.1\r\nHost: [::1\r\n\r\n"},
    {400, "GET /quick HTTP/1.1\r\nHost: [x]\r\n\r\n"},
    {400, "GET /quick HTTP/1.1\r\nHost: \xff\r\n\r\n"},
    {400, "GET http:///quick HTTP/1.1\r\nHost: x\r\n\r\n"},
    {400, "GET http://a@x/quick HTTP/1.0\r\n\r\n"},
    {400, "GET http://y/quick HTTP/1.1\r\nHost: x\r\n\r\n"},
    {400, "GET http://x/quick HTTP/1.1\r\nHost: xy\r\n\r\n"},
    {400, "GET * HTTP/1.1\r\nHost: x\r\n\r\n"},
    {400, "OPTIONS *?x HTTP/1.1\r\nHost: x\r\n\r\n"},
    {501, "TRACE /quick HTTP/1.1\r\nHost: x\r\n\r\n"},
    /* chunks */
    {400, POST("/quick") "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
    {400, POST("/quick") "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n"},
    {400,
     POST("/quick") "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
    {400, POST("/quick") "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n"},
    {400, POST("/quick") "Transfer-Encoding: identity\r\n\r\n"},
    {400, POST("/quick") "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"},
    {400, POST("/quick") "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"},
    {400, POST("/quick") "Transfer-Encoding: chunkedx\r\n\r\n0\r\n\r\n"},
    {400, POST("/quick") "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n"},
    {400, POST("/quick") "Transfer-Encoding: chunked;a=b\r\n\r\n0\r\n\r\n"},
    {400, POST("/quick") "Transfer-Encoding: \x0b"
                         "chunked\r\n\r\n0\r\n\r\n"},
    {400, POST("/quick") "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"},
    {400, POST("/quick") "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n"},
    {400, POST("/quick") "Transfer-Encoding:\r\n\r\n0\r\n\r\n"},
    {501, POST("/quick") "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"},
    {501, POST("/quick") "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"},
    {400, "POST /quick HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
};

START_TEST(a_malformed_head_gets_the_status_that_says_so)
{
    if (_i)
        return;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        check_refused(heads[i].input, heads[i].status);
}
END_TEST

#define CHUNKS POST("/tell") "Transfer-Encoding: chunked\r\n\r\n"

/* Bodies in chunks; the handler reads them, and has no reply of its own if that fails. */
static const struct bad bodies[] = {
    {400, CHUNKS "Z\r\n"},
    {400, CHUNKS "\r\n0\r\n\r\n"},
    {400, CHUNKS "-1\r\na\r\n0\r\n\r\n"},
    {400, CHUNKS "+1\r\na\r\n0\r\n\r\n"},
    {400, CHUNKS "0x1\r\na\r\n0\r\n\r\n"},
    {400, CHUNKS " 1\r\na\r\n0\r\n\r\n"},
    {400, CHUNKS "1 \r\na\r\n0\r\n\r\n"},
    {400, CHUNKS "1\na\n0\n\n"},
    {400, CHUNKS "1\na\r\n0\r\n\r\n"},
    {400, CHUNKS "1\r\na\n0\r\n\r\n"},
    {400, CHUNKS "1\r\nab\r\n0\r\n\r\n"},
    {400, CHUNKS "2\r\na\r\n0\r\n\r\n"},
    {400, CHUNKS "1;a\nb\r\na\r\n0\r\n\r\n"},
    {400, CHUNKS "1;a\rb\r\na\r\n0\r\n\r\n"},
    {400, CHUNKS "1;\x01\r\na\r\n0\r\n\r\n"},
    {400, CHUNKS "11111111111111111\r\na\r\n0\r\n\r\n"},
    {400, CHUNKS "1\r\na\r\n0\n\n"},
    {400, CHUNKS "1\r\na\r\n0\r\n\n"},
    {400, CHUNKS "1\r\na\r\n0\r\nX y: z\r\n\r\n"},
    {400, CHUNKS "1\r\na\r\n0\r\nX: y\n\r\n"},
    {400, CHUNKS "1\r\na\r\n0\r\n X: y\r\n\r\n"},
    {400, CHUNKS "1\r\na\r\n0\r\nX: y\r\n z\r\n\r\n"},
    {400, CHUNKS "1\r\na\r\n0\r\n\r\r\n"},
    {400, CHUNKS "1\r\na\r\n0\r\nX\r\n\r\n"},
    {400, CHUNKS "5\r\nhel"}, /* ends before its time */
    {400, POST("/tell") "Content-Length: 5\r\n\r\nhel"},
};

START_TEST(a_malformed_body_gets_400_if_the_handler_has_not_replied)
{
    if (_i)
        return;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        check_refused(bodies[i].input, bodies[i].status);
}
END_TEST

/* Requests that look odd, and are not. */
static const struct bad good[] = {
    {200, "\r\n\r\n" GET("/tell") "\r\n"},
    {200, "GET http://example.org/tell HTTP/1.1\r\nHost: example.org\r\n\r\n"},
    {404, "GET http://example.org HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n"},
    {404, "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"},
    {200, "GET /tell HTTP/1.1\r\nhost:[::1]:80\r\n\r\n"},
    {200, "GET /tell HTTP/1.1\r\nHost: \tx-1.example:\r\n\r\n"},
    {200, "GET http://X:8/tell HTTP/1.1\r\nHost: x:8\r\n\r\n"},
    {200, "GET http://x/tell HTTP/1.0\r\n\r\n"},
    {200, GET("/tell") "X:y\r\nY:\r\nZ: \t\xc3\xa4 \t\r\n\r\n"},
    {200, GET("/tell") "Upgrade: websocket\r\nConnection: upgrade\r\n\r\n"},
    {200, GET("/tell") "Content-Length: 0\r\n\r\n"},
    {200, POST("/tell") "Content-Length: 0000000000000000000003\r\n\r\nabc"},
    {200, POST("/tell") "transfer-encoding: Chunked \r\n\r\n003\r\nabc\r\n000\r\n\r\n"},
    {200, CHUNKS "A;x=y\r\n0123456789\r\n0\r\nX: y\r\n\r\n"},
    {200, CHUNKS "1\r\na\r\n0\r\nContent-Length: 5\r\n\r\n"},
};

START_TEST(a_request_that_looks_odd_is_served)
{
    if (_i)
        return;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        check_refused(good[i].input, good[i].status);
}
END_TEST

START_TEST(a_byte_0_in_a_head_is_refused)
{
    struct kit_client client = kit_says(GET("/quick") "X: @\r\n\r\n");
    char input[128];

    memcpy(input, client.input, client.size);
    *(char *)memchr(input, '@', client.size) = '\0';
    client.input = input;
    kit_start("epoll", 1024, false);
    ck_assert_int_eq(atoi(kit_run(client) + 9), 400);
}
END_TEST

/* --- limits ---------------------------------------------------------------------------------- */

/* A head whose request line, or whose one field, has SIZE bytes; or which has so many fields. */
static int status_of(const char *format, int size)
{
    static char input[20000];

    sprintf(input, format, size, "");
    memset(strchr(input, '|'), 'x', (size_t)size + 1);
    return atoi(kit_talk(input) + 9);
}

START_TEST(a_line_and_a_head_have_limits)
{
    kit_server.line = 100;
    ck_assert_int_eq(status_of("GET /quick?|%*s HTTP/1.1\r\nHost: x\r\n\r\n", 79), 200);
    ck_assert_int_eq(status_of("GET /quick?|%*s HTTP/1.1\r\nHost: x\r\n\r\n", 80), 414);
    ck_assert_int_eq(status_of(GET("/quick") "X: |%*s\r\n\r\n", 96), 200);
    ck_assert_int_eq(status_of(GET("/quick") "X: |%*s\r\n\r\n", 97), 431);
    kit_server.line = 0;
    ck_assert_int_eq(status_of(GET("/quick") "X: |%*s\r\n\r\n", 1024 - 64 - 30 - 3 - 1 - 4), 200);
    ck_assert_int_eq(status_of(GET("/quick") "X: |%*s\r\n\r\n", 1024 - 64 - 30 - 3 - 1 - 3), 431);
    ck_assert_int_eq(status_of("GET /quick?|%*s", 2000), 414);
    kit_server.fields = 3;
    ck_assert_int_eq(atoi(kit_talk(GET("/quick") "A: 1\r\nB: 2\r\n\r\n") + 9), 200);
    ck_assert_int_eq(atoi(kit_talk(GET("/quick") "A: 1\r\nB: 2\r\nC: 3\r\n\r\n") + 9), 431);
}
END_TEST

START_TEST(a_body_has_a_limit)
{
    kit_server.body = 5;
    check_refused(POST("/tell") "Content-Length: 5\r\n\r\nhello", 200);
    check_refused(POST("/tell") "Content-Length: 6\r\n\r\nhello!", 413);
    check_refused(CHUNKS "5\r\nhello\r\n0\r\n\r\n", 200);
    check_refused(CHUNKS "5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n", 413);
    check_refused(CHUNKS "6\r\n", 413); /* before any of it comes */
    check_refused(CHUNKS "ffffffffffffffff\r\n", 413);
    check_refused(CHUNKS "5\r\nhello\r\n1\r\n", 413);
}
END_TEST

START_TEST(chunks_have_a_limit_of_what_is_no_body)
{
    static char input[9000];

    sprintf(input, CHUNKS "1;%4000s\r\na\r\n0\r\n\r\n", "");
    for (char *at = strchr(input, ';') + 1; *at == ' ';)
        *at++ = 'x';
    check_refused(input, 413);
    sprintf(input, CHUNKS "1\r\na\r\n0\r\nX: %4000s\r\n\r\n", "");
    check_refused(input, 413);
}
END_TEST

/* --- time ------------------------------------------------------------------------------------ */

/* A client that sends INPUT in pieces of SIZE, one each PAUSE, and stays; when it was answered. */
static const char *slowly(const char *poller, const char *input, size_t size, pt_time pause)
{
    struct kit_client client = kit_says(input);

    client.piece = size;
    client.pause = pause;
    client.waits = true;
    kit_start(poller, 1024, false);
    return kit_run(client);
}

START_TEST(a_silent_client_is_closed_without_a_reply)
{
    ck_assert_str_eq(slowly(host_pollers[_i], "", 0, 0), "");
    ck_assert_int_eq(kit_status, PT_OK);
    ck_assert_int_ge(host_ms(host.now), 60000);
    ck_assert_trace("");
}
END_TEST

START_TEST(a_slow_head_gets_408)
{
    const char *output = slowly(host_pollers[_i], GET("/quick") "\r\n", 1, PT_SEC(1));

    ck_assert_int_eq(atoi(output + 9), 408);
    ck_assert_trace("=408 ");
    ck_assert_int_eq(kit_status, PT_EINVAL);
}
END_TEST

START_TEST(a_slow_body_gets_408)
{
    const char *output =
        slowly(host_pollers[_i], POST("/tell") "Content-Length: 3000\r\n\r\n.", 1000, PT_SEC(1));

    ck_assert_int_eq(atoi(output + 9), 408);
    ck_assert_trace("POST /tell=408 ");
}
END_TEST

/* A body that needs a time without pieces of five seconds, or one more for each ten bytes. */
static const char *steadily(const char *poller, const char *input, size_t piece)
{
    kit_server.body_time = PT_SEC(5);
    kit_server.body_rate = 10;
    return slowly(poller, input, piece, PT_SEC(1));
}

#define LONG_BODY "0123456789012345678901234567890123456789012345678901234567890123456789"

START_TEST(a_body_that_comes_slowly_but_steadily_is_served)
{
    ck_assert_int_eq(atoi(steadily(host_pollers[_i],
                                   POST("/tell") "Content-Length: 280\r\n\r\n" LONG_BODY LONG_BODY
                                       LONG_BODY LONG_BODY,
                                   12) +
                          9),
                     200);
    ck_assert_int_gt(host_ms(host.now), 20000);
}
END_TEST

START_TEST(a_body_in_chunks_that_comes_slowly_but_steadily_is_served)
{
    ck_assert_int_eq(
        atoi(steadily(host_pollers[_i],
                      POST("/tell") "Transfer-Encoding: chunked\r\n\r\n46\r\n" LONG_BODY
                                    "\r\n46\r\n" LONG_BODY "\r\n0\r\n\r\n",
                      12) +
             9),
        200);
    ck_assert_int_gt(host_ms(host.now), 10000);
}
END_TEST

START_TEST(a_body_that_comes_too_slowly_gets_408)
{
    const char *output = steadily(
        host_pollers[_i], POST("/tell") "Content-Length: 140\r\n\r\n" LONG_BODY LONG_BODY, 5);

    ck_assert_int_eq(atoi(output + 9), 408);
}
END_TEST

START_TEST(a_client_that_takes_nothing_is_closed)
{
    for (int over = 0; over < 2; over++) {
        struct kit_client client = kit_says(GET("/file/long") "\r\n");

        client.leaves = true;
        client.stays = PT_SEC(200);
        kit_start(host_pollers[_i], 1024, over);
        kit_narrow();
        kit_run(client);
        ck_assert_int_eq(kit_status, PT_ETIMEDOUT);
        ck_assert_trace("GET /file/long=499 ");
    }
}
END_TEST

START_TEST(the_log_sees_the_fields_of_a_request_that_is_refused_for_its_target)
{
    ck_assert_int_eq(atoi(kit_talk("GET * HTTP/1.1\r\nHost: x\r\n\r\n") + 9), 400);
    ck_assert_str_eq(kit_host, "x");
}
END_TEST

Suite *host_suite_http_bad(void)
{
    Suite *suite = suite_create("http_bad");

    host_test(suite, a_malformed_head_gets_the_status_that_says_so);
    host_test(suite, a_malformed_body_gets_400_if_the_handler_has_not_replied);
    host_test(suite, a_request_that_looks_odd_is_served);
    host_test(suite, a_byte_0_in_a_head_is_refused);
    host_test(suite, a_line_and_a_head_have_limits);
    host_test(suite, a_body_has_a_limit);
    host_test(suite, chunks_have_a_limit_of_what_is_no_body);
    host_test(suite, a_silent_client_is_closed_without_a_reply);
    host_test(suite, a_slow_head_gets_408);
    host_test(suite, a_slow_body_gets_408);
    host_test(suite, a_body_that_comes_slowly_but_steadily_is_served);
    host_test(suite, a_body_in_chunks_that_comes_slowly_but_steadily_is_served);
    host_test(suite, a_body_that_comes_too_slowly_gets_408);
    host_test(suite, a_client_that_takes_nothing_is_closed);
    host_test_once(suite, the_log_sees_the_fields_of_a_request_that_is_refused_for_its_target);
    return suite;
}
