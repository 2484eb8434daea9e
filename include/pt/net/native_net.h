/* native_net.h - the operations of net.h for native tasks
 * SPDX-License-Identifier: MIT
 *
 *     status = pt_native_dial(self, &io, &sys, "example.org:80");
 *     if (status != PT_OK)
 *         puts(pt_io_error_text(&io, status)); */
#ifndef PT_NATIVE_NET_H
#define PT_NATIVE_NET_H

#include "../host/native_io.h"
#include "../stack/stack.h"
#include "net.h"

/* pt_native_dial - pt_dial: IO becomes the connection to TO */
PT_API pt_status pt_native_dial(struct pt_native *self, struct pt_io *io, struct pt_system *system,
                                const char *to);

/* The frame of pt_native_connection: call FUNCTION, on a stack of STACKS, for a connection.
 *
 *     static PT_POOL(pt_native_connection, 1000) clients;
 *
 *     status = PT_START_FROM(loop, &clients, pt_native_connection, .io = pt_io_take(peer),
 *                            .function = talk, .stacks = &stacks);
 *
 * In START of pt_serve, whose limit, refusal and grace are then as for any connection. The argument
 * of FUNCTION is the struct pt_io, which is closed when FUNCTION has returned. The result is its
 * code, or PT_ENOMEM if there is no stack: stacks.error is the reason. For a limit of silence, use
 * pt_native_timeout around its reads. */
struct pt_native_connection {
    struct pt pt;
    struct pt_io io; /* the caller sets this and the next two */
    pt_native_function *function;
    struct pt_stacks *stacks;
    void *stack; /* the function writes this and the next one */
    struct pt_native body;
};

PT_API PT_DECLARE(pt_native_connection);

/* --- implementation ------------------------------------------------------------------------ */

PT_API pt_status pt_native_dial(struct pt_native *self, struct pt_io *io, struct pt_system *system,
                                const char *to)
{
    struct pt_dial frame;

    return pt_native_call(self, &frame, pt_dial, .io = io, .system = system, .to = to,
                          .servers = NULL);
}

PT_API PT_ASYNC(pt_native_connection, self)
{
    PT_ASSERT_(self->stacks, ".stacks is not set", "pt_native_connection");
    self->stack = pt_stack_take(self->stacks, "connection");
    if (!self->stack)
        PT_RETURN(PT_ENOMEM);
    PT_WAIT_COMPLETE(&self->body, pt_native, .function = self->function, .argument = &self->io,
                     .stack = self->stack, .bytes = self->stacks->bytes);
    PT_FINALLY
    if (self->stack)
        pt_stack_give(self->stacks, self->stack);
    pt_io_close(&self->io);
}
PT_END

#endif
