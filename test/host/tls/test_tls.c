/* test_tls.c - two tasks talk by TLS: bytes, lines, the end, and what is cut
 * SPDX-License-Identifier: MIT */
#include "talk.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* Call TEST with each version of TLS, on a new connection. */
static void with_each_version(int poller, void (*test)(void))
{
    static const int versions[] = {TLS1_2_VERSION, TLS1_3_VERSION};

    talk_open(poller);
    for (int i = 0; i < 2; i++) {
        talk_hang_up();
        SSL_CTX_set_min_proto_version(client.context.ssl, versions[i]);
        SSL_CTX_set_max_proto_version(client.context.ssl, versions[i]);
        talk_connect(false);
        test();
        ck_assert_int_eq(ERR_peek_error() != 0, 0);
    }
    talk_close();
}

/* --- bytes ----------------------------------------------------------------------------------- */

static void both_ways(void)
{
    talk(&client, "hwrf");
    talk(&server, "hrwf");
    host_run();
    ck_assert_told(client, "h w:5 r:world f ");
    ck_assert_told(server, "h r:hello w:5 f ");
    ck_assert_ptr_null(client.tls.io);
    ck_assert_int_eq(client.io.fd, -1);
}

START_TEST(bytes_go_both_ways_and_both_sides_finish)
{
    with_each_version(_i, both_ways);
}
END_TEST

static void lines_without_handshake(void)
{
    talk(&client, "plplf");
    talk(&server, "lplpf");
    host_run();
    ck_assert_told(client, "p l:world p l:world f ");
    ck_assert_told(server, "l:hello p l:hello p f ");
}

START_TEST(nothing_is_sent_before_the_handshake)
{
    char byte;

    talk_open(_i);
    host_run();
    ck_assert_int_eq(recv(server.io.fd, &byte, 1, MSG_DONTWAIT), -1);
    ck_assert_int_eq(recv(client.io.fd, &byte, 1, MSG_DONTWAIT), -1);
    talk_agree();
    talk_close();
}
END_TEST

struct giver {
    struct pt pt;
    const char *data;
    size_t size, put;
};

static PT_ASYNC(giver, self)
{
    PT_TLS_WRITE(&client.tls, self->data, self->size, &self->put);
}
PT_END

START_TEST(a_write_takes_68_KB_at_most)
{
    static PT_TASK(giver) giver;
    static char data[200 << 10];

    talk_open(_i);
    talk_agree();
    PT_START(&host.loop, &giver, giver, .data = data, .size = sizeof data);
    host_run();
    ck_assert(pt_task_done(&giver.task));
    ck_assert_uint_eq(giver.frame.put, 68 << 10); /* the socket would take all */
    talk_close();
}
END_TEST

START_TEST(the_first_line_shakes_hands)
{
    with_each_version(_i, lines_without_handshake);
}
END_TEST

/* One task reads from the start and another one writes: each does parts of the handshake. */
static void reader_and_writer(void)
{
    talker_task reader, writer;

    memset(&reader, 0, sizeof reader);
    memset(&writer, 0, sizeof writer);
    talk(&client, "l");
    talk(&server, "l");
    host_run();
    ck_assert(pt_task_alive(&client.task.task));
    PT_START(&host.loop, &reader, talker, .tls = &client.tls, .steps = "p", .text = "one");
    PT_START(&host.loop, &writer, talker, .tls = &server.tls, .steps = "p", .text = "two");
    host_run();
    ck_assert_str_eq(reader.frame.told, "p ");
    ck_assert_str_eq(writer.frame.told, "p ");
    ck_assert_told(client, "l:two ");
    ck_assert_told(server, "l:one ");
}

START_TEST(a_reader_and_a_writer_wait_for_each_others_handshake)
{
    with_each_version(_i, reader_and_writer);
}
END_TEST

enum { MUCH = 1 << 20, LONG = 64 << 10 };

/* Sends and gets a megabyte at the same time. */
static void a_megabyte(void)
{
    static PT_TASK(pt_write_all) writers[2];
    static PT_TASK(pt_read_exactly) readers[2];
    static struct pt_writer out[2];
    static struct pt_reader in[2];
    struct pt_tls *sides[] = {&client.tls, &server.tls};
    char *sent = malloc(MUCH), *got[] = {calloc(1, MUCH), calloc(1, MUCH)};

    for (int i = 0; i < MUCH; i++)
        sent[i] = (char)(i * 7 + i / 256);
    for (int i = 0; i < 2; i++) {
        pt_writer_init(&out[i], pt_tls_stream(sides[i]), NULL, 0);
        pt_reader_init(&in[i], pt_tls_stream(sides[i]), NULL, 0);
        PT_START(&host.loop, &writers[i], pt_write_all, .writer = &out[i], .data = sent,
                 .size = MUCH);
        PT_START(&host.loop, &readers[i], pt_read_exactly, .reader = &in[i], .data = got[i],
                 .size = MUCH);
    }
    host_run();
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pt_task_status(&writers[i].task), PT_OK);
        ck_assert_int_eq(pt_task_status(&readers[i].task), PT_OK);
        ck_assert(!memcmp(got[i], sent, MUCH));
        free(got[i]);
    }
    free(sent);
}

