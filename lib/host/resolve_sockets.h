/* resolve_sockets.h - the sockets of a query of c-ares, which a task can wait for
 * SPDX-License-Identifier: MIT
 *
 * pt makes the sockets for c-ares, so that no child process inherits one and the loop knows them
 * from the start. c-ares reports which of them it wants to read or write. */
#ifndef PT_LIB_RESOLVE_SOCKETS_H
#define PT_LIB_RESOLVE_SOCKETS_H

#include <pt/host/resolve.h>

#ifdef PT_HAVE_CARES

#include <ares.h>

/* A socket for c-ares. When it is closed, it stays in the list and is used again. */
struct pt_resolve_socket_ {
    struct pt_resolve_socket_ *next;
    struct pt_io io;
    bool reads, writes;
};

/* The most sockets of a query. A select has at most 254 cases, and a socket can need two. */
enum { PT_RESOLVE_SOCKETS_ = 100 };

/* The wait of a query for its sockets, and for the next time of c-ares. */
struct pt_resolve_wait_ {
    PT_SELECTION(2 * PT_RESOLVE_SOCKETS_ + 1) next;
};

/* c-ares calls it, with a pt_resolve: it wants to read and to write a descriptor, or no more. */
void pt_resolve_want_(void *data, ares_socket_t fd, int readable, int writable);

/* Let a channel make its sockets by these functions. */
void pt_resolve_use_sockets_(struct pt_resolve *self, ares_channel channel);

#endif
#endif
