/* resolve.c - look up the addresses of a name with c-ares
 * SPDX-License-Identifier: MIT
 *
 * Each query has its own channel, which ends with the frame. */
#define _GNU_SOURCE
#include "../sites.h"

#include "../needs.h"
#include "resolve_sockets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifdef PT_HAVE_CARES

#include <netdb.h>

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
    pt_pollset_open(&self->set, self->system);
}

/* The text of the servers is wrong, or memory is short. */
static void refuse_servers(struct pt_resolve *self, int status)
{
    answer(self, status, 0, NULL);
    if (self->pt.status == PT_EINVAL)
        self->error = EINVAL;
}

/* Start the query. A failure at once is an answer, too. */
static void ask(struct pt_resolve *self)
{
    struct ares_options options;
    struct ares_addrinfo_hints hints;
    const char *service = self->service;
    ares_channel channel;
    int status;

    memset(&options, 0, sizeof options);
    options.sock_state_cb = pt_resolve_want_;
    options.sock_state_cb_data = self;
    status = ares_init_options(&channel, &options, ARES_OPT_SOCK_STATE_CB);
    if (status != ARES_SUCCESS) {
        answer(self, status, 0, NULL);
        return;
    }
    self->channel = channel;
    pt_resolve_use_sockets_(self, channel);
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
        refuse_servers(self, status);
}

/* In how long c-ares must be called again. */
static pt_time timeout(const struct pt_resolve *self)
{
    struct timeval place, *left = ares_timeout(self->channel, NULL, &place);

    return left ? PT_SEC((pt_time)left->tv_sec) + PT_US((pt_time)left->tv_usec) : PT_SEC(1);
}

/* Let c-ares read or write the descriptor that is ready; it also checks its timeouts. */
static void go_on(struct pt_resolve *self)
{
    int fd = self->next.fd;

    ares_process_fd(self->channel, self->next.events & ~POLLOUT ? fd : ARES_SOCKET_BAD,
                    self->next.events & ~POLLIN ? fd : ARES_SOCKET_BAD);
}

/* Close and free all that the query has. */
static void end(struct pt_resolve *self)
{
    if (self->channel)
        ares_destroy(self->channel); /* closes what is open */
    self->channel = NULL;
    pt_pollset_close(&self->set);
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
        pt_pollset_after(&self->set, timeout(self));
        PT_WAIT_COMPLETE(&self->next, pt_pollset_wait, .set = &self->set);
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