START_TEST(a_megabyte_goes_both_ways_at_once)
{
    with_each_version(_i, a_megabyte);
}
END_TEST

START_TEST(a_megabyte_goes_over_tcp)
{
    talk_open(_i);
    talk_hang_up();
    talk_connect(true);
    a_megabyte();
    talk_close();
}
END_TEST

START_TEST(a_short_message_over_tcp_costs_one_read_and_one_write)
{
    int reads, writes;

    talk_open(_i);
    talk_hang_up();
    talk_connect(true);
    talk_agree();
    talk(&client, "w");
    talk(&server, "rr");
    host_run();
    ck_assert_told(server, "r:hello ");
    reads = host.calls[HOST_read];
    writes = host.calls[HOST_sendmsg];
    talk(&client, "w");
    host_run();
    ck_assert_told(server, "r:hello r:hello ");
    ck_assert_int_eq(host.calls[HOST_sendmsg] - writes, 1);
    ck_assert_int_eq(host.calls[HOST_read] - reads, 1);
    talk_close();
}
END_TEST

/* One read of the socket takes both, when TCP has delivered both. */
START_TEST(records_that_came_together_are_read_one_by_one)
{
    enum { RECORD = 5 + 5 + 1 + 16 }; /* a head, the text, its kind, a tag */
    int there = 0;

    talk_open(_i);
    talk_hang_up();
    talk_connect(true);
    talk_agree();
    talk(&client, "ww");
    host_run();
    while (there < 2 * RECORD)
        ck_assert_int_eq(ioctl(server.io.fd, FIONREAD, &there), 0);
    ck_assert_int_eq(there, 2 * RECORD);
    talk(&server, "rr");
    host_run();
    ck_assert_told(server, "r:hello r:hello ");
    talk_close();
}
END_TEST

START_TEST(messages_arrive_by_the_ring_too)
{
    const int on = 1;

    talk_open(_i);
    talk_hang_up();
    talk_connect(true);
    for (struct side *side = &client; side; side = side == &client ? &server : NULL) {
        pt_io_batch(&side->io);
        ck_assert_int_eq(setsockopt(side->io.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), 0);
    }
    talk_agree();
    talk(&client, "wr");
    talk(&server, "rwr");
    host_run();
    ck_assert_told(server, "r:hello w:5 ");
    ck_assert_told(client, "w:5 r:world ");
    pt_io_close(&client.io); /* without the alert that ends it */
    host_run();
    ck_assert_told(server, "r:hello w:5 r:EIO ");
    talk_close();
}
END_TEST

START_TEST(a_long_message_over_tcp_costs_one_write)
{
    static PT_TASK(pt_write_all) writer;
    static PT_TASK(pt_read_exactly) reader;
    struct pt_writer out;
    struct pt_reader in;
    char head[16], *sent = malloc(LONG), *got = malloc(LONG + 5);
    int writes;

    talk_open(_i);
    talk_hang_up();
    talk_connect(true);
    talk_agree();
    writes = host.calls[HOST_sendmsg];
    memset(sent, 'x', LONG);
    pt_writer_init(&out, pt_tls_stream(&client.tls), head, sizeof head);
    pt_printf(&out, "head ");
    pt_reader_init(&in, pt_tls_stream(&server.tls), NULL, 0);
    PT_START(&host.loop, &writer, pt_write_all, .writer = &out, .data = sent, .size = LONG);
    PT_START(&host.loop, &reader, pt_read_exactly, .reader = &in, .data = got, .size = LONG + 5);
    host_run();
    ck_assert_int_eq(host.calls[HOST_sendmsg] - writes, 1);
    ck_assert(!memcmp(got, "head ", 5) && !memcmp(got + 5, sent, LONG));
    talk_close();
    free(sent);
    free(got);
}
END_TEST

/* --- fairness -------------------------------------------------------------------------------- */

struct counter {
    struct pt pt;
    int turns;
};

static PT_ASYNC(counter, self)
{
    for (;; self->turns++)
        PT_YIELD();
}
PT_END

