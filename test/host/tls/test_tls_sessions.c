/* test_tls_sessions.c - a client that resumes a session: with each version, after a reload, with data before its time
 * SPDX-License-Identifier: MIT */
#include "talk.h"

#include <openssl/err.h>

static SSL_SESSION *session; /* of the last meeting */
static int without = -1;     /* which part of the check of a certificate the client leaves out */

static void leave_out(void)
{
    if (without == 0)
        SSL_set_verify(client.tls.ssl, SSL_VERIFY_NONE, NULL);
    else if (without == 1)
        X509_VERIFY_PARAM_set_flags(SSL_get0_param(client.tls.ssl), X509_V_FLAG_NO_CHECK_TIME);
}

/* A connection on which each side says a text, and its end; the client would resume the session. What the
 * client tells must begin with TOLD. Whether the session was resumed. */
static bool meet(const char *told)
{
    bool resumed;

    talk_hang_up();
    talk_connect(false);
    leave_out();
    if (session)
        ck_assert_int_eq(SSL_set_session(client.tls.ssl, session), 1);
    talk(&client, "hwr");
    talk(&server, "hrw");
    host_run();
    ck_assert_told(client, told);
    resumed = SSL_session_reused(client.tls.ssl);
    SSL_SESSION_free(session);
    session = SSL_get1_session(client.tls.ssl);
    pt_cancel(&client.task.task, PT_ECANCELED);
    pt_cancel(&server.task.task, PT_ECANCELED);
    host_run();
    if (client.tls.failed[0] != PT_OK)
        return resumed;
    talk(&client, "f");
    talk(&server, "f");
    host_run();
    ck_assert_told(client, "f ");
    return resumed;
}

static void open_with_version(int poller, int version)
{
    talk_open(poller);
    SSL_CTX_set_min_proto_version(client.context.ssl, version);
    SSL_CTX_set_max_proto_version(client.context.ssl, version);
}

static void close_all(void)
{
    SSL_SESSION_free(session);
    session = NULL;
    ck_assert(!ERR_peek_error());
    talk_close();
}

START_TEST(a_client_that_comes_again_resumes_its_session_until_a_reload)
{
    for (int version = TLS1_2_VERSION; version <= TLS1_3_VERSION; version++) {
        open_with_version(_i, version);
        ck_assert(!meet("h w:5 r:world "));
        ck_assert(meet("h w:5 r:world "));
        ck_assert_int_eq(pt_tls_load(&server.context), PT_OK);
        ck_assert(!meet("h w:5 r:world "));
        ck_assert(meet("h w:5 r:world "));
        close_all();
    }
}
END_TEST

START_TEST(a_session_is_resumed_only_if_its_certificate_was_checked_and_still_holds)
{
    static const struct {
        const char *server, *before, *host, *told;
    } cases[] = {{"unknown", "example.test", "example.test", "h:EFAILED "},
                 {"expired", "example.test", "example.test", "h:EFAILED "},
                 {"example", "example.test", "other.test", "h:EFAILED "},
                 {"example", "example.test", "127.0.0.2", "h:EFAILED "},
                 {"example", "127.0.0.1", "127.0.0.1", "h w:5 r:world "},
                 {"example", "127.0.0.1", "a.wild.test", "h w:5 r:world "}};

    for (int version = TLS1_2_VERSION; version <= TLS1_3_VERSION; version++)
        for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
            open_with_version(_i, version);
            talk_load(cases[i].server);
            client.host = cases[i].before;
            talk_hang_up();
            without = i;
            ck_assert(!meet("h w:5 r:world "));
            without = -1;
            client.host = cases[i].host;
            ck_assert_int_eq(meet(cases[i].told), i > 3);
            close_all();
        }
}
END_TEST

START_TEST(a_client_that_checks_nobody_resumes_a_session_with_anybody)
{
    open_with_version(_i, TLS1_3_VERSION);
    talk_load("unknown");
    without = 0;
    ck_assert(!meet("h w:5 r:world "));
    ck_assert(meet("h w:5 r:world "));
    without = -1;
    close_all();
}
END_TEST

START_TEST(a_client_with_a_certificate_keeps_it_when_it_resumes)
{
    struct pt_tls_certificate certificate = talk_certificate("client");

    for (int version = TLS1_2_VERSION; version <= TLS1_3_VERSION; version++) {
        open_with_version(_i, version);
        client.context.certificates = &certificate;
        client.context.count = 1;
        ck_assert_int_eq(pt_tls_load(&client.context), PT_OK);
        SSL_CTX_set_max_proto_version(client.context.ssl, version);
        server.context.trusted = talk_file("ca.pem");
        ck_assert_int_eq(pt_tls_load(&server.context), PT_OK);
        ck_assert(!meet("h w:5 r:world "));
        ck_assert(meet("h w:5 r:world "));
        server.context.trusted = talk_file("stranger.pem"); /* the client is not let in any more */
        ck_assert_int_eq(pt_tls_load(&server.context), PT_OK);
        ck_assert(!meet(version == TLS1_2_VERSION ? "h:EFAILED " : "h w:5 r:EFAILED "));
        server.context.trusted = NULL;
        client.context.certificates = NULL;
        client.context.count = 0;
        close_all();
    }
}
END_TEST

/* The client sends a text before the handshake, as OpenSSL lets it if the session would allow that. */
START_TEST(data_before_the_handshake_is_refused_and_comes_again)
{
    size_t put;

    open_with_version(_i, TLS1_3_VERSION);
    ck_assert(!meet("h w:5 r:world "));
    ck_assert_int_eq(SSL_SESSION_set_max_early_data(session, 1000), 1);
    talk_hang_up();
    talk_connect(false);
    ck_assert_int_eq(SSL_set_session(client.tls.ssl, session), 1);
    ck_assert_int_eq(SSL_write_early_data(client.tls.ssl, "early", 5, &put), 1);
    talk(&client, "hwr");
    talk(&server, "hrw");
    host_run();
    ck_assert_told(server, "h r:hello w:5 ");
    ck_assert_told(client, "h w:5 r:world ");
    ck_assert_int_eq(SSL_get_early_data_status(client.tls.ssl), SSL_EARLY_DATA_REJECTED);
    close_all();
}
END_TEST

Suite *host_suite_tls_sessions(void)
{
    Suite *suite = suite_create("tls_sessions");

    host_test(suite, a_client_that_comes_again_resumes_its_session_until_a_reload);
    host_test_once(suite, a_session_is_resumed_only_if_its_certificate_was_checked_and_still_holds);
    host_test_once(suite, a_client_that_checks_nobody_resumes_a_session_with_anybody);
    host_test_once(suite, a_client_with_a_certificate_keeps_it_when_it_resumes);
    host_test_once(suite, data_before_the_handshake_is_refused_and_comes_again);
    return suite;
}
