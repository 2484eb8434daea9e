/* dump.c - a signal for which a process prints the tasks of its loops
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../faults.h"
#include "../fork.h"
#include "../host/needs.h"
#include "../host/poll/poller.h"

#include <pt/host/signals.h>

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* The systems of each signal, linked by dump.next: written under the lock, read by the handler. */
static struct pt_system *systems[PT_SIGNAL_COUNT_];
/* The actions that the first of each has replaced. */
static struct sigaction before[PT_SIGNAL_COUNT_];

/* --- the handler ------------------------------------------------------------------------------- */

static void post(int number)
{
    struct pt_system *system;
    int error = errno;

    pt_handler_begins_();
    system = __atomic_load_n(&systems[number], __ATOMIC_SEQ_CST);
    for (; system; system = __atomic_load_n(&system->dump.next, __ATOMIC_SEQ_CST))
        if (!pt_system_forked_(system))
            (void)pt_remote_post(&system->dump.remote);
    pt_handler_ends_();
    errno = error;
}

/* --- the text ---------------------------------------------------------------------------------- */

/* What is printed leaves in large pieces, so that other output does not come in between. */
struct text {
    size_t used;
    bool given_up; /* nobody reads: what follows is not printed */
    char bytes[4096];
};

/* Whether stderr can be written, after an error: it does not block if the program made it so, or stdout, which is
 * often the same pipe. A reader has a second, so that one that has stopped does not stop the loop. */
static bool wait_for_reader(void)
{
    struct pollfd reader = {STDERR_FILENO, POLLOUT, 0};

    return errno == EINTR || (errno == EAGAIN && poll(&reader, 1, 1000));
}

static void flush(struct text *text)
{
    size_t written = 0;

    while (written < text->used && !text->given_up) {
        ssize_t count = write(STDERR_FILENO, text->bytes + written, text->used - written);

        text->given_up = count < 0 && !wait_for_reader();
        written += count > 0 ? (size_t)count : 0;
    }
    text->used = 0;
}

static void print(void *context, const char *piece)
{
    struct text *text = context;
    size_t length = strlen(piece);

    while (length) {
        size_t fits = sizeof text->bytes - text->used;

        fits = fits < length ? fits : length;
        memcpy(text->bytes + text->used, piece, fits);
        text->used += fits;
        piece += fits;
        length -= fits;
        if (text->used == sizeof text->bytes)
            flush(text);
    }
}

/* The loop runs this at the beginning of a turn. */
static void dump(struct pt_remote *self, unsigned times)
{
    struct text text;

    (void)times;
    if (!pt_loop_live(self->loop))
        return; /* it is being closed */
    text.used = 0;
    text.given_up = false;
    pt_mutex_lock_(PT_MUTEX_PRINT_);
    pt_dump_titled_(self->loop, print, &text);
    flush(&text);
    pt_mutex_unlock_(PT_MUTEX_PRINT_);
}

/* --- on and off -------------------------------------------------------------------------------- */

static pt_status handle(int number)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = post;
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    pt_all_but_faults_(&action.sa_mask);
    return sigaction(number, &action, &before[number]) ? PT_EINVAL : PT_OK;
}

pt_status pt_dump_on_signal(struct pt_system *system, int number)
{
    pt_status status = PT_OK;

    PT_NEEDS_SYSTEM_(system, "pt_dump_on_signal");
    if (number <= 0 || number >= PT_SIGNAL_COUNT_ || pt_is_fault_(number))
        return PT_EINVAL;
    if (system->dump.number)
        return system->dump.number == number ? PT_OK : PT_EBUSY;
    pt_mutex_lock_(PT_MUTEX_PROCESS_);
    if (!systems[number])
        status = handle(number);
    if (status == PT_OK) {
        pt_remote_open(&system->dump.remote, system->loop, dump, NULL);
        system->dump.number = number;
        system->dump.next = systems[number];
        __atomic_store_n(&systems[number], system, __ATOMIC_SEQ_CST);
    }
    pt_mutex_unlock_(PT_MUTEX_PROCESS_);
    return status;
}

void pt_dump_stop_(struct pt_system *system)
{
    int number = system->dump.number;
    struct pt_system **link = &systems[number];

    if (!number)
        return;
    pt_mutex_lock_(PT_MUTEX_PROCESS_);
    while (*link != system)
        link = &(*link)->dump.next;
    __atomic_store_n(link, system->dump.next, __ATOMIC_SEQ_CST);
    if (!systems[number])
        sigaction(number, &before[number], NULL);
    pt_mutex_unlock_(PT_MUTEX_PROCESS_);
    pt_handlers_wait_(); /* one in another thread can still use it */
    system->dump.number = 0;
}
