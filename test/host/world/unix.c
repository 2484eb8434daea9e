/* unix.c - what the calls return for sockets with a name on the disk: as in Linux, where it runs, too
 * SPDX-License-Identifier: MIT
 *
 *     unix        each call
 *     unix stay   listens, and waits for ever
 *     unix again  listens in place of one that is left, as pt_listen_at does */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define CHECK(holds) check(holds, #holds)

static const struct sockaddr_un place = {AF_UNIX, "place"}, other_place = {AF_UNIX, "other"};

static void check(int holds, const char *text)
{
    if (!holds) {
        printf("not so: %s\n", text);
        exit(1);
    }
}

/* Whether a call that has returned RESULT has failed so. */
static int failed(long result, int error)
{
    return result == -1 && errno == error;
}

static int make(int flags)
{
    return socket(AF_UNIX, SOCK_STREAM | flags, 0);
}

static int reach(int fd)
{
    return connect(fd, (const struct sockaddr *)&place, sizeof place);
}

static int listener(void)
{
    int fd = make(0);

    CHECK(!bind(fd, (const struct sockaddr *)&place, sizeof place) && !listen(fd, 1));
    return fd;
}

/* What there is behind a name. */
static void names(void)
{
    int file = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0600), fd = make(0), one = make(0);
    const struct sockaddr_un plain = {AF_UNIX, "file"};
    struct stat about, other;
    char byte;

    unlink(place.sun_path);
    CHECK(failed(reach(fd), ENOENT));
    CHECK(failed(connect(fd, (const struct sockaddr *)&plain, sizeof plain), ECONNREFUSED));
    CHECK(failed(bind(fd, (const struct sockaddr *)&plain, sizeof plain), EADDRINUSE));
    CHECK(failed(listen(fd, 1), EINVAL));
    CHECK(failed(read(fd, &byte, 1), EINVAL) && failed(send(fd, &byte, 1, MSG_NOSIGNAL), ENOTCONN));
    CHECK(!bind(fd, (const struct sockaddr *)&place, sizeof place) &&
          failed(reach(one), ECONNREFUSED));
    CHECK(failed(bind(fd, (const struct sockaddr *)&other_place, sizeof other_place), EINVAL));
    CHECK(failed(bind(one, (const struct sockaddr *)&place, sizeof place), EADDRINUSE));
    CHECK(!chmod(place.sun_path, 0600) && !lstat(place.sun_path, &about) &&
          S_ISSOCK(about.st_mode));
    CHECK(failed(open(place.sun_path, O_RDWR), ENXIO));
    CHECK(!stat("file", &other) && other.st_ino != about.st_ino && S_ISREG(other.st_mode));
    close(fd);
    CHECK(failed(reach(one), ECONNREFUSED) && !unlink(place.sun_path) &&
          failed(reach(one), ENOENT));
    close(one);
    close(file);
    unlink("file");
}

/* Bytes both ways, and the names of both ends. */
static void talk(int server, int client)
{
    struct sockaddr_un name;
    socklen_t length = sizeof name;
    char text[8];
    int kept;

    CHECK(!getpeername(client, (struct sockaddr *)&name, &length) &&
          !strcmp(name.sun_path, "place"));
    CHECK(length == offsetof(struct sockaddr_un, sun_path) + sizeof "place");
    length = sizeof name;
    CHECK(!getsockname(client, (struct sockaddr *)&name, &length) && length == sizeof(sa_family_t));
    length = sizeof name;
    kept = accept(server, (struct sockaddr *)&name, &length);
    CHECK(kept >= 0 && name.sun_family == AF_UNIX && length == sizeof(sa_family_t));
    length = sizeof name;
    CHECK(!getsockname(kept, (struct sockaddr *)&name, &length) && !strcmp(name.sun_path, "place"));
    CHECK(write(client, "question", 8) == 8 && read(kept, text, 8) == 8 &&
          !memcmp(text, "question", 8));
    CHECK(write(kept, "answer", 6) == 6 && read(client, text, 8) == 6);
    CHECK(failed(reach(client), EISCONN));
    close(kept);
    CHECK(!read(client, text, 8) && failed(send(client, "a", 1, MSG_NOSIGNAL), EPIPE));
}

/* A queue of two places; a connection that was not accepted is reset. */
static void queue(void)
{
    int server = listener(), clients[3], value = 0;
    socklen_t length = sizeof value;
    char byte;

    for (int i = 0; i < 3; i++)
        clients[i] = make(SOCK_NONBLOCK);
    CHECK(!getsockopt(server, SOL_SOCKET, SO_ACCEPTCONN, &value, &length) && value);
    CHECK(!reach(clients[0]) && !reach(clients[1]) && failed(reach(clients[2]), EAGAIN));
    talk(server, clients[0]);
    CHECK(!reach(clients[2]) && failed(read(clients[2], &byte, 1), EAGAIN));
    close(server);
    CHECK(failed(read(clients[1], &byte, 1), ECONNRESET) && !read(clients[1], &byte, 1));
    for (int i = 0; i < 3; i++)
        close(clients[i]);
    unlink(place.sun_path);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "again")) {
        int probe = make(0);

        printf("%s\n", reach(probe) ? strerror(errno) : "there is one");
        unlink(place.sun_path);
    }
    if (argc > 1) {
        listener();
        puts("listens");
        for (;;)
            pause();
    }
    names();
    queue();
    puts("done");
    return 0;
}
