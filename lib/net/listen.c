/* listen.c - listen at a text; options of a connection
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "words.h"
#include "../host/io/descriptor.h"
#include "../needs.h"
#include "../socket.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* --- an address ------------------------------------------------------------------------------ */

static pt_status listen_on(struct pt_io *io, struct pt_system *system,
                           const struct pt_address *address, unsigned options)
{
    return pt_io_listen_(io, system, (const struct sockaddr *)&address->name, address->length,
                         options);
}

/* Listen on every address of IPv6 and IPv4; on a machine without IPv6, of IPv4 alone. */
static pt_status listen_everywhere(struct pt_io *io, struct pt_system *system, const char *port)
{
    struct pt_address address;
    char text[32] = "0.0.0.0";
    pt_status status;

    pt_address_of_text_(&address, port);
    status = listen_on(io, system, &address, PT_LISTEN_BOTH_);
    if (status != PT_EIO || (io->error != EAFNOSUPPORT && io->error != EADDRNOTAVAIL))
        return status;
    pt_address_of_text_(&address, strncat(text, port, 6));
    return listen_on(io, system, &address, 0);
}

/* --- the path of a Unix socket ---------------------------------------------------------------- */

/* Whether nobody listens at the path of ADDRESS, and the file there is a socket: a connect to it is
 * refused. So is, on Linux, one to any other file. */
static bool is_left_over(const struct pt_address *address)
{
    const struct sockaddr_un *name = (const struct sockaddr_un *)(const void *)&address->name;
    struct stat about;
    bool refused;
    int fd;

    if (!name->sun_path[0] || lstat(name->sun_path, &about) || !S_ISSOCK(about.st_mode))
        return false;
    fd = pt_socket_make_(AF_UNIX, SOCK_STREAM, 0);
    refused = fd >= 0 && connect(fd, (const struct sockaddr *)name, address->length) &&
              errno == ECONNREFUSED;
    if (fd >= 0)
        close(fd);
    return refused;
}

static pt_status listen_at_path(struct pt_io *io, struct pt_system *system,
                                const struct pt_address *address)
{
    pt_status status = listen_on(io, system, address, 0);
    const struct sockaddr_un *name = (const struct sockaddr_un *)(const void *)&address->name;

    if (status != PT_EIO || io->error != EADDRINUSE || !is_left_over(address) ||
        unlink(name->sun_path))
        return status;
    return listen_on(io, system, address, 0);
}

/* --- a socket that was handed over ------------------------------------------------------------ */

/* The first descriptor that is handed over. */
enum { FIRST = 3 };

/* The number in the digits of TEXT; -1 if it has anything else, or none, or too many. */
static long number_of(const char *text)
{
    size_t digits = text ? strspn(text, "0123456789") : 0;

    return digits > 0 && digits < 10 && !text[digits] ? atol(text) : -1;
}

/* How many sockets were handed over to this process. */
static long count_handed(void)
{
    const char *process = getenv("LISTEN_PID");
    long count = number_of(getenv("LISTEN_FDS"));

    return count < 0 || (process && number_of(process) != (long)getpid()) ? 0 : count;
}

/* The place of NAME in LISTEN_FDNAMES, which has colons between the names; or -1. */
static long place_of(const char *name)
{
    const char *names = getenv("LISTEN_FDNAMES");
    size_t length = strlen(name);
    long place = 0;

    for (; names && length; place++) {
        size_t span = strcspn(names, ":");

        if (span == length && !memcmp(names, name, length))
            return place;
        names = names[span] ? names + span + 1 : NULL;
    }
    return -1;
}

static bool listens(int fd)
{
    int value = 0;
    socklen_t length = sizeof value;

#ifdef SO_ACCEPTCONN
    return !getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &value, &length) && value;
#else
    return !getsockopt(fd, SOL_SOCKET, SO_TYPE, &value, &length) && value == SOCK_STREAM;
#endif
}

