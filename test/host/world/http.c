/* http.c - clients of the servers of examples/http
 * SPDX-License-Identifier: MIT
 *
 *     http ask 10.0.0.1 COUNT            asks site.c for all that it has, in pieces, and two things at once
 *     http pass 10.0.0.1 COUNT           asks a gateway whose other server is site.c: that can fail, and is never wrong
 *     http wait 10.0.0.1 COUNT           waits at long-poll.c, or at a gateway before it; triggers in between
 *     http spoil 10.0.0.1                begins requests, and ends, resets, leaves or forgets its connection, for ever
 *
 * Over a new connection after a failure. They end with status 1 at a wrong answer. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BODY = 6000, SPOILED = 8 };

static const char *address, *plan;
static int fd = -1;
static char room[65536]; /* what has come, and was not taken yet */
static size_t used;

static unsigned chance(unsigned most)
{
    unsigned number = 0;

    getrandom(&number, sizeof number, 0);
    return number % most;
}

static void rest(void)
{
    const struct timespec pause = {0, (long)chance(200) * 1000000};

    nanosleep(&pause, NULL);
}

static int dial(void)
{
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(7007)};

    inet_pton(AF_INET, address, &server.sin_addr);
    for (;;) {
        int dialed = socket(AF_INET, SOCK_STREAM, 0);

        if (!connect(dialed, (struct sockaddr *)&server, sizeof server))
            return dialed;
        close(dialed);
        rest();
    }
}

static bool say(const char *text, size_t size)
{
    for (size_t put; size; size -= put, text += put) {
        size_t piece = chance(4) ? size : 1 + chance((unsigned)size);
        ssize_t sent = write(fd, text, piece);

        if (sent < 0)
            return false;
        put = (size_t)sent;
        if (put < size && !chance(4))
            rest();
    }
    return true;
}

/* Read more; false if the connection is gone, or nothing comes for long. */
static bool hear(void)
{
    struct pollfd wait = {fd, POLLIN, 0};
    ssize_t got;

    if (used == sizeof room || poll(&wait, 1, 90000) != 1)
        return false;
    got = read(fd, room + used, sizeof room - used);
    used += got > 0 ? (size_t)got : 0;
    return got > 0;
}

static void drop(size_t size)
{
    used -= size;
    memmove(room, room + size, used);
}

static void wrong(const char *what)
{
    printf("wrong: %s: %.*s\n", what, (int)used, room);
    exit(1);
}

/* The bytes up to the end of a line, which ends with \r\n; 0: the connection is gone. */
static size_t hear_line(size_t from)
{
    char *end;

    while (!(end = memmem(room + from, used - from, "\r\n", 2)))
        if (!hear())
            return 0;
    return (size_t)(end - room) + 2;
}

struct reply {
    int status; /* 0: none has come */
    char head[1024], body[65536];
    size_t size;
};

static bool take(char *to, size_t size)
{
    while (used < size)
        if (!hear())
            return false;
    memcpy(to, room, size);
    drop(size);
    return true;
}

static bool hear_chunks(struct reply *reply)
{
    for (;;) {
        size_t line = hear_line(0), size = line ? strtoul(room, NULL, 16) : 0;
        char end[2];

        if (!line)
            return false;
        if (!isxdigit((unsigned char)*room) || size > sizeof reply->body - reply->size)
            wrong("chunk");
        drop(line);
        if (!take(reply->body + reply->size, size) || !take(end, 2))
            return false;
        if (memcmp(end, "\r\n", 2) != 0)
            wrong("end of a chunk");
        reply->size += size;
        if (!size)
            return true;
    }
}

static const char *field(const struct reply *reply, const char *name)
{
    const char *found = strstr(reply->head, name);

    return found ? found + strlen(name) : NULL;
}

