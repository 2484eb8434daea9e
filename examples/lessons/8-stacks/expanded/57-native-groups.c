/* expanded/57-native-groups.c - the bodies of lesson 57, their operations expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     pt_native_spawn_in      PT_START in the loop of the task, then join the group
 *     pt_native_spawn_from    PT_START_FROM in that loop; pt_native_spawn_new: PT_START_NEW
 *     PT_WAIT                 store a label, return an opcode */

#define SAY(...) (printf("%2u h  ", (unsigned)(pt_now_(self->task) / HOUR)), printf(__VA_ARGS__))

static pt_op PT_FN(mower)(struct pt *pt, struct pt_task *task)
{
    struct mower *self = (struct mower *)pt;

    switch (pt->label) {
    case 0:
        pt_wait_(task, HOUR * (unsigned)self->hours);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1: printf("%2u h      field %d is mown\n", (unsigned)(pt_now_(task) / HOUR), self->field);
    }
    return pt_end_(pt);
}

static PT_POOL(mower, 2) machines;
static char place; /* its address is a key */
static void report(const struct pt_native *self, const struct pt_pool *pool)
{
    const char *where = (const char *)pt_task_local(self->task, &place);

    SAY("in the %s: %u machines in use\n", where ? where : "world", pool->used);
}

static pt_status mow(struct pt_native *self)
{
    static char north[] = "north";
    struct pt_local here;
    pt_status status = PT_OK;

    pt_native_bind(self, &here, &place, north);
    PT_START_FROM(self->task->loop, &machines, mower, .field = 1, .hours = 3);
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
    if (pt_group_accepts_(&both, self->task) == PT_OK &&
        PT_START(self->task->loop, &slow, mower, .field = 5, .hours = 9) == PT_OK)
        pt_group_add(&both, &slow.task);
    if (pt_group_accepts_(&both, self->task) == PT_OK &&
        PT_START(self->task->loop, &fast, mower, .field = 6, .hours = 2) == PT_OK)
        pt_group_add(&both, &fast.task);
    pt_native_wait_if_(
        self, pt_group_join_(self->task, &self->pt, &both)); /* here, and not only at the end */
    SAY("field %d was first\n", both.decider == &fast.task ? 6 : 5);
    pt_native_group_end(self, &both);
    return PT_START_NEW(self->task->loop, mower, .field = 7, .hours = 1); /* on the heap */
}
