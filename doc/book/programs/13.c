/* 13.c - a server and its clients, thousands of both: ./program 10000 */
#define _GNU_SOURCE
#define PT_LOOP_TASKS 10010
#include "pt.h"
#include "net.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 10000 };

static struct net net;
static struct sockaddr_in address; /* of the server */
static int accepted, open_now, most_open, connected, lines;
static bool all_there; /* all clients are connected: they may speak */
static struct pt_task *boss;

//- talk
/* One connection: it sends back what it receives. */
struct talk {
    struct pt pt;
    int fd;
    struct net_watch watch;
    ssize_t got;
    char text[64];
};

static PT_ASYNC(talk, self)
{
    for (;;) {
        PT_READY(&net, self->fd, EPOLLIN, &self->watch);
        self->got = read(self->fd, self->text, sizeof self->text);
        if (self->got <= 0)
            break; /* the client has ended */
        if (send(self->fd, self->text, (size_t)self->got, MSG_NOSIGNAL) != self->got)
            break; /* the client does not read: a better server waits for room */
        lines++;
    }
    PT_FINALLY
    close(self->fd);
    open_now--;
}
PT_END

//- server
struct server {
    struct pt pt;
    int listener, fd, place;
    struct net_watch watch;
};

static PT_TASK(talk) talks[MOST];

static PT_ASYNC(server, self)
{
    for (;;) {
        PT_READY(&net, self->listener, EPOLLIN, &self->watch);
        while (open_now < MOST && (self->fd = accept4(self->listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
            while (pt_task_alive(&talks[self->place].task)) /* one of them is free */
                self->place = (self->place + 1) % MOST;
            PT_SPAWN(&talks[self->place], talk, .fd = self->fd);
            accepted++;
            open_now++;
            most_open = open_now > most_open ? open_now : most_open;
            pt_wake(boss);
        }
        if (open_now == MOST)
            PT_WAIT(PT_MS(10)); /* the others wait in the listener's queue */
    }
    PT_FINALLY
    close(self->listener);
}
PT_END

//- client
struct client {
    struct pt pt;
    int fd, n;
    struct net_watch watch;
    char text[8];
};

static PT_ASYNC(client, self)
{
    self->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (connect(self->fd, (struct sockaddr *)&address, sizeof address))
        PT_READY(&net, self->fd, EPOLLOUT, &self->watch); /* until it is connected */
    connected++;
    pt_wake(boss);
    while (!all_there)
        PT_PARK();
    for (self->n = 0; self->n < 3; self->n++) {
        if (send(self->fd, "hello", 5, MSG_NOSIGNAL) != 5)
            break;
        PT_READY(&net, self->fd, EPOLLIN, &self->watch);
        if (read(self->fd, self->text, sizeof self->text) != 5)
            break;
    }
    PT_FINALLY
    close(self->fd);
}
PT_END

//- boss
/* Starts the clients, lets them speak when all are connected, waits for them, and ends the server. */
struct boss {
    struct pt pt;
    int count, i;
};

static PT_TASK(server) server;
static PT_TASK(client) clients[MOST];

static PT_ASYNC(boss, self)
{
    for (self->i = 0; self->i < self->count; self->i++) {
        PT_SPAWN(&clients[self->i], client);
        if (self->i % 100 == 99)
            PT_WAIT(PT_MS(1)); /* the server accepts them meanwhile */
    }
    while (connected < self->count || accepted < self->count)
        PT_PARK();
    all_there = true;
    for (self->i = 0; self->i < self->count; self->i++)
        pt_wake(&clients[self->i].task);
    for (self->i = 0; self->i < self->count; self->i++)
        PT_JOIN(&clients[self->i].task);
    while (open_now)
        PT_WAIT(PT_MS(1));
    pt_cancel(&server.task, PT_ECANCELED);
    PT_JOIN(&server.task);
    printf("the server ended with %d\n", self->pt.status);
}
PT_END

//- main
int main(int argc, char **argv)
{
    static PT_TASK(boss) first;
    static struct pt_loop loop;
    int count = argc > 1 ? atoi(argv[1]) : 400;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    socklen_t length = sizeof address;
    struct rlimit descriptors;

    getrlimit(RLIMIT_NOFILE, &descriptors);
    descriptors.rlim_cur = descriptors.rlim_max;
    setrlimit(RLIMIT_NOFILE, &descriptors);
    if (count < 1 || count > MOST || descriptors.rlim_cur < (rlim_t)(2 * count + 10)) {
        fprintf(stderr, "from 1 to %d clients, and two descriptors for each: ulimit -Hn\n", MOST);
        return 1;
    }
    address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 4096) ||
        getsockname(listener, (struct sockaddr *)&address, &length))
        return 1;
    net_open(&net);
    pt_loop_open(&loop, &net.port);
    boss = &first.task;
    PT_START(&loop, &server, server, .listener = listener);
    PT_START(&loop, &first, boss, .count = count);
    pt_loop_run(&loop);
    printf("%d clients, %d at a time, %d lines\n", accepted, most_open, lines);
    return 0;
}
