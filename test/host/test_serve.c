/* test_serve.c - how the servers of examples/ end, and which clients they close before
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include "../../examples/servers/serve.h"

#include <netinet/in.h>

/* A client that stays until it is closed, or leaves after a while. */
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

/* Open the server's loop. */
static void open_loop(int poller, int count, char **words)
{
    setenv("PT_POLLER", host_pollers[poller], 1);
    host.now = HOST_START;
    host.real = false;
    serve_open(count, words, "", NULL, 0);
}

static void serve(int poller, pt_time stays, int signals)
{
    static char *words[] = {(char *)(uintptr_t) "test"};
    static PT_TASK(client) client;
    static PT_TASK(killer) killer;
    int before = host_descriptors();

    open_loop(poller, 1, words);
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

START_TEST(a_second_signal_closes_the_client)
{
    serve(_i, PT_SEC(60), 2);
    ck_assert_trace("ECANCELED@1010 ");
}
END_TEST

START_TEST(a_server_without_clients_ends_soon)
{
    int end;

    serve(_i, PT_MS(500), 1);
    end = host_ms(host.now);
    ck_assert_trace("OK@500 ");
    ck_assert_int_ge(end, 500);
    ck_assert_int_le(end, 530);
}
END_TEST

/* --- clients that are closed before ------------------------------------------------------------ */

static int guests;

/* Reads up to the end. */
struct guest {
    struct pt pt;
    struct serve_client client;
    size_t got;
    char name, data[16];
};

static PT_ASYNC(guest, self)
{
    serve_enter(&self->client, PT_NOW());
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

/* Two guests connect at 0 s, one more at 5 s; the first sends a byte at 4 s. It ends at 40 s. */
struct day {
    struct pt pt;
    struct sockaddr_in address;
    int ends[3];
    pt_time full; /* how long there is no descriptor, from the third guest's connect */
};

/* Limit the descriptors of the process to those that it has, or restore the limit. */
static void fill(bool full)
{
    static struct rlimit before;
    struct rlimit now;

    if (full)
        getrlimit(RLIMIT_NOFILE, &before);
    now = before;
    if (full)
        now.rlim_cur = (rlim_t)serve_spare(&serve_listener);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &now), 0);
}

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
    if (self->full) {
        fill(true);
        PT_WAIT(self->full);
        fill(false);
    }
    PT_WAIT(PT_SEC(35));
    raise(SIGTERM);
    for (int i = 0; i < 3; i++)
        close(self->ends[i]);
}
PT_END

static void open_server(int poller, char *seconds)
{
    char *words[] = {(char *)(uintptr_t) "test", (char *)(uintptr_t) "--idle", seconds};

    guests = 0;
    open_loop(poller, 3, words);
}

/* Run a day: clients may be idle for SECONDS, and there is no descriptor for the time FULL. */
static void spend_a_day(int poller, char *seconds, pt_time full, unsigned most, int fail)
{
    static PT_TASK(server) server;
    static PT_TASK(day) day;
    socklen_t length = sizeof day.frame.address;

    open_server(poller, seconds);
    if (most)
        serve_clients.most = most;
    if (fail)
        host_fail(HOST_accept, 2, fail, EAGAIN);
    PT_START(&serve_loop, &server, server);
    PT_START(&serve_loop, &day, day, .full = full);
    getsockname(serve_listener.fd, (struct sockaddr *)&day.frame.address, &length);
    ck_assert_int_eq(serve_run(), 0);
    host.real = true;
}

START_TEST(an_idle_client_is_closed_exactly_when_its_time_is_over)
{
    char seconds[] = "10";

    spend_a_day(_i, seconds, 0, 0, 0);
    ck_assert_trace("b:ECLOSED@10000 a:ECLOSED@14000 c:ECLOSED@15000 ");
}
END_TEST

START_TEST(without_a_free_descriptor_the_longest_idle_client_is_closed)
{
    char seconds[] = "20.48";

    spend_a_day(_i, seconds, PT_SEC(1), 0, 0);
    ck_assert_trace("b:ECLOSED@5040 a:ECLOSED@24480 c:ECLOSED@25520 ");
}
END_TEST

