/* write_local.c - the buffer of a write that waits is a local
 * SPDX-License-Identifier: MIT
 * After the wait the buffer has other contents, and they are written. A read may fill a local, after
 * its wait. Here a stub stands for libpt: its first attempt waits.
 * expect trap -DPT_DEBUG=1 WRITE: body_pt_: the data of the operation is a local, .* make it a member
 * expect output -DPT_DEBUG=1 MEMBER: ^2$
 * expect output -DPT_DEBUG=1 READ: ^2$ */
#include <pt/host/io.h>
#include <pt/virtual.h>
#include <stdio.h>
#include "chosen.h"

static int attempts;

static bool attempt(struct pt_io *io, size_t *count)
{
    io->opcode = PT_OP_YIELD;
    *count = 1;
    return ++attempts == 1;
}

PT_EXPORT bool pt_io_write_(struct pt_task *task, struct pt *frame, struct pt_io *io,
                            const void *data, size_t size, size_t *put)
{
    (void)task, (void)frame, (void)data, (void)size;
    return attempt(io, put);
}

PT_EXPORT bool pt_io_read_(struct pt_task *task, struct pt *frame, struct pt_io *io, void *data,
                           size_t size, size_t *got)
{
    (void)task, (void)frame, (void)data, (void)size;
    return attempt(io, got);
}

PT_EXPORT bool pt_io_is_open_within_(const struct pt_loop *loop, uintptr_t start, size_t size)
{
    (void)loop, (void)start, (void)size;
    return false;
}

struct body {
    struct pt pt;
    struct pt_io io;
    size_t count;
    char data[8];
};

PT_ASYNC(body, self)
{
    if (CHOSEN(WRITE)) {
        char data[3000];

        memset(data, 'x', sizeof data);
        PT_WRITE(&self->io, data, sizeof data, &self->count);
    } else if (CHOSEN(READ)) {
        char data[3000];

        PT_READ(&self->io, data, sizeof data, &self->count);
    } else {
        PT_WRITE(&self->io, self->data, sizeof self->data, &self->count);
    }
    printf("%d\n", attempts);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(body) task;
    static PT_LOOP_STORAGE(2) room;
    struct pt_loop loop;

    choose(argc, argv);
    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &room);
    (void)PT_START(&loop, &task, body);
    pt_loop_turn(&loop, 0);
    pt_loop_turn(&loop, 0);
    return 0;
}
