/* messages.c - messages of two kinds, parsed in memory by a stackless and by a native task
 * SPDX-License-Identifier: MIT
 *
 * A message is a text up to a semicolon, or '#', a length, a colon, and so many bytes.
 *
 * What to notice:
 *   - A reader and a writer of memory need no descriptor: for a datagram, for a test of a protocol.
 *   - pt_peek tells which kind of message comes, and leaves its first byte in the buffer.
 *   - A writer remembers its first failure. So only the last code is checked. */
#include <pt/host.h>
#include <pt/host/native_io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char messages[] = "good morning;#7:a;b;c;d#3:#1:the end;";

struct parser {
    struct pt pt;
    struct pt_reader in;
    struct pt_writer out;
    struct pt_peek peek;
    struct pt_read_until text;
    struct pt_read_exactly body;
    char data[64], report[100], bytes[16];
};

static PT_ASYNC(parser, self)
{
    memcpy(self->data, messages, sizeof messages);
    pt_reader_init_memory(&self->in, self->data, sizeof messages - 1, sizeof self->data);
    pt_writer_init_memory(&self->out, self->report, sizeof self->report);
    for (;;) {
        PT_WAIT_COMPLETE(&self->peek, pt_peek, .reader = &self->in, .size = 1);
        if (self->pt.status != PT_OK)
            break; /* PT_ECLOSED: the end */
        if (*self->peek.data != '#') {
            PT_TRY(&self->text, pt_read_until, .reader = &self->in, .delimiter = ";");
            pt_printf(&self->out, "text: %s\n", self->text.text);
            continue;
        }
        pt_reader_take(&self->in, NULL, 1); /* the '#' */
        PT_TRY(&self->text, pt_read_until, .reader = &self->in, .delimiter = ":", .limit = 2);
        PT_TRY(&self->body, pt_read_exactly, .reader = &self->in, .data = self->bytes,
               .size = (size_t)atoi(self->text.text) % sizeof self->bytes);
        pt_printf(&self->out, "%zu bytes: %.*s\n", self->body.got, (int)self->body.got,
                  self->bytes);
    }
    printf("%s%s\n", self->report, pt_status_name(self->out.failed));
}
PT_END

/* The same in an ordinary function. */
static pt_status parse(struct pt_native *self)
{
    struct pt_reader in;
    struct pt_writer out;
    char data[64], report[100], body[16], *text;
    const char *next;
    size_t length;

    memcpy(data, messages, sizeof messages);
    pt_reader_init_memory(&in, data, sizeof messages - 1, sizeof data);
    pt_writer_init_memory(&out, report, sizeof report);
    while (pt_native_peek(self, &in, 1, &next, &length) == PT_OK) {
        if (*next != '#') {
            if (pt_native_read_until(self, &in, ";", &text, &length) != PT_OK)
                break;
            pt_native_printf(self, &out, "text: %s\n", text);
            continue;
        }
        pt_reader_take(&in, NULL, 1);
        if (pt_native_read_until(self, &in, ":", &text, &length) != PT_OK)
            break;
        length = (size_t)atoi(text) % sizeof body;
        if (pt_native_read_exactly(self, &in, body, length) != PT_OK)
            break;
        pt_native_printf(self, &out, "%zu bytes: %.*s\n", length, (int)length, body);
    }
    pt_native_flush(self, &out);
    printf("%s%s\n", report, pt_status_name(out.failed));
    return PT_OK;
}

int main(void)
{
    static char stack[64 << 10];
    static PT_TASK(parser) parser;
    static PT_TASK(pt_native) native;
    struct pt_loop loop;

    pt_loop_open(&loop, &pt_posix);
    PT_START(&loop, &parser, parser);
    PT_START(&loop, &native, pt_native, .function = parse, .stack = stack, .bytes = sizeof stack);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
