/* 57-native-groups.c - native tasks start others: in groups, from pools, with values they carry
 * SPDX-License-Identifier: MIT
 *
 * A farmer has two machines for four fields in the north. Then two machines race.
 *
 *     pt_native_spawn_from       PT_SPAWN_FROM for a native task: storage from a pool
 *     pt_native_spawn_when_free  PT_SPAWN_WHEN_FREE: wait until the pool has some
 *     pt_native_spawn_new        PT_SPAWN_NEW: storage from the heap
 *     pt_native_group            begin a group; pt_native_group_end waits for its tasks
 *     pt_native_spawn_in         PT_SPAWN_IN: a new task of the group
 *     pt_native_join_group       PT_JOIN_GROUP: wait until the group has no task left
 *     pt_native_bind             bind a value to a key, as PT_WITH_LOCAL does, until
 *                                pt_native_unbind
 *     pt_native_local            PT_LOCAL: the value of a key
 *     struct pt_pool             a pool of any tasks: the member `pool` of a PT_POOL
 *
 * What to notice:
 *   - A group is two calls. Its tasks have ended before the second one returns, so the group can be
 *     a local variable.
 *   - Without tasks a group is a scope that others can cancel, as in lesson 14.
 *   - A native task can start stackless ones: the farmer needs a stack, the machines do not.
 *   - report finds the place, although nobody passes it as an argument.
 *
 * Try: make it three machines. When is field 4 mown? */
#include <pt/native.h>
#include <pt/posix.h>

#include <stdio.h>

#define HOUR PT_SEC(3600)
#define SAY(...) (printf("%2u h  ", (unsigned)(pt_native_now(self) / HOUR)), printf(__VA_ARGS__))

struct mower {
    struct pt pt;
    int field, hours;
};

PT_ASYNC(mower, self)
{
    PT_WAIT(HOUR * (unsigned)self->hours);
    printf("%2u h      field %d is mown\n", (unsigned)(PT_NOW() / HOUR), self->field);
}
PT_END

static PT_POOL(mower, 2) machines;
static char place; /* its address is a key */
static void report(const struct pt_native *self, const struct pt_pool *pool)
{
    const char *where = (const char *)pt_native_local(self, &place);

    SAY("in the %s: %u machines in use\n", where ? where : "world", pool->used);
}

static pt_status mow(struct pt_native *self)
{
    static char north[] = "north";
    struct pt_local here;
    pt_status status = PT_OK;

    pt_native_bind(self, &here, &place, north);
    pt_native_spawn_from(self, &machines, mower, .field = 1, .hours = 3);
    for (int i = 2; i <= 4 && status == PT_OK; i++) {
        status = pt_native_spawn_when_free(self, &machines, mower, .field = i, .hours = i);
        report(self, &machines.pool);
    }
    pt_native_unbind(self, &here);
    return status;
}

static pt_status farmer(struct pt_native *self)
{
    static PT_TASK(mower) slow, fast;
    struct pt_group both;

    mow(self);
    pt_native_group(self, &both, PT_GROUP_FIRST); /* the first to end is enough */
    pt_native_spawn_in(self, &both, &slow, mower, .field = 5, .hours = 9);
    pt_native_spawn_in(self, &both, &fast, mower, .field = 6, .hours = 2);
    pt_native_join_group(self, &both); /* here, and not only at the end */
    SAY("field %d was first\n", both.decider == &fast.task ? 6 : 5);
    pt_native_group_end(self, &both);
    return pt_native_spawn_new(self, mower, .field = 7, .hours = 1); /* on the heap */
}

int main(void)
{
    static char stack[32 << 10];
    static PT_TASK(pt_native) task;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &task, pt_native, .function = farmer, .stack = stack, .bytes = sizeof stack);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
}
