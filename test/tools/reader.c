/* reader.c - tasks that wait in a function of libpt and for a thread; one sleeps on the clock of the system
 * SPDX-License-Identifier: MIT */
#include "attach.h"

#include <pt/host.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct pt_loop loop;
static struct pt_system sys;

struct reader {
    struct pt pt;
    struct pt_io io;
    struct pt_reader in;
    struct pt_read_line line;
    char room[64];
};

PT_ASYNC(reader, self)
{
    pt_reader_init(&self->in, pt_io_stream(&self->io), self->room, sizeof self->room);
    PT_WAIT_COMPLETE(&self->line, pt_read_line, .reader = &self->in);
}
PT_END

struct sleeper {
    struct pt pt;
};

PT_ASYNC(sleeper, self)
{
    puts("end");
    fflush(stdout);
    PT_WAIT(PT_SEC(1000));
}
PT_END

struct caller {
    struct pt pt;
    struct pt_blocking call;
    struct pt_workers *workers;
    int end;
};

static void wait_for_a_byte(void *end)
{
    char byte;

    (void)!read(*(int *)end, &byte, 1);
}

PT_ASYNC(caller, self)
{
    PT_WAIT_COMPLETE(&self->call, pt_blocking, .workers = self->workers, .work = wait_for_a_byte,
                     .argument = &self->end);
}
PT_END

static struct pt_workers workers;
static PT_TASK(caller) calling;
static PT_TASK(reader) reading;
static PT_TASK(sleeper) sleeping;

int main(void)
{
    int ends[2], others[2];

    let_attach();
    if (pipe(ends) || pipe(others) || pt_system_open(&sys, &loop, NULL) != PT_OK ||
        pt_io_open(&reading.frame.io, &sys, ends[0]) != PT_OK ||
        pt_workers_open(&workers, &sys, 1) != PT_OK)
        return EXIT_FAILURE;
    (void)!PT_START(&loop, &reading, reader, PT_KEEP);
    (void)!PT_START(&loop, &calling, caller, .workers = &workers, .end = others[0]);
    (void)!PT_START(&loop, &sleeping, sleeper);
    pt_loop_run(&loop);
    return EXIT_SUCCESS;
}