START_TEST(a_moment_without_descriptors_closes_no_client)
{
    char seconds[] = "20.48";

    spend_a_day(_i, seconds, PT_MS(35), 0, 0);
    ck_assert_trace("b:ECLOSED@20480 a:ECLOSED@24480 c:ECLOSED@25520 ");
}
END_TEST

START_TEST(a_loop_with_its_share_of_clients_makes_room_even_with_free_descriptors)
{
    char seconds[] = "20.48";

    spend_a_day(_i, seconds, 0, 2, 0);
    ck_assert_trace("b:ECLOSED@5040 a:ECLOSED@24480 c:ECLOSED@25520 ");
}
END_TEST

START_TEST(a_connection_that_closes_before_it_is_accepted_evicts_no_client)
{
    static const char said[] = "b:ECLOSED@20480 a:ECLOSED@24480 ";
    char seconds[] = "20.48";

    spend_a_day(_i, seconds, 0, 0, 1);
    ck_assert_int_eq(strncmp(trace_take(), said, sizeof said - 1), 0);
}
END_TEST

/* Cancels all tasks of the server in its turn TURNS. */
struct canceler {
    struct pt pt;
    int turns;
};

static PT_ASYNC(canceler, self)
{
    while (self->turns--)
        PT_YIELD();
    pt_loop_cancel(&serve_loop, PT_ECANCELED);
    pt_io_close(&serve_listener);
}
PT_END

START_TEST(a_server_that_is_cancelled_in_any_turn_closes_what_it_has_accepted)
{
    static PT_TASK(server) server;
    static PT_TASK(canceler) canceler;
    char seconds[] = "20";
    int before = host_descriptors();

    for (int turns = 0; turns < 12; turns++) {
        struct sockaddr_in address;
        socklen_t length = sizeof address;
        int end = socket(AF_INET, SOCK_STREAM, 0);

        open_server(_i, seconds);
        PT_START(&serve_loop, &server, server);
        PT_START(&serve_loop, &canceler, canceler, .turns = turns);
        getsockname(serve_listener.fd, (struct sockaddr *)&address, &length);
        ck_assert_int_eq(connect(end, (struct sockaddr *)&address, length), 0);
        ck_assert_int_eq(serve_run(), 0);
        close(end);
        host.real = true;
        ck_assert_int_eq(host_descriptors(), before);
    }
    trace_take();
}
END_TEST

/* Looks how many clients there are, in each turn. */
struct counter {
    struct pt pt;
    int turns;
    unsigned most;
};

static PT_ASYNC(counter, self)
{
    while (self->turns-- > 0) {
        self->most = serve_clients.count > self->most ? serve_clients.count : self->most;
        PT_YIELD();
    }
    pt_loop_cancel(&serve_loop, PT_ECANCELED);
    pt_io_close(&serve_listener);
}
PT_END

START_TEST(clients_that_come_at_once_count_before_their_first_step)
{
    static PT_TASK(server) server;
    static PT_TASK(counter) counter;
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    char seconds[] = "20";
    int clients[8];

    open_server(_i, seconds);
    serve_clients.most = 2;
    getsockname(serve_listener.fd, (struct sockaddr *)&address, &length);
    for (int i = 0; i < 8; i++) {
        clients[i] = socket(AF_INET, SOCK_STREAM, 0);
        ck_assert_int_eq(connect(clients[i], (struct sockaddr *)&address, length), 0);
    }
    PT_START(&serve_loop, &server, server);
    PT_START(&serve_loop, &counter, counter, .turns = 20);
    ck_assert_int_eq(serve_run(), 0);
    host.real = true;
    ck_assert_int_eq(guests, 2);
    ck_assert_uint_eq(counter.frame.most, 2);
    ck_assert_uint_eq(serve_clients.count, 0);
    for (int i = 0; i < 8; i++)
        close(clients[i]);
    trace_take();
}
END_TEST

enum { THERE = 40, QUEUE = 128 };

/* Some guests fill the server; then a queue of clients connects at once. */
struct rush {
    struct pt pt;
    struct sockaddr_in address;
    int ends[THERE + QUEUE];
    pt_time began, passed;
};

