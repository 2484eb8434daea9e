/* test_http_names.c - calls by name: hosts that do not resolve, or have several addresses
 * SPDX-License-Identifier: MIT
 *
 * The server of answers.h is at 127.0.0.1 alone: each other address refuses. */
#include "../names.h"
#include "answers.h"

static names_task server;
static char servers[32];

/* Begin with a name server, and a client with LINKS places. */
static void open_names(int poller, size_t links)
{
    answers_open(host_pollers[poller], links);
    names_start(&server, servers, sizeof servers);
    host.servers = servers;
}

static void close_names(void)
{
    host.servers = NULL;
    answers_close();
}

/* A URL, one of the last four: of the name HOST, at the port of the server. */
static const char *at(const char *host_name)
{
    static char urls[4][100];
    static unsigned next;
    char *url = urls[next++ % 4];

    sprintf(url, "http://%s%s/", host_name, strrchr(answers_address(), ':'));
    return url;
}

static const char *get(const char *url)
{
    return answers_get((struct caller){.path = url});
}

START_TEST(a_host_that_does_not_exist_is_told_in_words_and_its_place_is_free)
{
    static caller_task tasks[2];

    open_names(_i, 1);
    answers[0].text = OK("1", "x");
    answers_call(&tasks[0], (struct caller){.name = "a", .path = at("nobody.example")});
    answers_call(&tasks[1], (struct caller){.name = "b", .path = at("1.example")});
    answers_run();
    ck_assert_trace("aEINVAL no host has this name;b200 x;");
    ck_assert_int_eq(answers_connections, 1);
    close_names();
}
END_TEST

START_TEST(name_servers_that_fail_are_told_in_words_and_asked_again_by_the_next_call)
{
    open_names(_i, 1);
    answers[0].text = OK("1", "x");
    server.frame.broken = true;
    ck_assert_str_eq(get(at("1.example")), "EIO no name server has answered;");
    server.frame.broken = false;
    ck_assert_str_eq(get(at("1.example")), "200 x;");
    close_names();
}
END_TEST

START_TEST(a_lookup_without_memory_is_told_in_words_and_its_place_is_free)
{
    open_names(_i, 1);
    answers[0].text = OK("1", "x");
    host_fail(HOST_ares_init_options, 0, 1, ENOMEM);
    ck_assert_str_eq(get(at("1.example")),
                     "ENOMEM no room: storage is full or the allocator failed;");
    ck_assert_str_eq(get(at("1.example")), "200 x;");
    close_names();
}
END_TEST

/* The first one has the only place while it waits for the name server, and the second one waits for
 * that place. */
START_TEST(a_timeout_ends_a_call_whose_name_server_is_silent)
{
    static caller_task tasks[3];

    open_names(_i, 1);
    answers[0].text = OK("1", "x");
    server.frame.mute = true;
    answers_call(&tasks[0],
                 (struct caller){.name = "a", .path = at("1.example"), .limit = PT_MS(50)});
    answers_call(&tasks[1],
                 (struct caller){.name = "b", .path = at("1.example"), .limit = PT_MS(20)});
    answers_call(&tasks[2], (struct caller){.name = "c", .path = "/"});
    answers_run();
    ck_assert_trace("bETIMEDOUT -;aETIMEDOUT -;c200 x;");
    ck_assert_int_eq(server.frame.answers, 0);
    close_names();
}
END_TEST

START_TEST(the_next_address_is_called_if_the_first_refuses)
{
    open_names(_i, 2);
    answers[0].text = answers[1].text = answers[2].text = OK("1", "x");
    ck_assert_str_eq(get(at("231.example")), "200 x;");
    ck_assert_str_eq(asked, "GET / HTTP/1.1\n");
    close_names();
}
END_TEST

START_TEST(a_host_all_of_whose_addresses_refuse_is_told_in_words)
{
    open_names(_i, 1);
    ck_assert_str_eq(get(at("23.example")), "EIO Connection refused;");
    ck_assert_int_eq(answers_connections, 0);
    close_names();
}
END_TEST

