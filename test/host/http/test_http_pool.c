/* test_http_pool.c - the connections of libpt-http's client: kept, lost, shared, given back
 * SPDX-License-Identifier: MIT */
#include "answers.h"

#include <stdlib.h>

START_TEST(a_connection_is_kept_unless_either_side_says_otherwise)
{
    answers_open(host_pollers[_i], 1);
    answers[0].text = answers[1].text = OK("2", "ok");
    answers[2].text = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok";
    answers[3].text = "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok";
    answers[4].text = "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok";
    answers[5].text = OK("2", "ok"
                              "HTTP/1.1 200 OK\r\n\r\n"); /* no request asks for that */
    answers[6].text = OK("2", "ok");
    for (int i = 0; i < 7; i++)
        ck_assert_str_eq(answers_get((struct caller){.path = "/"}), "200 ok;");
    ck_assert_int_eq(answers_connections, 4);
    answers_close();
}
END_TEST

START_TEST(an_idle_connection_is_used_for_its_time)
{
    answers_open(host_pollers[_i], 1);
    for (int i = 0; i < 4; i++)
        answers[i].text = OK("2", "ok");
    a_client.idle = PT_SEC(1);
    answers_get((struct caller){.path = "/"});
    host.now += PT_MS(900);
    answers_get((struct caller){.path = "/"});
    ck_assert_int_eq(answers_connections, 1);
    host.now += PT_MS(1000);
    answers_get((struct caller){.path = "/"});
    ck_assert_int_eq(answers_connections, 2);
    pt_http_client_close(&a_client);
    answers_get((struct caller){.path = "/"});
    ck_assert_int_eq(answers_connections, 3);
    answers_close();
}
END_TEST

/* Two calls; the server closes behind the first reply, before the second request or right at it. */
static const char *behind_a_death(int poller, const char *method, bool seen)
{
    static const char *trace;

    answers_open(host_pollers[poller], 1);
    answers[0] = (struct answer){.text = OK("2", "ok"), .closes = seen};
    answers[1] = seen ? (struct answer){.text = OK("3", "new")} : (struct answer){.closes = true};
    answers[2].text = OK("3", "new");
    answers_get((struct caller){.path = "/"});
    trace = answers_get(
        (struct caller){.path = "/", .set = {.method = method, .data = "x", .size = 1}});
    ck_assert_int_le(answers_connections, 2);
    answers_close();
    return trace;
}

START_TEST(a_kept_connection_that_is_dead_is_replaced_for_any_method)
{
    ck_assert_str_eq(behind_a_death(_i, "GET", true), "200 new;");
    ck_assert_str_eq(behind_a_death(_i, "POST", true), "200 new;");
}
END_TEST

START_TEST(a_request_is_sent_once_more_if_that_does_nothing_twice)
{
    ck_assert_str_eq(behind_a_death(_i, "GET", false), "200 new;");
    ck_assert_str_eq(behind_a_death(_i, "PUT", false), "200 new;");
    ck_assert_str_eq(behind_a_death(_i, "POST", false), "ECLOSED closed;");
    ck_assert_str_eq(behind_a_death(_i, "PATCH", false), "ECLOSED closed;");
}
END_TEST

START_TEST(a_request_is_sent_once_more_only_once_and_not_behind_a_byte_of_a_reply)
{
    answers_open(host_pollers[_i], 1);
    answers[0].text = OK("2", "ok");
    answers[1].closes = answers[2].closes = true;
    answers[3].text = OK("2", "ok");
    answers[4] = (struct answer){.text = "H", .closes = true};
    answers_get((struct caller){.path = "/"});
    ck_assert_str_eq(answers_get((struct caller){.path = "/"}), "ECLOSED closed;");
    answers_get((struct caller){.path = "/"});
    ck_assert_str_eq(answers_get((struct caller){.path = "/"}), "ECLOSED closed;");
    ck_assert_int_eq(answers_connections, 3);
    answers_close();
}
END_TEST

START_TEST(a_new_connection_that_ends_is_not_tried_again)
{
    answers_open(host_pollers[_i], 1);
    answers[0].closes = true;
    ck_assert_str_eq(answers_get((struct caller){.path = "/"}), "ECLOSED closed;");
    ck_assert_int_eq(answers_connections, 1);
    answers_close();
}
END_TEST

START_TEST(calls_wait_for_a_place_in_their_order)
{
    static caller_task tasks[6];
    static char names[6][3] = {"a", "b", "c", "d", "e", "f"};

    answers_open(host_pollers[_i], 1);
    for (int i = 0; i < 6; i++)
        answers[i] = (struct answer){.text = OK("1", "x"), .pause = PT_MS(1), .closes = i % 2};
    for (int i = 0; i < 6; i++)
        answers_call(&tasks[i], (struct caller){.name = names[i], .path = "/"});
    answers_run();
    ck_assert_trace("a200 x;b200 x;c200 x;d200 x;e200 x;f200 x;");
    ck_assert_int_eq(answers_connections, 3);
    answers_close();
}
END_TEST

