/* system.c - open and close the system of a loop
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../fork.h"
#include "poll/poller.h"
#include "system.h"
#include "poll/wakeup.h"

#include <pt/inspect/dump.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The pollers of this system, the best first. */
static const struct pt_poller *const pollers[] = {
#ifdef __linux__
    &pt_poller_epoll_,
#endif
#ifdef PT_HAVE_URING
    &pt_poller_io_uring_,
#endif
#if defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__) || \
    defined(__DragonFly__) || defined(PT_KQUEUE_MODEL)
    &pt_poller_kqueue_,
#endif
    &pt_poller_poll_,
};

enum { POLLERS = sizeof pollers / sizeof pollers[0] };

/* The program gets a code, and has not chosen the name: whoever set PT_POLLER reads this. */
static void complain(const char *name)
{
    dprintf(2, "pt: PT_POLLER is \"%s\"; it must be one of:", name);
    for (size_t i = 0; i < POLLERS; i++)
        dprintf(2, " %s", pollers[i]->name);
    dprintf(2, "\n");
}

static const struct pt_poller *find(const char *name)
{
    const char *chosen = name ? name : getenv("PT_POLLER");

    if (!chosen || !*chosen)
        return pollers[0];
    for (size_t i = 0; i < POLLERS; i++)
        if (!strcmp(pollers[i]->name, chosen))
            return pollers[i];
    if (!name)
        complain(chosen);
    return NULL;
}

/* With few descriptors their slots have the addresses. With many, or if one is on its way
 * (pt_io_take), each place in the bytes that looks like an open pt_io is compared with its slot:
 * valgrind can report these bytes as uninitialized. A local frame of a native task can have the
 * bytes of an earlier one: of one on its way nothing else is known. */
bool pt_io_is_open_within_(const struct pt_loop *loop, uintptr_t start, size_t size)
{
    enum { FEW = 256 };
    const struct pt_system *system = pt_system_of_(loop);
    const unsigned count = system ? system->count : 0;
    bool local = start - (uintptr_t)&system < 65536; /* near the end of the stack */
    bool reads = size >= sizeof(struct pt_io) && count > FEW;

    for (unsigned fd = 0; !reads && fd < count; fd++) {
        for (const struct pt_io *io = pt_slot_first_(&system->places[fd]); io;
             io = pt_slot_after_(&system->places[fd], io))
            if ((uintptr_t)io - start < size)
                return true;
        reads = !local && pt_slot_is_left_(&system->places[fd]);
    }
    for (size_t at = 0; reads && at + sizeof(struct pt_io) <= size; at += sizeof(void *)) {
        const struct pt_io *io = (const struct pt_io *)(start + at);

        if (io->system == system && (unsigned)io->fd < count &&
            (pt_slot_has_(&system->places[io->fd], io) ||
             (!local && pt_slot_is_left_(&system->places[io->fd]))))
            return true;
    }
    return false;
}

/* --- opening and closing --------------------------------------------------------------------- */

/* 0, or an errno: then nothing is open. */
static int open_poller(struct pt_system *system)
{
    int error;

    if (!pt_wakeup_open_(system))
        return errno;
    error = system->poller->open(system) ? 0 : errno;
    if (!error) {
        error = system->poller->add(system, system->wakeup[0], 0, 0);
        if (error)
            system->poller->close(system);
    }
    if (error)
        pt_wakeup_close_(system);
    return error;
}

/* A write to a pipe that nobody reads must return an error, as a write to a socket does. An action
 * that the program has chosen stays. */
static void ignore_broken_pipes(void)
{
    struct sigaction action;

    if (sigaction(SIGPIPE, NULL, &action) || (action.sa_flags & SA_SIGINFO) ||
        action.sa_handler != SIG_DFL)
        return;
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
}

/* If the program was started without descriptor 0, 1 or 2, a connection would get that number, and
 * then its other side whatever is printed to stderr: a dump, a panic. */
static void open_standard_descriptors(void)
{
    int fd;

    while ((fd = open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0 && fd <= STDERR_FILENO)
        fcntl(fd, F_SETFD, 0); /* child processes need it, too */
    if (fd >= 0)
        close(fd);
}

pt_status pt_system_open(struct pt_system *system, struct pt_loop *loop, const char *poller)
{
    memset(system, 0, sizeof *system);
    system->forks = pt_forks_();
    system->poller = find(poller);
    if (!system->poller)
        return PT_EINVAL;
    open_standard_descriptors();
    errno = open_poller(system);
    if (errno)
        return errno == ENOMEM ? PT_ENOMEM : PT_EIO;
    ignore_broken_pipes();
    system->loop = loop;
    system->asked = true;
    pt_system_make_port_(system);
    pt_loop_open(loop, &system->port);
    return PT_OK;
}

static void print(void *context, const char *text)
{
    (void)context;
    dprintf(2, "%s", text);
}

/* Stop the program if something is left that would go on using the system, and print what. */
static void check_that_nothing_is_left(struct pt_system *system)
{
    char open[80];

    if (pt_loop_live(system->loop)) {
        pt_dump(system->loop, print, NULL);
        PT_PANIC("tasks are still alive: end them by pt_loop_cancel and pt_loop_run",
                 "pt_system_close", 0);
    }
    for (unsigned fd = 0; fd < system->count; fd++)
        if (pt_slot_first_(&system->places[fd])) {
            snprintf(open, sizeof open, "%s descriptor %u is open: pt_io_close it",
                     system->places[fd].io ? "the pt_io of" : "a pt_io that borrows", fd);
            PT_PANIC(open, "pt_system_close", 0);
        }
}

void pt_system_close(struct pt_system *system)
{
    if (!system->loop)
        return;
    if (!pt_forked_since_(system->forks)) {
        if (system->lingering && pt_loop_live(system->loop) == system->lingering)
            pt_loop_run(system->loop);
        check_that_nothing_is_left(system);
    }
    if (system->dump.stop)
        system->dump.stop(system);
    if (pt_forked_since_(system->forks))
        pt_loop_drop_(system->loop);
    else
        pt_loop_close(system->loop);
    pt_wakeup_stop_(system);
    system->poller->close(system);
    pt_wakeup_close_(system);
    free(system->places);
    system->places = NULL;
    system->count = 0;
    system->loop = NULL;
}

const char *pt_system_poller(const struct pt_system *system)
{
    return system->poller->name;
}
