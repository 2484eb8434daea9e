/* operations.c - the operations of a connection: attempts, and what is waited for between them
 * SPDX-License-Identifier: MIT
 *
 * A task waits by the wait of the stream of the pt_io. So two tasks can wait for the same direction:
 * an event wakes both, and each tries again. */
#include "connection.h"

#include <errno.h>

enum {
    TAKEN = 68 << 10, /* what a write takes at most: 64 KB, and a head before them */
    OVERHEAD = 512,   /* what its records have around them; it could be more */
    KEPT = 64 << 10   /* while more is kept beside a write, a read could keep even more: it waits */
}; /* while more bytes are kept, nothing is read: it could have to be replied to */

/* --- attempts -------------------------------------------------------------------------------- */

/* Whether the attempt of the operation NAME may be made: PT_OK, or why not. */
static pt_status begin(struct pt_tls *tls, bool writing, const char *name)
{
    if (tls->failed[writing] != PT_OK)
        return tls->failed[writing];
    PT_NEEDS_(tls->io, "the pt_tls was never opened: call pt_tls_open", name);
    if (ERR_peek_error()) /* which costs a tenth */
        ERR_clear_error();
    if (!tls->agreed && SSL_in_before(tls->ssl))
        pt_tls_check_session_(tls);
    tls->records = 0;
    return PT_OK;
}

/* An attempt has failed, as the queue of errors says. */
static pt_status fail_by_queue(struct pt_tls *tls)
{
    pt_status status = pt_tls_errors_(&tls->reason, PT_EFAILED);

    if (ERR_GET_REASON(tls->reason) == SSL_R_CERTIFICATE_VERIFY_FAILED)
        tls->verify = SSL_get_verify_result(tls->ssl);
    if (status == PT_EFAILED && pt_tls_is_cut_(tls)) {
        tls->io->error = ECONNRESET;
        status = PT_EIO;
    }
    return pt_tls_fail_(tls, status);
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
    if (tls->records > PT_TLS_RECORDS_)
        return pt_tls_fail_(tls, PT_EFAILED);
    if (tls->failed[writing] != PT_OK)
        return tls->failed[writing];
    switch (SSL_get_error(tls->ssl, result)) {
    case SSL_ERROR_WANT_READ: /* the other side waits for a handshake, not for what is kept later */
        if (!tls->agreed && tls->failed[true] != PT_OK)
            return tls->failed[true];
        tls->wants_to_write[writing] = tls->kept && !tls->agreed;
        return PT_EAGAIN;
    case SSL_ERROR_ZERO_RETURN: return PT_ECLOSED;
    default: return fail_by_queue(tls);
    }
}

/* Whether there is no byte, neither in OpenSSL nor in io: to ask OpenSSL would only cost time. */
static bool is_drained(const struct pt_tls *tls)
{
    return tls->agreed && tls->failed[false] == PT_OK && !tls->kept && tls->io->system &&
           !tls->io->readable && !SSL_has_pending(tls->ssl) && !SSL_get_shutdown(tls->ssl);
}

static pt_status try_read(void *object, void *data, size_t size, size_t *got)
{
    struct pt_tls *tls = (struct pt_tls *)object;
    pt_status status;

    if (size && is_drained(tls)) {
        tls->wants_to_write[false] = false;
        return PT_EAGAIN;
    }
    status = begin(tls, false, "a read of TLS");
    if (status != PT_OK || !size)
        return status;
    if (pt_tls_flush_(tls) == PT_EAGAIN && tls->kept_size > KEPT + tls->unfinished)
        return wait_to_write(tls, false);
    if (SSL_read_ex(tls->ssl, data, size, got) && tls->records <= PT_TLS_RECORDS_)
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
        return pt_tls_fail_(tls, PT_ECANCELED);
    status = pt_tls_flush_(tls);
    if (status == PT_EAGAIN)
        return wait_to_write(tls, true);
    if (status == PT_OK) {
        *put = tls->unfinished;
        tls->unfinished = 0;
    }
    return status;
}

/* Encrypt at most LIMIT bytes of COUNT parts: how much. False: OpenSSL has failed, or waits. */
static bool encrypt(struct pt_tls *tls, const struct iovec *parts, int count, size_t limit,
                    size_t *taken)
{
    size_t step;

    for (*taken = 0; count > 0 && *taken < limit; parts++, count--, *taken += step) {
        size_t room = limit - *taken, size = parts->iov_len < room ? parts->iov_len : room;

        if (!SSL_write_ex(tls->ssl, parts->iov_base, size, &step))
            return false;
    }
    return true;
}

/* Encrypt the parts, and write what that gives: more than one record by one call, since what is
 * encrypted is kept below while there is room for that. */
static pt_status put_parts(struct pt_tls *tls, const struct iovec *parts, int count, size_t *put)
{
    bool gathers = tls->agreed && (count > 1 || parts->iov_len > SSL3_RT_MAX_PLAIN_LENGTH), done;
    size_t taken;

    if (gathers && !pt_tls_make_room_(tls, TAKEN + OVERHEAD))
        return tls->failed[true];
    done = encrypt(tls, parts, gathers ? count : 1, gathers ? TAKEN : SSL3_RT_MAX_PLAIN_LENGTH,
                   &taken);
    if (gathers)
        (void)pt_tls_flush_(tls);
    if (!done)
        return not_done(tls, true, 0);
    if (tls->failed[true] != PT_OK)
        return tls->failed[true];
    if (!tls->kept) {
        *put = taken;
        return PT_OK;
    }
    tls->unfinished = taken;
    tls->unfinished_sum = sum_of_parts(parts, count, taken);
    return wait_to_write(tls, true);
}

static pt_status try_parts(void *object, const struct iovec *parts, int count, size_t *put)
{
    struct pt_tls *tls = (struct pt_tls *)object;
    pt_status status = begin(tls, true, "a write of TLS");

    if (status != PT_OK)
        return status;
    if (tls->unfinished)
        return try_rest(tls, parts, count, put);
    status = pt_tls_flush_(tls);
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

    if (status != PT_OK)
        return status;
    if (pt_tls_flush_(tls) == PT_EAGAIN)
        return wait_to_write(tls, writing);
    result = SSL_do_handshake(tls->ssl);
    if (result != 1)
        return not_done(tls, writing, result);
    return tls->kept ? wait_to_write(tls, writing) : tls->failed[true];
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
    if (tls->failed[true] != PT_OK)
        return tls->failed[true];
    if (tls->kept)
        return wait_to_write(tls, true);
    pt_tls_shut_below_(tls, SHUT_WR);
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
    if (self->pt.status != PT_ECLOSED && !pt_tls_is_cut_(self->tls))
        PT_RETURN(self->pt.status);
    PT_RETURN(PT_OK);
    PT_FINALLY
    pt_tls_close(self->tls);
}
PT_END
