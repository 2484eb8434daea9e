/* socket.h - sockets and pipes that do not block and that no child process inherits, on every Unix
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_SOCKET_H
#define PT_LIB_SOCKET_H

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

/* Where a write has no such flag, it relies on pt_system_open, which ignores SIGPIPE. */
#if !defined(MSG_NOSIGNAL) || defined(PT_PLAIN_UNIX)
#define PT_NO_SIGNAL_ 0
#else
#define PT_NO_SIGNAL_ MSG_NOSIGNAL
#endif

/* As socket(2), and accept(2) without an address. */
int pt_socket_make_(int domain, int type, int protocol);
int pt_socket_accept_(int fd);

/* As writev(2), without SIGPIPE. */
ssize_t pt_socket_send_(int fd, const struct iovec *parts, int count);

/* As pipe(2). */
int pt_pipe_make_(int ends[2]);

#endif
