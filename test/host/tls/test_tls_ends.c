/* test_tls_ends.c - a side that goes midway, that begins anew, that sends the smallest and largest records; limits
 * SPDX-License-Identifier: MIT */
#include "talk.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <stdlib.h>
#include <sys/socket.h>

#pragma GCC diagnostic ignored "-Wunused-parameter" /* of callbacks of OpenSSL */

static void open_with_version(int poller, int version)
{
    talk_open(poller);
    talk_hang_up();
    SSL_CTX_set_max_proto_version(client.context.ssl, version);
    talk_connect(false);
    talk_agree();
}

/* --- a side that has gone -------------------------------------------------------------------- */

/* The server asks for new keys, sends a text and, if it ENDS, close_notify; then it is gone. */
static void say_and_go(bool ends)
{
    size_t put;

    talk_agree();
    ck_assert_int_eq(SSL_key_update(server.tls.ssl, SSL_KEY_UPDATE_REQUESTED), 1);
    ck_assert_int_eq(SSL_write_ex(server.tls.ssl, "world", 5, &put), 1);
    if (ends)
        SSL_shutdown(server.tls.ssl);
    pt_tls_close(&server.tls);
}

START_TEST(what_a_side_has_said_before_it_went_is_read_though_no_reply_arrives)
{
    for (int ends = 0; ends < 2; ends++) {
        talk_open(_i);
        say_and_go(ends);
        talk(&client, "rr");
        host_run();
        ck_assert_told(client, ends ? "r:world r:ECLOSED " : "r:world r:EIO ");
        talk_close();
    }
}
END_TEST

START_TEST(a_write_that_has_failed_leaves_the_reads)
{
    talk_open(_i);
    say_and_go(true);
    talk(&client, "ww");
    host_run();
    ck_assert_told(client, "w:ECLOSED ");
    talk(&client, "rr");
    host_run();
    ck_assert_told(client, "r:world r:ECLOSED ");
    talk_close();
}
END_TEST

START_TEST(why_a_server_has_refused_is_read_though_it_has_gone)
{
    talk_open(_i);
    ck_assert_int_eq(write(server.io.fd, "\x15\x03\x03\x00\x02\x02\x28", 7), 7); /* an alert */
    pt_tls_close(&server.tls);
    talk(&client, "h");
    host_run();
    ck_assert_told(client, "h:EFAILED ");
    ck_assert_str_eq(pt_tls_error_text(&client.tls, PT_EFAILED), "sslv3 alert handshake failure");
    talk_close();
}
END_TEST

START_TEST(a_handshake_with_a_side_that_reads_no_more_ends)
{
    talk_open(_i);
    ck_assert_int_eq(shutdown(server.io.fd, SHUT_RD), 0);
    talk(&client, "h");
    host_run();
    ck_assert_told(client, "h:ECLOSED ");
    talk_close();
}
END_TEST

/* The client writes more than the connection has room for; the server says its end, and reads. */
START_TEST(a_side_that_is_told_the_end_midway_of_a_write_writes_it_all)
{
    static PT_TASK(pt_write_all) put;
    static struct pt_writer out;
    static char bytes[200000];
    int few = 1;

    for (int version = TLS1_2_VERSION; version <= TLS1_3_VERSION; version++) {
        open_with_version(_i, version);
        ck_assert_int_eq(setsockopt(client.io.fd, SOL_SOCKET, SO_SNDBUF, &few, sizeof few), 0);
        pt_writer_init(&out, pt_tls_stream(&client.tls), NULL, 0);
        PT_START(&host.loop, &put, pt_write_all, .writer = &out, .data = bytes,
                 .size = sizeof bytes);
        host_run();
        ck_assert_ptr_nonnull(client.tls.kept);
        ck_assert_int_eq(SSL_shutdown(server.tls.ssl), 0);
        talk(&client, "r");
        host_run();
        ck_assert_told(client, "r:ECLOSED ");
        ck_assert(pt_task_alive(&put.task));
        talk(&server, "f");
        host_run();
        ck_assert_int_eq(pt_task_status(&put.task), PT_OK);
        ck_assert(
            pt_task_alive(&server.task.task)); /* it reads until the client says its end, too */
        talk(&client, "f");
        host_run();
        ck_assert_told(client, "f ");
        ck_assert_told(server, "f ");
        talk_close();
    }
}
END_TEST

