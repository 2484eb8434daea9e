/* test_http_end.c - clients that go away, servers that end, connections that are canceled
 * SPDX-License-Identifier: MIT */
#include "kit.h"

#define SIGN "HTTP/1.1 102 Processing\r\n\r\n"
#define CLOSING_HEAD(size) OK_HEAD(size) "Connection: close\r\n"

START_TEST(a_handler_whose_client_has_gone_runs_its_cleanup)
{
    struct kit_client client = kit_says(GET("/wait") "\r\n");

    client.stays = PT_SEC(1);
    client.leaves = true;
    kit_start(host_pollers[_i], 1024, false);
    kit_run(client);
    ck_assert_trace("ECANCELED@1000 GET /wait=499 ");
    ck_assert_int_eq(kit_status, PT_ECLOSED);
    ck_assert_uint_eq(kit_server.gone, 1);
}
END_TEST

START_TEST(a_client_that_has_shut_down_its_side_can_still_want_its_reply)
{
    struct kit_client client = kit_says(GET("/wait") "\r\n");

    kit_server.half_closed = true;
    kit_start(host_pollers[_i], 1024, false);
    ck_assert_str_eq(kit_run(client),
                     SIGN SIGN SIGN SIGN OK_HEAD("7") "\r\nwaited\n"); /* each second */
    ck_assert_trace("OK@5000 GET /wait=200 ");
}
END_TEST

START_TEST(a_client_that_expected_100_and_has_shut_down_its_side_gets_signs_too)
{
    kit_server.half_closed = true;
    kit_start(host_pollers[_i], 1024, false);
    ck_assert_str_eq(kit_run(kit_says(POST("/wait") "Expect: 100-continue\r\n"
                                                    "Content-Length: 3\r\n\r\nabc")),
                     SIGN SIGN SIGN SIGN CLOSING_HEAD("7") "\r\nwaited\n");
}
END_TEST

START_TEST(a_handler_that_begins_when_its_client_has_gone_is_ended_within_a_second)
{
    static char input[65000 + 200];
    int length = sprintf(input, POST("/quick") "Content-Length: 65000\r\n\r\n");
    struct kit_client client;

    memset(input + length, 'a', 65000);
    strcpy(input + length + 65000, GET("/wait") "\r\n");
    client = kit_says(input);
    kit_local = true;
    kit_start(host_pollers[_i], 1024, false);
    kit_run(client);
    ck_assert_trace("POST /quick=200 ECANCELED@1000 GET /wait=499 ");
}
END_TEST

START_TEST(a_client_of_http_1_0_that_has_shut_down_its_side_gets_its_reply_alone)
{
    kit_server.half_closed = true;
    kit_start(host_pollers[_i], 1024, false);
    ck_assert_str_eq(kit_run(kit_says("GET /wait HTTP/1.0\r\n\r\n")),
                     CLOSING_HEAD("7") "\r\nwaited\n");
}
END_TEST

START_TEST(a_client_that_could_have_shut_down_its_side_and_has_gone_is_noticed)
{
    struct kit_client client = kit_says(GET("/wait") "\r\n");

    client.stays = PT_SEC(1);
    client.leaves = true;
    kit_server.half_closed = true;
    kit_start(host_pollers[_i], 1024, false);
    kit_run(client);
    ck_assert_trace("ECANCELED@3000 GET /wait=499 ");
    ck_assert_int_eq(kit_status, PT_ECLOSED);
}
END_TEST

START_TEST(a_download_that_its_client_cuts_off_is_no_200_in_the_log)
{
    static const char *const inputs[] = {GET("/letters?100000") "\r\n", GET("/file/long") "\r\n",
                                         "GET /letters?100000 HTTP/1.0\r\n\r\n"};

    kit_server.half_closed = true;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        for (int over = 0; over < 2; over++) {
            struct kit_client client = kit_says(inputs[i]);

            client.stays = PT_SEC(1);
            client.leaves = true;
            kit_server.gone = 0;
            kit_start(host_pollers[_i], 1024, over);
            kit_narrow();
            kit_run(client);
            ck_assert_ptr_nonnull(strstr(trace_take(), "=499 "));
            ck_assert_uint_eq(kit_server.gone, 1);
        }
}
END_TEST

