/* missing-unlock.c - a task returns early and keeps its lock
 * SPDX-License-Identifier: MIT
 *
 * Cure: unlock in PT_FINALLY. The lock is a global, so that this is not known for certain: the holder
 * has ended, but something else could unlock in its name. */
#include "../scene.h"

static struct pt_lock lock;

struct writer {
    struct pt pt;
    bool fails;
};

static PT_ASYNC(writer, self)
{
    PT_LOCK(&lock);
    PT_WAIT(PT_MS(10));
    if (self->fails)
        PT_RETURN(PT_EIO);
#ifdef MENDED
    PT_FINALLY
#endif
    PT_UNLOCK(&lock);
}
PT_END

static void scene(struct pt_loop *loop)
{
    pt_lock_init(&lock);
    PT_START_NEW(loop, writer, .fails = false);
    PT_START_NEW(loop, writer, .fails = true);
    PT_START_NEW(loop, writer, .fails = false);
}
