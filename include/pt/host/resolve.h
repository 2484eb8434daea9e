/* resolve.h - the addresses of a name, by DNS and the hosts file, without blocking
 * SPDX-License-Identifier: MIT
 *
 *     PT_TRY(&self->lookup, pt_resolve, .system = &system, .host = "example.org", .service = "80");
 *     address = &self->lookup.addresses[0];
 *
 * By c-ares: libpt has it if that was there when it was built, else PT_EIO with error ENOSYS comes back.
 * The frame is zero at first, as static storage is; a native task calls pt_native_resolve, with any.
 * What a name is may be asked of other servers than the system's: .servers = "127.0.0.1:5353". A query may
 * have up to 100 sockets open, one or two for each server that it asks: with more it fails with EMFILE. */
#ifndef PT_RESOLVE_H
#define PT_RESOLVE_H

#include "io.h"

/* Addresses that are kept of a name. */
enum { PT_RESOLVE_MOST = 8 };

/* An address, for PT_CONNECT and the like. */
struct pt_address {
    struct sockaddr_storage name;
    socklen_t length;
    int family; /* AF_INET or AF_INET6 */
};

/* The frame of pt_resolve: look HOST up. PT_EINVAL: there is no such name; PT_EIO: nobody could be asked,
 * see error; PT_ENOMEM. Takes as long as the servers' timeouts: PT_WITH_TIMEOUT ends it earlier. */
struct pt_resolve {
    struct pt pt;
    struct pt_system *system; /* the caller's choice, as the next four */
    const char *host;         /* a name, or an address in digits */
    const char *service;      /* a port: a number, or a name of /etc/services */
    const char *servers;      /* whom to ask, "address:port,..."; NULL: as the system says */
    int family;               /* AF_INET, AF_INET6, or AF_UNSPEC for both */
    int count;                /* addresses found; written here, as what follows */
    struct pt_address addresses[PT_RESOLVE_MOST];
    int error;                          /* an errno, or 0 */
    const char *reason;                 /* in words, or NULL */
    void *channel;                      /* of c-ares, or NULL */
    bool over;                          /* there is an answer */
    unsigned known;                     /* how many sockets are in the list */
    struct pt_resolve_socket_ *sockets; /* those that are open, and those that were */
    struct pt_case_ *cases;             /* room for the wait: two for each of them, and the time */
    struct pt_select_ next;             /* that wait */
};

#ifdef __cplusplus
extern "C" {
#endif

PT_EXPORT PT_DECLARE(pt_resolve);

#ifdef __cplusplus
}
#endif

#endif
