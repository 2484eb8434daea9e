/* resolve.h - look up the addresses of a name by DNS and the hosts file, without blocking
 * SPDX-License-Identifier: MIT
 *
 *     PT_TRY(&self->lookup, pt_resolve, .system = &sys, .host = "example.org", .service = "80");
 *     address = &self->lookup.addresses[0];
 *
 * It uses c-ares. If libpt was built without c-ares, the code is PT_EIO and error is ENOSYS.
 * The frame must be zero at first, as static storage is; a native task calls pt_native_resolve,
 * with any frame. To ask other servers than the system's: .servers = "127.0.0.1:5353". */
#ifndef PT_RESOLVE_H
#define PT_RESOLVE_H

#include "pollset.h"

/* The most addresses that are kept for a name. */
enum { PT_RESOLVE_MOST = 8 };

/* An address, for PT_CONNECT and the like. */
struct pt_address {
    struct sockaddr_storage name;
    socklen_t length; /* of what is used of the name */
    int family;       /* AF_INET or AF_INET6; of net.h also AF_UNIX */
};

/* The frame of pt_resolve: look up HOST. PT_EINVAL: there is no such name or service, or an
 * argument is wrong, see reason; PT_EIO: no server has answered, see error; PT_ENOMEM. It can take
 * as long as the servers' timeouts; PT_WITH_TIMEOUT ends it earlier. */
struct pt_resolve {
    struct pt pt;
    struct pt_system *system; /* the caller sets this and the next four */
    const char *host;         /* a name, or an address in digits: fe80::1%eth0, too */
    const char *service;      /* a port: a decimal number, or a name of /etc/services */
    const char *servers;      /* servers to ask, "address:port,..."; NULL: the system's */
    int family;               /* AF_INET, AF_INET6, or AF_UNSPEC for both */
    int count;                /* addresses found; the function writes this and the rest */
    struct pt_address addresses[PT_RESOLVE_MOST];
    int error;                   /* an errno, or 0; EINVAL: the text of the servers is wrong */
    const char *reason;          /* the error in words, or NULL */
    void *channel;               /* the channel of c-ares, or NULL */
    bool over;                   /* there is an answer */
    struct pt_pollset set;       /* what c-ares waits for */
    struct pt_pollset_wait next; /* the wait for it */
};

PT_EXPORT PT_DECLARE(pt_resolve);

#endif
