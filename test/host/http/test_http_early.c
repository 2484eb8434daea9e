/* test_http_early.c - calls of libpt-http's client whose reply begins before their request ends
 * SPDX-License-Identifier: MIT */
#include "answers.h"

/* A body of one letter. It gives PART bytes, and then, if it has a PAUSE, nothing for so long. */
struct slow {
    size_t given, length, part;
    pt_time pause, since;
    struct slow_wait {
        struct pt pt;
        pt_time pause;
    } wait;
};

static PT_ASYNC(slow_wait, self)
{
    PT_WAIT(self->pause);
}
PT_END

static pt_status slow_read(void *object, void *data, size_t size, size_t *got)
{
    struct slow *self = (struct slow *)object;
    size_t left = self->length - self->given;

    if (self->given && (pt_time)(host.now - self->since) < self->pause)
        return PT_EAGAIN;
    if (left == 0)
        return PT_ECLOSED;
    *got = left < self->part ? left : self->part;
    *got = *got < size ? *got : size;
    memset(data, 's', *got);
    self->given += *got;
    self->since = host.now;
    return PT_OK;
}

static struct pt *slow_wait(void *object, bool writing, struct pt_stream_wait_ *spare)
{
    struct slow *self = (struct slow *)object;

    (void)writing, (void)spare;
    PT_INIT(&self->wait, slow_wait, .pause = self->pause);
    return &self->wait.pt;
}

static const struct pt_stream_ops slow_ops = {slow_read, NULL, slow_wait, NULL};

#define REFUSAL "HTTP/1.1 413 x\r\nContent-Length: 3\r\n\r\nbig"

/* What a caller gets that sends this body for up to five seconds. */
static const char *get(struct slow *body, bool reads)
{
    struct caller caller = {
        .path = "/",
        .reads = reads,
        .limit = PT_SEC(5),
        .set = {.method = "PUT", .size = body->length, .source = {&slow_ops, body}}};

    return answers_get(caller);
}

START_TEST(a_refusal_is_heard_while_the_source_gives_nothing)
{
    struct slow body = {.length = 100, .part = 10, .pause = PT_SEC(50)};

    answers_open(host_pollers[_i], 1);
    answers[0] = (struct answer){.text = REFUSAL, .early = true, .pause = PT_SEC(2)};
    ck_assert_str_eq(get(&body, false), "413 big;");
    ck_assert_uint_eq(body.given, 10);
    answers_close();
}
END_TEST

START_TEST(a_refusal_is_heard_while_the_server_takes_nothing)
{
    struct slow body = {.length = SIZE_MAX / 2, .part = 60000};

    answers_open(host_pollers[_i], 1);
    answers[0] =
        (struct answer){.text = REFUSAL, .early = true, .pause = PT_SEC(2), .closes = true};
    ck_assert_str_eq(get(&body, false), "413 big;");
    answers_close();
}
END_TEST

static void check_echo(const char *trace, size_t length)
{
    ck_assert(!strncmp(trace, "200 ", 4));
    ck_assert_uint_eq(strspn(trace + 4, "s"), length);
    ck_assert_str_eq(trace + 4 + length, ";");
}

START_TEST(a_reply_that_begins_before_the_end_of_the_request_gets_the_rest_of_it)
{
    struct slow body = {.length = 3000, .part = 300, .pause = PT_MS(100)};

    for (int reads = 0; reads < 2; reads++) {
        answers_open(host_pollers[_i], 1);
        answers[0] = (struct answer){.text = OK("3000", ""), .early = true, .echoes = 3000};
        answers[1].text = OK("2", "ok");
        body.given = 0;
        check_echo(get(&body, reads), body.length);
        ck_assert_str_eq(answers_get((struct caller){.path = "/"}), "200 ok;");
        ck_assert_int_eq(answers_connections, 1);
        answers_close();
    }
}
END_TEST

START_TEST(a_reply_that_is_over_before_the_request_ends_that_and_its_connection)
{
    struct slow body = {.length = 3000, .part = 300, .pause = PT_SEC(1)};

    for (int reads = 0; reads < 2; reads++) {
        answers_open(host_pollers[_i], 1);
        answers[0] = (struct answer){.text = OK("2", "ok"), .early = true};
        answers[1].text = OK("2", "ok");
        body.given = 0;
        ck_assert_str_eq(get(&body, reads), "200 ok;");
        ck_assert_str_eq(answers_get((struct caller){.path = "/"}), "200 ok;");
        ck_assert_int_eq(answers_connections, 2);
        answers_close();
    }
}
END_TEST

/* Its body would be an echo of what is not sent, so that it never comes. */
START_TEST(a_refusal_that_has_begun_gets_no_more_of_the_request)
{
    struct slow body = {.length = 3000, .part = 300, .pause = PT_MS(100)};

    for (int reads = 0; reads < 2; reads++) {
        answers_open(host_pollers[_i], 1);
        answers[0] = (struct answer){.text = "HTTP/1.1 413 x\r\nContent-Length: 3000\r\n\r\n",
                                     .early = true,
                                     .echoes = 3000};
        body.given = 0;
        ck_assert(!strstr(get(&body, reads), "ssss"));
        ck_assert_uint_eq(body.given, 300);
        answers_close();
    }
}
END_TEST

