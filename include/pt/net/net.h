/* net.h - connections by a text: listen, dial, addresses, the words for a failure
 * SPDX-License-Identifier: MIT
 *
 *     status = pt_listen_at(&listener, &sys, "127.0.0.1:7007");
 *     if (status != PT_OK)
 *         fprintf(stderr, "cannot listen: %s\n", pt_io_error_text(&listener, status));
 *
 *     PT_WITH_TIMEOUT(&self->limit, PT_SEC(10)) {
 *         PT_TRY(&self->dial, pt_dial, .io = &self->io, .system = &sys, .to = "example.org:80");
 *     }
 *
 * The texts, which pt_address_text writes, too:
 *
 *     127.0.0.1:80   [::1]:80   [fe80::1%eth0]:80      a port of an address
 *     :80                       to listen: of every address of this machine, IPv6 and IPv4
 *     localhost:80              to listen: 127.0.0.1
 *     example.org:80            to dial: of the addresses of a name
 *     unix:/run/echo            a Unix socket, by its path
 *     unix:@echo                one without a file, by an abstract name: Linux
 *     fd:3   fd:web             to listen: a socket that was handed over, by number or by name
 *
 * Port 0 is one that the system chooses: pt_io_local tells which. */
#ifndef PT_NET_H
#define PT_NET_H

#include "../host/resolve.h"

/* Room for the longest text of an address, with its 0. */
enum { PT_ADDRESS_TEXT = 128 };

/* pt_address_parse - the address that TEXT names; NULL, or what is wrong with TEXT, in words
 * It asks no server: a host is in digits, localhost, or empty for every address. The words are
 * static. */
PT_EXPORT const char *pt_address_parse(struct pt_address *address, const char *text);

/* pt_address_text - write an address as a text, which ends with a 0, into SIZE bytes; returns TEXT
 * It is cut off if SIZE is too small; PT_ADDRESS_TEXT is enough. A Unix socket without a name, as
 * that of most clients, is "unix:". A name without a file ends at its first byte that is 0. */
PT_EXPORT const char *pt_address_text(const struct pt_address *address, char *text, size_t size);

/* pt_io_peer, pt_io_local - the address of the other side of a socket, and of this side
 * One system call. PT_OK; PT_ECLOSED; PT_EIO with io->error: ENOTCONN, if there is no other side,
 * or it is gone. */
PT_EXPORT pt_status pt_io_peer(struct pt_io *io, struct pt_address *address);
PT_EXPORT pt_status pt_io_local(struct pt_io *io, struct pt_address *address);

/* pt_io_error_text - why an operation of IO ended with STATUS, in words
 * The errno of a PT_EIO in the system's words, as strerror(3); what is wrong with the text that
 * pt_listen_at or pt_dial was given; else pt_status_text. Ask before the next operation. */
PT_EXPORT const char *pt_io_error_text(const struct pt_io *io, pt_status status);

/* pt_listen_at - open IO with a socket that listens at AT, a text as above
 * PT_EINVAL: AT is no such text, and pt_io_error_text tells why. Else the codes of pt_listen.
 *
 * A file that a dead server has left at the path of a Unix socket is replaced: a connect to it is
 * refused. A server that lives, or a file that is no socket, stays: EADDRINUSE. The file stays at
 * the close of IO, because another process may go on to listen: unlink(2) it before, if none does.
 * Of two servers that replace the same file in the same moment, the second wins.
 *
 * "fd:" takes over a socket from the program's starter, as systemd does: the environment has
 * LISTEN_FDS, how many there are from descriptor 3 on, and can have LISTEN_FDNAMES, their names
 * with colons between them. LISTEN_PID, if it is set, must be this process. No client is lost by a
 * restart then, because the socket outlives the server. From the call on no child inherits it, and
 * it does not block, also for other processes that have it, and after the close of IO. */
PT_EXPORT pt_status pt_listen_at(struct pt_io *io, struct pt_system *system, const char *at);

/* The frame of pt_dial: connect to a host by its name, or to an address; IO becomes the connection.
 *
 * It looks up the name by pt_resolve, and tries its addresses, families in turn: the next one when
 * one has failed, or has not answered for 250 ms, as RFC 8305 asks. The first that connects wins,
 * and the others are closed. There is no limit of time: PT_WITH_TIMEOUT around it has one.
 *
 * However else it ends, IO is closed, and nothing is left open. PT_EINVAL: TO is no such text, or
 * there is no such name; PT_EIO or PT_ENOMEM: no address has connected, and io->error is the errno
 * of the first that has told more than that there is no way to it. It is below 0 if no name server
 * has answered. pt_io_error_text has the words for all of these. The program stops if a field is
 * missing. Memory, about 4 KB, comes from malloc while it runs. */
struct pt_dial {
    struct pt pt;
    struct pt_io *io;         /* the caller sets this and the next three; IO is closed, or new */
    struct pt_system *system; /* the loop's */
    const char *to;           /* a text, as above; it must last until the end */
    const char *servers;      /* name servers to ask, as in pt_resolve; NULL: the system's */
    struct pt_dial_race_ *race;
};

PT_EXPORT PT_DECLARE(pt_dial);

/* pt_tcp_tune - set two options of a connection: up to six system calls; codes as pt_io_shutdown
 * NO_DELAY: send each write at once (TCP_NODELAY), for requests and replies of several writes.
 * SILENCE: whether the other side is there is asked while it is silent, and the connection fails
 * with ETIMEDOUT when it has not answered for about that time, from six seconds to 18 hours; 0: it
 * is not asked. No effect on a socket that is not TCP. */
PT_EXPORT pt_status pt_tcp_tune(struct pt_io *io, bool no_delay, pt_time silence);

#endif
