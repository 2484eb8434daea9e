/* numbers.c - a lesson: a server whose numbers rise, also after a crash; a world finds what it has forgotten
 * SPDX-License-Identifier: MIT
 *
 *     numbers ADDRESS      each connection gets the next number, in a line; the last one is in the file numbers.last
 *
 * The lesson is examples/world/README.md. */
#include <pt/host.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { DIGITS = 9, VISITORS = 50 };

static int file;
static unsigned last;

/* The last number, if there was one. */
static void remember(void)
{
    int folder = open(".", O_RDONLY | O_DIRECTORY);
    char text[DIGITS + 1] = "";

    file = open("numbers.last", O_RDWR | O_CREAT, 0600);
    if (file < 0 || folder < 0 || fsync(folder) || pread(file, text, DIGITS, 0) < 0)
        exit(1);
    last = (unsigned)atoi(text);
    close(folder);
}

/* Whether the next number is in the file: while the disk is full it is not. */
static bool next_number(void)
{
    char text[DIGITS + 1];

    snprintf(text, sizeof text, "%0*u", DIGITS, last + 1);
    if (pwrite(file, text, DIGITS, 0) != DIGITS)
        return false;
    last++;
    return true;
}

struct visitor {
    struct pt pt;
    struct pt_io io;
    struct pt_writer out;
    struct pt_flush flush;
    struct pt_scope limit;
    char text[2 * DIGITS];
};

static PT_ASYNC(visitor, self)
{
    pt_writer_init(&self->out, pt_io_stream(&self->io), self->text, sizeof self->text);
    if (!next_number())
        PT_RETURN(PT_ENOMEM);
    pt_printf(&self->out, "%u\n", last);
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(5))
        PT_TRY(&self->flush, pt_flush, .writer = &self->out);
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

static PT_POOL(visitor, VISITORS) visitors;

static struct pt_task *start(struct pt_loop *loop, struct pt_io *peer, void *context)
{
    pt_status status = PT_START_FROM(loop, &visitors, visitor, .io = pt_io_take(peer));

    (void)context;
    return status == PT_OK ? &visitors.taken->task : NULL;
}

int main(int argc, char **argv)
{
    static PT_TASK(pt_serve) server;
    struct pt_io listener = {0};
    struct pt_system sys;
    struct pt_loop loop;

    remember();
    if (argc != 2 || pt_system_open(&sys, &loop, NULL) != PT_OK ||
        pt_listen_at(&listener, &sys, argv[1]) != PT_OK)
        return 1;
    PT_START(&loop, &server, pt_serve, .listener = &listener, .start = start,
             .pool = &visitors.pool);
    pt_run_until_signal(&sys, &server.task);
    pt_system_close(&sys);
    return 0;
}
