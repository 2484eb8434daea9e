/* probe.h - questions to poll(2) about one descriptor
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_PROBE_H
#define PT_LIB_PROBE_H

#include <pt/host/io.h>

#include <poll.h>

/* The event of poll(2) that reports that the other side has shut down its writing side. macOS
 * reports it as POLLHUP; on other systems only a read finds it. */
#if defined(POLLRDHUP) && !defined(PT_PLAIN_UNIX)
#define PT_POLLRDHUP_ POLLRDHUP
#else
#define PT_POLLRDHUP_ 0
#endif

/* Whether a descriptor is ready. What IO knows can be out of date, so this asks the system. It does
 * not know of a connection that a listener holds. */
bool pt_probe_ready_(const struct pt_io *io, bool writable);

/* Whether the other side has gone. */
bool pt_probe_gone_(struct pt_io *io);

#endif
