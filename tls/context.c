/* context.c - what connections share: certificates, whom to trust, protocols
 * SPDX-License-Identifier: MIT */
#include "../lib/sites.h"

#include "errors.h"
#include "../lib/needs.h"

#include <pt/tls.h>

#include <openssl/x509v3.h>
#include <stdio.h>

/* A server's contexts, one for each certificate, are a chain: each owns the next one. So whoever
 * has the first, as a connection that began before a reload, has all. */
static int next_index = -1;

static void free_next(void *context, void *next, CRYPTO_EX_DATA *data, int index, long a, void *b)
{
    SSL_CTX_free((SSL_CTX *)next);
}

static void make_index(void)
{
    next_index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, free_next);
}

/* Choose the certificate for the name that the client asks for. */
static int choose(SSL *ssl, int *alert, void *unused)
{
    const char *name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    SSL_CTX *it = SSL_get_SSL_CTX(ssl);

    if (!name || !SSL_is_server(ssl))
        return SSL_TLSEXT_ERR_NOACK;
    for (; it; it = (SSL_CTX *)SSL_CTX_get_ex_data(it, next_index))
        if (X509_check_host(SSL_CTX_get0_certificate(it), name, 0, 0, NULL) == 1)
            return SSL_set_SSL_CTX(ssl, it) ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
    return SSL_TLSEXT_ERR_NOACK;
}

/* --- protocols ------------------------------------------------------------------------------- */

/* Choose the first of PROTOCOLS, a text, that the client OFFERS: each a byte of length, then so
 * many bytes. */
static int choose_protocol(SSL *ssl, const unsigned char **out, unsigned char *length,
                           const unsigned char *offers, unsigned size, void *protocols)
{
    const char *name = (const char *)protocols;
    size_t its_length;

    for (;; name += its_length + 1) {
        its_length = strcspn(name, ",");
        for (unsigned i = 0; i < size; i += offers[i] + 1u)
            if (offers[i] == its_length && !memcmp(&offers[i + 1], name, its_length)) {
                *out = &offers[i + 1];
                *length = offers[i];
                return SSL_TLSEXT_ERR_OK;
            }
        if (!name[its_length])
            return SSL_TLSEXT_ERR_ALERT_FATAL;
    }
}

/* Write PROTOCOLS as a client offers them; returns the length, or 0 if they are too long. */
static unsigned write_protocols(const char *protocols, unsigned char *offers, size_t size)
{
    size_t length = strlen(protocols), start = 0;

    if (length + 1 > size)
        return 0;
    memcpy(offers + 1, protocols, length);
    for (size_t i = 0; i <= length; i++)
        if (!protocols[i] || protocols[i] == ',') {
            if (i == start || i - start > UINT8_MAX)
                return 0;
            offers[start] = (unsigned char)(i - start);
            start = i + 1;
        }
    return (unsigned)length + 1;
}

/* --- load ------------------------------------------------------------------------------------ */

/* WHAT has failed: the code, and the text. */
static pt_status failed(struct pt_tls_context *context, const char *what)
{
    unsigned long reason;
    pt_status status = pt_tls_errors_(&reason, PT_EINVAL);

    snprintf(context->error, sizeof context->error, "%s: %s", what,
             status == PT_ENOMEM ? pt_status_text(status)
             : reason            ? pt_tls_reason_text_(reason)
                                 : "not accepted");
    return status;
}

/* A key with a password is refused: nobody is asked for it. */
static int no_password(char *text, int size, int writing, void *unused)
{
    return 0;
}

static pt_status use_certificate(struct pt_tls_context *context, SSL_CTX *ssl,
                                 const struct pt_tls_certificate *certificate)
{
    X509 *it;

    SSL_CTX_set_default_passwd_cb(ssl, no_password);
    if (SSL_CTX_use_certificate_chain_file(ssl, certificate->chain) != 1)
        return failed(context, certificate->chain);
    it = SSL_CTX_get0_certificate(ssl); /* OpenSSL would take a key of another type beside it */
    if (SSL_CTX_use_PrivateKey_file(ssl, certificate->key, SSL_FILETYPE_PEM) != 1 ||
        X509_check_private_key(it, SSL_CTX_get0_privatekey(ssl)) != 1)
        return failed(context, certificate->key);
    return PT_OK;
}