/* The next reply that is none of 1xx. BODY: it has one. */
static bool hear_reply(struct reply *reply, bool body)
{
    do {
        size_t head = 0, line;

        do {
            line = hear_line(head);
            if (!line)
                return false;
            line -= head;
            head += line;
        } while (line > 2);
        if (strncmp(room, "HTTP/1.1 ", 9) != 0 || head >= sizeof reply->head)
            wrong("head");
        memcpy(reply->head, room, head);
        reply->head[head] = '\0';
        drop(head);
        reply->status = atoi(reply->head + 9);
    } while (reply->status < 200);
    reply->size = 0;
    if (!body || reply->status == 304)
        return true;
    if (field(reply, "Transfer-Encoding: chunked"))
        return hear_chunks(reply);
    if (!field(reply, "Content-Length: "))
        wrong("no length");
    reply->size = strtoul(field(reply, "Content-Length: "), NULL, 10);
    if (reply->size > sizeof reply->body)
        wrong("length");
    return take(reply->body, reply->size);
}

/* Whether it is a reply to what was asked. A server that has waited for long says 408: the request is to come again. */
static bool expect(const struct reply *reply, int status, const char *body, size_t size)
{
    if (reply->status == 408)
        return false;
    if (reply->status == status && reply->size == size && !memcmp(reply->body, body, size))
        return true;
    printf("wrong: not %d with %zu bytes: %s%.*s\n", status, size, reply->head, (int)reply->size,
           reply->body);
    exit(1);
}

/* --- what is asked --------------------------------------------------------------------------- */

static bool ask(const char *request)
{
    return say(request, strlen(request));
}

static bool hello(struct reply *reply, int count)
{
    char text[256] = "";

    for (int i = 0; i < count; i++)
        strcat(text, "GET /hello HTTP/1.1\r\nHost: s\r\n\r\n");
    if (!ask(text))
        return false;
    for (int i = 0; i < count; i++) {
        if (!hear_reply(reply, true) || !expect(reply, 200, "hello\n", 6))
            return false;
    }
    return true;
}

/* With a length, or in chunks; with a question before. */
static bool capitals(struct reply *reply)
{
    static char body[BODY], big[BODY];
    unsigned size = chance(chance(4) ? 100 : BODY), chunk;
    bool chunked = chance(2), asks = !chance(4);
    char text[256];

    for (unsigned i = 0; i < size; i++) {
        body[i] = (char)('a' + chance(26));
        big[i] = (char)toupper((unsigned char)body[i]);
    }
    snprintf(text, sizeof text, "POST /capitals HTTP/1.1\r\nHost: s\r\n%s%s%u\r\n\r\n",
             asks ? "Expect: 100-continue\r\n" : "",
             chunked ? "Transfer-Encoding: chunked\r\nX-Size: " : "Content-Length: ", size);
    if (!ask(text))
        return false;
    if (!chunked && !say(body, size))
        return false;
    for (unsigned at = 0; chunked && at < size; at += chunk) {
        chunk = 1 + chance(size - at);
        snprintf(text, sizeof text, "%x\r\n", chunk);
        if (!ask(text) || !say(body + at, chunk) || !ask("\r\n"))
            return false;
    }
    if ((chunked && !ask("0\r\n\r\n")) || !hear_reply(reply, true))
        return false;
    return expect(reply, 200, big, size);
}

/* A part of the file, which has the numbers from 1000 to 1999. */
static bool part(struct reply *reply)
{
    char text[256], all[4004] = "", range[64];
    unsigned first = chance(4000), last = first + chance(4000 - first);

    for (int i = 0; i < 1000; i++)
        snprintf(all + 4 * i, 5, "%d", 1000 + i);
    snprintf(text, sizeof text, "GET /file HTTP/1.1\r\nHost: s\r\nRange: bytes=%u-%u\r\n\r\n",
             first, last);
    snprintf(range, sizeof range, "Content-Range: bytes %u-%u/4000", first, last);
    if (!ask(text) || !hear_reply(reply, true))
        return false;
    if (reply->status == 206 && !field(reply, range))
        wrong("range");
    return expect(reply, 206, all + first, last - first + 1);
}