/* --- memory ---------------------------------------------------------------------------------- */

static long until_failure; /* allocations; 0: none fails */

static void *take(size_t size, const char *file, int line)
{
    return until_failure && --until_failure == 0 ? NULL : malloc(size);
}

static void *take_again(void *block, size_t size, const char *file, int line)
{
    return until_failure && --until_failure == 0 ? NULL : realloc(block, size);
}

static void give(void *block, const char *file, int line)
{
    free(block);
}

/* The server writes, and there is no room: one of the allocations for that fails. */
START_TEST(a_failure_of_memory_ends_both_directions)
{
    int told = 0, few = 1;
    bool none[2];

    ck_assert_int_eq(CRYPTO_set_mem_functions(take, take_again, give), 1);
    for (long n = 1; n < 10; n++) {
        talk_open(_i);
        talk_agree();
        ck_assert_int_eq(setsockopt(server.io.fd, SOL_SOCKET, SO_SNDBUF, &few, sizeof few), 0);
        while (write(server.io.fd, "x", 1) == 1)
            ;
        until_failure = n;
        talk(&server, "w");
        host_run();
        until_failure = 0;
        pt_cancel(&server.task.task, PT_ECANCELED);
        host_run();
        for (int i = 0; i < 2; i++) {
            talk(&server, i ? "r" : "w");
            host_run();
            none[i] = strstr(server.task.frame.told, "ENOMEM") != NULL;
            pt_cancel(&server.task.task, PT_ECANCELED);
            host_run();
        }
        ck_assert_int_eq(none[0], none[1]);
        told += none[0];
        talk_close();
    }
    ck_assert_int_ge(told, 1);
}
END_TEST

/* --- a side that begins anew ----------------------------------------------------------------- */

/* Of version 1.2, ASKER asks for a new handshake; the other side, which does not want one, goes on
 * as it was. */
static void ask_again(struct side *asker, struct side *other)
{
    SSL_clear_options(asker->tls.ssl, SSL_OP_NO_RENEGOTIATION);
    ck_assert_int_eq(SSL_renegotiate(asker->tls.ssl), 1);
    talk(asker, "h");
    talk(other, "r");
    host_turns(50);
    ERR_clear_error();
}

START_TEST(a_client_that_asks_for_a_new_handshake_gets_none)
{
    open_with_version(_i, TLS1_2_VERSION);
    ask_again(&client, &server);
    ck_assert_told(client, "h:EFAILED ");
    ck_assert_str_eq(pt_tls_error_text(&client.tls, PT_EFAILED), "no renegotiation");
    ck_assert_told(server, "r:EFAILED "); /* since the client gives up */
    talk_close();
}
END_TEST

START_TEST(a_client_that_is_asked_for_a_new_handshake_goes_on)
{
    open_with_version(_i, TLS1_2_VERSION);
    ask_again(&server, &client);
    ck_assert(pt_task_alive(&client.task.task));
    ck_assert_int_eq(client.tls.failed[0], PT_OK);
    pt_cancel(&client.task.task, PT_ECANCELED);
    talk_close();
}
END_TEST

/* --- records --------------------------------------------------------------------------------- */

START_TEST(records_of_a_byte_are_a_text_and_each_costs_a_read)
{
    size_t put;

    for (int version = TLS1_2_VERSION; version <= TLS1_3_VERSION; version++) {
        open_with_version(_i, version);
        for (const char *byte = "hello\n"; *byte; byte++)
            ck_assert_int_eq(SSL_write_ex(client.tls.ssl, byte, 1, &put), 1);
        talk(&server, "l");
        host_run();
        ck_assert_told(server, "l:hello ");
        talk_close();
    }
}
END_TEST

START_TEST(a_byte_more_than_a_record_comes_as_it_was_sent)
{
    static char bytes[SSL3_RT_MAX_PLAIN_LENGTH + 1];
    static PT_TASK(pt_read_exactly) get;
    static struct pt_reader in;
    static char got[sizeof bytes];
    const struct pt_stream stream = pt_tls_stream(&client.tls);
    size_t put = 0;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 7);
    open_with_version(_i, TLS1_3_VERSION);
    pt_reader_init(&in, pt_tls_stream(&server.tls), NULL, 0);
    PT_START(&host.loop, &get, pt_read_exactly, .reader = &in, .data = got, .size = sizeof got);
    ck_assert_int_eq(stream.ops->try_write(stream.object, bytes, sizeof bytes, &put), PT_OK);
    ck_assert_uint_eq(put, sizeof bytes);
    host_run();
    ck_assert_int_eq(pt_task_status(&get.task), PT_OK);
    ck_assert(!memcmp(got, bytes, sizeof got));
    talk_close();
}
END_TEST