START_TEST(a_source_that_fails_ends_a_reply_that_has_begun)
{
    struct slow body = {.length = 600, .part = 300, .pause = PT_MS(10)};

    for (int reads = 0; reads < 2; reads++) {
        struct caller caller = {
            .path = "/",
            .reads = reads,
            .set = {.method = "PUT", .size = 1000, .source = {&slow_ops, &body}}};

        answers_open(host_pollers[_i], 1);
        answers[0] = (struct answer){.text = OK("1000", ""), .early = true, .echoes = 1000};
        body.given = 0;
        ck_assert_str_eq(answers_get(caller), "EINVAL the source has ended before SIZE bytes;");
        answers_close();
    }
}
END_TEST

/* In every turn, both ways at once. */
START_TEST(a_cancel_in_any_turn_leaves_no_wait_behind)
{
    static caller_task task;
    struct slow body = {.length = 3000, .part = 300, .pause = PT_MS(100)};
    bool over = false;

    for (int turns = 0; !over; turns++) {
        answers_open(host_pollers[_i], 1);
        answers[0] = (struct answer){.text = OK("3000", ""), .early = true, .echoes = 3000};
        body.given = 0;
        answers_call(&task, (struct caller){.path = "/",
                                            .reads = turns % 2,
                                            .set = {.method = "PUT",
                                                    .size = body.length,
                                                    .source = {&slow_ops, &body}}});
        host_turns(turns);
        over = !pt_task_alive(&task.task);
        pt_cancel(&task.task, PT_ECANCELED);
        answers_run();
        trace_take();
        answers_close();
    }
}
END_TEST

START_TEST(a_redirect_is_not_followed_on_the_connection_on_which_it_still_comes)
{
    answers_open(host_pollers[_i], 2);
    answers[0].text =
        "HTTP/1.1 302 x\r\nLocation: /new\r\nContent-Length: 100\r\n\r\nthe rest comes late";
    answers[1].text = OK("2", "ok");
    ck_assert_str_eq(answers_get((struct caller){.path = "/old", .set.redirects = 1}), "200 ok;");
    ck_assert_str_eq(asked, "GET /old HTTP/1.1\nGET /new HTTP/1.1\n");
    ck_assert_int_eq(answers_connections, 2);
    answers_close();
}
END_TEST

START_TEST(a_redirect_that_does_not_fit_in_out_sends_nothing_more)
{
    static char reply[2000];

    sprintf(reply, "HTTP/1.1 302 x\r\nLocation: /%0970d\r\nContent-Length: 2\r\n\r\n", 0);
    answers_open(host_pollers[_i], 2);
    answers[0] = (struct answer){.text = strcat(reply, "ok"), .first = strlen(reply) - 1};
    ck_assert_str_eq(answers_get((struct caller){.path = "/old", .set.redirects = 1}), "302 ok;");
    ck_assert_str_eq(asked, "GET /old HTTP/1.1\n");
    answers_close();
}
END_TEST

/* How many turns a call takes whose reply comes behind so many interim ones. */
static int turns_behind(int poller, int count)
{
    static char text[8000];
    static caller_task task;
    int turns = 0;

    *text = '\0';
    for (int i = 0; i < count; i++)
        strcat(text, "HTTP/1.1 102 x\r\n\r\n");
    answers_open(host_pollers[poller], 1);
    answers[0].text = strcat(text, OK("2", "ok"));
    answers_call(&task, (struct caller){.path = "/"});
    for (; pt_task_alive(&task.task); turns++)
        host_turns(1);
    answers_run();
    ck_assert_trace("200 ok;");
    answers_close();
    return turns;
}

START_TEST(interim_replies_without_end_let_other_tasks_run)
{
    ck_assert_int_ge(turns_behind(_i, 320) - turns_behind(_i, 1), 320 / 33);
}
END_TEST

Suite *host_suite_http_early(void)
{
    Suite *suite = suite_create("http_early");

    host_test(suite, a_refusal_is_heard_while_the_source_gives_nothing);
    host_test(suite, a_refusal_is_heard_while_the_server_takes_nothing);
    host_test(suite, a_reply_that_begins_before_the_end_of_the_request_gets_the_rest_of_it);
    host_test(suite, a_reply_that_is_over_before_the_request_ends_that_and_its_connection);
    host_test(suite, a_refusal_that_has_begun_gets_no_more_of_the_request);
    host_test(suite, a_source_that_fails_ends_a_reply_that_has_begun);
    host_test(suite, a_cancel_in_any_turn_leaves_no_wait_behind);
    host_test(suite, a_redirect_is_not_followed_on_the_connection_on_which_it_still_comes);
    host_test(suite, a_redirect_that_does_not_fit_in_out_sends_nothing_more);
    host_test(suite, interim_replies_without_end_let_other_tasks_run);
    return suite;
}
