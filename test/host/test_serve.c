/* test_serve.c - how the servers of examples/ end: by a deadline, or by a second signal
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include "../../examples/serve.h"

/* A client that stays until it is sent away, or goes after a while. */
struct client {
    struct pt pt;
    pt_time stays;
};

static PT_ASYNC(client, self)
{
    PT_WAIT(self->stays);
    PT_FINALLY
    trace_add("%s@%d ", pt_status_name(self->pt.result) + 3, host_ms(PT_NOW()));
}
PT_END

/* Signals come after 10 ms and, if there are two, after 1000 ms more. */
struct killer {
    struct pt pt;
    int signals;
};

static PT_ASYNC(killer, self)
{
    PT_WAIT(PT_MS(10));
    raise(SIGTERM);
    if (self->signals == 2) {
        PT_WAIT(PT_MS(1000));
        raise(SIGTERM);
    }
}
PT_END

static void serve(int poller, pt_time stays, int signals)
{
    static char *words[] = {(char *)(uintptr_t) "test"};
    static PT_TASK(client) client;
    static PT_TASK(killer) killer;
    int before = host_descriptors();

    setenv("PT_POLLER", host_pollers[poller], 1);
    host.now = HOST_START;
    host.real = false;
    serve_open(1, words, "", NULL, 0);
    ck_assert_str_eq(pt_system_poller(&serve_system), host_pollers[poller]);
    PT_START(&serve_loop, &client, client, .stays = stays);
    PT_START(&serve_loop, &killer, killer, .signals = signals);
    ck_assert_int_eq(serve_run(), 0);
    host.real = true;
    ck_assert_int_eq(host_descriptors(), before);
}

START_TEST(a_server_waits_five_seconds_for_a_client_that_stays)
{
    serve(_i, PT_SEC(60), 1);
    ck_assert_trace("ECANCELED@5010 ");
}
END_TEST

START_TEST(a_second_signal_sends_the_client_away)
{
    serve(_i, PT_SEC(60), 2);
    ck_assert_trace("ECANCELED@1010 ");
}
END_TEST

START_TEST(a_server_that_nobody_uses_any_more_ends_soon)
{
    int end;

    serve(_i, PT_MS(500), 1);
    end = host_ms(host.now);
    ck_assert_trace("OK@500 ");
    ck_assert_int_ge(end, 500);
    ck_assert_int_le(end, 530);
}
END_TEST

Suite *host_suite_serve(void)
{
    Suite *suite = suite_create("serve");

    host_test(suite, a_server_waits_five_seconds_for_a_client_that_stays);
    host_test(suite, a_second_signal_sends_the_client_away);
    host_test(suite, a_server_that_nobody_uses_any_more_ends_soon);
    return suite;
}
