/* connection.h - what the files of libpt-tls share
 * SPDX-License-Identifier: MIT */
#ifndef PT_TLS_CONNECTION_H
#define PT_TLS_CONNECTION_H

#include "../lib/sites.h"

#include "errors.h"
#include "../lib/host/io/waits.h"

#include <pt/tls.h>

/* An attempt that reads more records than this for one of data fails: it holds the loop. */
enum { PT_TLS_RECORDS_ = 64 };

/* below.c: make the pt_io of TLS that of its SSL; false if there is no memory. */
bool pt_tls_go_below_(struct pt_tls *tls);

/* below.c: make room to keep SIZE bytes more; without memory TLS has failed. */
bool pt_tls_make_room_(struct pt_tls *tls, size_t size);

/* below.c: write what is kept: PT_EAGAIN if some is left, or why nothing can be written. */
pt_status pt_tls_flush_(struct pt_tls *tls);

/* below.c: from now on TLS neither reads nor writes; the first also wakes a task that waits in the
 * other direction. They return STATUS. */
pt_status pt_tls_fail_(struct pt_tls *tls, pt_status status);
pt_status pt_tls_end_(struct pt_tls *tls, pt_status status);

/* below.c: shut down the pt_io, in one or both directions, if it is a socket. Its last error
 * stays. */
void pt_tls_shut_below_(struct pt_tls *tls, int how);

/* connection.c: before the handshake of a client: a session whose server was not checked, for this
 * host, or not any more is not resumed. OpenSSL would not check again. */
void pt_tls_check_session_(struct pt_tls *tls);

/* connection.c: whether the connection has ended without close_notify. */
bool pt_tls_is_cut_(const struct pt_tls *tls);

#endif
