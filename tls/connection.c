/* connection.c - a connection: its bytes go through OpenSSL, and to the pt_io below by attempts
 * SPDX-License-Identifier: MIT
 *
 * OpenSSL reads and writes by a BIO whose two functions are those of the stream of the pt_io: they
 * try, and never wait. A task waits by the wait of that stream. So two tasks can wait for the same
 * direction: an event wakes both, and each tries again.
 *
 * What io does not take is kept, and goes out before anything else, so OpenSSL never has a record
 * that is half written: if new keys are asked for then, its version 3.0 fails with "bad length".
 * The records of a long write are kept, too, until they can go out by one call. */
#include "../lib/sites.h"

#include "errors.h"
#include "../lib/host/io/waits.h"

#include <pt/tls.h>

#include <errno.h>
#include <openssl/x509v3.h>

/* --- below: the pt_io as a BIO --------------------------------------------------------------- */

enum {
    RECORDS = 64, /* an attempt that gets more of them for one of data fails: it holds the loop */
    TAKEN = 68 << 10, /* what a write takes at most: 64 KB, and a head before them */
    OVERHEAD = 512,   /* what its records have around them; it could be more */
    KEPT =
        64 << 10 /* while more is kept beside a write, nothing is read: that could need a reply */
};

static BIO_METHOD *method; /* made once for all threads, and never freed */

static int read_below(BIO *bio, char *data, int size)
{
    struct pt_tls *tls = (struct pt_tls *)BIO_get_data(bio);
    const struct pt_stream stream = pt_io_stream(tls->io);
    pt_status status = PT_EAGAIN;
    size_t got = 0;

    BIO_clear_retry_flags(bio);
    if (tls->records <= RECORDS)
        status = stream.ops->try_read(stream.object, data, (size_t)size, &got);
    if (got)
        return (int)got;
    if (status == PT_OK || status == PT_EAGAIN)
        BIO_set_retry_read(bio);
    else if (status == PT_ECLOSED)
        tls->ended = true;
    else
        tls->below = status;
    return -1;
}

/* Write what io takes of SIZE bytes now: how many. */
static size_t put_below(struct pt_tls *tls, const char *data, size_t size)
{
    const struct pt_stream stream = pt_io_stream(tls->io);
    pt_status status = PT_OK;
    size_t sum = 0, put;

    for (; status == PT_OK && sum < size; sum += put) {
        put = 0;
        status = stream.ops->try_write(stream.object, data + sum, size - sum, &put);
    }
    if (status != PT_OK && status != PT_EAGAIN)
        tls->below = status;
    return sum;
}

/* Make room for SIZE bytes behind those that are kept already. */
static bool make_room(struct pt_tls *tls, size_t size)
{
    char *kept;

    if (tls->kept && size <= tls->kept_room - tls->kept_size)
        return true;
    kept = (char *)OPENSSL_realloc(tls->kept, tls->kept_size + size);
    if (!kept)
        return false;
    tls->kept = kept;
    tls->kept_room = tls->kept_size + size;
    return true;
}

/* Keep SIZE bytes. */
static bool keep(struct pt_tls *tls, const char *data, size_t size)
{
    if (!make_room(tls, size))
        return false;
    memcpy(tls->kept + tls->kept_size, data, size);
    tls->kept_size += size;
    return true;
}

/* Write what is kept: PT_EAGAIN if some is left. */
static pt_status flush(struct pt_tls *tls)
{
    size_t put;

    if (tls->kept) {
        put = put_below(tls, tls->kept, tls->kept_size);
        tls->kept_size -= put;
        memmove(tls->kept, tls->kept + put, tls->kept_size);
        if (tls->below != PT_OK)
            return tls->failed[true] = tls->below;
        if (tls->kept_size)
            return PT_EAGAIN;
        OPENSSL_free(tls->kept);
        tls->kept = NULL;
    }
    tls->agreed = tls->agreed || SSL_is_init_finished(tls->ssl);
    return PT_OK;
}

