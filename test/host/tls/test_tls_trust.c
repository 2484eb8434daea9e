/* test_tls_trust.c - certificates: who is trusted, which one a server presents, protocols, reload
 * SPDX-License-Identifier: MIT */
#include "talk.h"

#include <openssl/x509v3.h>
#include <stdlib.h>

static void reconnect(void)
{
    talk_hang_up();
    talk_connect(false);
}

static void open_for(int which, const char *certificate)
{

    talk_open(which);
    talk_load(certificate);
    reconnect();
}

/* The handshake fails: what the client and the server have to say. */
static void ck_refused(const char *why, const char *alert)
{
    talk(&client, "h");
    talk(&server, "hr"); /* of version 1.3, a server is done before its client refuses it */
    host_run();
    ck_assert_told(client, "h:EFAILED ");
    ck_assert_str_eq(pt_tls_error_text(&client.tls, PT_EFAILED), why);
    ck_assert_ptr_nonnull(strstr(server.task.frame.told, ":EFAILED "));
    ck_assert_str_eq(pt_tls_error_text(&server.tls, PT_EFAILED), alert);
    talk(&client, "r");
    host_run();
    ck_assert_told(client, "r:EFAILED ");
    pt_tls_close(&client.tls);
    ck_assert_str_eq(pt_tls_error_text(&client.tls, PT_EFAILED), why);
}

/* --- whom a client trusts -------------------------------------------------------------------- */

START_TEST(a_certificate_that_has_expired_is_refused)
{
    open_for(_i, "expired");
    ck_refused("certificate has expired", "sslv3 alert certificate expired");
    ck_assert_int_eq(client.tls.verify, X509_V_ERR_CERT_HAS_EXPIRED);
    talk_close();
}
END_TEST

START_TEST(a_certificate_for_another_host_is_refused)
{
    open_for(_i, "other");
    ck_refused("hostname mismatch", "sslv3 alert bad certificate");
    talk_close();
}
END_TEST

START_TEST(a_certificate_of_a_stranger_is_refused)
{
    open_for(_i, "unknown");
    ck_refused("unable to get local issuer certificate", "tlsv1 alert unknown ca");
    talk_close();
}
END_TEST

START_TEST(a_host_can_be_an_address_in_digits_or_match_a_star)
{
    static const struct {
        const char *host;
        long verify;
    } hosts[] = {{"127.0.0.1", X509_V_OK},
                 {"127.0.0.2", X509_V_ERR_IP_ADDRESS_MISMATCH},
                 {"any.wild.test", X509_V_OK},
                 {"any.more.wild.test", X509_V_ERR_HOSTNAME_MISMATCH},
                 {"wild.test", X509_V_ERR_HOSTNAME_MISMATCH},
                 {"EXAMPLE.test", X509_V_OK},
                 {"example.test.", X509_V_OK}};

    talk_open(_i);
    for (unsigned i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        client.host = hosts[i].host;
        reconnect();
        talk(&client, "h");
        talk(&server, "h");
        host_run();
        ck_assert_told(client, hosts[i].verify == X509_V_OK ? "h " : "h:EFAILED ");
        ck_assert_int_eq(client.tls.verify, hosts[i].verify);
    }
    talk_close();
}
END_TEST

