/* resolve.c - the addresses of a name, by c-ares
 * SPDX-License-Identifier: MIT
 *
 * c-ares says which of its descriptors it wants to read or write. The loop has copies of them, which are
 * this side's to close. A query is a channel of its own: it ends with its frame. */
#define _GNU_SOURCE
#include <pt/resolve.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#ifdef PT_HAVE_CARES

#include <ares.h>
#include <netdb.h>

/* The place of a descriptor of c-ares's, or of none: -1. */
static int place_of(const struct pt_resolve *self, int original)
{
    for (int i = 0; i < PT_RESOLVE_SOCKETS_; i++)
        if (self->originals[i] == original)
            return i;
    return -1;
}

/* Have a copy of a descriptor, at this place; if the system has none, the query is over. */
static void watch(struct pt_resolve *self, int place, int original)
{
    struct pt_io *io = &self->sockets[place];
    int copy = fcntl(original, F_DUPFD_CLOEXEC, 0);

    if (copy >= 0 && pt_io_open(io, self->system, copy) == PT_OK) {
        self->originals[place] = original;
        return;
    }
    self->error = copy < 0 ? errno : io->error;
    self->pt.status = self->error == ENOMEM ? PT_ENOMEM : PT_EIO;
    self->over = true;
    if (copy >= 0)
        close(copy);
}

/* c-ares begins to want something of a descriptor, or has no more use for it. */
static void want(void *data, ares_socket_t fd, int readable, int writable)
{
    struct pt_resolve *self = data;
    int place = place_of(self, fd);

    if (place >= 0 && !readable && !writable) {
        pt_io_close(&self->sockets[place]);
        self->originals[place] = -1;
    } else if (place < 0 && (place = place_of(self, -1)) >= 0) {
        watch(self, place, fd);
    }
    if (place >= 0)
        self->writes[place] = writable;
}

/* The answer. */
static void answer(void *data, int status, int timeouts, struct ares_addrinfo *result)
{
    struct pt_resolve *self = data;
    const struct ares_addrinfo_node *node = status == ARES_SUCCESS ? result->nodes : NULL;

    (void)timeouts;
    if (self->over) { /* it was before c-ares knew */
        if (result)
            ares_freeaddrinfo(result);
        return;
    }
    self->over = true;
    self->pt.status = PT_OK;
    if (status == ARES_ENOTFOUND || status == ARES_ENODATA || status == ARES_EBADNAME)
        self->pt.status = PT_EINVAL;
    else if (status == ARES_ENOMEM)
        self->pt.status = PT_ENOMEM;
    else if (status != ARES_SUCCESS)
        self->pt.status = PT_EIO;
    if (status != ARES_SUCCESS)
        self->reason = ares_strerror(status);
    if (self->pt.status == PT_EIO)
        self->error = status == ARES_ETIMEOUT ? ETIMEDOUT : ECONNREFUSED;
    for (; node && self->count < PT_RESOLVE_MOST; node = node->ai_next, self->count++) {
        struct pt_address *address = &self->addresses[self->count];

        memcpy(&address->name, node->ai_addr, node->ai_addrlen);
        address->length = node->ai_addrlen;
        address->family = node->ai_family;
    }
    if (result)
        ares_freeaddrinfo(result);
}

/* Ask. What fails at once is an answer, too. */
static void ask(struct pt_resolve *self)
{
    struct ares_options options;
    struct ares_addrinfo_hints hints;
    ares_channel channel;
    int status;

    self->count = self->error = 0;
    self->reason = NULL;
    self->channel = NULL;
    self->over = false;
    pt_select_init(&self->next);
    for (int i = 0; i < PT_RESOLVE_SOCKETS_; i++) {
        self->originals[i] = -1;
        self->sockets[i].system = NULL;
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
    if (self->servers)
        status = ares_set_servers_ports_csv(channel, self->servers);
    memset(&hints, 0, sizeof hints);
    hints.ai_family = self->family;
    hints.ai_socktype = SOCK_STREAM;
    if (status == ARES_SUCCESS)
        ares_getaddrinfo(channel, self->host, self->service, &hints, answer, self);
    else
        answer(self, status, 0, NULL);
}

/* Until one of the descriptors is ready, or the time for c-ares to try again has come: whether the task
 * waits. */
static bool listen_to(struct pt_resolve *self, struct pt_task *task)
{
    struct timeval room, *left = ares_timeout(self->channel, NULL, &room);

    pt_select_begin_(task, &self->next.select, self->next.cases, 1);
    for (int i = 0; i < PT_RESOLVE_SOCKETS_; i++)
        if (self->originals[i] >= 0)
            pt_case_io_(task, &self->sockets[i], self->writes[i]);
    pt_case_after_(task, left ? PT_SEC((pt_time)left->tv_sec) + PT_US((pt_time)left->tv_usec)
                              : PT_SEC(1));
    return pt_select_start_(&self->next.select, &self->pt, true);
}

/* Let c-ares read and write what it can, and look at the time. */
static void go_on(struct pt_resolve *self)
{
    for (int i = 0; i < PT_RESOLVE_SOCKETS_; i++)
        if (self->originals[i] >= 0)
            ares_process_fd(self->channel, self->originals[i],
                            self->writes[i] ? self->originals[i] : ARES_SOCKET_BAD);
    ares_process_fd(self->channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
}

PT_ASYNC(pt_resolve, self)
{
    ask(self);
    while (!self->over) {
        if (listen_to(self, pt_task_)) {
            PT_SUSPEND_(self->next.select.rest);
            pt_select_over_(&self->next.select);
        }
        pt_task_take_(pt_task_);
        go_on(self);
    }
    PT_RETURN(self->pt.status);
    PT_FINALLY
    if (self->channel)
        ares_destroy(self->channel); /* closes what is open, and tells by want */
    self->channel = NULL;
}
PT_END

#else

PT_ASYNC(pt_resolve, self)
{
    self->count = 0;
    self->error = ENOSYS;
    self->reason = "libpt was built without c-ares";
    PT_RETURN(PT_EIO);
}
PT_END

#endif
