/* lines.c - the lines of a head, of a request or a reply: where it ends
 * SPDX-License-Identifier: MIT
 *
 * The scan looks at each byte once, however they come, and lets only lines through about whose ends
 * no two readers disagree. */
#include "connection.h"

#include <string.h>

/* What a head leaves in the buffer, for the body. */
enum { ROOM = 64 };

void pt_http_begin_lines_(struct pt_http_lines_ *lines, size_t size, size_t longest, size_t fields)
{
    memset(lines, 0, sizeof *lines);
    lines->room = size - ROOM;
    lines->longest = longest;
    lines->fields = fields;
}

static int refuse(struct pt_http_lines_ *lines, int status, const char *why)
{
    lines->why = why;
    return status;
}

/* More bytes without an end than may be: of a field, WHY, or of the first line. */
static int refuse_length(struct pt_http_lines_ *lines, const char *why)
{
    return lines->count ? refuse(lines, 431, why)
                        : refuse(lines, 414, "the first line is too long");
}

/* A line has ended at byte AT, its newline. */
static int end_line(struct pt_http_lines_ *lines, const char *in, size_t at)
{
    if (at == lines->line || in[at - 1] != '\r')
        return refuse(lines, 400, "a line ends without CR LF");
    if (at - 1 > lines->line) {
        if (lines->count++ > lines->fields)
            return refuse(lines, 431, "too many fields");
    } else if (lines->count) {
        lines->end = at + 1;
        return 200;
    } else {
        lines->start = at + 1; /* an empty line before a head, as some clients send */
    }
    lines->line = at + 1;
    return 0;
}

/* A byte of a line that is not its newline. */
static int look_at(struct pt_http_lines_ *lines, const char *in, size_t at)
{
    unsigned char byte = (unsigned char)in[at];

    if (at > lines->line && in[at - 1] == '\r')
        return refuse(lines, 400, "a CR without a LF");
    if ((byte < ' ' && byte != '\t' && byte != '\r') || byte == 127)
        return refuse(lines, 400, "a control character in the head");
    if (at == lines->line && (byte == ' ' || byte == '\t'))
        return refuse(lines, 400, "a line begins with a blank");
    if (byte == '\r' || at - lines->line < lines->longest)
        return 0;
    return refuse_length(lines, "a field is too long");
}

/* Whether one of 8 bytes is below ' ', or 127. */
static bool has_control(const char *bytes)
{
    const uint64_t ones = UINT64_MAX / 255, tops = ones * 128;
    uint64_t word, deleted;

    memcpy(&word, bytes, sizeof word);
    deleted = word ^ ones * 127;
    return ((word - ones * ' ') & ~word & tops) || ((deleted - ones) & ~deleted & tops);
}

/* Pass the bytes before END that mean nothing, up to the limit of the line: the one before them is
 * no CR. */
static void skip(struct pt_http_lines_ *lines, const char *in, size_t end)
{
    const char *byte = in + lines->scanned, *last = in + end;
    size_t rest = lines->longest - (lines->scanned - lines->line);

    if (rest < end - lines->scanned)
        last = byte + rest;
    while (last - byte >= 8 && !has_control(byte))
        byte += 8;
    while (byte < last && (unsigned char)*byte >= ' ' && *byte != 127)
        byte++;
    lines->scanned = (size_t)(byte - in);
}

int pt_http_scan_lines_(struct pt_http_lines_ *lines, const char *in, size_t used)
{
    const size_t end = used < lines->room ? used : lines->room;
    int status = lines->end ? 200 : 0;

    while (!status && lines->scanned < end) {
        size_t at = lines->scanned++;

        if (in[at] == '\n') {
            status = end_line(lines, in, at);
        } else {
            status = look_at(lines, in, at);
            if (!status && in[at] != '\r')
                skip(lines, in, end);
        }
    }
    return status || used <= end ? status : refuse_length(lines, "the head is too long");
}
