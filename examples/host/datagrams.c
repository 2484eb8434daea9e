/* datagrams.c - questions and answers by UDP, asked again when an answer is missing
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - A datagram can get lost; here the server drops each first question. So a question has a
 *     timeout, and is asked again.
 *   - Each datagram brings the address to answer to.
 *   - The server is a native task: the timeout of the client, a block, is none of its business. */
#include <pt/host.h>
#include <pt/host/native_io.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pt_system sys;
static struct sockaddr_in place;

struct client {
    struct pt pt;
    struct pt_io io;
    struct pt_scope limit;
    struct sockaddr_storage from;
    char text[32];
    size_t got;
    int number, tries;
};

static PT_ASYNC(client, self)
{
    for (self->number = 2; self->number <= 4; self->number++) {
        self->got = 0;
        for (self->tries = 1; !self->got; self->tries++) {
            snprintf(self->text, sizeof self->text, "%d", self->number);
            PT_SENDTO(&self->io, self->text, strlen(self->text), (struct sockaddr *)&place,
                      sizeof place);
            PT_WITH_TIMEOUT(&self->limit, PT_MS(self->tries < 2 ? 20 : 60000)) {
                PT_RECVFROM(&self->io, self->text, sizeof self->text, &self->got, &self->from);
            }
        }
        printf("%d squared: %.*s, by try %d\n", self->number, (int)self->got, self->text,
               self->tries - 1);
    }
    PT_SENDTO(&self->io, "", 0, (struct sockaddr *)&place, sizeof place); /* the end */
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

static pt_status server(struct pt_native *self)
{
    struct pt_io *io = (struct pt_io *)self->argument;
    int last = 0;

    for (;;) {
        struct sockaddr_storage from;
        char text[32];
        int number;
        size_t got;

        if (pt_native_recvfrom(self, io, text, sizeof text - 1, &got, &from) != PT_OK || !got)
            break;
        text[got] = 0;
        if (sscanf(text, "%d", &number) != 1 || abs(number) > 1000)
            continue;         /* not from this client */
        if (number != last) { /* the first time: lost */
            last = number;
            continue;
        }
        snprintf(text, sizeof text, "%d", number * number);
        if (pt_native_sendto(self, io, text, strlen(text), (struct sockaddr *)&from,
                             sizeof(struct sockaddr_in)) != PT_OK)
            break;
    }
    pt_io_close(io);
    return PT_OK;
}

int main(void)
{
    static char stack[64 << 10];
    static PT_TASK(client) client;
    static PT_TASK(pt_native) native;
    static struct pt_io io;
    socklen_t length = sizeof place;
    struct pt_loop loop;

    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK); /* any port */
    if (pt_system_open(&sys, &loop, NULL) != PT_OK ||
        pt_socket(&io, &sys, AF_INET, SOCK_DGRAM, 0) != PT_OK ||
        pt_socket(&client.frame.io, &sys, AF_INET, SOCK_DGRAM, 0) != PT_OK ||
        bind(io.fd, (struct sockaddr *)&place, sizeof place) ||
        getsockname(io.fd, (struct sockaddr *)&place, &length))
        return 1;
    PT_START(&loop, &client, client, PT_KEEP);
    PT_START(&loop, &native, pt_native, .function = server, .argument = &io, .stack = stack,
             .bytes = sizeof stack);
    pt_loop_run(&loop);
    pt_system_close(&sys);
    return 0;
}
