/* lines.c - a native server that reads lines, and a client that ends cleanly
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - A line that pt_native_read_line returns is in the reader's buffer, until the next one.
 *   - pt_native_write writes what the system takes now: a part, perhaps. So it stands in a loop, or
 *     use pt_native_write_all.
 *   - pt_native_finish closes only when the client has read everything: a close drops bytes. */
#include <pt/host.h>
#include <pt/host/native_io.h>

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

static struct pt_system sys;
static struct sockaddr_in place;

static pt_status serve(struct pt_native *self)
{
    struct pt_io *listener = (struct pt_io *)self->argument, peer;
    struct pt_reader reader;
    char room[64], *line;
    size_t length, put;

    if (pt_native_accept(self, listener, &peer) != PT_OK)
        return PT_EIO;
    pt_io_close(listener);
    pt_reader_init(&reader, pt_io_stream(&peer), room, sizeof room);
    while (pt_native_read_line(self, &reader, &line, &length) == PT_OK) {
        printf("the server reads %zu bytes: %s\n", length, line);
        line[length++] = '!'; /* instead of the 0 */
        for (; length; line += put, length -= put)
            if (pt_native_write(self, &peer, line, length, &put) != PT_OK)
                break;
    }
    return pt_native_finish(self, &peer);
}

struct client {
    struct pt pt;
    struct pt_io io;
    struct pt_reader in;
    struct pt_read_exactly all;
    const char *text;
    size_t left, put;
    char heard[64];
};

static PT_ASYNC(client, self)
{
    PT_CONNECT(&self->io, (struct sockaddr *)&place, sizeof place);
    self->text = "good morning\nand good night\n";
    for (self->left = strlen(self->text); self->left && self->pt.status == PT_OK;) {
        PT_WRITE(&self->io, self->text, self->left, &self->put);
        self->text += self->put;
        self->left -= self->put;
    }
    pt_io_shutdown(&self->io, SHUT_WR);
    pt_reader_init(&self->in, pt_io_stream(&self->io), NULL, 0);
    PT_WAIT_COMPLETE(&self->all, pt_read_exactly, .reader = &self->in, .data = self->heard,
                     .size = sizeof self->heard);
    printf("the client hears: %.*s\n", (int)self->all.got, self->heard);
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

int main(void)
{
    static char stack[64 << 10];
    static PT_TASK(client) client;
    static PT_TASK(pt_native) native;
    static struct pt_io listener;
    socklen_t length = sizeof place;
    struct pt_loop loop;

    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK); /* any port */
    if (pt_system_open(&sys, &loop, NULL) != PT_OK ||
        pt_listen(&listener, &sys, (struct sockaddr *)&place, sizeof place, false) != PT_OK ||
        getsockname(listener.fd, (struct sockaddr *)&place, &length) ||
        pt_socket(&client.frame.io, &sys, AF_INET, SOCK_STREAM, 0) != PT_OK)
        return 1;
    PT_START(&loop, &native, pt_native, .function = serve, .argument = &listener, .stack = stack,
             .bytes = sizeof stack);
    PT_START(&loop, &client, client, PT_KEEP);
    pt_loop_run(&loop);
    pt_system_close(&sys);
    return 0;
}
