/* listener.c - the Unix socket on which a pt_live listens
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "server.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static bool address_of(struct sockaddr_un *address, const char *path)
{
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address->sun_path)
        return false;
    strcpy(address->sun_path, path);
    return true;
}

/* Whether there is a socket that nobody serves. */
static bool is_left(struct pt_system *system, const struct sockaddr_un *address)
{
    struct stat found;
    struct pt_io probe;
    bool left;

    if (lstat(address->sun_path, &found) || !S_ISSOCK(found.st_mode) ||
        pt_socket(&probe, system, AF_UNIX, SOCK_STREAM, 0) != PT_OK)
        return false;
    left = connect(probe.fd, (const struct sockaddr *)address, sizeof *address) &&
           errno == ECONNREFUSED;
    pt_io_close(&probe);
    return left;
}

/* Bind the listener, in place of a socket that is left. Returns 0 or an errno. */
static int bind_listener(struct pt_live_server_ *server, const struct sockaddr_un *address)
{
    const struct sockaddr *plain = (const struct sockaddr *)address;
    int fd = server->listener.fd;

    if (!bind(fd, plain, sizeof *address))
        return 0;
    if (errno != EADDRINUSE)
        return errno;
    if (!is_left(&server->system, address))
        return EADDRINUSE;
    return unlink(address->sun_path) || bind(fd, plain, sizeof *address) ? errno : 0;
}

/* The mode is set between the two calls, where no client can connect yet. */
static int bind_and_listen(struct pt_live_server_ *server, const struct sockaddr_un *address)
{
    struct stat made;
    int error = bind_listener(server, address);

    if (error)
        return error;
    if (!chmod(address->sun_path, 0600) && !lstat(address->sun_path, &made) &&
        !listen(server->listener.fd, 16)) {
        server->device = made.st_dev;
        server->inode = made.st_ino;
        return 0;
    }
    error = errno;
    unlink(address->sun_path);
    return error;
}

/* Before the listener is closed: until then no other file has the number of its inode. */
void pt_live_remove_(const struct pt_live_server_ *server)
{
    struct stat found;

    if (!lstat(server->path, &found) && found.st_dev == server->device &&
        found.st_ino == server->inode)
        unlink(server->path);
}

pt_status pt_live_listen_(struct pt_live_server_ *server)
{
    struct sockaddr_un address;
    pt_status status;
    int error = ENAMETOOLONG;

    if (!address_of(&address, server->path)) {
        errno = error;
        return PT_EIO;
    }
    status = pt_socket(&server->listener, &server->system, AF_UNIX, SOCK_STREAM, 0);
    errno = server->listener.error;
    if (status != PT_OK)
        return status;
    error = bind_and_listen(server, &address);
    if (error)
        pt_io_close(&server->listener);
    errno = error;
    return error ? PT_EIO : PT_OK;
}