/* There is room for 3 connections, and for 1 to a host: a call to another host does not wait behind
 * one to a host that is busy. */
START_TEST(a_host_has_its_own_limit)
{
    static caller_task tasks[3];
    char other[100];

    answers_open(host_pollers[_i], 3);
    a_client.per_host = 1;
    sprintf(other, "http://localhost%s/", strrchr(answers_address(), ':'));
    answers[0] = (struct answer){.text = OK("1", "x"), .pause = PT_MS(5)};
    answers[1] = answers[2] = (struct answer){.text = OK("1", "x")};
    answers_call(&tasks[0], (struct caller){.name = "a", .path = "/"});
    answers_call(&tasks[1], (struct caller){.name = "b", .path = "/"});
    answers_call(&tasks[2], (struct caller){.name = "c", .path = other});
    answers_run();
    ck_assert_trace("c200 x;a200 x;b200 x;");
    ck_assert_int_eq(answers_connections, 2);
    answers_close();
}
END_TEST

START_TEST(an_idle_connection_makes_place_for_another_host)
{
    char other[100];

    answers_open(host_pollers[_i], 1);
    sprintf(other, "http://localhost%s/", strrchr(answers_address(), ':'));
    for (int i = 0; i < 3; i++)
        answers[i].text = OK("1", "x");
    ck_assert_str_eq(answers_get((struct caller){.path = "/"}), "200 x;");
    ck_assert_str_eq(answers_get((struct caller){.path = other}), "200 x;");
    ck_assert_str_eq(answers_get((struct caller){.path = "/"}), "200 x;");
    ck_assert_int_eq(answers_connections, 3);
    answers_close();
}
END_TEST

START_TEST(a_timeout_ends_a_call_and_gives_its_place_to_the_next)
{
    static caller_task tasks[3];

    answers_open(host_pollers[_i], 1);
    answers[0] = (struct answer){.text = OK("1", "x"), .pause = PT_SEC(9)};
    answers[1].text = OK("1", "x");
    answers_call(&tasks[0], (struct caller){.name = "a", .path = "/", .limit = PT_MS(50)});
    answers_call(&tasks[1], (struct caller){.name = "b", .path = "/", .limit = PT_MS(20)});
    answers_call(&tasks[2], (struct caller){.name = "c", .path = "/"});
    answers_run();
    ck_assert_trace("bETIMEDOUT -;aETIMEDOUT -;c200 x;");
    ck_assert_int_eq(answers_connections, 2);
    answers_close();
}
END_TEST

START_TEST(a_stream_holds_its_place_until_it_is_given_back)
{
    static caller_task tasks[2];

    answers_open(host_pollers[_i], 1);
    answers[0].text = answers[1].text = OK("1", "x");
    answers_call(&tasks[0], (struct caller){.name = "a", .path = "/", .stays = true});
    answers_call(&tasks[1], (struct caller){.name = "b", .path = "/", .limit = PT_MS(500)});
    answers_run();
    ck_assert_trace("bETIMEDOUT -;a200 -;");
    answers_close();
}
END_TEST

/* It calls twice, and does not end the first call. */
struct forgetful {
    struct pt pt;
    int calls;
    struct pt_http_call call;
    char url[100], in[1000], out[1000];
};

static PT_ASYNC(forgetful, self)
{
    sprintf(self->url, "http://%s/", answers_address());
    for (; self->calls < 2; self->calls++)
        PT_WAIT_COMPLETE(&self->call, pt_http_call, .client = &a_client, .url = self->url,
                         .in = self->in, .in_size = sizeof self->in, .out = self->out,
                         .out_size = sizeof self->out, .streams = true);
}
PT_END

static int its_poller;

static void call_twice(void)
{
    static PT_TASK(forgetful) task;

    answers_open(host_pollers[its_poller], 2);
    answers[0].text = answers[1].text = OK("1", "x");
    PT_START(&host.loop, &task, forgetful);
    answers_run();
}

START_TEST(a_call_in_place_of_one_whose_stream_was_not_ended_stops_the_program)
{
    its_poller = _i;
    host_stops(call_twice, "pt_http_call: the stream of the call before it was not ended");
}
END_TEST

/* A reader that is slow keeps its server waiting: little of the body is on the way. */
START_TEST(a_server_waits_while_the_reader_of_a_stream_does)
{
    static char text[8000];

    sprintf(text, OK("7000", "%7000s"), "");
    answers_open(host_pollers[_i], 1);
    answers[0] = (struct answer){.text = text, .piece = 100};
    answers_get((struct caller){
        .path = "/", .reads = true, .step = 200, .rest = PT_MS(10), .limit = PT_MS(45)});
    ck_assert_int_eq(answers_connections, 1);
    answers_close();
}
END_TEST

