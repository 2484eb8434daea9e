/* raw.c - the stream of a connection, with limits of time
 * SPDX-License-Identifier: MIT */
#include "connection.h"

#include <string.h>

pt_status pt_http_raw_read_(void *object, void *data, size_t size, size_t *got)
{
    struct pt_http_serve *of = (struct pt_http_serve *)object;
    pt_status status = of->stream.ops->try_read(of->stream.object, data, size, got);

    if (status == PT_OK)
        of->server->received += *got;
    return status;
}

/* Write the parts, or the first one alone. */
static pt_status put_out(struct pt_http_serve *of, const struct iovec *parts, int count,
                         size_t *put)
{
    const struct pt_stream *below = &of->stream;
    pt_status status =
        count > 1 && below->ops->try_parts
            ? below->ops->try_parts(below->object, parts, count, put)
            : below->ops->try_write(below->object, parts->iov_base, parts->iov_len, put);

    if (status == PT_OK)
        of->server->sent += *put;
    else if (status != PT_EAGAIN)
        of->lost = true;
    return status;
}

static pt_status write_parts(void *object, const struct iovec *parts, int count, size_t *put)
{
    struct pt_http_serve *of = (struct pt_http_serve *)object;
    pt_status status = PT_OK;
    size_t step;

    *put = 0;
    for (; of->interim; of->interim = of->interim[step] ? of->interim + step : NULL) {
        const struct iovec part = {(void *)(uintptr_t)of->interim, strlen(of->interim)};

        step = 0;
        if ((status = put_out(of, &part, 1, &step)) != PT_OK)
            return status;
    }
    if (count)
        status = put_out(of, parts, count, put);
    of->request.sent += *put;
    return status;
}

pt_status pt_http_raw_write_(void *object, const void *data, size_t size, size_t *put)
{
    const struct iovec part = {(void *)(uintptr_t)data, size};

    return write_parts(object, &part, size ? 1 : 0, put);
}

/* The body of a request has not come in time. */
static void end_body(struct pt_http_serve *of)
{
    of->broken = PT_ETIMEDOUT;
    of->refusal = 408;
    of->why = "the body took too long";
    of->last = true;
}

/* Waits until it makes sense to try again, as long as the server allows. */
static PT_ASYNC(pt_http_wait_, self)
{
    PT_WITH_DEADLINE(&self->limit, self->writing
                                       ? PT_NOW() + PT_HTTP_LIMIT_(self->of, write_time, PT_SEC(60))
                                       : self->of->read_until) {
        if (self->inner)
            PT_HTTP_AWAIT_(self->inner);
        else
            PT_YIELD();
        PT_RETURN(self->inner ? self->pt.status : (pt_status)PT_OK);
    }
    if (self->writing)
        self->of->lost = true;
    else if (self->of->handling)
        end_body(self->of);
    PT_RETURN(PT_ETIMEDOUT);
}
PT_END

struct pt *pt_http_raw_wait_(void *object, bool writing, struct pt_stream_wait_ *spare)
{
    struct pt_http_serve *of = (struct pt_http_serve *)object;
    struct pt_http_wait_ *wait = &of->waits[writing];
    const struct pt_stream *below = &of->stream;

    (void)spare;
    writing = writing || of->interim; /* a read that has to write first */
    PT_INIT(wait, pt_http_wait_, .of = of, .writing = writing);
    if (below->ops->wait)
        wait->inner = below->ops->wait(below->object, writing, &wait->spare);
    return &wait->pt;
}

struct pt_stream pt_http_raw_(struct pt_http_serve *of)
{
    static const struct pt_stream_ops ops = {pt_http_raw_read_, pt_http_raw_write_,
                                             pt_http_raw_wait_, write_parts};
    struct pt_stream stream;

    stream.ops = &ops;
    stream.object = of;
    return stream;
}
