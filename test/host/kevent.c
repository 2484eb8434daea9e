/* kevent.c - a model of kqueue on top of epoll: filters that are cleared once they are reported
 * SPDX-License-Identifier: MIT
 *
 * A descriptor has two filters, which are added and deleted separately, and disappear when it is
 * closed. There is one queue at a time; a forked process does not inherit it. */
#define _GNU_SOURCE
#include "host.h"

#include "kevent/sys/event.h"

#include <pthread.h>
#include <sys/epoll.h>

enum { MOST = 1 << 16, ROOM = 64 };

/* The filters of a descriptor: whether they exist, and their user data. */
static struct {
    bool there[2];
    void *udata[2];
} filters[MOST];

static int of_this_process = -1;

void host_forget_queue(int fd)
{
    if (of_this_process == fd)
        of_this_process = -1;
}

static void do_not_inherit(void)
{
    if (of_this_process >= 0)
        close(of_this_process);
    of_this_process = -1;
}

int kqueue(void)
{
    static bool watched;

    if (!watched)
        pthread_atfork(NULL, NULL, do_not_inherit);
    watched = true;
    memset(filters, 0, sizeof filters);
    of_this_process = epoll_create1(EPOLL_CLOEXEC);
    return of_this_process;
}

/* Register a descriptor's filters with epoll; returns 0, or -1 with errno. */
static int tell(int queue, int fd, bool known)
{
    struct epoll_event event;

    event.events = EPOLLET | EPOLLRDHUP | (filters[fd].there[0] ? EPOLLIN | EPOLLPRI : 0) |
                   (filters[fd].there[1] ? EPOLLOUT : 0);
    event.data.fd = fd;
    if (!filters[fd].there[0] && !filters[fd].there[1])
        return epoll_ctl(queue, EPOLL_CTL_DEL, fd, NULL);
    if (known && !epoll_ctl(queue, EPOLL_CTL_MOD, fd, &event))
        return 0; /* else the file was closed, and the number is another one's */
    return epoll_ctl(queue, EPOLL_CTL_ADD, fd, &event);
}

static int change(int queue, const struct kevent *what)
{
    int fd = (int)what->ident, which = what->filter == EVFILT_WRITE;
    bool known = filters[fd].there[0] || filters[fd].there[1], add = what->flags & EV_ADD;

    if (!add && !filters[fd].there[which]) {
        errno = ENOENT;
        return -1;
    }
    filters[fd].there[which] = add;
    filters[fd].udata[which] = what->udata;
    if (tell(queue, fd, known)) {
        filters[fd].there[which] = false;
        errno = errno == EPERM ? EINVAL : errno;
        return -1;
    }
    return 0;
}

/* Turn one event of epoll into an event for each filter that it concerns. */
static int split(const struct epoll_event *from, struct kevent *to)
{
    int fd = from->data.fd, count = 0;

    for (int which = 0; which < 2; which++) {
        uint32_t ends = which ? EPOLLHUP | EPOLLERR : EPOLLRDHUP | EPOLLHUP | EPOLLERR;
        int flags = EV_CLEAR | (from->events & ends ? EV_EOF : 0);

        if (!filters[fd].there[which] ||
            !(from->events & (ends | (uint32_t)(which ? EPOLLOUT : EPOLLIN))))
            continue;
        if (!which && from->events & EPOLLPRI)
            flags |= EV_OOBAND;
        EV_SET(&to[count], (uintptr_t)fd, (short)(which ? EVFILT_WRITE : EVFILT_READ),
               (unsigned short)flags, 0, 0, filters[fd].udata[which]);
        count++;
    }
    return count;
}

int kevent(int queue, const struct kevent *changes, int change_count, struct kevent *events,
           int room, const struct timespec *span)
{
    static const struct timespec at_once;
    struct epoll_event told[ROOM];
    int found, count = 0;

    for (int i = 0; i < change_count; i++) {
        if (!change(queue, &changes[i]))
            continue;
        if (count == room)
            return -1;
        events[count] = changes[i];
        events[count].data = errno;
        events[count++].flags |= EV_ERROR;
        span = &at_once;
    }
    if (count == room)
        return count;
    room -= count;
    found = epoll_pwait2(queue, told, room / 2 < ROOM ? room / 2 : ROOM, span, NULL);
    for (int i = 0; i < found; i++)
        count += split(&told[i], events + count);
    return found < 0 && !count ? -1 : count;
}