static void rush_in(struct rush *self, int from, int to)
{
    for (int i = from; i < to; i++)
        ck_assert_int_eq(
            connect(self->ends[i], (struct sockaddr *)&self->address, sizeof self->address), 0);
}

static PT_ASYNC(rush, self)
{
    for (int i = 0; i < THERE + QUEUE; i++)
        self->ends[i] = socket(AF_INET, SOCK_STREAM, 0);
    rush_in(self, 0, THERE);
    while (guests < THERE)
        PT_WAIT(PT_MS(1));
    fill(true);
    rush_in(self, THERE, THERE + QUEUE);
    self->began = PT_NOW();
    while (guests < THERE + QUEUE)
        PT_WAIT(PT_MS(1));
    self->passed = PT_NOW() - self->began;
    fill(false);
    for (int i = 0; i < THERE + QUEUE; i++)
        close(self->ends[i]);
    raise(SIGTERM);
}
PT_END

START_TEST(a_queue_of_128_is_accepted_in_a_quarter_of_the_idle_time_not_at_once)
{
    static PT_TASK(server) server;
    static PT_TASK(rush) rush;
    char seconds[] = "51.2";
    socklen_t length = sizeof rush.frame.address;

    open_server(_i, seconds);
    PT_START(&serve_loop, &server, server);
    PT_START(&serve_loop, &rush, rush);
    getsockname(serve_listener.fd, (struct sockaddr *)&rush.frame.address, &length);
    ck_assert_int_eq(serve_run(), 0);
    host.real = true;
    ck_assert_uint_ge(rush.frame.passed, PT_MS(12700)); /* one every 100 ms, from the first on */
    ck_assert_uint_le(rush.frame.passed, PT_MS(12900));
    trace_take();
}
END_TEST

START_TEST(a_loop_that_made_room_too_slowly_catches_up_but_not_at_once)
{
    static struct serve_clients clients;
    static struct serve_client client[40];
    int left = 0;

    serve_idle = PT_MS(5120);
    host_open(host_pollers[_i]);
    serve_clients_init(&clients);
    ck_assert(!serve_press(&clients, HOST_START));
    for (int i = 0; i < 40; i++) {
        client[i].of = &clients;
        serve_enter(&client[i], HOST_START);
    }
    for (int i = 0; i < 10; i++) /* in 35 ms, three may be closed */
        ck_assert(serve_press(&clients, HOST_START + PT_MS(35)));
    for (int i = 0; i < 40; i++)
        left += client[i].newer != NULL;
    ck_assert_int_eq(left, 37);
    for (int i = 0; i < 20; i++) /* half a second later, eight may be closed */
        ck_assert(serve_press(&clients, HOST_START + PT_MS(535)));
    for (int i = 0; i < 40; i++)
        left -= client[i].newer != NULL;
    ck_assert_int_eq(left, 8);
    host_close();
}
END_TEST

START_TEST(a_new_client_is_not_the_first_to_be_closed_among_busy_clients)
{
    static struct serve_clients clients;
    static struct serve_client client[3];
    pt_time now = HOST_START;

    serve_idle = PT_SEC(8);
    serve_clients_init(&clients);
    for (int i = 0; i < 3; i++) {
        client[i].of = &clients;
        serve_enter(&client[i], now);
        now += PT_MS(i * 600);
    }
    for (int i = 0; i < 2; i++)
        serve_heard(&client[i], HOST_START + PT_MS(700));
    ck_assert_ptr_eq(clients.ends.newer, &client[0]);
    ck_assert_uint_eq(client[0].heard, HOST_START + PT_MS(700));
    serve_heard(&client[0],
                HOST_START + PT_MS(1000)); /* an eighth of the idle time after its last move */
    ck_assert_ptr_eq(clients.ends.newer, &client[1]);
    ck_assert_ptr_eq(clients.ends.older, &client[0]);
}
END_TEST

START_TEST(a_client_that_makes_room_frees_both_its_descriptors)
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
    serve_enter(&client, HOST_START);
    ck_assert(serve_make_room(&clients));
    host_close();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