/* Take over the socket WHICH, a number or a name. */
static pt_status take_over(struct pt_io *io, struct pt_system *system, const char *which)
{
    long count = count_handed(), fd = number_of(which);
    enum pt_word_ word = PT_WORD_NONE_;

    if (fd < 0 && place_of(which) >= 0)
        fd = FIRST + place_of(which);
    if (!count)
        word = PT_WORD_HANDED_;
    else if (fd < FIRST || fd - FIRST >= count)
        word = PT_WORD_NO_SUCH_;
    else if (!listens((int)fd))
        word = PT_WORD_NO_LISTENER_;
    if (word)
        return pt_io_refuse_(io, PT_EINVAL, PT_ERROR_OF_WORD_(word));
    if (fcntl((int)fd, F_SETFD, FD_CLOEXEC))
        return pt_io_refuse_(io, PT_EIO, errno);
    pt_io_open(io, system, (int)fd);
    io->restores = false; /* another process can wait for it, and an accept would block that */
    return io->refused;
}

pt_status pt_listen_at(struct pt_io *io, struct pt_system *system, const char *at)
{
    struct pt_address address;
    enum pt_word_ word;

    PT_NEEDS_SYSTEM_(system, "pt_listen_at");
    if (!strncmp(at, "fd:", 3))
        return take_over(io, system, at + 3);
    word = pt_address_of_text_(&address, at);
    if (word)
        return pt_io_refuse_(io, PT_EINVAL, PT_ERROR_OF_WORD_(word));
    if (*at == ':')
        return listen_everywhere(io, system, at);
    if (address.family == AF_UNIX)
        return listen_at_path(io, system, &address);
    return listen_on(io, system, &address, 0);
}

/* --- options ---------------------------------------------------------------------------------- */

static bool set(struct pt_io *io, int level, int option, int value)
{
    return !setsockopt(io->fd, level, option, &value, sizeof value);
}

/* Linux refuses to wait for more than 32767 s before it asks: three sixths. */
#define LONGEST_SILENCE PT_SEC(18 * 3600)

/* Fail if what was sent is not acknowledged for so long; 0: never. */
static bool fail_after(struct pt_io *io, int milliseconds)
{
#ifdef TCP_USER_TIMEOUT
    return set(io, IPPROTO_TCP, TCP_USER_TIMEOUT, milliseconds);
#else
    (void)io, (void)milliseconds;
    return true;
#endif
}

/* Ask the other side after half of SILENCE, then three times, a sixth of it apart. */
static bool ask_after(struct pt_io *io, pt_time silence)
{
    pt_time most = silence < LONGEST_SILENCE ? silence : LONGEST_SILENCE;
    int sixth = (int)(most / PT_SEC(6)), milliseconds = (int)(most / PT_MS(1));

    sixth = sixth > 0 ? sixth : 1;
#ifdef TCP_KEEPIDLE
    if (!set(io, IPPROTO_TCP, TCP_KEEPIDLE, 3 * sixth))
        return false;
#elif defined(TCP_KEEPALIVE)
    if (!set(io, IPPROTO_TCP, TCP_KEEPALIVE, 3 * sixth))
        return false;
#endif
    return fail_after(io, milliseconds > 6000 ? milliseconds : 6000) &&
           set(io, IPPROTO_TCP, TCP_KEEPINTVL, sixth) && set(io, IPPROTO_TCP, TCP_KEEPCNT, 3);
}

pt_status pt_tcp_tune(struct pt_io *io, bool no_delay, pt_time silence)
{
    if (!io->system)
        return pt_io_closed_(io, "pt_tcp_tune");
    if (set(io, IPPROTO_TCP, TCP_NODELAY, no_delay) &&
        set(io, SOL_SOCKET, SO_KEEPALIVE, silence != 0) &&
        (silence ? ask_after(io, silence) : fail_after(io, 0)))
        return PT_OK;
    if (errno == EOPNOTSUPP || errno == ENOPROTOOPT) /* not TCP */
        return PT_OK;
    return pt_io_fail_(io, errno);
}
