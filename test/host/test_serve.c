/* test_serve.c - how the servers of examples/ end, and whom they close before
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include "../../examples/servers/serve.h"

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

/* --- who is closed before ---------------------------------------------------------------------- */

static int guests;

/* Reads, up to the end. */
struct guest {
    struct pt pt;
    struct serve_client client;
    struct serve_next *from;
    size_t got;
    char name, data[16];
};

static PT_ASYNC(guest, self)
{
    serve_take(&self->client, self->from, PT_NOW());
    self->name = (char)('a' + guests++);
    do {
        PT_READ(&self->client.io, self->data, sizeof self->data, &self->got);
        serve_heard(&self->client, PT_NOW());
    } while (self->pt.status == PT_OK);
    PT_FINALLY
    trace_add("%c:%s@%d ", self->name, pt_status_name(self->pt.status) + 3, host_ms(PT_NOW()));
    serve_leave(&self->client);
}
PT_END

struct server {
    struct pt pt;
    struct serve_next next;
};

static PT_ASYNC(server, self)
{
    SERVE_EACH(guest);
}
PT_END

/* Two guests come, and one more after 5 s; the first says something at 4 s. At 40 s it is over. */
struct day {
    struct pt pt;
    struct sockaddr_in address;
    int ends[3];
};

static void come(struct day *self, int which)
{
    self->ends[which] = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(
        connect(self->ends[which], (struct sockaddr *)&self->address, sizeof self->address), 0);
}

static PT_ASYNC(day, self)
{
    come(self, 0);
    come(self, 1);
    PT_WAIT(PT_SEC(4));
    ck_assert_int_eq(send(self->ends[0], "x", 1, 0), 1);
    PT_WAIT(PT_SEC(1));
    come(self, 2);
    PT_WAIT(PT_SEC(35));
    raise(SIGTERM);
    for (int i = 0; i < 3; i++)
        close(self->ends[i]);
}
PT_END

/* Clients may be quiet for SECONDS; so many accepts behind the second FAIL for want of descriptors. */
static void spend_a_day(int poller, char *seconds, int fail)
{
    char *words[] = {(char *)(uintptr_t) "test", (char *)(uintptr_t) "--idle", seconds};
    static PT_TASK(server) server;
    static PT_TASK(day) day;
    socklen_t length = sizeof day.frame.address;

    setenv("PT_POLLER", host_pollers[poller], 1);
    host.now = HOST_START;
    host.real = false;
    guests = 0;
    serve_open(3, words, "", NULL, 0);
    if (fail)
        host_fail(HOST_accept, 2, fail, EMFILE);
    PT_START(&serve_loop, &server, server);
    PT_START(&serve_loop, &day, day);
    getsockname(serve_listener.fd, (struct sockaddr *)&day.frame.address, &length);
    ck_assert_int_eq(serve_run(), 0);
    host.real = true;
}

START_TEST(a_client_that_is_quiet_for_too_long_is_closed_just_then)
{
    char seconds[] = "10";

    spend_a_day(_i, seconds, 0);
    ck_assert_trace("b:ECLOSED@10000 a:ECLOSED@14000 c:ECLOSED@15000 ");
}
END_TEST

START_TEST(who_is_quiet_longest_makes_room_when_there_is_no_descriptor)
{
    char seconds[] = "25.6";

    spend_a_day(_i, seconds, 15);
    ck_assert_trace("b:ECLOSED@5100 a:ECLOSED@29600 c:ECLOSED@30740 ");
}
END_TEST

START_TEST(a_moment_without_descriptors_costs_nobody_its_connection)
{
    char seconds[] = "25.6";

    spend_a_day(_i, seconds, 5);
    ck_assert_trace("b:ECLOSED@25600 a:ECLOSED@29600 c:ECLOSED@30650 ");
}
END_TEST

