/* file.c - a file, or a range of it, as a reply
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "connection.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* How much is sent by one call, within which the limit of time of a write runs. */
enum { PART = 256 << 10 };

/* The number at *TEXT, which moves behind it; false if there is none. One of too many digits is the
 * largest: no file has so many bytes. */
static bool read_number(const char **text, uint64_t *number)
{
    const char *from = *text;

    for (*number = 0; **text >= '0' && **text <= '9'; (*text)++) {
        bool fits = *number <= (UINT64_MAX - 9) / 10;

        *number = fits ? *number * 10 + (uint64_t)(**text - '0') : UINT64_MAX;
    }
    return *text > from;
}

/* The range of a file of SIZE bytes that the request asks for: 206, *FIRST and *LEFT; 416; or 200,
 * for all of it. */
static int read_range(const struct pt_http_request *request, uint64_t size, uint64_t *first,
                      uint64_t *left)
{
    const char *text = pt_http_field(request, "Range");
    uint64_t last;

    if (!text || strcmp(request->method, "GET") || strncasecmp(text, "bytes=", 6) ||
        pt_http_field(request, "If-Range"))
        return 200;
    text += 6;
    if (*text == '-') { /* the last so many bytes */
        text++;
        if (!read_number(&text, &last) || *text)
            return 200;
        *left = last < size ? last : size;
        *first = size - *left;
        return *left ? 206 : last ? 200 : 416; /* all of an empty file: no range can tell that */
    }
    if (!read_number(&text, first) || *text++ != '-')
        return 200;
    last = UINT64_MAX;
    if (*text && (!read_number(&text, &last) || *text || last < *first))
        return 200;
    if (*first >= size)
        return 416;
    *left = (last < size ? last + 1 : size) - *first;
    return 206;
}

/* Decide what to send of the file of SIZE bytes, and add the fields that tell it. */
static int begin_file(struct pt_http_file *self, uint64_t size)
{
    uint64_t first = 0, left = size;
    int status = read_range(self->request, size, &first, &left);
    unsigned long long all = size, from = first, to = first + left - 1;

    if (status == 200)
        first = 0, left = size;
    self->first = first;
    self->left = left;
    if (status != 416)
        pt_http_add(self->request, "Accept-Ranges", "bytes");
    if (status == 206)
        pt_http_add(self->request, "Content-Range", "bytes %llu-%llu/%llu", from, to, all);
    else if (status == 416)
        pt_http_add(self->request, "Content-Range", "bytes */%llu", all);
    return status;
}

/* How many bytes come next. */
static size_t part_of(const struct pt_http_file *self, size_t most)
{
    return self->left < most ? (size_t)self->left : most;
}

/* So many bytes were sent. */
static void sent(struct pt_http_file *self, size_t count)
{
    struct pt_http_serve *of = self->request->connection;

    self->first += count;
    self->left -= count;
    of->owed = self->left;
}

/* Whether the client takes no more: else the file has no more, or cannot be read. A socket has the
 * same errors, except EIO: so the file is asked. */
static bool is_lost(struct pt_http_file *self)
{
    char byte;

    if (self->pt.status != PT_EIO)
        return self->pt.status != PT_ERANGE;
    self->error = pread(self->fd, &byte, 1, (off_t)self->first) < 0 ? errno : 0;
    if (self->request->connection->io->error == EIO)
        self->error = EIO;
    return !self->error;
}

/* For a stream that is no plain socket: the next bytes of the file into OUT. */
static pt_status load(struct pt_http_file *self)
{
    struct pt_writer *out = &self->request->connection->writer;
    ssize_t got = pread(self->fd, out->data, part_of(self, out->size - 1), (off_t)self->first);

    if (got <= 0) {
        self->error = got < 0 ? errno : 0;
        return got < 0 ? PT_EIO : PT_ERANGE;
    }
    out->end = (size_t)got;
    sent(self, (size_t)got);
    return PT_OK;
}

/* The size of the file; PT_EIO if it has none. */
static pt_status measure(struct pt_http_file *self, uint64_t *size)
{
    struct stat file;

    self->error = fstat(self->fd, &file) ? errno : S_ISREG(file.st_mode) ? 0 : EINVAL;
    *size = self->error ? 0 : (uint64_t)file.st_size;
    return self->error ? PT_EIO : PT_OK;
}

PT_ASYNC(pt_http_file, self)
{
    uint64_t size;

    PT_NEEDS_FIELD_(self, request, "pt_http_file");
    self->pt.status = measure(self, &size);
    if (self->pt.status != PT_OK)
        PT_RETURN(self->pt.status);
    self->status = begin_file(self, size);
    if (self->status == 416)
        PT_TRY(&self->reply, pt_http_reply, .request = self->request, .status = 416);
    else
        (void)pt_http_begin(self->request, self->status, self->type, self->left);
    if (self->request->connection->reply == PT_HTTP_WHOLE_) /* of the file nothing is sent */
        PT_RETURN(PT_OK);
    PT_TRY(&self->flush, pt_flush, .writer = &self->request->connection->writer);
    while (self->left && self->request->connection->plain) {
        PT_WITH_TIMEOUT(&self->limit,
                        PT_HTTP_LIMIT_(self->request->connection, write_time, PT_SEC(60))) {
            PT_WAIT_COMPLETE(&self->send, pt_send_file, .io = self->request->connection->io,
                             .fd = self->fd, .offset = (off_t)self->first,
                             .size = part_of(self, PART));
        }
        self->request->sent += self->send.put;
        self->request->server->sent += self->send.put;
        sent(self, self->send.put);
        if (self->pt.status == PT_ETIMEDOUT && self->send.put) /* slow, and not silent */
            continue;
        if (self->pt.status != PT_OK) {
            self->request->connection->lost = is_lost(self);
            PT_RETURN(self->pt.status);
        }
    }
    while (self->left) {
        self->pt.status = load(self);
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
        PT_TRY(&self->flush, pt_flush, .writer = &self->request->connection->writer);
    }
}
PT_END
