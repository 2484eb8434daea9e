/* finally_block.c - PT_FINALLY in a block: the cleanup would run within it, and the block would stay open
 * SPDX-License-Identifier: MIT
 * expect error -DPT_MISUSE=PT_WITH_TIMEOUT(&self->limit,1): PT_FINALLY is in a block: put it at the end of the body
 * expect error -DPT_MISUSE=PT_WITH_GROUP(&self->group,PT_GROUP_ALL): PT_FINALLY is in a block: put it at the end
 * expect error -DPT_MISUSE=PT_WITH_LOCAL(&self->local,self,self): PT_FINALLY is in a block: put it at the end
 * expect error -DPT_MISUSE=PT_WITH_LOCK(&self->held,&lock): PT_FINALLY is in a block: put it at the end
 * expect good -DPT_MISUSE=: */
#include <pt/pt.h>

static struct pt_lock lock;

struct body {
    struct pt pt;
    struct pt_scope limit;
    struct pt_group group;
    struct pt_local local;
    struct pt_held held;
    int cleanups;
};

PT_ASYNC(body, self)
{
    PT_WITH_TIMEOUT(&self->limit, 1) {
        PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
            PT_WITH_LOCAL(&self->local, self, self)
                PT_WITH_LOCK(&self->held, &lock)
                    PT_YIELD();
        }
    }
    PT_MISUSE
    {
        PT_YIELD();
        PT_FINALLY
        self->cleanups++;
    }
}
PT_END
