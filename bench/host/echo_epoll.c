/* echo_epoll.c - the yardstick: an echo server written by hand, with epoll
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "listen.h"

#include <sys/epoll.h>

int main(void)
{
    int listener = bench_listen(), poller = epoll_create1(0);
    struct epoll_event events[256], event;

    event.events = EPOLLIN;
    event.data.fd = listener;
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int ready = epoll_wait(poller, events, 256, -1);

        for (int i = 0; i < ready; i++) {
            int fd = events[i].data.fd;
            char data[64];
            ssize_t got;

            if (fd == listener) {
                event.data.fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
                epoll_ctl(poller, EPOLL_CTL_ADD, event.data.fd, &event);
            } else if ((got = read(fd, data, sizeof data)) <= 0 ||
                       write(fd, data, (size_t)got) != got) {
                close(fd);
            }
        }
    }
}