static pt_status trust(struct pt_tls_context *context, SSL_CTX *ssl)
{
    STACK_OF(X509_NAME) * names;

    if (!context->trusted)
        return SSL_CTX_set_default_verify_paths(ssl) == 1
                   ? (pt_status)PT_OK
                   : failed(context, "the certificates that the system trusts");
    if (SSL_CTX_load_verify_file(ssl, context->trusted) != 1)
        return failed(context, context->trusted);
    if (!context->count)
        return PT_OK;
    names = SSL_load_client_CA_file(context->trusted); /* what a client may choose from */
    if (!names)
        return failed(context, context->trusted);
    SSL_CTX_set_client_CA_list(ssl, names);
    return PT_OK;
}

static pt_status use_protocols(struct pt_tls_context *context, SSL_CTX *ssl)
{
    unsigned char offers[256];
    unsigned length = write_protocols(context->protocols, offers, sizeof offers);

    if (!length || SSL_CTX_set_alpn_protos(ssl, offers, length)) /* which returns 0 for success */
        return failed(context, context->protocols);
    SSL_CTX_set_alpn_select_cb(ssl, choose_protocol, (void *)(uintptr_t)context->protocols);
    return PT_OK;
}

/* Set up SSL; CERTIFICATE can be NULL. */
static pt_status set_up(struct pt_tls_context *context, SSL_CTX *ssl,
                        const struct pt_tls_certificate *certificate)
{
    pt_status status = PT_OK;

    SSL_CTX_set_min_proto_version(ssl, TLS1_2_VERSION);
    SSL_CTX_set_options(ssl, SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_mode(ssl, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN);
    SSL_CTX_set_read_ahead(ssl, 1); /* a record costs one read, and not one more for its head */
    SSL_CTX_set_session_cache_mode(ssl, SSL_SESS_CACHE_OFF); /* clients have tickets */
    SSL_CTX_set_session_id_context(ssl, (const unsigned char *)"pt", 2);
    SSL_CTX_set_tlsext_servername_callback(ssl, choose);
    if (certificate)
        status = use_certificate(context, ssl, certificate);
    if (status == PT_OK)
        status = trust(context, ssl);
    if (status == PT_OK && context->protocols)
        status = use_protocols(context, ssl);
    return status;
}

/* Put a context before *FIRST, which it then owns; CERTIFICATE can be NULL. */
static pt_status add(struct pt_tls_context *context, SSL_CTX **first,
                     const struct pt_tls_certificate *certificate)
{
    SSL_CTX *it = SSL_CTX_new(TLS_method());

    if (!it || !SSL_CTX_set_ex_data(it, next_index, *first)) {
        SSL_CTX_free(it);
        return failed(context, "OpenSSL");
    }
    *first = it;
    return set_up(context, it, certificate);
}

pt_status pt_tls_load(struct pt_tls_context *context)
{
    static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
    pt_status status = PT_OK;
    SSL_CTX *first = NULL;

    PT_NEEDS_(!context->count == !context->certificates, ".certificates and .count differ",
              "pt_tls_load");
    ERR_clear_error();
    if (!CRYPTO_THREAD_run_once(&once, make_index) || next_index < 0)
        return failed(context, "OpenSSL");
    if (!context->count)
        status = add(context, &first, NULL);
    for (int i = context->count; i-- > 0 && status == PT_OK;)
        status = add(context, &first, &context->certificates[i]);
    if (status != PT_OK) {
        SSL_CTX_free(first);
        return status;
    }
    pt_tls_unload(context);
    context->ssl = first;
    context->error[0] = '\0';
    return PT_OK;
}

void pt_tls_unload(struct pt_tls_context *context)
{
    SSL_CTX_free(context->ssl);
    context->ssl = NULL;
}
