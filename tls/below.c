/* below.c - the pt_io below a connection, as what OpenSSL reads and writes: a BIO
 * SPDX-License-Identifier: MIT
 *
 * Its two functions are those of the stream of the pt_io: they try, and never wait.
 *
 * A write never fails for OpenSSL. What io does not take is kept, and goes out before anything else,
 * so OpenSSL never has a record that is half written: if new keys are asked for then, its version
 * 3.0 fails with "bad length". The records of a long write are kept, too, until they can go out by
 * one call. And if io writes no more, what OpenSSL writes is lost, and it goes on
 * to read: what the other side has sent before it went is still there, and says why. */
#include "connection.h"

static BIO_METHOD *method; /* made once for all threads, and never freed */

/* --- the end --------------------------------------------------------------------------------- */

pt_status pt_tls_end_(struct pt_tls *tls, pt_status status)
{
    tls->failed[false] = tls->failed[true] = status;
    return status;
}

void pt_tls_shut_below_(struct pt_tls *tls, int how)
{
    int error = tls->io->error;

    if (tls->io->system && tls->io->socket)
        pt_io_shutdown(tls->io, how);
    tls->io->error = error;
}

/* A task that waits in the other direction is woken by the end of io. */
pt_status pt_tls_fail_(struct pt_tls *tls, pt_status status)
{
    pt_tls_shut_below_(tls, SHUT_RDWR);
    return pt_tls_end_(tls, status);
}

/* --- reads ----------------------------------------------------------------------------------- */

static int read_below(BIO *bio, char *data, int size)
{
    struct pt_tls *tls = (struct pt_tls *)BIO_get_data(bio);
    const struct pt_stream stream = pt_io_stream(tls->io);
    pt_status status = PT_EAGAIN;
    size_t got = 0;

    BIO_clear_retry_flags(bio);
    if (tls->records <= PT_TLS_RECORDS_)
        status = stream.ops->try_read(stream.object, data, (size_t)size, &got);
    if (got)
        return (int)got;
    if (status == PT_OK || status == PT_EAGAIN)
        BIO_set_retry_read(bio);
    else if (status == PT_ECLOSED)
        tls->ended = true;
    else
        pt_tls_fail_(tls, status);
    return -1;
}

/* --- writes ---------------------------------------------------------------------------------- */

/* Write what io takes of SIZE bytes now: how many. */
static size_t put_below(struct pt_tls *tls, const char *data, size_t size)
{
    const struct pt_stream stream = pt_io_stream(tls->io);
    pt_status status = tls->failed[true];
    size_t sum = 0, put;

    for (; status == PT_OK && sum < size; sum += put) {
        put = 0;
        status = stream.ops->try_write(stream.object, data + sum, size - sum, &put);
    }
    if (status != PT_EAGAIN)
        tls->failed[true] = status;
    return sum;
}

bool pt_tls_make_room_(struct pt_tls *tls, size_t size)
{
    char *kept;

    if (tls->kept && size <= tls->kept_room - tls->kept_size)
        return true;
    kept = (char *)OPENSSL_realloc(tls->kept, tls->kept_size + size);
    if (!kept) {
        pt_tls_fail_(tls, PT_ENOMEM);
        return false;
    }
    tls->kept = kept;
    tls->kept_room = tls->kept_size + size;
    return true;
}

/* Keep SIZE bytes. */
static void keep(struct pt_tls *tls, const char *data, size_t size)
{
    if (!pt_tls_make_room_(tls, size))
        return;
    memcpy(tls->kept + tls->kept_size, data, size);
    tls->kept_size += size;
}

pt_status pt_tls_flush_(struct pt_tls *tls)
{
    size_t put;

    if (tls->kept) {
        put = put_below(tls, tls->kept, tls->kept_size);
        tls->kept_size -= put;
        memmove(tls->kept, tls->kept + put, tls->kept_size);
        if (tls->kept_size && tls->failed[true] == PT_OK)
            return PT_EAGAIN;
        OPENSSL_free(tls->kept);
        tls->kept = NULL;
        tls->kept_size = 0;
    }
    tls->agreed = tls->agreed || SSL_is_init_finished(tls->ssl);
    return tls->failed[true];
}

static int write_below(BIO *bio, const char *data, int size)
{
    struct pt_tls *tls = (struct pt_tls *)BIO_get_data(bio);
    size_t put = tls->kept ? 0 : put_below(tls, data, (size_t)size);

    BIO_clear_retry_flags(bio);
    if (tls->failed[true] == PT_OK && put < (size_t)size)
        keep(tls, data + put, (size_t)size - put);
    return size;
}

/* --- the BIO --------------------------------------------------------------------------------- */

static long control_below(BIO *bio, int command, long number, void *pointer)
{
    if (command == BIO_CTRL_EOF)
        return ((struct pt_tls *)BIO_get_data(bio))->ended;
    return command == BIO_CTRL_FLUSH; /* pt_tls_flush_ does it later */
}

static void make_method(void)
{
    method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "pt_io");
    if (method && BIO_meth_set_read(method, read_below) && BIO_meth_set_write(method, write_below))
        BIO_meth_set_ctrl(method, control_below);
}

/* OpenSSL tells all that it reads and writes: count the heads of records that it reads. */
static void count_record(int writes, int version, int type, const void *data, size_t size, SSL *ssl,
                         void *tls)
{
    ((struct pt_tls *)tls)->records += !writes && type == SSL3_RT_HEADER;
}

bool pt_tls_go_below_(struct pt_tls *tls)
{
    static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
    BIO *bio = NULL;

    if (CRYPTO_THREAD_run_once(&once, make_method) && method)
        bio = BIO_new(method);
    if (!bio)
        return false;
    BIO_set_data(bio, tls);
    BIO_set_init(bio, 1);
    SSL_set_bio(tls->ssl, bio, bio);
    SSL_set_msg_callback(tls->ssl, count_record);
    SSL_set_msg_callback_arg(tls->ssl, tls);
    return true;
}
