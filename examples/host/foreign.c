/* foreign.c - a library that calls read(2) and write(2) itself, and only must know when
 * SPDX-License-Identifier: MIT
 *
 * A library (TLS, a database, a bus) moves bytes on its own descriptor, and says "again" when it
 * would block. The task then waits until the descriptor is ready, and calls it again.
 *
 * What to notice:
 *   - The waits move no bytes. Call the library until it says "again": waits are for new bytes.
 *   - A case of a select can be a descriptor, next to its hang-up and a time.
 *   - A hang-up can be waited for without reading: the peer has gone.
 *   - The descriptor is the library's: pt_io_release gives it back, open. */
#include <pt/host.h>
#include <pt/host/native_io.h>

#include <stdio.h>
#include <unistd.h>

enum { BYTES = 1000000 };

static struct pt_system sys;

/* The foreign library: it closes what is its own. */
static void library_close(int fd)
{
    close(fd);
}

/* Put or get as much as goes now; whether all of it is done. */
static bool library_put(int fd, long *left)
{
    static const char data[4096];
    ssize_t moved;

    do {
        moved = write(fd, data, *left < (long)sizeof data ? (size_t)*left : sizeof data);
    } while (moved > 0 && (*left -= moved) > 0);
    return *left <= 0;
}

static bool library_get(int fd, long *left)
{
    char data[4096];
    ssize_t moved;

    do {
        moved = read(fd, data, sizeof data);
    } while (moved > 0 && (*left -= moved) > 0);
    return *left <= 0;
}

struct asking {
    struct pt pt;
    struct pt_io io;
    PT_SELECTION(3) next;
    long left;
};

static PT_ASYNC(asking, self)
{
    for (self->left = BYTES; !library_put(self->io.fd, &self->left);) {
        PT_SELECT(&self->next, PT_CASE_WRITABLE(&self->io), PT_CASE_HANGUP(&self->io),
                  PT_CASE_AFTER(PT_SEC(60)));
        if (PT_SELECTED(&self->next) > 0)
            PT_RETURN(PT_SELECTED(&self->next) == 1 ? PT_ECLOSED : PT_ETIMEDOUT);
    }
    PT_WAIT_WRITABLE(&self->io); /* there is room for more now, or soon */
    puts("the question is out");
    for (self->left = BYTES; !library_get(self->io.fd, &self->left);)
        PT_WAIT_READABLE(&self->io);
    puts("the answer is in");
    PT_FINALLY
    library_close(pt_io_release(&self->io));
}
PT_END

static pt_status answering(struct pt_native *self)
{
    struct pt_io *io = (struct pt_io *)self->argument;
    long left = BYTES;

    while (!library_get(io->fd, &left) && pt_native_wait_readable(self, io) == PT_OK) {
    }
    for (left = BYTES; !library_put(io->fd, &left);)
        if (pt_native_wait_writable(self, io) != PT_OK)
            break;
    pt_native_wait_hangup(self, io);
    puts("the other side has gone");
    pt_io_close(io);
    return PT_OK;
}

int main(void)
{
    static char stack[64 << 10];
    static PT_TASK(asking) asking;
    static PT_TASK(pt_native) native;
    static struct pt_io io;
    struct pt_loop loop;
    int ends[2];

    if (pt_system_open(&sys, &loop, NULL) != PT_OK || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) ||
        pt_io_open(&asking.frame.io, &sys, ends[0]) != PT_OK ||
        pt_io_open(&io, &sys, ends[1]) != PT_OK)
        return 1;
    PT_START(&loop, &asking, asking, PT_KEEP);
    PT_START(&loop, &native, pt_native, .function = answering, .argument = &io, .stack = stack,
             .bytes = sizeof stack);
    pt_loop_run(&loop);
    pt_system_close(&sys);
    return 0;
}
