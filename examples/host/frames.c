/* frames.c - messages of a head and a body, each written by one call and read in place
 * SPDX-License-Identifier: MIT
 *
 * A stackless task sends words, each with a sign: '+' for capitals. A native task sends them back.
 *
 * What to notice:
 *   - PT_WRITEV sends a head and a body without copying them together. It may write only a part.
 *   - The head tells how long the body is: pt_native_read_exactly, then pt_native_readv. The reader has
 *     no buffer, and so takes no byte of the body.
 *   - Buffers, lengths and parts are local variables in the native task, fields in the other. */
#include <pt/host.h>
#include <pt/host/native_io.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static struct pt_system sys;
static const char *const words[] = {"+tea", "-Sugar", "+milk"};

/* Drop DONE bytes from the front of two parts; whether bytes are left. */
static bool skip(struct iovec parts[2], size_t done)
{
    for (int i = 0; i < 2; i++) {
        size_t part = done < parts[i].iov_len ? done : parts[i].iov_len;

        parts[i].iov_base = (char *)parts[i].iov_base + part;
        parts[i].iov_len -= part;
        done -= part;
    }
    return parts[0].iov_len + parts[1].iov_len > 0;
}

static void set(struct iovec parts[2], unsigned char *head, const char *body, size_t size)
{
    *head = (unsigned char)size;
    parts[0].iov_base = head;
    parts[0].iov_len = 1;
    parts[1].iov_base = (char *)(uintptr_t)body;
    parts[1].iov_len = size;
}

struct sender {
    struct pt pt;
    struct pt_io io;
    struct iovec parts[2];
    unsigned char head;
    char text[256];
    struct pt_finish finish;
    size_t moved;
    int i;
};

static PT_ASYNC(sender, self)
{
    for (self->i = 0; self->i < 3; self->i++) {
        set(self->parts, &self->head, words[self->i], strlen(words[self->i]));
        do {
            PT_WRITEV(&self->io, self->parts, 2, &self->moved);
        } while (self->pt.status == PT_OK && skip(self->parts, self->moved));
        set(self->parts, &self->head, self->text, strlen(words[self->i]) - 1);
        do {
            PT_READV(&self->io, self->parts, 2, &self->moved);
        } while (self->pt.status == PT_OK && skip(self->parts, self->moved));
        if (self->pt.status == PT_OK)
            printf("%d bytes: %.*s\n", self->head, self->head, self->text);
    }
    PT_TRY(&self->finish, pt_finish, .io = &self->io); /* the other side has read everything */
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

static pt_status shout(struct pt_native *self)
{
    struct pt_io *io = (struct pt_io *)self->argument;
    struct pt_reader in;
    struct iovec parts[2];
    unsigned char head;
    char sign, text[256];
    size_t moved;

    pt_reader_init(&in, pt_io_stream(io), NULL, 0);
    while (pt_native_read_exactly(self, &in, &head, 1) == PT_OK && head > 0) {
        parts[0].iov_base = &sign, parts[0].iov_len = 1;
        parts[1].iov_base = text, parts[1].iov_len = head - 1u;
        while (pt_native_readv(self, io, parts, 2, &moved) == PT_OK && skip(parts, moved)) {
        }
        for (int i = 0; i < head - 1 && sign == '+'; i++)
            text[i] = (char)toupper((unsigned char)text[i]);
        set(parts, &head, text, head - 1u);
        while (pt_native_writev(self, io, parts, 2, &moved) == PT_OK && skip(parts, moved)) {
        }
    }
    pt_io_close(io);
    return PT_OK;
}

int main(void)
{
    static char stack[64 << 10];
    static PT_TASK(sender) sender;
    static PT_TASK(pt_native) native;
    static struct pt_io io;
    struct pt_loop loop;
    int ends[2];

    if (pt_system_open(&sys, &loop, NULL) != PT_OK || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) ||
        pt_io_open(&sender.frame.io, &sys, ends[0]) != PT_OK ||
        pt_io_open(&io, &sys, ends[1]) != PT_OK)
        return 1;
    PT_START(&loop, &sender, sender, PT_KEEP);
    PT_START(&loop, &native, pt_native, .function = shout, .argument = &io, .stack = stack,
             .bytes = sizeof stack);
    pt_loop_run(&loop);
    pt_system_close(&sys);
    return 0;
}
