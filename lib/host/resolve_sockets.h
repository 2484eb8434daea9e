/* resolve_sockets.h - the sockets of a query of c-ares, which a task can wait for
 * SPDX-License-Identifier: MIT
 *
 * pt makes the sockets for c-ares, so that no child process inherits one. c-ares reports which of
 * them it must read or write. */
#ifndef PT_LIB_RESOLVE_SOCKETS_H
#define PT_LIB_RESOLVE_SOCKETS_H

#include <pt/host/resolve.h>

#ifdef PT_HAVE_CARES

#include <ares.h>

/* c-ares calls it, with a pt_resolve: it must read or write a descriptor, or no more. */
void pt_resolve_want_(void *data, ares_socket_t fd, int readable, int writable);

/* Let a channel make its sockets by these functions. */
void pt_resolve_use_sockets_(struct pt_resolve *self, ares_channel channel);

#endif
#endif
