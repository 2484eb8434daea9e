/* epoll.c - epoll and poll
 * SPDX-License-Identifier: MIT
 *
 * What is ready at the same time is reported in an order by the seed. */
#include "threads.h"

#include "calls.h"

#include <errno.h>
#include <limits.h>

/* A registration: a member of the lists of its file and of its instance. */
struct entry {
    struct watch watch;
    struct epoll *epoll;
    struct entry *next;
    int fd;
    bool changed; /* since it was last reported, or was found not to be ready */
    struct epoll_event wanted;
};

struct epoll {
    struct file file;
    struct entry *entries;
};

/* What is to be reported of an entry. */
static unsigned ready(const struct entry *entry)
{
    struct file *file = entry->watch.file;

    return entry->changed ? file->kind->events(file) & entry->wanted.events : 0;
}

static void changed(struct watch *watch, unsigned events)
{
    struct entry *entry = (struct entry *)(void *)watch;

    entry->changed |= (events & entry->wanted.events) != 0;
    if (ready(entry))
        file_became(&entry->epoll->file, EPOLLIN);
}

static void gone(struct watch *watch)
{
    struct entry *entry = (struct entry *)(void *)watch, **link = &entry->epoll->entries;

    while (*link != entry)
        link = &(*link)->next;
    *link = entry->next;
    free(entry);
}

static void entry_free(struct entry *entry)
{
    file_unwatch(&entry->watch);
    gone(&entry->watch);
}

/* --- instances ------------------------------------------------------------------------------- */

static unsigned epoll_events(struct file *file)
{
    for (const struct entry *entry = ((struct epoll *)(void *)file)->entries; entry;
         entry = entry->next)
        if (ready(entry))
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

    while (epoll->entries)
        entry_free(epoll->entries);
    free(epoll);
}

static const struct file_kind epoll_kind = {0, epoll_events, epoll_read, epoll_write, epoll_close};

int call_epoll_create1(int flags)
{
    struct epoll *epoll = flags & ~EPOLL_CLOEXEC ? NULL : calloc(1, sizeof *epoll);

    if (!epoll)
        return (int)result(-EINVAL);
    epoll->file.kind = &epoll_kind;
    epoll->file.flags = O_RDWR;
    epoll->file.machine = here;
    return file_install(&epoll->file, 0, flags & EPOLL_CLOEXEC);
}

static struct epoll *epoll_at(int fd)
{
    struct file *file = file_at(fd);

    if (file && file->kind == &epoll_kind)
        return (struct epoll *)(void *)file;
    errno = file ? EINVAL : EBADF;
    return NULL;
}

static struct entry *find(const struct epoll *epoll, int fd, const struct file *file)
{
    struct entry *entry = epoll->entries;

    while (entry && (entry->fd != fd || entry->watch.file != file))
        entry = entry->next;
    return entry;
}

/* Report WANTED from now on, if it is so already, too: a thread may wait for that. */
static void want(struct entry *entry, const struct epoll_event *wanted)
{
    entry->wanted = *wanted;
    entry->wanted.events |= EPOLLERR | EPOLLHUP;
    changed(&entry->watch, UINT_MAX);
}

static int add(struct epoll *epoll, int fd, struct file *file, const struct epoll_event *wanted)
{
    struct entry *entry = calloc(1, sizeof *entry);

    if (!entry)
        return -ENOMEM;
    entry->watch.changed = changed;
    entry->watch.gone = gone;
    entry->epoll = epoll;
    entry->fd = fd;
    entry->next = epoll->entries;
    epoll->entries = entry;
    file_watch(file, &entry->watch);
    want(entry, wanted);
    return 0;
}

/* Whether an instance has another one in it, or more than MOST levels of instances. */
static bool has_within(struct file *file, const struct epoll *other, int most)
{
    struct epoll *epoll = (struct epoll *)(void *)file;

    if (file->kind != &epoll_kind)
        return false;
    if (epoll == other || most < 0)
        return true;
    for (const struct entry *entry = epoll->entries; entry; entry = entry->next)
        if (has_within(entry->watch.file, other, most - 1))
            return true;
    return false;
}

