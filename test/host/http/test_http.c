/* test_http.c - requests and replies of libpt-http
 * SPDX-License-Identifier: MIT */
#include "kit.h"

#include <stdlib.h>

#define CHECK_TALK(input, expected) ck_assert_str_eq(kit_talk(input), expected)

START_TEST(a_request_gets_its_reply)
{
    kit_start(host_pollers[_i], 1024, false);
    ck_assert_str_eq(kit_run(kit_says(GET("/tell?a=1") "\r\n")),
                     OK_HEAD("15") "\r\nGET /tell a=1 \n");
    ck_assert_trace("GET /tell=200 ");
    ck_assert_int_eq(kit_status, PT_OK);
}
END_TEST

START_TEST(requests_in_one_packet_get_their_replies_in_order)
{
    kit_start(host_pollers[_i], 1024, false);
    ck_assert_str_eq(
        kit_run(kit_says(POST("/t1") "Content-Length: 3\r\n\r\none" GET("/quick") "\r\n" POST(
            "/t2") "Transfer-Encoding: chunked\r\n\r\n3\r\ntwo\r\n0\r\n\r\n" GET("/t3") "\r\n")),
        OK_HEAD("15") "\r\nPOST /t1 - one\n" OK_HEAD("6") "\r\nquick\n" OK_HEAD(
            "15") "\r\nPOST /t2 - two\n" OK_HEAD("11") "\r\nGET /t3 - \n");
    ck_assert_trace("POST /t1=200 GET /quick=200 POST /t2=200 GET /t3=200 ");
}
END_TEST

/* Requests of all kinds, good and bad; what follows a bad one gets no reply. */
static const char *const mixtures[] = {
    "\r\n" GET("/tell?x") "\r\n" GET("/quick") "Connection: close\r\n\r\n" GET("/quick") "\r\n",
    POST("/tell") "Content-Length: 10\r\n\r\n0123456789" GET("/204") "\r\n",
    POST("/tell") "Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n1\r\n!\r\n0\r\n"
                  "X: y\r\n\r\n" GET("/quick") "\r\n",
    POST("/echo") "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n",
    POST("/quick") "Content-Length: 5\r\n\r\nhello" GET("/quick") "\r\n",
    GET("/tell") "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx" GET("/quick") "\r\n",
    POST("/tell") "Transfer-Encoding: chunked\r\n\r\nZ\r\n" GET("/quick") "\r\n",
    "GET /tell HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /tell HTTP/1.0\r\n\r\n",
    GET("/absent") "\r\n" GET("/none") "\r\n" GET("/tell\n") "\r\n",
};

/* The reply of a stream comes in as many chunks as its handler has got its input in. */
static char *joined(const char *reply)
{
    static char text[4096];
    const char *body = strstr(reply, "chunked\r\n\r\n");
    char *end = text;

    if (!body)
        return strcpy(text, reply);
    end = text + sprintf(text, "%.*s", (int)(body - reply), reply);
    for (body += 11; *body;) {
        char *data;
        size_t size = strtoul(body, &data, 16);

        ck_assert(!strncmp(data, "\r\n", 2));
        end += sprintf(end, "%.*s", (int)size, data + 2);
        ck_assert(!strncmp(data + 2 + size, "\r\n", 2));
        body = data + 4 + size;
        if (!size)
            break;
    }
    strcpy(end, body);
    return text;
}

static void check_pieces(const char *input, size_t first, size_t piece, const char *expected,
                         const char *trace)
{
    struct kit_client client = kit_says(input);

    client.first = first;
    client.piece = piece;
    client.pause = first || piece ? PT_MS(1) : 0;
    kit_start("epoll", 1024, false);
    ck_assert_str_eq(joined(kit_run(client)), expected);
    ck_assert_trace(trace);
}

