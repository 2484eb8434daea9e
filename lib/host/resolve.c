/* resolve.c - look up the addresses of a name with c-ares
 * SPDX-License-Identifier: MIT
 *
 * This file makes the sockets for c-ares, so that no child process inherits one and the loop knows
 * them from the start. c-ares reports which of them it wants to read or write. Each query has its
 * own channel, which ends with the frame. */
#define _GNU_SOURCE
#include "needs.h"
#include "socket.h"

#include <pt/host/resolve.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef PT_HAVE_CARES

#include <ares.h>
#include <netdb.h>

/* A socket for c-ares. When it is closed, it stays in the list and is used again. */
struct pt_resolve_socket_ {
    struct pt_resolve_socket_ *next;
    struct pt_io io;
    bool reads, writes;
};

/* A select counts its cases in a byte, and a socket can need two cases. */
enum { SOCKETS = 100 };

/* The socket in the list with descriptor FD; -1: a closed one, to use again. */
static struct pt_resolve_socket_ *find(const struct pt_resolve *self, int fd)
{
    struct pt_resolve_socket_ *it = self->sockets;

    while (it && it->io.fd != fd)
        it = it->next;
    return it;
}

/* Make room for the cases of COUNT sockets and of the timeout; on failure set self->error. */
static bool reserve(struct pt_resolve *self, unsigned count)
{
    struct pt_case_ *cases = NULL;

    if (count <= SOCKETS)
        cases = realloc(self->cases, (2 * count + 1) * sizeof *cases);
    if (cases)
        self->cases = cases;
    else
        self->error = count <= SOCKETS ? ENOMEM : EMFILE;
    return cases != NULL;
}

/* Add a closed socket to the list; NULL with self->error. */
static struct pt_resolve_socket_ *add(struct pt_resolve *self)
{
    struct pt_resolve_socket_ *it;

    if (!reserve(self, self->known + 1))
        return NULL;
    it = calloc(1, sizeof *it);
    if (!it) {
        self->error = ENOMEM;
        return NULL;
    }
    it->io.fd = -1;
    it->next = self->sockets;
    self->sockets = it;
    self->known++;
    return it;
}

/* --- what c-ares calls instead of the system -------------------------------------------------- */

/* If this fails, c-ares asks another server, if there is one. */
static ares_socket_t make(int domain, int type, int protocol, void *data)
{
    struct pt_resolve *self = data;
    struct pt_resolve_socket_ *it = find(self, -1);

    if (!it)
        it = add(self);
    if (it && pt_socket(&it->io, self->system, domain, type, protocol) == PT_OK) {
        it->reads = it->writes = false;
        return it->io.fd;
    }
    if (it)
        self->error = it->io.error;
    errno = self->error;
    return ARES_SOCKET_BAD;
}

static int unmake(ares_socket_t fd, void *data)
{
    pt_io_close(&find(data, fd)->io);
    return 0;
}

static int begin(ares_socket_t fd, const struct sockaddr *to, ares_socklen_t length, void *data)
{
    (void)data;
    return connect(fd, to, length);
}

static ares_ssize_t take(ares_socket_t fd, void *bytes, size_t size, int flags,
                         struct sockaddr *from, ares_socklen_t *length, void *data)
{
    (void)data;
    return recvfrom(fd, bytes, size, flags, from, length);
}

static ares_ssize_t put(ares_socket_t fd, const struct iovec *parts, int count, void *data)
{
    struct msghdr message;

    (void)data;
    memset(&message, 0, sizeof message);
    message.msg_iov = (struct iovec *)(uintptr_t)parts;
    message.msg_iovlen = (size_t)count;
    return sendmsg(fd, &message, PT_NO_SIGNAL_);
}

/* c-ares reports whether it wants to read and to write a descriptor. */
static void want(void *data, ares_socket_t fd, int readable, int writable)
{
    struct pt_resolve_socket_ *it = find(data, fd);

    if (it) {
        it->reads = readable;
        it->writes = writable;
    }
}

