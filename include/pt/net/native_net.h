/* native_net.h - the operations of net.h for native tasks
 * SPDX-License-Identifier: MIT
 *
 *     status = pt_native_dial(self, &io, &sys, "example.org:80");
 *     if (status != PT_OK)
 *         puts(pt_io_error_text(&io, status)); */
#ifndef PT_NATIVE_NET_H
#define PT_NATIVE_NET_H

#include "../host/native_io.h"
#include "net.h"

/* pt_native_dial - pt_dial: IO becomes the connection to TO */
PT_API pt_status pt_native_dial(struct pt_native *self, struct pt_io *io, struct pt_system *system,
                                const char *to);

/* --- implementation ------------------------------------------------------------------------ */

PT_API pt_status pt_native_dial(struct pt_native *self, struct pt_io *io, struct pt_system *system,
                                const char *to)
{
    struct pt_dial frame;

    return pt_native_call(self, &frame, pt_dial, .io = io, .system = system, .to = to,
                          .servers = NULL);
}

#endif