/* Three calls share two places, with a redirect and a stream, and are canceled in each turn. */
START_TEST(a_cancel_in_any_turn_gives_back_each_place)
{
    static caller_task tasks[3];
    bool done = false;
    int turn = 0;

    for (; !done; turn++) {
        ck_assert_int_lt(turn, 500);
        answers_open(host_pollers[_i], 2);
        answers[0] = (struct answer){.text = TO("302", "/b"), .piece = 5};
        answers[1] = (struct answer){.text = CHUNKED "2\r\nok\r\n0\r\n\r\n", .piece = 3};
        answers[2] = answers[3] = (struct answer){.text = OK("2", "ok"), .piece = 5};
        answers_call(&tasks[0], (struct caller){.path = "/a", .set.redirects = 1});
        answers_call(&tasks[1], (struct caller){.path = "/b", .reads = true, .step = 1});
        answers_call(&tasks[2], (struct caller){.path = "/c"});
        answers_turn(turn);
        done = true;
        for (int i = 0; i < 3; i++)
            if (pt_task_alive(&tasks[i].task)) {
                pt_cancel(&tasks[i].task, PT_ECANCELED);
                done = false;
            }
        answers_run();
        trace_take();
        for (size_t i = 0; i < 20; i++)
            answers[i] = (struct answer){.text = OK("3", "end")};
        ck_assert_str_eq(answers_get((struct caller){.path = "/"}), "200 end;");
        answers_close();
    }
    ck_assert_int_gt(turn, 20);
}
END_TEST

START_TEST(a_server_that_is_not_there_is_told_in_words)
{
    answers_open(host_pollers[0], 1);
    ck_assert_str_eq(answers_get((struct caller){.path = "http://127.0.0.1:1/"}),
                     "EIO Connection refused;");
    answers_close();
}
END_TEST

/* --- https ----------------------------------------------------------------------------------- */

/* Makes a link secure, or does not: its frame is the test's. */
struct disguise {
    struct pt pt;
    struct pt_http_link *link;
};

static struct disguise disguise;
static pt_status disguised_as;

static PT_ASYNC(disguise, self)
{
    trace_add("secure %s;", self->link->host);
    PT_YIELD();
    self->link->stream = pt_io_stream(&self->link->io);
    self->link->why = "it is too thin";
    PT_RETURN(disguised_as);
}
PT_END

static struct pt *make_secure(struct pt_http_link *link)
{
    PT_INIT(&disguise, disguise, .link = link);
    return &disguise.pt;
}

static void closing(struct pt_http_link *link)
{
    trace_add("close %s;", link->host);
}

START_TEST(a_hook_makes_a_connection_secure)
{
    char url[100];

    answers_open(host_pollers[_i], 1);
    a_client.secure = make_secure;
    a_client.closing = closing;
    sprintf(url, "https://%s/", answers_address());
    answers[0].text = answers[1].text = answers[2].text = OK("1", "x");
    disguised_as = PT_OK;
    ck_assert_str_eq(answers_get((struct caller){.path = url}), "secure 127.0.0.1;200 x;");
    ck_assert_str_eq(answers_get((struct caller){.path = url}), "200 x;");
    ck_assert_str_eq(answers_get((struct caller){.path = "/"}), "close 127.0.0.1;200 x;");
    disguised_as = PT_EFAILED;
    ck_assert_str_eq(answers_get((struct caller){.path = url}),
                     "secure 127.0.0.1;close 127.0.0.1;EFAILED it is too thin;");
    ck_assert_str_eq(answers_get((struct caller){.path = "http://127.0.0.1:1/"}),
                     "EIO Connection refused;"); /* on the same link */
    answers_close();
}
END_TEST

Suite *host_suite_http_pool(void)
{
    Suite *suite = suite_create("http_pool");

    host_test(suite, a_connection_is_kept_unless_either_side_says_otherwise);
    host_test(suite, an_idle_connection_is_used_for_its_time);
    host_test(suite, a_kept_connection_that_is_dead_is_replaced_for_any_method);
    host_test(suite, a_request_is_sent_once_more_if_that_does_nothing_twice);
    host_test(suite, a_request_is_sent_once_more_only_once_and_not_behind_a_byte_of_a_reply);
    host_test(suite, a_new_connection_that_ends_is_not_tried_again);
    host_test(suite, calls_wait_for_a_place_in_their_order);
    host_test(suite, a_host_has_its_own_limit);
    host_test(suite, an_idle_connection_makes_place_for_another_host);
    host_test(suite, a_timeout_ends_a_call_and_gives_its_place_to_the_next);
    host_test(suite, a_stream_holds_its_place_until_it_is_given_back);
    host_test_once(suite, a_call_in_place_of_one_whose_stream_was_not_ended_stops_the_program);
    host_test(suite, a_server_waits_while_the_reader_of_a_stream_does);
    host_test(suite, a_cancel_in_any_turn_gives_back_each_place);
    host_test_once(suite, a_server_that_is_not_there_is_told_in_words);
    host_test(suite, a_hook_makes_a_connection_secure);
    return suite;
}