START_TEST(each_split_of_a_request_gives_the_same_reply)
{
    char expected[4096], trace[1024];

    if (_i)
        return;
    for (size_t i = 0; i < sizeof mixtures / sizeof *mixtures; i++) {
        strcpy(expected, joined(kit_talk(mixtures[i])));
        strcpy(trace, trace_take());
        check_pieces(mixtures[i], 0, 1, expected, trace);
        check_pieces(mixtures[i], 0, 7, expected, trace);
        for (size_t first = 1; first < strlen(mixtures[i]); first++)
            check_pieces(mixtures[i], first, 0, expected, trace);
    }
}
END_TEST

START_TEST(a_field_is_found_in_any_case_without_its_blanks)
{
    CHECK_TALK(GET("/fields") "X-ONE: \t some thing \t\r\nX-One: other\r\n\r\n",
               "HTTP/1.1 201 Created\r\nX-Two: some thing\r\nContent-Length: 0\r\n\r\n");
    CHECK_TALK(GET("/fields") "X-One:\r\n\r\n",
               "HTTP/1.1 201 Created\r\nX-Two: \r\nContent-Length: 0\r\n\r\n");
}
END_TEST

#define NO_FIELD "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n"

START_TEST(a_value_with_a_newline_makes_the_reply_a_500)
{
    CHECK_TALK(GET("/fields") "\r\n", NO_FIELD);
}
END_TEST

START_TEST(a_field_that_the_library_writes_itself_makes_the_reply_a_500)
{
    static const char *const own[] = {"Content-Length", "transfer-encoding", "DATE", "Connection"};
    char input[100];

    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        sprintf(input, "GET /fields?%s HTTP/1.1\r\nHost: x\r\nX-One: 3\r\n\r\n", own[i]);
        CHECK_TALK(input, NO_FIELD);
    }
}
END_TEST

START_TEST(a_type_that_no_field_can_have_makes_the_reply_a_500)
{
    CHECK_TALK(GET("/fields") "X-One: 3\r\nX-Type: 1\r\n\r\n", NO_FIELD);
}
END_TEST

START_TEST(a_file_behind_a_field_that_cannot_be_is_a_500_without_a_byte_of_it)
{
    CHECK_TALK(GET("/file?x") "\r\n" GET("/quick") "\r\n", NO_FIELD OK_HEAD("6") "\r\nquick\n");
}
END_TEST

START_TEST(a_reply_without_a_body_has_none_and_one_to_head_has_only_its_length)
{
    CHECK_TALK(GET("/204") "\r\n", "HTTP/1.1 204 No Content\r\nContent-Type: text/plain\r\n\r\n");
    CHECK_TALK("HEAD /quick HTTP/1.1\r\nHost: x\r\n\r\n" GET("/quick") "\r\n",
               OK_HEAD("6") "\r\n" OK_HEAD("6") "\r\nquick\n");
    CHECK_TALK(
        "HEAD /echo HTTP/1.1\r\nHost: x\r\n\r\n" GET("/quick") "\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n" OK_HEAD(
            "6") "\r\nquick\n");
    CHECK_TALK("HEAD /file HTTP/1.1\r\nHost: x\r\nRange: bytes=1-2\r\n\r\n",
               "HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\nContent-Type: text/plain\r\n"
               "Content-Length: 10\r\n\r\n");
}
END_TEST

START_TEST(a_connection_of_http_1_0_is_kept_only_if_the_client_asks)
{
    CHECK_TALK("GET /quick HTTP/1.0\r\n\r\n" GET("/quick") "\r\n",
               OK_HEAD("6") "Connection: close\r\n\r\nquick\n");
    CHECK_TALK("GET /quick HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /quick HTTP/1.0\r\n\r\n",
               OK_HEAD("6") "Connection: keep-alive\r\n\r\nquick\n" OK_HEAD(
                   "6") "Connection: close\r\n\r\nquick\n");
    CHECK_TALK("POST /echo HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello",
               "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nhello");
}
END_TEST