/* Keep an address, if there is room. */
static void keep(struct pt_resolve *self, const struct sockaddr *name, socklen_t length)
{
    struct pt_address *address = &self->addresses[self->count];

    if (self->count == PT_RESOLVE_MOST)
        return;
    memcpy(&address->name, name, length);
    address->length = length;
    address->family = name->sa_family;
    self->count++;
}

/* c-ares reports the answer: keep it in the frame. */
static void answer(void *data, int status, int timeouts, struct ares_addrinfo *result)
{
    struct pt_resolve *self = data;
    const struct ares_addrinfo_node *node = status == ARES_SUCCESS ? result->nodes : NULL;

    (void)timeouts;
    self->over = true;
    self->pt.status = PT_EIO;
    if (status == ARES_SUCCESS)
        self->pt.status = PT_OK;
    else if (status == ARES_ENOTFOUND || status == ARES_ENODATA || status == ARES_EBADNAME ||
             status == ARES_ESERVICE || status == ARES_EBADSTR)
        self->pt.status = PT_EINVAL;
    else if (status == ARES_ENOMEM || self->error == ENOMEM)
        self->pt.status = PT_ENOMEM;
    else if (!self->error) /* set when no socket could be made */
        self->error = status == ARES_ETIMEOUT ? ETIMEDOUT : ECONNREFUSED;
    if (status != ARES_SUCCESS)
        self->reason = status == ARES_ESERVICE ? "no such service" : ares_strerror(status);
    if (self->pt.status == PT_OK || self->pt.status == PT_EINVAL)
        self->error = 0; /* another server has answered */
    for (; node; node = node->ai_next)
        keep(self, node->ai_addr, node->ai_addrlen);
    if (result)
        ares_freeaddrinfo(result);
}

/* c-ares takes a service that it does not know for a number, as far as it looks like one: "80abc",
 * "0x50" and " 80" for 80. Some names begin with a digit. */
static const char *service_mistake(const char *service)
{
    struct addrinfo hints, *found;
    size_t digits = strspn(service, "0123456789");
    char *end;
    unsigned long port = strtoul(service, &end, 10);

    if (!service[digits])
        return port > UINT16_MAX ? "no such port" : NULL;
    if (end == service)
        return NULL;
    memset(&hints, 0, sizeof hints);
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_STREAM;
    if (!digits || getaddrinfo(NULL, service, &hints, &found))
        return "no such service";
    freeaddrinfo(found);
    return NULL;
}

/* What is wrong with the arguments and c-ares does not notice; or NULL. */
static const char *mistake(const struct pt_resolve *self)
{
    if (!self->host)
        return "no host";
    if (self->family != AF_UNSPEC && self->family != AF_INET && self->family != AF_INET6)
        return "no such family of addresses";
    return self->service ? service_mistake(self->service) : NULL;
}