START_TEST(a_host_that_is_no_name_opens_nothing)
{
    static const char *const none[] = {"",   ".test",      ".",           "*.wild.test", "a..test",
                                       "..", "a.test:443", "[127.0.0.1]", "a b"};
    char longer[300];

    talk_open(_i);
    talk_hang_up();
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    for (unsigned i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_int_eq(pt_tls_open(&client.tls, &client.context, &client.io, none[i]), PT_EINVAL);
    ck_assert_int_eq(pt_tls_open(&client.tls, &client.context, &client.io, longer), PT_EINVAL);
    ck_assert_ptr_null(client.tls.ssl);
    talk(&client, "h");
    host_run();
    ck_assert_told(client, "h:EINVAL ");
    talk_close();
}
END_TEST

START_TEST(a_client_trusts_whom_the_system_trusts_unless_it_is_told)
{
    setenv("SSL_CERT_FILE", talk_file("ca.pem"), 1);
    talk_open(_i);
    client.context.trusted = NULL;
    ck_assert_int_eq(pt_tls_load(&client.context), PT_OK);
    reconnect();
    talk_agree();
    setenv("SSL_CERT_FILE", talk_file("stranger.pem"), 1);
    ck_assert_int_eq(pt_tls_load(&client.context), PT_OK);
    reconnect();
    ck_refused("unable to get local issuer certificate", "tlsv1 alert unknown ca");
    talk_close();
}
END_TEST

START_TEST(a_client_can_trust_any_server)
{
    open_for(_i, "unknown");
    SSL_set_verify(client.tls.ssl, SSL_VERIFY_NONE, NULL);
    talk_agree();
    talk_close();
}
END_TEST

/* --- whom a server lets in ------------------------------------------------------------------- */

START_TEST(a_server_lets_in_only_clients_that_have_a_certificate)
{
    struct pt_tls_certificate certificate;

    talk_open(_i);
    server.context.trusted = talk_file("ca.pem");
    ck_assert_int_eq(pt_tls_load(&server.context), PT_OK);
    reconnect();
    talk(&client, "hr");
    talk(&server, "h");
    host_run();
    ck_assert_told(server, "h:EFAILED ");
    ck_assert_str_eq(pt_tls_error_text(&server.tls, PT_EFAILED),
                     "peer did not return a certificate");
    ck_assert_str_eq(pt_tls_error_text(&client.tls, PT_EFAILED),
                     "tlsv13 alert certificate required");
    for (int i = 0; i < 2; i++) {
        certificate = talk_certificate(i ? "unknown" : "client");
        client.context.certificates = &certificate;
        client.context.count = 1;
        ck_assert_int_eq(pt_tls_load(&client.context), PT_OK);
        reconnect();
        talk(&client, "h");
        talk(&server, "h");
        host_run();
        ck_assert_told(server, i ? "h:EFAILED " : "h ");
    }
    talk_close();
}
END_TEST

/* --- which certificate a server presents ----------------------------------------------------- */

static const char *presented(char *name, size_t size)
{
    X509 *certificate = SSL_get1_peer_certificate(client.tls.ssl);

    ck_assert_ptr_nonnull(certificate);
    X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name, (int)size);
    X509_free(certificate);
    return name;
}

START_TEST(a_server_presents_the_certificate_that_has_the_name)
{
    static const char *const hosts[][2] = {{"example.test", "example"},
                                           {"other.test", "other"},
                                           {"a.wild.test", "example"},
                                           {"127.0.0.1", "example"},
                                           {"nobody.test", "example"}};
    struct pt_tls_certificate both[2];
    char name[32];

    talk_open(_i);
    both[0] = talk_certificate("example");
    both[1] = talk_certificate("other");
    server.context.certificates = both;
    server.context.count = 2;
    ck_assert_int_eq(pt_tls_load(&server.context), PT_OK);
    for (unsigned i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        client.host = hosts[i][0];
        reconnect();
        SSL_set_verify(client.tls.ssl, SSL_VERIFY_NONE, NULL);
        talk_agree();
        ck_assert_str_eq(presented(name, sizeof name), hosts[i][1]);
    }
    talk_close();
}
END_TEST

START_TEST(a_reload_changes_new_connections_and_drops_none)
{
    struct pt_tls_certificate two[2];
    char name[32];

    talk_open(_i);
    talk(&client, "h");
    host_turns(1); /* its hello is sent */
    two[0] = talk_certificate("other");
    two[1] = talk_certificate("example");
    server.context.certificates = two;
    server.context.count = 2;
    ck_assert_int_eq(pt_tls_load(&server.context), PT_OK);
    talk(&server, "hrw");
    host_run();
    ck_assert_told(client, "h ");
    talk(&client, "wrf");
    host_run();
    ck_assert_told(client, "w:5 r:world ");
    pt_cancel(&client.task.task, PT_ECANCELED);
    host_run();
    client.host = "other.test";
    reconnect();
    talk_agree();
    ck_assert_str_eq(presented(name, sizeof name), "other");
    pt_tls_unload(&server.context); /* what is open goes on */
    talk(&client, "w");
    talk(&server, "r");
    host_run();
    ck_assert_told(server, "r:hello ");
    talk_close();
}
END_TEST