static bool other(struct reply *reply)
{
    if (!ask("HEAD /hello HTTP/1.1\r\nHost: s\r\n\r\nGET /no HTTP/1.1\r\nHost: s\r\n\r\n") ||
        !hear_reply(reply, false))
        return false;
    if (reply->status == 408)
        return false;
    if (!field(reply, "Content-Length: 6"))
        wrong("length of a HEAD");
    if (!hear_reply(reply, true) || reply->status == 408)
        return false;
    if (reply->status != 404)
        wrong("not 404");
    if (!ask("GET /metrics HTTP/1.1\r\nHost: s\r\n\r\n") || !hear_reply(reply, true) ||
        reply->status == 408)
        return false;
    if (reply->status != 200 || !strstr(reply->body, "requests"))
        wrong("metrics");
    return true;
}

static bool pass(struct reply *reply)
{
    if (!ask("GET /hello HTTP/1.1\r\nHost: s\r\n\r\n") || !hear_reply(reply, true))
        return false;
    return reply->status > 500 || expect(reply, 200, "hello\n", 6);
}

static bool wait_(struct reply *reply)
{
    bool waits = chance(2);

    if (!ask(waits ? "GET /wait HTTP/1.1\r\nHost: s\r\n\r\n"
                   : "GET /trigger HTTP/1.1\r\nHost: s\r\n\r\n") ||
        !hear_reply(reply, true))
        return false;
    if (reply->status == 200 && waits && memcmp(reply->body, "it has happened\n", 16) != 0 &&
        memcmp(reply->body, "nothing yet", 11) != 0)
        wrong("wait");
    if (reply->status != 200 && reply->status != 408 && reply->status < 502)
        wrong("status");
    return reply->status != 408;
}

static bool step(struct reply *reply)
{
    if (!strcmp(plan, "pass"))
        return pass(reply);
    if (!strcmp(plan, "wait"))
        return wait_(reply);
    switch (chance(4)) {
    case 0: return hello(reply, 1 + (int)chance(3));
    case 1: return capitals(reply);
    case 2: return part(reply);
    default: return other(reply);
    }
}

static int go(int count)
{
    static struct reply reply;

    while (count) {
        if (fd < 0)
            fd = dial();
        if (!step(&reply)) {
            reply.status = 0;
        } else {
            count--;
            if (used)
                wrong("more than was asked for");
        }
        if (reply.status == 0 || !chance(16) || field(&reply, "Connection: close")) {
            close(fd);
            fd = -1;
            used = 0;
        }
    }
    return 0;
}

/* --- to spoil -------------------------------------------------------------------------------- */

__attribute__((noreturn)) static void spoil(void)
{
    static const char *const texts[] = {
        "GET /hello HTTP/1.1\r\nHost: s\r\nX-Long: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n\r\n",
        "POST /capitals HTTP/1.1\r\nHost: s\r\nContent-Length: 5000\r\n\r\nabcdefghijklmnopqrstuvwxyz",
        "POST /capitals HTTP/1.1\r\nHost: s\r\nTransfer-Encoding: chunked\r\n\r\n100\r\nabc",
        "GET /file HTTP/1.1\r\nHost: s\r\n\r\nGET /file HTTP/1.1\r\nHost: s\r\n\r\n",
        "GET /wait HTTP/1.1\r\nHost: s\r\n\r\n",
        "GET / HTTP/1.1 \r\nbad\r\n\r\n",
        "PUT",
        "\r\n\r\n\r\n",
    };
    const struct linger now = {1, 0};
    int left[SPOILED];

    memset(left, -1, sizeof left);
    for (;;) {
        const char *text = texts[chance(8)];
        unsigned place = chance(SPOILED);

        if (left[place] >= 0)
            close(left[place]);
        fd = dial();
        say(text, chance(2) ? strlen(text) : chance((unsigned)strlen(text)) + 1);
        left[place] = chance(3) ? -1 : fd; /* forgotten */
        if (left[place] >= 0) {
            if (!chance(3))
                shutdown(fd, SHUT_WR);
            rest();
            continue;
        }
        rest();
        if (!chance(2))
            setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
        close(fd);
    }
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN);
    plan = argc > 2 ? argv[1] : "";
    address = argc > 2 ? argv[2] : "";
    if (argc == 3 && !strcmp(plan, "spoil"))
        spoil();
    return argc == 4 ? go(atoi(argv[3])) : 2;
}