START_TEST(a_kept_connection_asks_no_name_server_and_belongs_to_its_name)
{
    int before;

    open_names(_i, 2);
    for (int i = 0; i < 4; i++)
        answers[i].text = OK("1", "x");
    ck_assert_str_eq(get(at("1.example")), "200 x;");
    before = server.frame.answers;
    server.frame.mute = true;
    ck_assert_str_eq(get(at("1.example")), "200 x;");
    ck_assert_int_eq(server.frame.answers, before);
    server.frame.mute = false;
    ck_assert_str_eq(get(at("11.example")), "200 x;");
    ck_assert_int_gt(server.frame.answers, before);
    ck_assert_str_eq(get("/"), "200 x;"); /* in place of one of them */
    ck_assert_int_eq(answers_connections, 3);
    close_names();
}
END_TEST

/* The connection is kept, and has ended; meanwhile the name servers have, too. */
START_TEST(a_kept_connection_that_is_dead_is_replaced_only_if_its_name_resolves)
{
    open_names(_i, 1);
    answers[0] = (struct answer){.text = OK("1", "x"), .closes = true};
    answers[1].text = OK("1", "y");
    ck_assert_str_eq(get(at("1.example")), "200 x;");
    server.frame.broken = true;
    ck_assert_str_eq(get(at("1.example")), "EIO no name server has answered;");
    ck_assert_str_eq(get("/"), "200 y;");
    close_names();
}
END_TEST

START_TEST(a_redirect_to_a_host_that_does_not_exist_keeps_the_connection_before_it)
{
    char text[200];

    open_names(_i, 2);
    sprintf(text, TO("302", "%s"), at("nobody.example"));
    answers[0].text = text;
    answers[1].text = OK("1", "x");
    ck_assert_str_eq(answers_get((struct caller){.path = "/", .set.redirects = 1}),
                     "EINVAL no host has this name;");
    ck_assert_str_eq(get("/"), "200 x;");
    ck_assert_int_eq(answers_connections, 1);
    close_names();
}
END_TEST

/* Two calls share a place; the name of each has an address that refuses. Both are canceled in each
 * turn. */
START_TEST(a_cancel_in_any_turn_of_a_lookup_gives_back_each_place)
{
    static caller_task tasks[2];
    bool done = false;
    int turn = 0;

    for (; !done; turn++) {
        ck_assert_int_lt(turn, 500);
        open_names(_i, 1);
        for (size_t i = 0; i < 20; i++)
            answers[i].text = OK("1", "x");
        for (int i = 0; i < 2; i++)
            answers_call(&tasks[i], (struct caller){.path = at(i ? "31.example" : "21.example")});
        answers_turn(turn);
        done = true;
        for (int i = 0; i < 2; i++)
            if (pt_task_alive(&tasks[i].task)) {
                pt_cancel(&tasks[i].task, PT_ECANCELED);
                done = false;
            }
        answers_run();
        trace_take();
        ck_assert_str_eq(get(at("1.example")), "200 x;");
        close_names();
    }
    ck_assert_int_gt(turn, 10);
}
END_TEST

Suite *host_suite_http_names(void)
{
    Suite *suite = suite_create("http_names");

    host_test(suite, a_host_that_does_not_exist_is_told_in_words_and_its_place_is_free);
    host_test(suite, name_servers_that_fail_are_told_in_words_and_asked_again_by_the_next_call);
    host_test(suite, a_lookup_without_memory_is_told_in_words_and_its_place_is_free);
    host_test(suite, a_timeout_ends_a_call_whose_name_server_is_silent);
    host_test(suite, the_next_address_is_called_if_the_first_refuses);
    host_test(suite, a_host_all_of_whose_addresses_refuse_is_told_in_words);
    host_test(suite, a_kept_connection_asks_no_name_server_and_belongs_to_its_name);
    host_test(suite, a_kept_connection_that_is_dead_is_replaced_only_if_its_name_resolves);
    host_test(suite, a_redirect_to_a_host_that_does_not_exist_keeps_the_connection_before_it);
    host_test(suite, a_cancel_in_any_turn_of_a_lookup_gives_back_each_place);
    return suite;
}