/* Ask for a second descriptor for each of two clients while there is none. */
START_TEST(second_descriptors_close_at_most_one_client_per_512th_of_the_idle_time)
{
    static struct serve_clients clients;
    static struct serve_client client[6];
    static PT_TASK(serve_socket) tasks[2];
    static struct pt_io io[2];
    int ends[2], left = 0;

    serve_idle = PT_MS(5120);
    host_open(host_pollers[_i]);
    host.now = HOST_START;
    serve_clients_init(&clients);
    for (int i = 0; i < 6; i++) {
        host_pair(ends);
        ck_assert_int_eq(pt_io_open(&client[i].io, &host.system, ends[0]), PT_OK);
        close(ends[1]);
        client[i].of = &clients;
        serve_enter(&client[i], host.now);
    }
    host_fail(HOST_socket, 0, -1, EMFILE);
    for (int i = 0; i < 2; i++)
        PT_START(&host.loop, &tasks[i], serve_socket, .io = &io[i], .system = &host.system,
                 .client = &client[5]);
    for (int turns = 0; turns < 1000 && host_ms(host.now) < 25; turns++)
        host_turns(1);
    for (int i = 0; i < 6; i++)
        left += client[i].io.system != NULL;
    ck_assert_int_eq(left, 4); /* at 10 and 20 ms */
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

START_TEST(a_lack_of_second_descriptors_lasts_despite_room_for_a_first_one)
{
    static struct serve_clients clients;
    static struct serve_client client[40];
    static const int at[] = {0, 10, 20, 30}; /* ms; before the last one two clients have room */
    int left = 0;
    struct pt_io io;

    serve_idle = PT_MS(5120);
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_socket(&io, &host.system, AF_INET, SOCK_STREAM, 0), PT_OK);
    serve_clients_init(&clients);
    for (int i = 0; i < 40; i++) {
        client[i].of = &clients;
        serve_enter(&client[i], HOST_START);
    }
    clients.count = 40;
    for (int i = 0; i < 4; i++) {
        ck_assert(!serve_crowded(&clients, &io, HOST_START));
        if (i == 3)
            ck_assert(!serve_crowded(&clients, &io, HOST_START));
        serve_press(&clients, HOST_START + PT_MS((pt_time)at[i]));
    }
    serve_press(&clients, HOST_START + PT_MS(1030)); /* another request, much later */
    for (int i = 0; i < 40; i++)
        left += client[i].newer != NULL;
    ck_assert_int_eq(left, 38);
    pt_io_close(&io);
    host_close();
}
END_TEST

Suite *host_suite_serve(void)
{
    Suite *suite = suite_create("serve");

    host_test(suite, a_server_waits_five_seconds_for_a_client_that_stays);
    host_test(suite, a_second_signal_closes_the_client);
    host_test(suite, a_server_without_clients_ends_soon);
    host_test(suite, an_idle_client_is_closed_exactly_when_its_time_is_over);
    host_test(suite, without_a_free_descriptor_the_longest_idle_client_is_closed);
    host_test(suite, a_moment_without_descriptors_closes_no_client);
    host_test(suite, a_loop_with_its_share_of_clients_makes_room_even_with_free_descriptors);
    host_test(suite, a_connection_that_closes_before_it_is_accepted_evicts_no_client);
    host_test(suite, a_server_that_is_cancelled_in_any_turn_closes_what_it_has_accepted);
    host_test(suite, clients_that_come_at_once_count_before_their_first_step);
    host_test(suite, a_queue_of_128_is_accepted_in_a_quarter_of_the_idle_time_not_at_once);
    host_test(suite, a_loop_that_made_room_too_slowly_catches_up_but_not_at_once);
    host_test(suite, a_lack_of_second_descriptors_lasts_despite_room_for_a_first_one);
    host_test(suite, a_new_client_is_not_the_first_to_be_closed_among_busy_clients);
    host_test(suite, a_client_that_makes_room_frees_both_its_descriptors);
    host_test(suite, second_descriptors_close_at_most_one_client_per_512th_of_the_idle_time);
    return suite;
}
