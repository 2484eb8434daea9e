/* datagram.c - UDP over IPv4: by the seed a datagram is lost, comes twice, or overtakes another one
 * SPDX-License-Identifier: MIT
 *
 * One in fifty is lost, and one in fifty comes twice; each has a latency of its own. Within a machine all come, in
 * order. A socket that is connected learns that nothing hears it at the other end. */
#include "network.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>

enum { MOST = 65507 /* bytes */, QUEUE = 64, ONE_IN = 50 };

struct datagram {
    struct event event; /* its arrival */
    struct datagram *next;
    struct world_machine *from, *to;
    struct sockaddr_in source, target;
    uint64_t sent;
    bool refuses; /* it says that one was for a port without a socket */
    size_t size;
    char data[];
};

/* --- arrival --------------------------------------------------------------------------------- */

static struct socket *receiver(const struct datagram *datagram)
{
    struct files files = {datagram->to->processes, 0};

    for (struct file *file; (file = files_next(&files));) {
        struct socket *socket = (struct socket *)(void *)file;

        if (file->kind == &datagram_kind && socket->bound &&
            socket->local.sin_port == datagram->target.sin_port &&
            (socket->state != CONNECTED ||
             (socket->peer.sin_port == datagram->source.sin_port && socket->to == datagram->from)))
            return socket;
    }
    return NULL;
}

static void send_one(struct datagram *datagram)
{
    struct world *world = datagram->from->world;

    datagram->sent = world->now;
    event_at(world, &datagram->event, world->now + network_latency(datagram->from, datagram->to));
}

/* Tell the sender that there is no socket. */
static void refuse(struct datagram *datagram)
{
    struct datagram back = *datagram;

    trace_message(datagram->to, datagram->from, datagram->sent, "refuses a datagram of %s",
                  datagram->from->name);
    datagram->from = back.to;
    datagram->to = back.from;
    datagram->source = back.target;
    datagram->target = back.source;
    datagram->refuses = true;
    send_one(datagram);
}

static void append(struct socket *socket, struct datagram *datagram)
{
    struct datagram **last = &socket->datagrams;

    while (*last)
        last = &(*last)->next;
    *last = datagram;
    socket->waiting++;
    file_changed(&socket->file);
}

static void arrive(struct event *event)
{
    struct datagram *datagram = (struct datagram *)(void *)event;
    struct world_machine *to = datagram->to, *from = datagram->from;
    struct socket *socket = receiver(datagram);

    if (network_cut(from, to)) {
        tally(TALLY_UNHEARD, true);
        trace_message(to, from, datagram->sent, "misses a datagram of %s", from->name);
    } else if (datagram->refuses) {
        if (socket && socket->state == CONNECTED) {
            socket->error = ECONNREFUSED;
            file_changed(&socket->file);
        }
    } else if (!socket) {
        refuse(datagram);
        return;
    } else if (socket->waiting == QUEUE) {
        trace_message(to, from, datagram->sent, "has no place for a datagram of %s", from->name);
    } else {
        trace_message(to, from, datagram->sent, "receives a datagram of %zu bytes from %s",
                      datagram->size, from->name);
        append(socket, datagram);
        return;
    }
    free(datagram);
}

void datagrams_free(struct world *world)
{
    for (size_t i = world->scheduled; i; i--)
        if (world->heap[i]->fire == arrive)
            free(world->heap[i]);
}

/* --- for sockets ----------------------------------------------------------------------------- */

static struct datagram *datagram_new(const struct sockaddr_in *source,
                                     const struct sockaddr_in *target, struct world_machine *from,
                                     struct world_machine *to, const struct msghdr *message,
                                     size_t size)
{
    struct datagram *datagram = calloc(1, sizeof *datagram + size);
    char *at;

    if (!datagram)
        abort();
    datagram->event.fire = arrive;
    datagram->source = *source;
    datagram->target = *target;
    datagram->from = from;
    datagram->to = to;
    datagram->size = size;
    at = datagram->data;
    for (size_t i = 0; i < message->msg_iovlen; i++)
        at = (char *)mempcpy(at, message->msg_iov[i].iov_base, message->msg_iov[i].iov_len);
    return datagram;
}

ssize_t datagram_send(struct socket *socket, const struct msghdr *message)
{
    struct sockaddr_in target = socket->peer, source;
    struct world_machine *from = socket->file.machine, *to = socket->to;
    struct world *world = from->world;
    uint64_t lot;
    size_t size = 0;

    if (socket->error)
        return -socket_take_error(socket);
    if (message->msg_name && message->msg_namelen < sizeof target)
        return -EINVAL;
    if (message->msg_name) {
        memcpy(&target, message->msg_name, sizeof target);
        to = socket_destination(&target);
    } else if (socket->state != CONNECTED) {
        return -EDESTADDRREQ;
    }
    if (!to)
        return -ENETUNREACH;
    for (size_t i = 0; i < message->msg_iovlen; i++)
        size += message->msg_iov[i].iov_len;
    if (size > MOST)
        return -EMSGSIZE;
    socket_bind_any(socket);
    source = socket_source(socket, to, &target);
    lot = to == from ? ONE_IN : world_chance(world, ONE_IN);
    tally(TALLY_UNHEARD, lot == 0);
    tally(TALLY_TWICE, lot == 1);
    for (int copies = lot == 0 ? 0 : lot == 1 ? 2 : 1; copies; copies--)
        send_one(datagram_new(&source, &target, from, to, message, size));
    return (ssize_t)size;
}

ssize_t datagram_receive(struct socket *socket, void *data, size_t size, bool peek,
                         struct sockaddr_in *from, bool *cut)
{
    struct datagram *datagram = socket->datagrams;

    if (socket->error)
        return -socket_take_error(socket);
    if (!datagram)
        return -EAGAIN;
    *cut = datagram->size > size;
    size = *cut ? size : datagram->size;
    memcpy(data, datagram->data, size);
    *from = datagram->source;
    if (peek)
        return (ssize_t)size;
    socket->datagrams = datagram->next;
    socket->waiting--;
    free(datagram);
    return (ssize_t)size;
}

/* --- as a file ------------------------------------------------------------------------------- */

static unsigned events(struct file *file)
{
    const struct socket *socket = (struct socket *)(void *)file;

    return EPOLLOUT | EPOLLWRNORM | (socket->datagrams ? EPOLLIN | EPOLLRDNORM : 0) |
           (socket->error ? EPOLLIN | EPOLLERR : 0);
}

static ssize_t read_(struct file *file, void *data, size_t size)
{
    struct sockaddr_in from;
    bool cut;

    return datagram_receive((struct socket *)(void *)file, data, size, false, &from, &cut);
}

static ssize_t write_(struct file *file, const void *data, size_t size)
{
    struct iovec part = {(void *)(uintptr_t)data, size};
    const struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

    return datagram_send((struct socket *)(void *)file, &message);
}

static void close_(struct file *file, bool crash)
{
    struct socket *socket = (struct socket *)(void *)file;

    for (struct datagram *next, *datagram = socket->datagrams; datagram; datagram = next) {
        next = datagram->next;
        free(datagram);
    }
    free(socket);
}

const struct file_kind datagram_kind = {S_IFSOCK, events, read_, write_, close_};
