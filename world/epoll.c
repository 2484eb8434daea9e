/* epoll.c - epoll and poll
 * SPDX-License-Identifier: MIT
 *
 * What is ready at the same time is reported in an order by the seed. */
#include "threads.h"

#include "calls.h"

#include <errno.h>

/* A registration: a member of the lists of its file and of its instance. */
struct watch {
    struct file *file;
    struct epoll *epoll;
    struct watch *next_of_file, *next_of_epoll;
    int fd;
    bool changed; /* since it was last reported, or was found not to be ready */
    struct epoll_event wanted;
};

struct epoll {
    struct file file;
    struct watch *watches;
};

/* What is to be reported of a registration. */
static unsigned ready(const struct watch *watch)
{
    unsigned always = watch->wanted.events ? EPOLLERR | EPOLLHUP : 0;

    if (!watch->changed)
        return 0;
    return watch->file->kind->events(watch->file) & (watch->wanted.events | always);
}

void watches_notify(struct file *file)
{
    for (struct watch *watch = file->watches; watch; watch = watch->next_of_file) {
        watch->changed = true;
        if (ready(watch))
            file_changed(&watch->epoll->file);
    }
}

static void watch_free(struct watch *watch)
{
    struct watch **link = &watch->file->watches;

    while (*link != watch)
        link = &(*link)->next_of_file;
    *link = watch->next_of_file;
    link = &watch->epoll->watches;
    while (*link != watch)
        link = &(*link)->next_of_epoll;
    *link = watch->next_of_epoll;
    free(watch);
}

void watches_remove(struct file *file)
{
    while (file->watches)
        watch_free(file->watches);
}

/* --- instances ------------------------------------------------------------------------------- */

static unsigned epoll_events(struct file *file)
{
    for (struct watch *watch = ((struct epoll *)(void *)file)->watches; watch;
         watch = watch->next_of_epoll)
        if (ready(watch))
            return EPOLLIN;
    return 0;
}

static ssize_t epoll_read(struct file *file, void *data, size_t size)
{
    return -EINVAL;
}

static ssize_t epoll_write(struct file *file, const void *data, size_t size)
{
    return -EINVAL;
}

static void epoll_close(struct file *file, bool crash)
{
    struct epoll *epoll = (struct epoll *)(void *)file;

    while (epoll->watches)
        watch_free(epoll->watches);
    free(epoll);
}

static const struct file_kind epoll_kind = {0, epoll_events, epoll_read, epoll_write, epoll_close};

int call_epoll_create1(int flags)
{
    struct epoll *epoll = calloc(1, sizeof *epoll);

    if (!epoll)
        return -1;
    epoll->file.kind = &epoll_kind;
    epoll->file.machine = here;
    return file_install(&epoll->file, 0);
}

static struct epoll *epoll_at(int fd)
{
    struct file *file = file_at(fd);

    if (file && file->kind == &epoll_kind)
        return (struct epoll *)(void *)file;
    errno = file ? EINVAL : EBADF;
    return NULL;
}

static struct watch *find(const struct epoll *epoll, int fd, const struct file *file)
{
    struct watch *watch = epoll->watches;

    while (watch && (watch->fd != fd || watch->file != file))
        watch = watch->next_of_epoll;
    return watch;
}

static int add(struct epoll *epoll, int fd, struct file *file, const struct epoll_event *wanted)
{
    struct watch *watch = calloc(1, sizeof *watch);

    if (!watch)
        return -ENOMEM;
    watch->file = file;
    watch->epoll = epoll;
    watch->fd = fd;
    watch->wanted = *wanted;
    watch->changed = true;
    watch->next_of_file = file->watches;
    watch->next_of_epoll = epoll->watches;
    file->watches = epoll->watches = watch;
    return 0;
}

