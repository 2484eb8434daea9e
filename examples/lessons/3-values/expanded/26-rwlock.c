/* expanded/26-rwlock.c - the bodies of lesson 26, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_LOCK_SHARED     read, unless a task writes or waits to write; else enter the list of
 *                        readers and park
 *     PT_LOCK_EXCLUSIVE  write, if no task reads or writes; else enter the queue of writers and
 *                        park
 *     PT_WITH_LOCK_...   a block in the chain of the task, which notes how to unlock. At Gil's timeout
 *                        the loop closes it, and continues at the label behind the outer block */

#define SAY(...) (printf("%2u min  ", (unsigned)(pt_now_(task) / MINUTES(1))), printf(__VA_ARGS__))

static pt_op PT_FN(reader)(struct pt *pt, struct pt_task *task)
{
    struct reader *self = (struct reader *)pt;

    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, self->comes))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        if (pt_rwlock_shared_(task, pt, &map)) {
            pt->label = 2;
            return (pt_op){PT_OP_PARK};
    case 2:
            pt_task_take_(task);
        }
        SAY("%s reads, one of %u\n", self->name, map.reading);
        if (!pt_wait_(task, MINUTES(5)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 3;
        return (pt_op){PT_OP_WAIT};
    case 3:
        pt_rwlock_release_shared(&map);
    }
    return pt_end_(pt);
}

static pt_op PT_FN(writer)(struct pt *pt, struct pt_task *task)
{
    struct writer *self = (struct writer *)pt;

    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, self->comes))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        SAY("%s wants to draw\n", self->name);
        if (pt_rwlock_exclusive_(task, pt, &map)) {
            pt->label = 2;
            return (pt_op){PT_OP_PARK};
    case 2:
            pt_task_take_(task);
        }
        SAY("%s draws, beside %u\n", self->name, map.reading);
        if (!pt_wait_(task, MINUTES(5)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 3;
        return (pt_op){PT_OP_WAIT};
    case 3:
        if (pt_rwlock_exclusive_(task, pt, &map)) {
            pt->label = 4;
            return (pt_op){PT_OP_PARK};
    case 4:
            pt_task_take_(task);
        }
        SAY("%s again: %s\n", self->name, pt_status_text(pt->status));
        pt->status = pt_rwlock_release_exclusive(&map, task);
    }
    return pt_end_(pt);
}

static pt_op PT_FN(hasty)(struct pt *pt, struct pt_task *task)
{
    struct hasty *self = (struct hasty *)pt;

    switch (pt->label) {
    case 0: /* the labels of the blocks are 2, 3 and 5 */
        if (!pt_wait_(task, self->comes))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        if (!pt_timeout_open_(task, &self->limit, MINUTES(2), 2))
            return pt_return_(pt, task, pt->status);
        if (!pt_held_exclusive_(task, pt, &self->held, &map))
            return pt_return_(pt, task, pt->status);
        if (self->held.scope.state == PT_SCOPE_LEFT_) {
            pt->label = 3;
            return (pt_op){PT_OP_PARK};
    case 3:;
        }
        (void)pt_held_take_(task, &self->held);
        if (!pt_wait_(task, MINUTES(5)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 4;
        return (pt_op){PT_OP_WAIT};
    case 4:
        pt_held_leave_(task, &self->held.scope);
        /* fall through */
    case 2:
        pt_scope_leave_(task, &self->limit);
        if (!pt_held_shared_(task, pt, &self->held, &map))
            return pt_return_(pt, task, pt->status);
        if (self->held.scope.state == PT_SCOPE_LEFT_) {
            pt->label = 5;
            return (pt_op){PT_OP_PARK};
    case 5:;
        }
        (void)pt_held_take_(task, &self->held);
        SAY("%s had to stop, and reads, one of %u\n", self->name, map.reading);
        pt_held_leave_(task, &self->held.scope);
    }
    return pt_end_(pt);
}
