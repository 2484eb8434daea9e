/* address.c - what sockets of each kind have: addresses, ports, an error
 * SPDX-License-Identifier: MIT
 *
 * The machine number N has the address 10.0.0.N (10.0.1.0 is number 256). It publishes the ports of
 * its own address 127.0.0.1, as containers do: a listener there is reached from everywhere. */
#include "network.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NETWORK = 10 << 24, FIRST_PORT = 32768, LAST_PORT = 60999 };

static in_addr_t address_of(const struct world_machine *machine)
{
    return htonl(NETWORK | (unsigned)machine->number);
}

static bool is_loopback(const struct sockaddr_in *address)
{
    return ntohl(address->sin_addr.s_addr) >> 24 == 127;
}

/* The machine at an address, or NULL. */
static struct world_machine *machine_at(const struct sockaddr_in *address)
{
    unsigned number = ntohl(address->sin_addr.s_addr) - NETWORK;

    if (is_loopback(address) || !address->sin_addr.s_addr)
        return here;
    return number - 1 < (unsigned)here->world->count ? here->world->machines[number - 1] : NULL;
}

struct world_machine *socket_destination(const struct sockaddr_in *address)
{
    for (int i = 0; is_loopback(address) && i < FORWARDS && here->forwards[i].to; i++)
        if (here->forwards[i].port == address->sin_port)
            return here->forwards[i].to;
    return machine_at(address);
}

void world_forward(struct world_machine *machine, unsigned short port, struct world_machine *to)
{
    int i = 0;

    while (i < FORWARDS && machine->forwards[i].to)
        i++;
    if (i == FORWARDS)
        world_failed(2, "%s: it has no place for one more forwarded port", machine->name);
    machine->forwards[i].port = htons(port);
    machine->forwards[i].to = to;
}

struct socket *socket_at(int fd)
{
    struct file *file = file_at(fd);

    if (file && S_ISSOCK(file->kind->mode))
        return (struct socket *)(void *)file;
    errno = file ? ENOTSOCK : EBADF;
    return NULL;
}

struct socket *socket_new(struct world_machine *machine, const struct file_kind *kind)
{
    struct socket *socket = calloc(1, sizeof *socket);

    if (!socket)
        abort();
    socket->file.kind = kind;
    socket->file.machine = machine;
    socket->local.sin_family = AF_INET;
    socket->file.flags = O_RDWR;
    socket_keep_defaults(socket);
    return socket;
}

int socket_take_error(struct socket *socket)
{
    int error = socket->error;

    socket->error = 0;
    return error;
}

/* For a socket that SHARES its port, only one that does not takes it. */
static bool is_taken(const struct file_kind *kind, in_port_t port, bool shares)
{
    struct files files = {here->processes, 0};

    for (const struct file *file; (file = files_next(&files));) {
        const struct socket *socket = (const struct socket *)(const void *)file;

        if (file->kind == kind && socket->bound && socket->local.sin_port == port &&
            !(shares && socket->shares))
            return true;
    }
    return false;
}

static in_port_t free_port(const struct file_kind *kind)
{
    do
        here->last_port = here->last_port < LAST_PORT ? here->last_port + 1 : FIRST_PORT;
    while (is_taken(kind, htons(here->last_port), false));
    return htons(here->last_port);
}

void socket_bind_any(struct socket *socket)
{
    if (!socket->bound)
        socket->local.sin_port = free_port(socket->file.kind);
    socket->bound = true;
}

int socket_bind(struct socket *socket, const struct sockaddr_in *name)
{
    if (machine_at(name) != here)
        return -EADDRNOTAVAIL;
    if (name->sin_port && is_taken(socket->file.kind, name->sin_port, socket->shares))
        return -EADDRINUSE;
    socket->local = *name;
    if (!name->sin_port)
        socket->local.sin_port = free_port(socket->file.kind);
    socket->bound = true;
    return 0;
}

struct sockaddr_in socket_source(const struct socket *socket, const struct world_machine *to,
                                 const struct sockaddr_in *target)
{
    struct sockaddr_in source = socket->local;

    source.sin_addr.s_addr = to == here ? target->sin_addr.s_addr : address_of(here);
    return source;
}

int socket_name(const struct sockaddr_in *name, struct sockaddr *to, socklen_t *length)
{
    if (!to)
        return 0;
    memcpy(to, name, *length < sizeof *name ? *length : sizeof *name);
    *length = sizeof *name;
    return 0;
}