START_TEST(close_is_found_among_the_words_of_connection)
{
    if (_i)
        return;
    CHECK_TALK(GET("/quick") "connection: Keep-Alive, CLOSE\r\n\r\n" GET("/quick") "\r\n",
               OK_HEAD("6") "Connection: close\r\n\r\nquick\n");
    CHECK_TALK(GET("/quick") "Connection: closet\r\n\r\n" GET("/quick") "\r\n",
               OK_HEAD("6") "\r\nquick\n" OK_HEAD("6") "\r\nquick\n");
}
END_TEST

START_TEST(a_stream_is_chunks_or_has_its_length)
{
    CHECK_TALK(POST("/echo") "Content-Length: 5\r\n\r\nhello",
               "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
               "5\r\nhello\r\n0\r\n\r\n");
    CHECK_TALK(POST("/echo?5") "Content-Length: 5\r\n\r\nhello", OK_HEAD("5") "\r\nhello");
    CHECK_TALK(GET("/echo?0") "\r\n", OK_HEAD("0") "\r\n");
}
END_TEST

START_TEST(a_stream_that_is_not_whole_ends_its_connection)
{
    CHECK_TALK(POST("/echo?6") "Content-Length: 5\r\n\r\nhello" GET("/quick") "\r\n",
               OK_HEAD("6") "\r\nhello");
    CHECK_TALK(GET("/fail") "\r\n" GET("/quick") "\r\n",
               "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
    ck_assert_int_eq(kit_status, PT_EIO);
}
END_TEST

START_TEST(a_stream_of_http_1_0_that_is_not_whole_is_reset)
{
    for (int over = 0; over < 2; over++) {
        kit_start(host_pollers[_i], 1024, over);
        kit_run(kit_says("GET /fail HTTP/1.0\r\n\r\n"));
        ck_assert_int_eq(kit_status, PT_ECLOSED); /* so nobody awaits pt_tls_finish */
        ck_assert(over || kit_ended == PT_EIO);
    }
}
END_TEST

START_TEST(a_stream_of_which_nothing_was_sent_is_replaced_by_an_error)
{
    CHECK_TALK(
        POST("/echo?4") "Content-Length: 5\r\n\r\nhello" GET("/quick") "\r\n",
        "HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/plain\r\nContent-Length: 33\r\n\r\n"
        "500: the handler has not replied\n" OK_HEAD("6") "\r\nquick\n");
    ck_assert_trace("POST /echo=500 GET /quick=200 ");
    ck_assert_int_eq(atoi(kit_talk(POST("/echo") "Transfer-Encoding: chunked\r\n\r\nZ\r\n") + 9),
                     400);
}
END_TEST

START_TEST(a_client_that_expects_it_is_invited_when_its_body_is_read)
{
    struct kit_client client =
        kit_says(POST("/tell") "Content-Length: 2\r\nExpect: 100-Continue\r\n\r\nhi");

    client.first = client.size - 2;
    client.pause = PT_MS(1);
    kit_start(host_pollers[_i], 1024, false);
    ck_assert_str_eq(kit_run(client),
                     "HTTP/1.1 100 Continue\r\n\r\n" OK_HEAD("16") "\r\nPOST /tell - hi\n");
}
END_TEST

START_TEST(a_client_is_not_invited_if_the_body_is_there_or_nobody_reads_it)
{
    CHECK_TALK(POST("/tell") "Content-Length: 2\r\nExpect: 100-continue\r\n\r\nhi",
               OK_HEAD("16") "\r\nPOST /tell - hi\n");
    CHECK_TALK(POST("/quick") "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n",
               OK_HEAD("6") "Connection: close\r\n\r\nquick\n");
}
END_TEST

START_TEST(a_client_that_expects_it_is_invited_behind_fields_and_a_head_that_wait)
{
    struct kit_client client =
        kit_says(POST("/echo") "Content-Length: 2\r\nExpect: 100-continue\r\n\r\nhi");

    client.first = client.size - 2;
    client.pause = PT_MS(1);
    kit_start(host_pollers[_i], 1024, false);
    ck_assert_str_eq(joined(kit_run(client)),
                     "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
                     "Transfer-Encoding: hi");
}
END_TEST

START_TEST(a_connection_on_which_all_of_an_expected_body_came_is_kept)
{
    CHECK_TALK(POST("/quick") "Expect: 100-continue\r\n\r\n" GET("/quick") "\r\n",
               OK_HEAD("6") "\r\nquick\n" OK_HEAD("6") "\r\nquick\n");
    CHECK_TALK(
        POST("/tell") "Content-Length: 2\r\nExpect: 100-continue\r\n\r\nhi" GET("/quick") "\r\n",
        OK_HEAD("16") "\r\nPOST /tell - hi\n" OK_HEAD("6") "\r\nquick\n");
    ck_assert_ptr_nonnull(
        strstr(kit_talk(POST("/zero") "Expect: 100-continue\r\n\r\n" GET("/quick") "\r\n"),
               OK_HEAD("6") "\r\nquick\n"));
}
END_TEST

START_TEST(a_body_that_is_not_read_is_dropped)
{
    char input[600];

    sprintf(input, POST("/quick") "Content-Length: 300\r\n\r\n%300s" GET("/quick") "\r\n", "");
    CHECK_TALK(input, OK_HEAD("6") "\r\nquick\n" OK_HEAD("6") "\r\nquick\n");
}
END_TEST

START_TEST(a_long_body_that_is_not_read_ends_the_connection)
{
    static char input[100300];
    struct kit_client client;

    sprintf(input, POST("/quick") "Content-Length: 100000\r\n\r\n%100000s" GET("/quick") "\r\n",
            "");
    client = kit_says(input);
    kit_start(host_pollers[_i], 1024, false);
    ck_assert_str_eq(kit_run(client), OK_HEAD("6") "\r\nquick\n");
}
END_TEST

START_TEST(a_long_body_goes_through_both_ways_by_any_stream)
{
    static char input[100300], *body;
    struct kit_client client;
    const char *output;

    for (int over = 0; over < 2; over++) {
        sprintf(input, POST("/echo?99999") "Connection: close\r\nContent-Length: 99999\r\n\r\n");
        body = input + strlen(input);
        for (int i = 0; i < 99999; i++)
            body[i] = (char)('a' + i % 23);
        body[99999] = '\0';
        client = kit_says(input);
        client.waits = true;
        kit_start(host_pollers[_i], 1024, over);
        output = strstr(kit_run(client), "\r\n\r\n") + 4;
        ck_assert(!strcmp(output, body));
    }
}
END_TEST

/* The system takes head and body by one call, and a part of them: where the room ends. */
START_TEST(a_long_reply_that_is_taken_in_parts_is_whole)
{
    static char letters[100000];

    for (size_t i = 0; i < sizeof letters; i++)
        letters[i] = (char)('a' + i % 23);
    for (int size = 900; size < 100000; size += size < 1100 ? 7 : 9973) {
        char input[200];
        struct kit_client client;
        const char *output, *body;

        sprintf(input, GET("/letters?%d") "\r\n" GET("/letters?%d") "Connection: close\r\n\r\n",
                size, size);
        client = kit_says(input);
        client.waits = true;
        kit_local = true;
        kit_start(host_pollers[_i], 1024, false);
        kit_narrow();
        output = kit_run(client);
        for (int reply = 0; reply < 2; reply++, output = body + size) {
            ck_assert(!strncmp(output, "HTTP/1.1 200 OK\r\n", 17));
            body = strstr(output, "\r\n\r\n") + 4;
            ck_assert_mem_eq(body, letters, (size_t)size);
        }
        ck_assert_str_eq(output, "");
    }
}
END_TEST

START_TEST(a_chunk_that_is_taken_in_parts_is_whole)
{
    if (_i)
        return;
    for (int size = 1; size < 120; size++) { /* the stream takes 100 bytes at a time */
        char input[300], expected[300];
        struct kit_client client;

        sprintf(input, POST("/echo") "Content-Length: %d\r\n\r\n%0*d", size, size, 7);
        sprintf(expected, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: %0*d",
                size, 7);
        client = kit_says(input);
        client.waits = true;
        kit_server.idle = PT_MS(1);
        kit_start("epoll", 1024, true);
        ck_assert_str_eq(joined(kit_run(client)), expected);
    }
}
END_TEST

/* The most reads between two turns of it. */
struct neighbor {
    struct pt pt;
    int before, most;
};

static PT_ASYNC(neighbor, self)
{
    do {
        PT_YIELD();
        if (host.calls[HOST_read] - self->before > self->most)
            self->most = host.calls[HOST_read] - self->before;
        self->before = host.calls[HOST_read];
    } while (pt_task_alive(kit_task));
}
PT_END

/* What stands around chunks, and what no handler has read, is no reason to hold the loop. */
START_TEST(a_client_that_sends_much_that_is_no_body_does_not_hold_up_other_tasks)
{
    static PT_TASK(neighbor) neighbor;
    static char input[70000];

    for (int i = 0; i < 2; i++) {
        struct kit_client client;

        if (i)
            sprintf(input, POST("/quick") "Content-Length: 60000\r\n\r\n%060000d", 0);
        else
            sprintf(input,
                    POST("/echo") "Transfer-Encoding: chunked\r\n\r\n"
                                  "f00\r\n%03840d\r\n1;%050000d\r\n.\r\n0\r\n\r\n",
                    0, 0);
        kit_local = true;
        kit_server.idle = PT_MS(1);
        kit_start(host_pollers[_i], 512, false);
        host.tick = PT_US(1); /* a loop that is never idle asks the poller by its clock */
        PT_START(&host.loop, &neighbor, neighbor);
        client = kit_says(input);
        client.waits = true;
        ck_assert(!strncmp(kit_run(client), "HTTP/1.1 200 OK\r\n", 17));
        ck_assert_int_gt(host.calls[HOST_read], 50);
        ck_assert_int_le(neighbor.frame.most, 40);
    }
}
END_TEST

START_TEST(an_ordinary_function_handles_a_request)
{
    CHECK_TALK(POST("/native") "Content-Length: 6\r\n\r\nhello\n" GET("/quick") "\r\n",
               OK_HEAD("5") "\r\nhello" OK_HEAD("6") "\r\nquick\n");
}
END_TEST

/* --- files ----------------------------------------------------------------------------------- */

struct range {
    const char *asks, *gets;
};

static const struct range ranges[] = {
    {"bytes=0-0", "206 0-0/10 0"},
    {"bytes=2-4", "206 2-4/10 234"},
    {"bytes=7-", "206 7-9/10 789"},
    {"bytes=7-99", "206 7-9/10 789"},
    {"bytes=-3", "206 7-9/10 789"},
    {"bytes=-99", "206 0-9/10 0123456789"},
    {"bytes=10-", "416 */10 "},
    {"bytes=-0", "416 */10 "},
    {"bytes=4-2", "200  0123456789"},
    {"bytes=0-1,3-4", "200  0123456789"},
    {"bytes=x", "200  0123456789"},
    {"bytes=99999999999999999999-", "416 */10 "},
    {"lines=1-2", "200  0123456789"},
    {"bytes=", "200  0123456789"},
    {"bytes=7-18446744073709551616", "206 7-9/10 789"}, /* 0, in 64 bits */
    {"bytes=-18446744073709551617", "206 0-9/10 0123456789"},
    {"bytes=7-00000000000000000000008", "206 7-8/10 78"},
};

static const struct range ranges_of_nothing[] = {{"bytes=0-", "416 */0 "},
                                                 {"bytes=-0", "416 */0 "},
                                                 {"bytes=-3", "200  "},
                                                 {"lines=1-2", "200  "}};

/* Ask for each range of the file PATH. */
static void ask_for(int poller, const char *path, const struct range *range, size_t count)
{
    for (; count--; range++)
        for (int over = 0; over < 2; over++) {
            char input[128], got[256];
            const char *output, *told;

            sprintf(input, GET("%s") "Range: %s\r\n\r\n", path, range->asks);
            kit_start(host_pollers[poller], 1024, over);
            output = kit_run(kit_says(input));
            told = strstr(output, "Content-Range: bytes ");
            told = told ? told + 21 : "\r";
            sprintf(got, "%.3s %.*s %s", output + 9, (int)strcspn(told, "\r"), told,
                    strstr(output, "\r\n\r\n") + 4);
            ck_assert_str_eq(got, range->gets);
        }
}

START_TEST(a_file_is_sent_whole_or_in_the_range_that_is_asked_for)
{
    ask_for(_i, "/file", ranges, sizeof ranges / sizeof *ranges);
}
END_TEST

/* All of it is its last 3 bytes, too. */
START_TEST(an_empty_file_is_sent_whole_unless_a_range_begins_behind_it)
{
    ask_for(_i, "/file/empty", ranges_of_nothing,
            sizeof ranges_of_nothing / sizeof *ranges_of_nothing);
}
END_TEST

START_TEST(a_long_file_goes_to_a_slow_client_by_any_stream)
{
    for (int over = 0; over < 2; over++) {
        struct kit_client client = kit_says(GET("/file/long") "\r\n");
        const char *output;

        client.waits = true;
        client.reads_at = PT_SEC(3);
        kit_server.idle = PT_SEC(10);
        kit_start(host_pollers[_i], 1024, over);
        output = kit_run(client);
        ck_assert_uint_eq(strlen(strstr(output, "\r\n\r\n") + 4), 120000);
        ck_assert_str_eq(output + strlen(output) - 6, "19999\n");
    }
}
END_TEST

/* How many bytes of the long file a client gets that reads SIP bytes each second, from READS_AT on:
 * the server lets it rest for ten. */
static size_t get_slowly(int poller, size_t sip, pt_time reads_at, bool over)
{
    struct kit_client client = kit_says(GET("/file/long") "\r\n");
    const char *output;

    client.waits = true;
    client.sip = sip;
    client.rests = PT_SEC(1);
    client.reads_at = reads_at;
    kit_server.idle = kit_server.write_time = PT_SEC(10);
    kit_local = true;
    kit_start(host_pollers[poller], 1024, over);
    kit_narrow();
    output = kit_run(client);
    return strlen(strstr(output, "\r\n\r\n") + 4);
}

START_TEST(a_file_that_cannot_be_read_is_an_error_and_no_client_that_has_gone)
{
    for (int over = 0; over < 2; over++) {
        char expected[80];

        kit_start(host_pollers[_i], 1024, over);
        kit_run(kit_says(GET("/file/unreadable") "\r\n"));
        sprintf(expected, "error %d GET /file/unreadable=500 ", EBADF);
        ck_assert_trace(expected);
        ck_assert_int_eq(kit_status, PT_EIO);
        ck_assert_uint_eq(kit_server.gone, 0);
    }
}
END_TEST

START_TEST(a_client_that_takes_a_file_slowly_gets_all_of_it_and_one_that_takes_nothing_does_not)
{
    for (int over = 0; over < 2; over++) {
        ck_assert_uint_eq(get_slowly(_i, 4000, PT_SEC(0), over), 120000);
        ck_assert_uint_lt(get_slowly(_i, 4000, PT_SEC(100), over), 120000);
    }
}
END_TEST

/* --- counts ---------------------------------------------------------------------------------- */

START_TEST(the_metrics_count_what_was_served)
{
    char text[4096];
    struct pt_writer writer;

    kit_talk(GET("/quick") "\r\n" GET("/absent") "\r\n" GET("/none") "\r\nnonsense\r\n\r\n");
    pt_writer_init_memory(&writer, text, sizeof text);
    ck_assert_int_eq(pt_http_metrics(&kit_server, &writer), PT_OK);
    ck_assert_ptr_nonnull(strstr(text, "\npt_http_requests_total 4\n"));
    ck_assert_ptr_nonnull(strstr(text, "\npt_http_requests_refused_total 1\n"));
    ck_assert_ptr_nonnull(strstr(text, "{status=\"2xx\"} 1\n"));
    ck_assert_ptr_nonnull(strstr(text, "{status=\"4xx\"} 2\n"));
    ck_assert_ptr_nonnull(strstr(text, "{status=\"5xx\"} 1\n"));
    ck_assert_ptr_nonnull(strstr(text, "\npt_http_seconds_count 4\n"));
    ck_assert_ptr_nonnull(strstr(text, "\npt_http_connections_open 0\n"));
    pt_writer_init_memory(&writer, text, 100);
    ck_assert_int_eq(pt_http_metrics(&kit_server, &writer), PT_ERANGE);
}
END_TEST

Suite *host_suite_http(void)
{
    Suite *suite = suite_create("http");

    host_test(suite, a_request_gets_its_reply);
    host_test(suite, requests_in_one_packet_get_their_replies_in_order);
    host_test(suite, each_split_of_a_request_gives_the_same_reply);
    host_test(suite, a_field_is_found_in_any_case_without_its_blanks);
    host_test(suite, a_value_with_a_newline_makes_the_reply_a_500);
    host_test(suite, a_field_that_the_library_writes_itself_makes_the_reply_a_500);
    host_test(suite, a_type_that_no_field_can_have_makes_the_reply_a_500);
    host_test(suite, a_file_behind_a_field_that_cannot_be_is_a_500_without_a_byte_of_it);
    host_test(suite, a_reply_without_a_body_has_none_and_one_to_head_has_only_its_length);
    host_test(suite, a_connection_of_http_1_0_is_kept_only_if_the_client_asks);
    host_test(suite, close_is_found_among_the_words_of_connection);
    host_test(suite, a_stream_is_chunks_or_has_its_length);
    host_test(suite, a_stream_that_is_not_whole_ends_its_connection);
    host_test(suite, a_stream_of_http_1_0_that_is_not_whole_is_reset);
    host_test(suite, a_stream_of_which_nothing_was_sent_is_replaced_by_an_error);
    host_test(suite, a_client_that_expects_it_is_invited_when_its_body_is_read);
    host_test(suite, a_client_that_expects_it_is_invited_behind_fields_and_a_head_that_wait);
    host_test(suite, a_connection_on_which_all_of_an_expected_body_came_is_kept);
    host_test(suite, a_client_is_not_invited_if_the_body_is_there_or_nobody_reads_it);
    host_test(suite, a_body_that_is_not_read_is_dropped);
    host_test(suite, a_long_body_that_is_not_read_ends_the_connection);
    host_test(suite, a_long_body_goes_through_both_ways_by_any_stream);
    host_test(suite, a_long_reply_that_is_taken_in_parts_is_whole);
    host_test(suite, a_chunk_that_is_taken_in_parts_is_whole);
    host_test(suite, a_client_that_sends_much_that_is_no_body_does_not_hold_up_other_tasks);
    host_test(suite, an_ordinary_function_handles_a_request);
    host_test(suite, a_file_is_sent_whole_or_in_the_range_that_is_asked_for);
    host_test(suite, a_file_that_cannot_be_read_is_an_error_and_no_client_that_has_gone);
    host_test(suite, an_empty_file_is_sent_whole_unless_a_range_begins_behind_it);
    host_test(suite, a_long_file_goes_to_a_slow_client_by_any_stream);
    host_test(suite,
              a_client_that_takes_a_file_slowly_gets_all_of_it_and_one_that_takes_nothing_does_not);
    host_test(suite, the_metrics_count_what_was_served);
    return suite;
}