/* What Linux refuses: 0 or -errno. EXCLUSIVE is for an addition only, and with few other bits. */
static int refusal(const struct epoll *epoll, int operation, struct file *file,
                   const struct entry *entry, const struct epoll_event *wanted)
{
    const unsigned exclusive = EPOLLEXCLUSIVE, few = exclusive | EPOLLIN | EPOLLOUT | EPOLLERR |
                                                     EPOLLHUP | EPOLLET | EPOLLWAKEUP;
    bool is_exclusive = operation != EPOLL_CTL_DEL && wanted->events & exclusive;

    if (S_ISREG(file->kind->mode) || is_null(file))
        return -EPERM;
    if (file == &epoll->file ||
        (is_exclusive &&
         (operation == EPOLL_CTL_MOD || file->kind == &epoll_kind || wanted->events & ~few)))
        return -EINVAL;
    if (operation == EPOLL_CTL_ADD && has_within(file, epoll, 4))
        return -ELOOP;
    if ((operation == EPOLL_CTL_ADD) == (entry != NULL))
        return entry ? -EEXIST : -ENOENT;
    return operation == EPOLL_CTL_MOD && entry->wanted.events & exclusive ? -EINVAL : 0;
}

int call_epoll_ctl(int instance, int operation, int fd, struct epoll_event *wanted)
{
    struct epoll *epoll = epoll_at(instance);
    struct file *file = file_of(fd);
    struct entry *entry = epoll && file ? find(epoll, fd, file) : NULL;
    int error = epoll && file ? refusal(epoll, operation, file, entry, wanted) : 0;

    if (!epoll || !file || error)
        return error ? (int)result(error) : -1;
    if (operation == EPOLL_CTL_ADD)
        return (int)result(add(epoll, fd, file, wanted));
    if (operation == EPOLL_CTL_DEL) {
        entry_free(entry);
        return 0;
    }
    want(entry, wanted);
    return 0;
}

/* Report what is ready, up to ROOM, shuffled. The next report begins with the others. */
static int report(struct epoll *epoll, struct epoll_event *events, int room)
{
    struct entry *reported = NULL, **last = &reported, **link = &epoll->entries, *entry;
    int count = 0;

    while ((entry = *link) && count < room) {
        unsigned found = ready(entry);
        int place;

        entry->changed = found && !(entry->wanted.events & EPOLLET);
        if (!found) {
            link = &entry->next;
            continue;
        }
        *link = entry->next;
        entry->next = NULL;
        *last = entry;
        last = &entry->next;
        place = (int)world_chance(here->world, (uint64_t)count + 1);
        events[count++] = events[place];
        events[place].events = found;
        events[place].data = entry->wanted.data;
        if (entry->wanted.events & EPOLLONESHOT)
            entry->wanted.events = 0;
    }
    while (*link)
        link = &(*link)->next;
    *link = reported;
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

    if (!epoll || room <= 0)
        return epoll ? (int)result(-EINVAL) : -1;
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
    int count;

    signals_mask_begin(running->thread, mask);
    count = call_epoll_wait(instance, events, room, timeout);
    signals_mask_end(running->thread);
    return count;
}

int call_epoll_pwait2(int instance, struct epoll_event *events, int room,
                      const struct timespec *span, const sigset_t *mask)
{
    int count;

    if (span && !span_is_valid(span))
        return (int)result(-EINVAL);
    signals_mask_begin(running->thread, mask);
    count = wait_events(instance, events, room,
                        span ? span->tv_sec * (int64_t)WORLD_S + span->tv_nsec : -1);
    signals_mask_end(running->thread);
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

static int poll_for(struct pollfd *table, nfds_t count, int64_t span)
{
    uint64_t end = end_of(span);
    int found, more = 1;

    machine_calls();
    thread_meets();
    if (count > (nfds_t)files_limit())
        return (int)result(-EINVAL);
    while (!(found = look(table, count)) && more > 0)
        more = wait_until(end);
    return (int)result(found ? found : more);
}

int call_poll(struct pollfd *table, nfds_t count, int timeout)
{
    return poll_for(table, count, timeout < 0 ? -1 : timeout * (int64_t)WORLD_MS);
}

int call_ppoll(struct pollfd *table, nfds_t count, const struct timespec *span,
               const sigset_t *mask)
{
    int found;

    if (span && !span_is_valid(span))
        return (int)result(-EINVAL);
    signals_mask_begin(running->thread, mask);
    found = poll_for(table, count, span ? span->tv_sec * (int64_t)WORLD_S + span->tv_nsec : -1);
    signals_mask_end(running->thread);
    return found;
}