START_TEST(a_reply_whose_handler_fails_midway_is_500_in_the_log)
{
    kit_talk(GET("/fail") "\r\n");
    ck_assert_trace("GET /fail=500 ");
    ck_assert_uint_eq(kit_server.statuses[5], 1);
    ck_assert_uint_eq(kit_server.gone, 0);
    ck_assert_int_eq(kit_status, PT_EIO); /* that of the handler */
    kit_talk("HEAD /fail HTTP/1.1\r\nHost: x\r\n\r\n");
    ck_assert_trace("HEAD /fail=200 "); /* a reply without a body is whole with its head */
    ck_assert_int_eq(kit_status, PT_OK);
}
END_TEST

struct widener {
    struct pt pt;
};

static PT_ASYNC(widener, self)
{
    (void)self;
    PT_WAIT(PT_MS(4400));
    kit_choke(0);
}
PT_END

START_TEST(a_sign_that_is_written_in_part_is_finished_before_the_reply)
{
    static PT_TASK(widener) widener;
    struct kit_client client = kit_says(GET("/wait") "\r\n");

    client.reads_at = PT_MS(4500);
    kit_local = kit_server.half_closed = true;
    kit_start(host_pollers[_i], 1024, false);
    kit_choke(10);
    PT_START(&host.loop, &widener, widener);
    ck_assert_str_eq(kit_run(client), SIGN OK_HEAD("7") "\r\nwaited\n");
}
END_TEST

START_TEST(a_connection_ends_with_a_reply_that_is_not_taken_in_time)
{
    static char input[3000];
    struct kit_client client;

    for (char *end = input; end < input + sizeof input - 100;)
        end += sprintf(end, GET("/other") "\r\n");
    client = kit_says(input);
    client.waits = kit_local = true;
    client.reads_at = PT_MS(2500); /* when a next reply would wait */
    kit_server.write_time = PT_SEC(2);
    kit_start(host_pollers[_i], 1024, false);
    kit_narrow();
    kit_run(client);
    ck_assert_int_eq(kit_status, PT_ETIMEDOUT);
    ck_assert_uint_eq(kit_server.gone, 1);
}
END_TEST

/* --- the end of the server ------------------------------------------------------------------- */

static struct pt_event ending;

struct ender {
    struct pt pt;
    pt_time at;
};

static PT_ASYNC(ender, self)
{
    PT_WAIT(self->at);
    pt_event_set(&ending);
}
PT_END

static const char *talk_until(const char *poller, const char *input, pt_time at)
{
    static PT_TASK(ender) ender;
    struct kit_client client = kit_says(input);

    pt_event_init(&ending);
    kit_server.ending = &ending;
    client.waits = true;
    kit_start(poller, 1024, false);
    PT_START(&host.loop, &ender, ender, .at = at);
    return kit_run(client);
}

START_TEST(an_idle_connection_ends_with_the_server)
{
    ck_assert_str_eq(talk_until(host_pollers[_i], GET("/quick") "\r\n", PT_SEC(1)),
                     OK_HEAD("6") "\r\nquick\n");
    ck_assert_int_eq(host_ms(host.now), 1000);
    ck_assert_int_eq(kit_status, PT_OK);
}
END_TEST

START_TEST(a_request_that_runs_when_the_server_ends_gets_its_reply)
{
    ck_assert_str_eq(talk_until(host_pollers[_i], GET("/wait") "\r\n", PT_SEC(1)),
                     OK_HEAD("7") "Connection: close\r\n\r\nwaited\n");
    ck_assert_int_eq(host_ms(host.now), 5000);
    ck_assert_int_eq(kit_status, PT_OK);
}
END_TEST