static int write_below(BIO *bio, const char *data, int size)
{
    struct pt_tls *tls = (struct pt_tls *)BIO_get_data(bio);
    size_t put = tls->kept || tls->gathers ? 0 : put_below(tls, data, (size_t)size);

    BIO_clear_retry_flags(bio);
    if (tls->below != PT_OK)
        return -1;
    if (put == (size_t)size || keep(tls, data + put, (size_t)size - put))
        return size;
    tls->below = PT_ENOMEM;
    return -1;
}

static long control_below(BIO *bio, int command, long number, void *pointer)
{
    if (command == BIO_CTRL_EOF)
        return ((struct pt_tls *)BIO_get_data(bio))->ended;
    return command == BIO_CTRL_FLUSH; /* flush() does it later */
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

static BIO *make_bio(struct pt_tls *tls)
{
    static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
    BIO *bio = NULL;

    if (CRYPTO_THREAD_run_once(&once, make_method) && method)
        bio = BIO_new(method);
    if (bio) {
        BIO_set_data(bio, tls);
        BIO_set_init(bio, 1);
    }
    return bio;
}

/* --- open and close -------------------------------------------------------------------------- */

/* This side is a client: who the server must be. */
static bool expect(SSL *ssl, const char *host)
{
    X509_VERIFY_PARAM *how = SSL_get0_param(ssl);

    SSL_set_connect_state(ssl);
    SSL_set_verify(ssl, SSL_VERIFY_PEER, NULL);
    if (X509_VERIFY_PARAM_set1_ip_asc(how, host))
        return true;
    ERR_clear_error();
    X509_VERIFY_PARAM_set_hostflags(how, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return *host && X509_VERIFY_PARAM_set1_host(how, host, 0) &&
           SSL_set_tlsext_host_name(ssl, host);
}

/* This side is a server. */
static void serve(SSL *ssl, const struct pt_tls_context *context)
{
    SSL_set_accept_state(ssl);
    if (context->trusted)
        SSL_set_verify(ssl, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
}

/* From now on it neither reads nor writes. */
static pt_status end(struct pt_tls *tls, pt_status status)
{
    tls->failed[false] = tls->failed[true] = status;
    return status;
}

pt_status pt_tls_open(struct pt_tls *tls, const struct pt_tls_context *context, struct pt_io *io,
                      const char *host)
{
    BIO *bio;

    PT_NEEDS_(context->ssl, "the pt_tls_context is not loaded: call pt_tls_load", "pt_tls_open");
    memset(tls, 0, sizeof *tls);
    ERR_clear_error();
    tls->ssl = SSL_new(context->ssl);
    bio = tls->ssl ? make_bio(tls) : NULL;
    if (!bio) {
        SSL_free(tls->ssl);
        tls->ssl = NULL;
        ERR_clear_error();
        return end(tls, PT_ENOMEM);
    }
    SSL_set_bio(tls->ssl, bio, bio);
    SSL_set_msg_callback(tls->ssl, count_record);
    SSL_set_msg_callback_arg(tls->ssl, tls);
    if (!host) {
        serve(tls->ssl, context);
    } else if (!expect(tls->ssl, host)) {
        SSL_free(tls->ssl);
        tls->ssl = NULL;
        return end(tls, pt_tls_errors_(&tls->reason, PT_EINVAL));
    }
    tls->io = io;
    return PT_OK;
}

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
    end(tls, PT_ECLOSED);
}

/* --- attempts -------------------------------------------------------------------------------- */

/* Whether the attempt of the operation NAME may be made: PT_OK, or why not. */
static pt_status begin(struct pt_tls *tls, bool writing, const char *name)
{
    if (tls->failed[writing] != PT_OK)
        return tls->failed[writing];
    PT_NEEDS_(tls->io, "the pt_tls was never opened: call pt_tls_open", name);
    ERR_clear_error();
    tls->below = PT_OK;
    tls->records = 0;
    return PT_OK;
}

/* TLS has failed. The other task of the connection, if it waits, is woken by the end of io. */
static pt_status fail(struct pt_tls *tls, pt_status status)
{
    if (tls->io->socket)
        shutdown(tls->io->fd, SHUT_RDWR);
    return end(tls, status);
}

static bool is_cut(const struct pt_tls *tls)
{
    return ERR_GET_REASON(tls->reason) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
}

/* An attempt has failed, as the queue of errors says. */
static pt_status fail_by_queue(struct pt_tls *tls)
{
    pt_status status = pt_tls_errors_(&tls->reason, PT_EFAILED);

    if (ERR_GET_REASON(tls->reason) == SSL_R_CERTIFICATE_VERIFY_FAILED)
        tls->verify = SSL_get_verify_result(tls->ssl);
    if (status == PT_EFAILED && is_cut(tls)) {
        tls->io->error = ECONNRESET;
        status = PT_EIO;
    }
    return fail(tls, status);
}

/* Some bytes are kept that must go out first: the task must wait to write. */
static pt_status wait_to_write(struct pt_tls *tls, bool writing)
{
    tls->wants_to_write[writing] = true;
    return PT_EAGAIN;
}

/* OpenSSL has returned RESULT, which is no success: the code of the attempt. */
static pt_status not_done(struct pt_tls *tls, bool writing, int result)
{
    if (tls->records > RECORDS)
        return fail(tls, PT_EFAILED);
    switch (SSL_get_error(tls->ssl, result)) {
    case SSL_ERROR_WANT_READ: /* the other side waits for a handshake, not for what is kept later */
        tls->wants_to_write[writing] = tls->kept && !tls->agreed;
        return PT_EAGAIN;
    case SSL_ERROR_ZERO_RETURN: return PT_ECLOSED;
    case SSL_ERROR_SYSCALL:
        if (tls->below != PT_OK)
            return tls->failed[writing] = tls->below;
        break;
    default: break;
    }
    return fail_by_queue(tls);
}

static pt_status try_read(void *object, void *data, size_t size, size_t *got)
{
    struct pt_tls *tls = (struct pt_tls *)object;
    pt_status status = begin(tls, false, "a read of TLS");

    if (status != PT_OK || !size)
        return status;
    if (flush(tls) == PT_EAGAIN && tls->kept_size > KEPT + tls->unfinished)
        return wait_to_write(tls, false);
    tls->below = PT_OK; /* a write tells that it cannot */
    if (SSL_read_ex(tls->ssl, data, size, got) && tls->records <= RECORDS)
        return PT_OK;
    *got = 0;
    return not_done(tls, false, 0);
}

/* A number that is another one, almost surely, if the bytes are others. */
static uint64_t sum_of(const void *data, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)data;
    uint64_t sum = size, word;

    for (; size; size -= sizeof word < size ? sizeof word : size) {
        word = 0;
        memcpy(&word, bytes, sizeof word < size ? sizeof word : size);
        bytes += sizeof word;
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 32;
    }
    return sum;
}

/* The same for the first SIZE bytes of COUNT parts; 0 if there are fewer. */
static uint64_t sum_of_parts(const struct iovec *parts, int count, size_t size)
{
    uint64_t sum = size;

    for (; count > 0 && size; parts++, count--) {
        size_t step = parts->iov_len < size ? parts->iov_len : size;

        sum = sum * 31 + sum_of(parts->iov_base, step);
        size -= step;
    }
    return size ? 0 : sum;
}

/* Go on with a write whose bytes are encrypted, and not all written: these must be the same. */
static pt_status try_rest(struct pt_tls *tls, const struct iovec *parts, int count, size_t *put)
{
    pt_status status;

    if (sum_of_parts(parts, count, tls->unfinished) != tls->unfinished_sum)
        return fail(tls, PT_ECANCELED);
    status = flush(tls);
    if (status == PT_EAGAIN)
        return wait_to_write(tls, true);
    if (status == PT_OK) {
        *put = tls->unfinished;
        tls->unfinished = 0;
    }
    return status;
}

/* Encrypt what a write takes of COUNT parts: how much. False: OpenSSL has failed, or waits. */
static bool encrypt(struct pt_tls *tls, const struct iovec *parts, int count, size_t *taken)
{
    size_t step;

    for (*taken = 0; count > 0 && *taken < TAKEN; parts++, count--, *taken += step) {
        size_t room = TAKEN - *taken, size = parts->iov_len < room ? parts->iov_len : room;

        if (!tls->gathers && size > SSL3_RT_MAX_PLAIN_LENGTH)
            size = SSL3_RT_MAX_PLAIN_LENGTH;

        if (!SSL_write_ex(tls->ssl, parts->iov_base, size, &step))
            return false;
    }
    return true;
}

/* Encrypt the parts, and write what that gives: more than one record by one call. */
static pt_status put_parts(struct pt_tls *tls, const struct iovec *parts, int count, size_t *put)
{
    pt_status status = PT_OK;
    size_t taken;
    bool done;

    tls->gathers = tls->agreed && (count > 1 || parts->iov_len > SSL3_RT_MAX_PLAIN_LENGTH);
    if (tls->gathers && !make_room(tls, TAKEN + OVERHEAD)) {
        tls->gathers = false;
        return PT_ENOMEM;
    }
    done = encrypt(tls, parts, tls->gathers ? count : 1, &taken);
    if (tls->gathers)
        status = flush(tls);
    tls->gathers = false;
    if (!done)
        return not_done(tls, true, 0);
    if (status == PT_OK && !tls->kept) {
        *put = taken;
        return PT_OK;
    }
    tls->unfinished = taken;
    tls->unfinished_sum = sum_of_parts(parts, count, taken);
    return status == PT_OK || status == PT_EAGAIN ? wait_to_write(tls, true) : status;
}

static pt_status try_parts(void *object, const struct iovec *parts, int count, size_t *put)
{
    struct pt_tls *tls = (struct pt_tls *)object;
    pt_status status = begin(tls, true, "a write of TLS");

    if (status != PT_OK)
        return status;
    if (tls->unfinished)
        return try_rest(tls, parts, count, put);
    status = flush(tls);
    if (status != PT_OK)
        return status == PT_EAGAIN ? wait_to_write(tls, true) : status;
    return put_parts(tls, parts, count, put);
}

static pt_status try_write(void *object, const void *data, size_t size, size_t *put)
{
    const struct iovec part = {(void *)(uintptr_t)data, size};

    if (!size)
        return begin((struct pt_tls *)object, true, "a write of TLS");
    return try_parts(object, &part, 1, put);
}

static struct pt *prepare_wait(void *object, bool writing, struct pt_stream_wait_ *spare)
{
    struct pt_tls *tls = (struct pt_tls *)object;
    const struct pt_stream below = pt_io_stream(tls->io);

    return below.ops->wait(below.object, tls->wants_to_write[writing], spare);
}

struct pt_stream pt_tls_stream(struct pt_tls *tls)
{
    static const struct pt_stream_ops ops = {try_read, try_write, prepare_wait, try_parts};
    struct pt_stream stream;

    stream.ops = &ops;
    stream.object = tls;
    return stream;
}

/* --- operations ------------------------------------------------------------------------------ */

/* Whether the task must yield before an attempt, as the share of io says. */
static bool yields(struct pt_tls *tls, bool writing)
{
    return tls->io && pt_stream_yields_(&tls->waits[writing], tls->io->share);
}

/* An attempt ended with STATUS: whether the task must suspend. */
static bool must_wait(struct pt_task *task, struct pt *frame, struct pt_tls *tls, bool writing,
                      pt_status status)
{
    const struct pt_stream stream = pt_tls_stream(tls);

    frame->status = status;
    return status == PT_EAGAIN &&
           pt_stream_waits_(task, frame, &stream, &tls->waits[writing], writing);
}

bool pt_tls_read_(struct pt_task *task, struct pt *frame, struct pt_tls *tls, void *data,
                  size_t size, size_t *got)
{
    *got = 0;
    return yields(tls, false) || must_wait(task, frame, tls, false, try_read(tls, data, size, got));
}

bool pt_tls_write_(struct pt_task *task, struct pt *frame, struct pt_tls *tls, const void *data,
                   size_t size, size_t *put)
{
    *put = 0;
    return yields(tls, true) || must_wait(task, frame, tls, true, try_write(tls, data, size, put));
}

/* Attempt a handshake, or what is left of it. */
static pt_status try_handshake(struct pt_tls *tls, bool writing)
{
    pt_status status = begin(tls, writing, "a handshake of TLS");
    int result;

    if (status == PT_OK)
        status = flush(tls);
    if (status != PT_OK)
        return status == PT_EAGAIN ? wait_to_write(tls, writing) : status;
    result = SSL_do_handshake(tls->ssl);
    if (result != 1)
        return not_done(tls, writing, result);
    return tls->kept ? wait_to_write(tls, writing) : (pt_status)PT_OK;
}

bool pt_tls_handshake_(struct pt_task *task, struct pt *frame, struct pt_tls *tls)
{
    return must_wait(task, frame, tls, false, try_handshake(tls, false));
}

/* --- the end --------------------------------------------------------------------------------- */

/* Attempt to send close_notify. */
static pt_status try_shut(struct pt_tls *tls)
{
    pt_status status = begin(tls, true, "pt_tls_finish");
    int result;

    if (status == PT_OK)
        status = tls->unfinished ? (pt_status)PT_ECANCELED : try_handshake(tls, true);
    if (status != PT_OK)
        return status;
    result = SSL_get_shutdown(tls->ssl) & SSL_SENT_SHUTDOWN ? 0 : SSL_shutdown(tls->ssl);
    if (result < 0)
        return not_done(tls, true, result);
    if (tls->kept)
        return wait_to_write(tls, true);
    if (tls->io->socket)
        shutdown(tls->io->fd, SHUT_WR);
    return PT_OK;
}

bool pt_tls_shut_(struct pt_task *task, struct pt *frame, struct pt_tls *tls)
{
    return must_wait(task, frame, tls, true, try_shut(tls));
}

PT_ASYNC(pt_tls_finish, self)
{
    PT_NEEDS_FIELD_(self, tls, "pt_tls_finish");
    PT_TLS_(self->tls, NULL, 1, pt_tls_shut_(pt_current_, &self->pt, self->tls));
    if (self->pt.status != PT_OK)
        PT_RETURN(self->pt.status);
    do
        PT_TLS_READ(self->tls, self->data, sizeof self->data, &self->step);
    while (self->pt.status == PT_OK);
    if (self->pt.status != PT_ECLOSED && !is_cut(self->tls))
        PT_RETURN(self->pt.status);
    PT_RETURN(PT_OK);
    PT_FINALLY
    pt_tls_close(self->tls);
}
PT_END

/* --- words ----------------------------------------------------------------------------------- */

const char *pt_tls_error_text(const struct pt_tls *tls, pt_status status)
{
    if (status == PT_EIO && is_cut(tls))
        return "the connection was cut: it ended without close_notify";
    if (status == PT_ECANCELED && tls->failed[true] == status)
        return "an earlier write was ended midway, and other bytes followed";
    if (status == PT_EFAILED && tls->records > RECORDS)
        return "too many records without data";
    if (status == PT_EFAILED && tls->verify != X509_V_OK)
        return X509_verify_cert_error_string(tls->verify);
    if (status == PT_EFAILED)
        return pt_tls_reason_text_(tls->reason);
    return tls->io ? pt_io_error_text(tls->io, status) : pt_status_text(status);
}
