/* connection.c - a connection: it begins and is closed; why it has failed, in words
 * SPDX-License-Identifier: MIT */
#include "connection.h"

#include <openssl/x509v3.h>

/* --- open ------------------------------------------------------------------------------------ */

/* The most characters of a name. */
enum { NAME = 253 };

/* Copy the name of a host, without the dot that can stand at its end; false if it is none. For
 * OpenSSL a name that begins with a dot would be any below that. */
static bool read_name(const char *host, char name[NAME + 1])
{
    size_t length =
        strspn(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");

    if (host[length] || *host == '.' || strstr(host, ".."))
        return false;
    if (length && host[length - 1] == '.')
        length--;
    if (length == 0 || length > NAME)
        return false;
    memcpy(name, host, length);
    name[length] = '\0';
    return true;
}

/* This side is a client: who the server must be. */
static bool expect(SSL *ssl, const char *host)
{
    X509_VERIFY_PARAM *how = SSL_get0_param(ssl);
    char name[NAME + 1];

    SSL_set_connect_state(ssl);
    SSL_set_verify(ssl, SSL_VERIFY_PEER, NULL);
    if (X509_VERIFY_PARAM_set1_ip_asc(how, host))
        return true;
    ERR_clear_error();
    X509_VERIFY_PARAM_set_hostflags(how, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return read_name(host, name) && X509_VERIFY_PARAM_set1_host(how, name, 0) &&
           SSL_set_tlsext_host_name(ssl, name);
}

/* This side is a server. */
static void serve(SSL *ssl, const struct pt_tls_context *context)
{
    SSL_set_accept_state(ssl);
    if (context->trusted)
        SSL_set_verify(ssl, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
}

/* It is not opened. */
static pt_status not_opened(struct pt_tls *tls, pt_code_ code)
{
    SSL_free(tls->ssl);
    tls->ssl = NULL;
    return pt_tls_end_(tls, pt_tls_errors_(&tls->reason, (pt_status)code));
}

pt_status pt_tls_open(struct pt_tls *tls, const struct pt_tls_context *context, struct pt_io *io,
                      const char *host)
{
    PT_NEEDS_(context->ssl, "the pt_tls_context is not loaded: call pt_tls_load", "pt_tls_open");
    memset(tls, 0, sizeof *tls);
    ERR_clear_error();
    tls->ssl = SSL_new(context->ssl);
    if (!tls->ssl || !pt_tls_go_below_(tls))
        return not_opened(tls, PT_ENOMEM);
    if (!host)
        serve(tls->ssl, context);
    else if (!expect(tls->ssl, host))
        return not_opened(tls, PT_EINVAL);
    tls->io = io;
    return PT_OK;
}

/* --- sessions -------------------------------------------------------------------------------- */

/* Whether the certificate of a session would be accepted for the host now. */
static bool still_holds(SSL *ssl, X509 *its)
{
    X509_VERIFY_PARAM *how = SSL_get0_param(ssl);
    const char *host = X509_VERIFY_PARAM_get0_host(how, 0);
    char *address = host ? NULL : X509_VERIFY_PARAM_get1_ip_asc(how);
    bool same = host
                    ? X509_check_host(its, host, 0, X509_VERIFY_PARAM_get_hostflags(how), NULL) == 1
                    : address && X509_check_ip_asc(its, address, 0) == 1;

    OPENSSL_free(address);
    return same && X509_cmp_current_time(X509_get0_notAfter(its)) > 0;
}

void pt_tls_check_session_(struct pt_tls *tls)
{
    SSL_SESSION *session = SSL_get_session(tls->ssl);
    X509 *its = session ? SSL_SESSION_get0_peer(session) : NULL;

    if (!session || !(SSL_get_verify_mode(tls->ssl) & SSL_VERIFY_PEER))
        return;
    if (SSL_get_verify_result(tls->ssl) != X509_V_OK || !its || !still_holds(tls->ssl, its))
        SSL_set_session(tls->ssl, NULL);
    ERR_clear_error();
}

/* --- the end --------------------------------------------------------------------------------- */

void pt_tls_close(struct pt_tls *tls)
{
    if (!tls->io)
        return;
    SSL_free(tls->ssl);
    tls->ssl = NULL;
    OPENSSL_free(tls->kept);
    tls->kept = NULL;
    pt_io_close(tls->io);
    tls->io = NULL;
    pt_tls_end_(tls, PT_ECLOSED);
}

/* --- words ----------------------------------------------------------------------------------- */

bool pt_tls_is_cut_(const struct pt_tls *tls)
{
    return ERR_GET_LIB(tls->reason) == ERR_LIB_SSL &&
           ERR_GET_REASON(tls->reason) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
}

const char *pt_tls_error_text(const struct pt_tls *tls, pt_status status)
{
    if (status == PT_EIO && pt_tls_is_cut_(tls))
        return "the connection was cut: it ended without close_notify";
    if (status == PT_ECANCELED && tls->failed[true] == status)
        return "an earlier write was ended midway, and other bytes followed";
    if (status == PT_EFAILED && tls->records > PT_TLS_RECORDS_)
        return "too many records without data";
    if (status == PT_EFAILED && tls->verify != X509_V_OK)
        return X509_verify_cert_error_string(tls->verify);
    if (status == PT_EFAILED)
        return pt_tls_reason_text_(tls->reason);
    return tls->io ? pt_io_error_text(tls->io, status) : pt_status_text(status);
}