START_TEST(a_head_that_has_begun_when_the_server_ends_is_served)
{
    static PT_TASK(ender) ender;
    struct kit_client client = kit_says(GET("/quick") "\r\n");

    pt_event_init(&ending);
    kit_server.ending = &ending;
    client.waits = true;
    client.first = 5;
    client.pause = PT_SEC(2);
    kit_start(host_pollers[_i], 1024, false);
    PT_START(&host.loop, &ender, ender, .at = PT_SEC(1));
    ck_assert_str_eq(kit_run(client), OK_HEAD("6") "Connection: close\r\n\r\nquick\n");
}
END_TEST

/* --- cancels --------------------------------------------------------------------------------- */

/* Cancels the connection after so many turns. */
struct canceler {
    struct pt pt;
    int turns;
};

static PT_ASYNC(canceler, self)
{
    while (self->turns--)
        PT_YIELD();
    pt_cancel(kit_task, PT_ECANCELED);
}
PT_END

static const char *const scenes[] = {
    GET("/quick") "\r\n" GET("/tell") "Connection: close\r\n\r\n",
    POST("/tell") "Content-Length: 10\r\n\r\n0123456789",
    POST("/echo") "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n",
    POST("/quick") "Content-Length: 10\r\n\r\n0123456789" GET("/none") "\r\n",
    GET("/file") "\r\nnonsense\r\n\r\n",
    GET("/wait") "\r\n",
    POST("/native") "Content-Length: 10\r\n\r\n0123456789",
};

START_TEST(a_cancel_in_any_turn_leaves_nothing_open)
{
    if (_i)
        return;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        for (int turns = 0, over = 0; turns < 60; turns++, over = !over) {
            static PT_TASK(canceler) canceler;
            struct kit_client client = kit_says(scenes[i]);

            client.piece = 9;
            kit_start("epoll", 1024, over);
            PT_START(&host.loop, &canceler, canceler, .turns = turns);
            kit_run(client); /* it checks that */
            trace_take();
        }
}
END_TEST

START_TEST(a_client_that_leaves_after_any_byte_leaves_nothing_open)
{
    if (_i)
        return;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        for (size_t size = 0; size < strlen(scenes[i]); size++) {
            struct kit_client client = kit_says(scenes[i]);

            client.size = size;
            client.leaves = true;
            kit_start("epoll", 1024, false);
            kit_run(client);
            trace_take();
        }
}
END_TEST

Suite *host_suite_http_end(void)
{
    Suite *suite = suite_create("http_end");

    host_test(suite, a_handler_whose_client_has_gone_runs_its_cleanup);
    host_test(suite, a_client_that_has_shut_down_its_side_can_still_want_its_reply);
    host_test(suite, a_client_that_expected_100_and_has_shut_down_its_side_gets_signs_too);
    host_test(suite, a_handler_that_begins_when_its_client_has_gone_is_ended_within_a_second);
    host_test(suite, a_client_of_http_1_0_that_has_shut_down_its_side_gets_its_reply_alone);
    host_test(suite, a_client_that_could_have_shut_down_its_side_and_has_gone_is_noticed);
    host_test(suite, a_download_that_its_client_cuts_off_is_no_200_in_the_log);
    host_test(suite, a_reply_whose_handler_fails_midway_is_500_in_the_log);
    host_test(suite, a_sign_that_is_written_in_part_is_finished_before_the_reply);
    host_test(suite, a_connection_ends_with_a_reply_that_is_not_taken_in_time);
    host_test(suite, an_idle_connection_ends_with_the_server);
    host_test(suite, a_request_that_runs_when_the_server_ends_gets_its_reply);
    host_test(suite, a_head_that_has_begun_when_the_server_ends_is_served);
    host_test(suite, a_cancel_in_any_turn_leaves_nothing_open);
    host_test(suite, a_client_that_leaves_after_any_byte_leaves_nothing_open);
    return suite;
}