struct drain {
    struct pt pt;
    int records;
    size_t got;
    char data[1];
};

static PT_ASYNC(drain, self)
{
    for (;; self->records++) {
        PT_TLS_READ(&server.tls, self->data, 1, &self->got);
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
    }
}
PT_END

START_TEST(a_task_that_has_much_to_read_lets_others_run)
{
    static PT_TASK(drain) task;
    static PT_TASK(counter) other;
    char bytes[320];
    size_t put;

    talk_open(_i);
    talk_agree();
    memset(bytes, 'x', sizeof bytes);
    ck_assert_int_eq(SSL_write_ex(client.tls.ssl, bytes, sizeof bytes, &put), 1);
    PT_START(&host.loop, &task, drain);
    PT_START(&host.loop, &other, counter);
    while (task.frame.records < 320)
        host_turns(1);
    ck_assert_int_ge(other.frame.turns, 9);
    ck_assert_int_le(other.frame.turns, 12);
    pt_cancel(&other.task, PT_ECANCELED);
    pt_cancel(&task.task, PT_ECANCELED);
    talk_close();
}
END_TEST

/* --- the end --------------------------------------------------------------------------------- */

static void a_side_that_finishes(void)
{
    talk(&client, "hwf");
    talk(&server, "hrr");
    host_run();
    ck_assert_told(server, "h r:hello r:ECLOSED ");
    ck_assert(pt_task_alive(&client.task.task));
    talk(&server, "rwf");
    host_run();
    ck_assert_told(server, "r:ECLOSED ");
    talk(&server, "wf");
    host_run();
    ck_assert_told(server, "w:5 f ");
    ck_assert_told(client, "h w:5 f ");
}

START_TEST(a_side_that_finishes_is_at_its_end_and_still_reads)
{
    with_each_version(_i, a_side_that_finishes);
}
END_TEST

static void a_side_that_closes(void)
{
    talk(&client, "hrwc"); /* an end with bytes to read would be a reset */
    talk(&server, "hwrr");
    host_run();
    ck_assert_told(server, "h w:5 r:hello r:EIO ");
    ck_assert_int_eq(server.io.error, ECONNRESET);
    ck_assert_str_eq(pt_tls_error_text(&server.tls, PT_EIO),
                     "the connection was cut: it ended without close_notify");
    talk(&server, "w");
    host_run();
    ck_assert_told(server, "w:EIO ");
}

START_TEST(an_end_is_told_twice_although_the_connection_goes_on)
{
    talk_open(_i);
    talk_hang_up();
    talk_connect(true);
    talk_agree();
    ck_assert_int_eq(SSL_shutdown(client.tls.ssl), 0);
    for (int i = 0; i < 2; i++) {
        talk(&server, "r");
        host_run();
        ck_assert_told(server, "r:ECLOSED ");
    }
    talk_close();
}
END_TEST

START_TEST(a_connection_that_is_cut_is_not_at_its_end)
{
    with_each_version(_i, a_side_that_closes);
}
END_TEST

START_TEST(a_record_that_is_cut_is_told)
{
    talk_open(_i);
    talk_agree();
    ck_assert_int_eq(write(client.io.fd, "\x17\x03\x03\x00\x20half", 9), 9);
    pt_tls_close(&client.tls);
    talk(&server, "r");
    host_run();
    ck_assert_told(server, "r:EIO ");
    talk_close();
}
END_TEST

Suite *host_suite_tls(void)
{
    Suite *suite = suite_create("tls");

    host_test(suite, bytes_go_both_ways_and_both_sides_finish);
    host_test(suite, nothing_is_sent_before_the_handshake);
    host_test(suite, a_write_takes_68_KB_at_most);
    host_test(suite, the_first_line_shakes_hands);
    host_test(suite, a_reader_and_a_writer_wait_for_each_others_handshake);
    host_test(suite, a_megabyte_goes_both_ways_at_once);
    host_test(suite, a_megabyte_goes_over_tcp);
    host_test(suite, a_short_message_over_tcp_costs_one_read_and_one_write);
    host_test(suite, records_that_came_together_are_read_one_by_one);
    host_test(suite, messages_arrive_by_the_ring_too);
    host_test(suite, a_long_message_over_tcp_costs_one_write);
    host_test(suite, a_task_that_has_much_to_read_lets_others_run);
    host_test(suite, a_side_that_finishes_is_at_its_end_and_still_reads);
    host_test(suite, an_end_is_told_twice_although_the_connection_goes_on);
    host_test(suite, a_connection_that_is_cut_is_not_at_its_end);
    host_test(suite, a_record_that_is_cut_is_told);
    return suite;
}