/* The code for an address with a zone, such as fe80::1%eth0: c-ares would ask for its name. */
static pt_status take_zoned(struct pt_resolve *self)
{
    struct addrinfo hints, *found;
    int error;

    memset(&hints, 0, sizeof hints);
    hints.ai_flags = AI_NUMERICHOST;
    hints.ai_family = self->family;
    hints.ai_socktype = SOCK_STREAM;
    error = getaddrinfo(self->host, self->service, &hints, &found);
    if (error) {
        self->reason = error == EAI_MEMORY ? "out of memory" : "no such address and zone";
        return error == EAI_MEMORY ? PT_ENOMEM : PT_EINVAL;
    }
    keep(self, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    return PT_OK;
}

static void clear(struct pt_resolve *self)
{
    self->count = self->error = 0;
    self->reason = NULL;
    self->channel = NULL;
    self->over = false;
    self->next.count = 0;
    self->known = 0;
    self->sockets = NULL;
    self->cases = NULL;
}

/* Start the query. A failure at once is an answer, too. */
static void ask(struct pt_resolve *self)
{
    static const struct ares_socket_functions sockets = {make, unmake, begin, take, put};
    struct ares_options options;
    struct ares_addrinfo_hints hints;
    const char *service = self->service;
    ares_channel channel;
    int status;

    if (!reserve(self, 0)) {
        answer(self, ARES_ENOMEM, 0, NULL);
        return;
    }
    memset(&options, 0, sizeof options);
    options.sock_state_cb = want;
    options.sock_state_cb_data = self;
    status = ares_init_options(&channel, &options, ARES_OPT_SOCK_STATE_CB);
    if (status != ARES_SUCCESS) {
        answer(self, status, 0, NULL);
        return;
    }
    self->channel = channel;
    ares_set_socket_functions(channel, &sockets, self);
    if (self->servers)
        status = ares_set_servers_ports_csv(channel, self->servers);
    memset(&hints, 0, sizeof hints);
    hints.ai_family = self->family;
    hints.ai_socktype = SOCK_STREAM;
    while (service && service[0] == '0' && service[1])
        service++; /* c-ares takes 010 for 8 */
    if (status == ARES_SUCCESS)
        ares_getaddrinfo(channel, self->host, service, &hints, answer, self);
    else
        answer(self, status, 0, NULL);
}

/* Start a select of the descriptors that c-ares wants and of its next timeout; whether the task
 * must suspend. */
static bool listen_to(struct pt_resolve *self, struct pt_task *task)
{
    struct timeval place, *left = ares_timeout(self->channel, NULL, &place);
    size_t room = 1;

    for (struct pt_resolve_socket_ *it = self->sockets; it; it = it->next)
        room += 2;
    self->next.count = 0; /* the cases can have moved: see reserve */
    pt_select_begin_(task, &self->next, self->cases, room);
    for (struct pt_resolve_socket_ *it = self->sockets; it; it = it->next) {
        if (it->io.system && it->reads)
            pt_case_io_(task, &it->io, false);
        if (it->io.system && it->writes)
            pt_case_io_(task, &it->io, true);
    }
    pt_case_after_(task, left ? PT_SEC((pt_time)left->tv_sec) + PT_US((pt_time)left->tv_usec)
                              : PT_SEC(1));
    return pt_select_start_(&self->next, &self->pt, true);
}

/* Let c-ares read and write what it can, and check its timeouts. The list can grow at its front
 * meanwhile. */
static void go_on(struct pt_resolve *self)
{
    for (struct pt_resolve_socket_ *it = self->sockets; it; it = it->next)
        if (it->io.system)
            ares_process_fd(self->channel, it->io.fd, it->writes ? it->io.fd : ARES_SOCKET_BAD);
    ares_process_fd(self->channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
}

/* Close and free all that the query has. */
static void end(struct pt_resolve *self)
{
    struct pt_resolve_socket_ *it;

    if (self->channel)
        ares_destroy(self->channel); /* closes what is open */
    self->channel = NULL;
    while ((it = self->sockets) != NULL) {
        self->sockets = it->next;
        free(it);
    }
    free(self->cases);
    self->cases = NULL;
}

PT_ASYNC(pt_resolve, self)
{
    PT_NEEDS_FIELD_(self, system, "pt_resolve");
    clear(self);
    self->reason = mistake(self);
    if (self->reason)
        PT_RETURN(PT_EINVAL);
    if (strchr(self->host, '%'))
        PT_RETURN(take_zoned(self));
    ask(self);
    while (!self->over) {
        if (listen_to(self, pt_current_)) {
            PT_SUSPEND_(self->next.opcode);
            pt_select_over_(&self->next);
        }
        pt_task_take_(pt_current_);
        go_on(self);
    }
    PT_RETURN(self->pt.status);
    PT_FINALLY
    end(self);
}
PT_END

#else

PT_ASYNC(pt_resolve, self)
{
    PT_NEEDS_FIELD_(self, system, "pt_resolve");
    self->count = 0;
    self->error = ENOSYS;
    self->reason = "libpt was built without c-ares";
    PT_RETURN(PT_EIO);
}
PT_END

#endif
