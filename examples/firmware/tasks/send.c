/* send.c - send bytes as fast as the line takes them
 * SPDX-License-Identifier: MIT */
#include "tasks.h"

PT_ASYNC(send, self)
{
    for (; self->length; self->length--, self->bytes++)
        while (!board_put((char)*self->bytes))
            PT_WAIT(1);
}
PT_END
