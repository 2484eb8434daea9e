/* block_goto.c - goto leaves a block that may time out, a group, a local's block or that of a lock
 * SPDX-License-Identifier: MIT
 * Without PT_DEBUG the block stays open: when its time is over, the function continues after it.
 * expect trap -DPT_DEBUG=1: body_pt_: a block was left, or entered, by goto: leave it by break or PT_RETURN \(line 69
 * expect trap -DPT_DEBUG=1 -DALONE: body_pt_: a block was left, or entered, by goto: leave it by break or PT_RETURN \(line 32
 * expect trap -DPT_DEBUG=1 -DGROUP: body_pt_: a block was left, or entered, by goto: leave it by break or PT_RETURN \(line 38
 * expect trap -DPT_DEBUG=1 -DLOCAL: body_pt_: a block was left, or entered, by goto: leave it by break or PT_RETURN \(line 73
 * expect trap -DPT_DEBUG=1 -DHELD: body_pt_: a block was left, or entered, by goto: leave it by break or PT_RETURN
 * expect output -DPT_DEBUG=1 -DWITHIN: done */
#include <pt/pt.h>
#include <stdio.h>

struct body {
    struct pt pt;
    struct pt_scope outer, inner;
    struct pt_group group;
    struct pt_local local;
    struct pt_held held;
};

static struct pt_lock lock;
static struct pt_loop loop;
static PT_LOOP_STORAGE(4) room;
static PT_TASK(body) task;

PT_ASYNC(body, self)
{
#if defined(ALONE)
    PT_WITH_TIMEOUT(&self->outer, PT_SEC(1))
        goto out;
out:
    PT_YIELD();
#elif defined(GROUP)
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL)
        goto out;
    self->pt.status = PT_OK;
out:
    PT_FINALLY
    self->pt.status = PT_OK;
#elif defined(LOCAL)
    PT_WITH_LOCAL(&self->local, self, self)
        goto out;
out:;
#elif defined(HELD)
    PT_WITH_LOCK(&self->held, &lock)
        goto out;
out:;
#elif defined(WITHIN)
    PT_WITH_TIMEOUT(&self->outer, PT_SEC(1)) {
        goto within;
    within:
        PT_YIELD();
        PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
            PT_WITH_LOCAL(&self->local, self, self)
                PT_YIELD();
            if (self->pt.status == PT_OK)
                break;
        }
        PT_YIELD();
    }
    PT_FINALLY
    printf("done\n");
#else
    PT_WITH_TIMEOUT(&self->outer, PT_SEC(1)) {
        PT_WITH_TIMEOUT(&self->inner, PT_SEC(1)) {
            goto out;
        }
    out:
        PT_YIELD();
    }
#endif
}
PT_END

int main(void)
{
    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &room);
    (void)PT_START(&loop, &task, body);
    while (pt_loop_live(&loop))
        pt_loop_turn(&loop, 0);
    return 0;
}