/* A load that fails: what it says. */
static void ck_not_loaded(const char *chain, const char *key, const char *why)
{
    struct pt_tls_certificate certificate;
    SSL_CTX *before = server.context.ssl;

    certificate.chain = talk_file(chain);
    certificate.key = talk_file(key);
    server.context.certificates = &certificate;
    server.context.count = 1;
    ck_assert_int_eq(pt_tls_load(&server.context), PT_EINVAL);
    ck_assert_ptr_eq(server.context.ssl, before);
    ck_assert_msg(strstr(server.context.error, why) != NULL, "%s", server.context.error);
}

START_TEST(a_reload_that_fails_names_the_file_and_changes_nothing)
{
    struct pt_tls_certificate example;

    talk_open(_i);
    ck_not_loaded("none.pem", "example.key", "none.pem: No such file or directory");
    ck_not_loaded("example.pem", "none.key", "none.key: No such file or directory");
    ck_not_loaded("example.key", "example.key", "example.key: no start line");
    ck_not_loaded("example.pem", "other.key", "other.key: key values mismatch");
    ck_not_loaded("example.pem", "another.key", "another.key: ");
    ck_not_loaded("example.pem", "locked.key", "locked.key: ");
    ck_not_loaded("half.pem", "example.key", "half.pem: bad end line");
    example = talk_certificate("example");
    server.context.certificates = &example;
    server.context.trusted = talk_file("none.pem");
    ck_assert_int_eq(pt_tls_load(&server.context), PT_EINVAL);
    ck_assert_ptr_nonnull(strstr(server.context.error, "none.pem: No such file or directory"));
    server.context.trusted = NULL;
    server.context.protocols = "h2,,http/1.1";
    ck_assert_int_eq(pt_tls_load(&server.context), PT_EINVAL);
    ck_assert_str_eq(server.context.error, "h2,,http/1.1: not accepted");
    server.context.protocols = NULL;
    talk_agree();
    ck_assert_int_eq(pt_tls_load(&server.context), PT_OK);
    ck_assert_str_eq(server.context.error, "");
    talk_close();
}
END_TEST

/* --- protocols ------------------------------------------------------------------------------- */

START_TEST(the_first_protocol_of_the_server_that_the_client_offers_is_agreed_on)
{
    static const char *const offers[][2] = {
        {"http/1.1,h2", "h2"}, {"h3,http/1.1", "http/1.1"}, {"h3,h22,h", NULL}, {NULL, ""}};
    const unsigned char *name;
    unsigned length;

    talk_open(_i);
    server.context.protocols = "h2,http/1.1";
    ck_assert_int_eq(pt_tls_load(&server.context), PT_OK);
    for (unsigned i = 0; i < sizeof offers / sizeof *offers; i++) {
        client.context.protocols = offers[i][0];
        ck_assert_int_eq(pt_tls_load(&client.context), PT_OK);
        reconnect();
        if (!offers[i][1]) {
            talk(&client, "h");
            talk(&server, "h");
            host_run();
            ck_assert_told(server, "h:EFAILED ");
            ck_assert_str_eq(pt_tls_error_text(&client.tls, PT_EFAILED),
                             "tlsv1 alert no application protocol");
            continue;
        }
        talk_agree();
        SSL_get0_alpn_selected(client.tls.ssl, &name, &length);
        ck_assert_uint_eq(length, strlen(offers[i][1]));
        ck_assert(!length || !memcmp(name, offers[i][1], length));
    }
    client.context.protocols = NULL;
    talk_close();
}
END_TEST

Suite *host_suite_tls_trust(void)
{
    Suite *suite = suite_create("tls_trust");

    host_test_once(suite, a_certificate_that_has_expired_is_refused);
    host_test_once(suite, a_certificate_for_another_host_is_refused);
    host_test_once(suite, a_certificate_of_a_stranger_is_refused);
    host_test_once(suite, a_host_can_be_an_address_in_digits_or_match_a_star);
    host_test_once(suite, a_host_that_is_no_name_opens_nothing);
    host_test_once(suite, a_client_trusts_whom_the_system_trusts_unless_it_is_told);
    host_test_once(suite, a_client_can_trust_any_server);
    host_test_once(suite, a_server_lets_in_only_clients_that_have_a_certificate);
    host_test_once(suite, a_server_presents_the_certificate_that_has_the_name);
    host_test_once(suite, a_reload_changes_new_connections_and_drops_none);
    host_test_once(suite, a_reload_that_fails_names_the_file_and_changes_nothing);
    host_test_once(suite, the_first_protocol_of_the_server_that_the_client_offers_is_agreed_on);
    return suite;
}