/* --- a limit at each wait -------------------------------------------------------------------- */

/* Shakes hands, writes, reads and finishes, until its time is over. */
struct hurry {
    struct pt pt;
    struct side *side;
    pt_time limit;
    struct pt_scope scope;
    struct pt_tls_finish finish;
    size_t moved;
    char data[16];
};

static PT_ASYNC(hurry, self)
{
    PT_WITH_TIMEOUT(&self->scope, self->limit) {
        PT_TLS_HANDSHAKE(&self->side->tls);
        if (self->pt.status == PT_OK)
            PT_TLS_WRITE(&self->side->tls, "hello", 5, &self->moved);
        if (self->pt.status == PT_OK)
            PT_TLS_READ(&self->side->tls, self->data, sizeof self->data, &self->moved);
        if (self->pt.status == PT_OK)
            PT_WAIT_COMPLETE(&self->finish, pt_tls_finish, .tls = &self->side->tls);
    }
    PT_RETURN(pt_timed_out(&self->scope) ? (pt_status)PT_ETIMEDOUT : self->pt.status);
    PT_FINALLY
    pt_tls_close(&self->side->tls);
}
PT_END

START_TEST(a_limit_of_time_at_each_wait_ends_the_one_side_and_the_other_sees_a_cut)
{
    static PT_TASK(hurry) tasks[2];
    int late = 0, whole = 0, descriptors = host_descriptors();

    for (int us = 0; !whole; us += 20) {
        talk_open(_i);
        for (int i = 0; i < 2; i++)
            PT_START(&host.loop, &tasks[i], hurry, .side = i ? &client : &server,
                     .limit = us % 40 == 20 * i ? PT_US(us) : PT_SEC(100));
        host.tick = PT_US(60); /* time passes, and the poller is asked */
        host_run();
        host.tick = 0;
        for (int i = 0; i < 2; i++) {
            pt_status status = pt_task_status(&tasks[i].task);

            ck_assert(!pt_task_alive(&tasks[i].task));
            ck_assert(status == PT_OK || status == PT_ETIMEDOUT || status == PT_EIO ||
                      status == PT_ECLOSED);
            late += status == PT_ETIMEDOUT;
        }
        whole = pt_task_status(&tasks[0].task) == PT_OK && pt_task_status(&tasks[1].task) == PT_OK;
        ck_assert(!ERR_peek_error());
        talk_close();
    }
    ck_assert_int_ge(late, 10);
    ck_assert_int_eq(host_descriptors(), descriptors);
}
END_TEST

Suite *host_suite_tls_ends(void)
{
    Suite *suite = suite_create("tls_ends");

    host_test(suite, what_a_side_has_said_before_it_went_is_read_though_no_reply_arrives);
    host_test(suite, a_write_that_has_failed_leaves_the_reads);
    host_test(suite, why_a_server_has_refused_is_read_though_it_has_gone);
    host_test(suite, a_handshake_with_a_side_that_reads_no_more_ends);
    host_test(suite, a_side_that_is_told_the_end_midway_of_a_write_writes_it_all);
    host_test(suite, a_client_that_asks_for_a_new_handshake_gets_none);
    host_test(suite, a_client_that_is_asked_for_a_new_handshake_goes_on);
    host_test(suite, records_of_a_byte_are_a_text_and_each_costs_a_read);
    host_test(suite, a_byte_more_than_a_record_comes_as_it_was_sent);
    host_test_once(suite, a_limit_of_time_at_each_wait_ends_the_one_side_and_the_other_sees_a_cut);
    return suite;
}

/* OpenSSL asks for its memory in a process of its own. */
Suite *host_suite_tls_memory(void)
{
    Suite *suite = suite_create("tls_memory");

    host_test_once(suite, a_failure_of_memory_ends_both_directions);
    return suite;
}