START_TEST(who_is_new_is_not_the_first_to_go_among_clients_that_talk_all_the_time)
{
    static struct serve_clients clients;
    static struct serve_client client[3];
    pt_time now = HOST_START;

    serve_idle = PT_SEC(8);
    serve_clients_init(&clients);
    for (int i = 0; i < 3; i++) {
        client[i].of = &clients;
        serve_link(&client[i], now);
        now += PT_MS(i * 600);
    }
    for (int i = 0; i < 2; i++)
        serve_heard(&client[i], HOST_START + PT_MS(700));
    ck_assert_ptr_eq(clients.ends.newer, &client[0]);
    ck_assert_uint_eq(client[0].heard, HOST_START + PT_MS(700));
    serve_heard(&client[0],
                HOST_START + PT_MS(1000)); /* an eighth of the time behind its last place */
    ck_assert_ptr_eq(clients.ends.newer, &client[1]);
    ck_assert_ptr_eq(clients.ends.older, &client[0]);
}
END_TEST

START_TEST(who_makes_room_gives_both_its_descriptors_back)
{
    static struct serve_clients clients;
    static struct serve_client client;
    static struct pt_io other;
    int ends[2], before = host_descriptors();

    host_open(host_pollers[_i]);
    serve_clients_init(&clients);
    client.of = &clients;
    client.other = &other;
    host_tcp_pair(ends);
    ck_assert_int_eq(pt_io_open(&client.io, &host.system, ends[0]), PT_OK);
    ck_assert_int_eq(pt_io_open(&other, &host.system, ends[1]), PT_OK);
    serve_link(&client, HOST_START);
    ck_assert(serve_make_room(&clients));
    host_close();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

/* Ask for a second descriptor for each of two clients while there is none. */
START_TEST(a_second_descriptor_costs_one_client_in_a_256th_of_the_time_its_connection)
{
    static struct serve_clients clients;
    static struct serve_client client[6];
    static PT_TASK(serve_socket) tasks[2];
    static struct pt_io io[2];
    int ends[2], left = 0;

    serve_idle = PT_MS(2560);
    host_open(host_pollers[_i]);
    host.now = HOST_START;
    serve_clients_init(&clients);
    for (int i = 0; i < 6; i++) {
        host_pair(ends);
        ck_assert_int_eq(pt_io_open(&client[i].io, &host.system, ends[0]), PT_OK);
        close(ends[1]);
        client[i].of = &clients;
        serve_link(&client[i], host.now);
    }
    host_fail(HOST_socket, 0, -1, EMFILE);
    for (int i = 0; i < 2; i++)
        PT_START(&host.loop, &tasks[i], serve_socket, .io = &io[i], .system = &host.system,
                 .client = &client[5]);
    for (int turns = 0; turns < 1000 && host_ms(host.now) < 25; turns++)
        host_turns(1);
    for (int i = 0; i < 6; i++)
        left += client[i].io.system != NULL;
    ck_assert_int_eq(left, 3); /* at 0, 10 and 20 ms */
    ck_assert_int_eq(clients.wanting, 2);
    host.fault.times = 0;
    host_run();
    ck_assert_int_eq(clients.wanting, 0);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pt_task_status(&tasks[i].task), PT_OK);
        pt_io_close(&io[i]);
    }
    for (int i = 0; i < 6; i++)
        serve_leave(&client[i]);
    host_close();
}
END_TEST

Suite *host_suite_serve(void)
{
    Suite *suite = suite_create("serve");

    host_test(suite, a_server_waits_five_seconds_for_a_client_that_stays);
    host_test(suite, a_second_signal_sends_the_client_away);
    host_test(suite, a_server_that_nobody_uses_any_more_ends_soon);
    host_test(suite, a_client_that_is_quiet_for_too_long_is_closed_just_then);
    host_test(suite, who_is_quiet_longest_makes_room_when_there_is_no_descriptor);
    host_test(suite, a_moment_without_descriptors_costs_nobody_its_connection);
    host_test(suite, who_is_new_is_not_the_first_to_go_among_clients_that_talk_all_the_time);
    host_test(suite, who_makes_room_gives_both_its_descriptors_back);
    host_test(suite, a_second_descriptor_costs_one_client_in_a_256th_of_the_time_its_connection);
    return suite;
}
