/* dump.c - a signal for which a process prints the tasks of its loops
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../fork.h"
#include "../handlers.h"
#include "../needs.h"
#include "lines.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* --- the handler ----------------------------------------------------------------------------- */

static void post(struct pt_handler_ *self)
{
    char *printed = (char *)self - offsetof(struct pt_printed_, handler);

    (void)pt_remote_post(&((struct pt_printed_ *)(void *)printed)->remote);
}

/* --- the text -------------------------------------------------------------------------------- */

/* A pipe that can be written takes so much at once, and does not block. */
enum { PIECE = PIPE_BUF < 4096 ? PIPE_BUF : 4096 };

/* What is printed leaves in large pieces, so that other output does not come in between. */
struct text {
    int fd;
    pt_time
        until; /* so long it waits for a reader, in all: the loop must not stop with the reader */
    bool given_up; /* nobody reads: what follows is not printed */
    bool lacks_lines;
    size_t used;
    char bytes[PIECE];
};

/* Where the text goes. A terminal whose reader has stopped can block a write although poll(2) finds
 * room. So it is opened once more: O_NONBLOCK on stderr would be for all that use the terminal. */
static int open_output(void)
{
    char name[64];
    int fd = -1;

    if (!ttyname_r(STDERR_FILENO, name, sizeof name))
        fd = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    return fd < 0 ? STDERR_FILENO : fd;
}

/* Wait until a piece can be written; false: the time of the reader is over. A signal that comes
 * meanwhile is no room. */
static bool wait_for_reader(struct text *text)
{
    struct pollfd reader = {text->fd, POLLOUT, 0};
    int count;

    do {
        pt_time now = pt_posix.now(NULL), left = 0;

        if (pt_time_before(now, text->until))
            left = text->until - now;
        count = poll(&reader, 1, (int)((left + 999999) / 1000000));
    } while (count < 0 && errno == EINTR);
    text->given_up = !count;
    return count;
}

static void flush(struct text *text)
{
    size_t written = 0;

    while (written < text->used && !text->given_up && wait_for_reader(text)) {
        ssize_t count = write(text->fd, text->bytes + written, text->used - written);

        if (count < 0 && errno == EAGAIN)
            poll(NULL, 0, 10); /* a terminal can have less room than a newline needs */
        else if (count < 0 && errno != EINTR)
            text->given_up = true;
        written += count > 0 ? (size_t)count : 0;
    }
    text->used = 0;
}

static void print(void *context, const char *piece)
{
    struct text *text = context;
    size_t length = strlen(piece);

    text->lacks_lines |= pt_lacks_line_(piece);
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
    text.lacks_lines = false;
    pt_mutex_lock_(PT_MUTEX_PRINT_);
    text.fd = open_output();
    text.until = pt_posix.now(NULL) + PT_SEC(1);
    pt_dump_titled_(self->loop, print, &text);
    if (text.lacks_lines)
        pt_name_what_knows_lines_(print, &text);
    flush(&text);
    if (text.fd != STDERR_FILENO)
        close(text.fd);
    pt_mutex_unlock_(PT_MUTEX_PRINT_);
}

/* --- on and off ------------------------------------------------------------------------------ */

/* Before the system is closed. */
static void stop(struct pt_system *system)
{
    pt_handler_remove_(&system->dump.handler);
    system->dump.stop = NULL;
}

pt_status pt_dump_on_signal(struct pt_system *system, int number)
{
    struct pt_handler_ *handler = &system->dump.handler;
    pt_status status;

    PT_NEEDS_SYSTEM_(system, "pt_dump_on_signal");
    if (pt_forked_since_(system->forks))
        return PT_EPERM;
    if (handler->number)
        return handler->number == number ? PT_OK : PT_EBUSY;
    PT_NEEDS_(!pt_handlers_within_(handler, sizeof *handler),
              "it is open already: pt_system_close it first", "pt_system_open");
    pt_remote_open(&system->dump.remote, system->loop, dump, NULL);
    status = pt_handler_add_(handler, number, post);
    if (status == PT_OK)
        system->dump.stop = stop;
    else
        pt_remote_close(&system->dump.remote);
    return status;
}