int call_epoll_ctl(int instance, int operation, int fd, struct epoll_event *wanted)
{
    struct epoll *epoll = epoll_at(instance);
    struct file *file = file_of(fd);
    struct watch *watch = epoll && file ? find(epoll, fd, file) : NULL;

    if (!epoll || !file)
        return -1;
    if (S_ISREG(file->kind->mode))
        return (int)result(-EPERM);
    if ((operation == EPOLL_CTL_ADD) == (watch != NULL))
        return (int)result(watch ? -EEXIST : -ENOENT);
    if (operation == EPOLL_CTL_ADD)
        return (int)result(add(epoll, fd, file, wanted));
    if (operation == EPOLL_CTL_DEL) {
        watch_free(watch);
        return 0;
    }
    watch->wanted = *wanted;
    watch->changed = true;
    return 0;
}

/* Report what is ready, up to ROOM, shuffled. */
static int report(struct epoll *epoll, struct epoll_event *events, int room)
{
    int count = 0;

    for (struct watch *watch = epoll->watches; watch && count < room;
         watch = watch->next_of_epoll) {
        unsigned found = ready(watch);
        int place;

        watch->changed = found && !(watch->wanted.events & EPOLLET);
        if (!found)
            continue;
        place = (int)world_chance(here->world, (uint64_t)count + 1);
        events[count++] = events[place];
        events[place].events = found;
        events[place].data = watch->wanted.data;
        if (watch->wanted.events & EPOLLONESHOT)
            watch->wanted.events = 0;
    }
    return count;
}

/* --- waits ----------------------------------------------------------------------------------- */

/* The local time at which a wait of SPAN nanoseconds is over. */
static uint64_t end_of(int64_t span)
{
    return span < 0 ? NEVER : clock_now(here) + (uint64_t)span;
}

/* Wait for a change until LOCAL: 1, 0 when that has come, or -EINTR. */
static int wait_until(uint64_t local)
{
    if (local != NEVER && clock_now(here) >= local)
        return 0;
    return machine_wait(local == NEVER ? NEVER : clock_reaches(here, local)) ? 1 : -EINTR;
}

static int wait_events(int instance, struct epoll_event *events, int room, int64_t span)
{
    struct epoll *epoll = epoll_at(instance);
    uint64_t end = end_of(span);
    struct hold hold;
    int count, more = 1;

    if (!epoll)
        return -1;
    file_hold(&hold, &epoll->file);
    while (!(count = report(epoll, events, room)) && more > 0)
        more = wait_until(end);
    file_release(&hold);
    return (int)result(count ? count : more);
}

int call_epoll_wait(int instance, struct epoll_event *events, int room, int timeout)
{
    return wait_events(instance, events, room, timeout < 0 ? -1 : timeout * (int64_t)WORLD_MS);
}

int call_epoll_pwait(int instance, struct epoll_event *events, int room, int timeout,
                     const sigset_t *mask)
{
    uint64_t before = running->thread->mask;
    int count;

    signals_mask(mask);
    count = call_epoll_wait(instance, events, room, timeout);
    running->thread->mask = before;
    return count;
}

int call_epoll_pwait2(int instance, struct epoll_event *events, int room,
                      const struct timespec *span, const sigset_t *mask)
{
    uint64_t before = running->thread->mask;
    int count;

    signals_mask(mask);
    count = wait_events(instance, events, room,
                        span ? span->tv_sec * (int64_t)WORLD_S + span->tv_nsec : -1);
    running->thread->mask = before;
    return count;
}

static int look(struct pollfd *table, nfds_t count)
{
    int found = 0;

    for (nfds_t i = 0; i < count; i++) {
        struct file *file = table[i].fd < 0 ? NULL : file_of(table[i].fd);
        unsigned wanted = (unsigned)table[i].events | EPOLLERR | EPOLLHUP;

        table[i].revents = table[i].fd < 0 ? 0
                           : !file         ? POLLNVAL
                                           : (short)(file->kind->events(file) & wanted);
        found += table[i].revents != 0;
    }
    return found;
}

int call_poll(struct pollfd *table, nfds_t count, int timeout)
{
    uint64_t end = end_of(timeout < 0 ? -1 : timeout * (int64_t)WORLD_MS);
    int found, more = 1;

    machine_calls();
    thread_meets();
    while (!(found = look(table, count)) && more > 0)
        more = wait_until(end);
    return (int)result(found ? found : more);
}
