/* descriptor.h - what its operations share: the kind of a descriptor, its errors, its turn
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_DESCRIPTOR_H
#define PT_LIB_DESCRIPTOR_H

#include "slots.h"

/* The kind of a descriptor. For TCP, and for nothing else, a short read means that there are no
 * more bytes. A read of a Unix socket also stops after a descriptor that was sent, and between two
 * writers. A read of a pipe stops after each packet of O_DIRECT, which the writer can switch on at
 * any time. */
enum { PT_IO_OTHER_, PT_IO_FILE_, PT_IO_TCP_, PT_IO_SOCKET_ };

/* Open IO with a non-blocking descriptor; the code for ERROR, an errno. */
pt_status pt_io_adopt_(struct pt_io *io, struct pt_system *system, int fd, int kind);
pt_status pt_io_fail_(struct pt_io *io, int error);

/* The kind of a descriptor, PT_IO_SOCKET_ for TCP, too; or -1 with errno. */
int pt_io_kind_(int fd);

/* Make IO one whose opening failed with STATUS; ERROR is what its error becomes. Returns STATUS. */
pt_status pt_io_refuse_(struct pt_io *io, pt_status status, int error);

/* pt_listen, with these options. */
enum { PT_LISTEN_SHARED_ = 1, PT_LISTEN_BOTH_ = 2 }; /* the port; IPv6 and IPv4 */
pt_status pt_io_listen_(struct pt_io *io, struct pt_system *system, const struct sockaddr *address,
                        socklen_t length, unsigned options);

/* PT_ECLOSED, for the operation NAME on a closed IO, or the code with which its opening failed. If
 * it was never opened, stop the program: that must not look like the end of the input. */
pt_status pt_io_closed_(const struct pt_io *io, const char *name);

/* Count an operation in DONE: true if the SHARE is used up, and other tasks must run before it. */
static inline bool pt_share_is_over_(uint8_t share, uint8_t *done)
{
    if (share == UINT8_MAX) /* no limit */
        return false;
    if (*done && *done >= share)
        return true;
    ++*done;
    return false;
}

static inline bool pt_io_share_is_over_(struct pt_io *io)
{
    return pt_share_is_over_(io->share, &io->done);
}

#endif
