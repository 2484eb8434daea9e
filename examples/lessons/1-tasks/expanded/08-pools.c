/* expanded/08-pools.c - the bodies of lesson 08, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_SPAWN_FROM       take storage from the pool, make the pool its owner, spawn
 *     PT_SPAWN_WHEN_FREE  while none is free, wait in the pool's queue, parked
 *     PT_SPAWN_NEW        take storage from the loop's port; the loop is its owner
 *     PT_FRAME            the frame below all that the task awaits: it awaits nothing */

#define SAY(...) (printf("%2u h  ", (unsigned)(pt_now_(task) / PT_SEC(3600))), printf(__VA_ARGS__))

static pt_op PT_FN(guest)(struct pt *pt, struct pt_task *task)
{
    struct guest *self = (struct guest *)pt;

    switch (pt->label) {
    case 0:
        SAY("%s eats\n", self->name);
        if (!pt_wait_(task, PT_SEC(3600 * self->hours)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        SAY("%s leaves\n", self->name);
    }
    return pt_end_(pt);
}

static pt_op PT_FN(waiter)(struct pt *pt, struct pt_task *task)
{
    struct new_guest {
        struct pt_task task;
        struct pt_owner *owner; /* PT_OWNED_TASK(guest) */
        struct guest frame;
    } *fresh; /* not used across a suspension */

    struct waiter *self = (struct waiter *)pt;

    switch (pt->label) {
    case 0:
        tables.taken = pt_pool_take_(&tables.pool, tables.items, sizeof tables.items[0], 2);
        if (!tables.taken) {
            pt->status = PT_ENOMEM;
        } else {
            pt_init_zeroed_(&tables.taken->frame.pt, PT_FN(guest), sizeof tables.taken->frame);
            tables.taken->frame.name = "Bob";
            tables.taken->frame.hours = 3;
            pt_task_init_(&tables.taken->task, &tables.taken->frame.pt, "guest");
            PT_OWN(tables.taken, pt_pool_owner_(&tables.pool));
            task->node.link.operand = &tables.taken->task;
            pt->label = 1;
            return (pt_op){PT_OP_SPAWN};
    case 1:;
        }
        pt->label = 2;
        return (pt_op){PT_OP_YIELD};
    case 2:
        tables.taken = pt_pool_take_(&tables.pool, tables.items, sizeof tables.items[0], 2);
        if (!tables.taken) {
            pt->status = PT_ENOMEM;
        } else {
            pt_init_zeroed_(&tables.taken->frame.pt, PT_FN(guest), sizeof tables.taken->frame);
            tables.taken->frame.name = "Cid";
            tables.taken->frame.hours = 1;
            pt_task_init_(&tables.taken->task, &tables.taken->frame.pt, "guest");
            PT_OWN(tables.taken, pt_pool_owner_(&tables.pool));
            task->node.link.operand = &tables.taken->task;
            pt->label = 3;
            return (pt_op){PT_OP_SPAWN};
    case 3:;
        }
        SAY("a table for Cid: %s\n", pt_status_text(pt->status));
        fresh = (struct new_guest *)pt_loop_new_task_(task->loop, sizeof *fresh);
        task->loop->taken = fresh ? &fresh->task : NULL;
        if (!fresh) {
            pt->status = PT_ENOMEM;
        } else {
            pt_init_zeroed_(&fresh->frame.pt, PT_FN(guest), sizeof fresh->frame);
            fresh->frame.name = "Cid, on the meadow,";
            fresh->frame.hours = 1;
            pt_task_init_(&fresh->task, &fresh->frame.pt, "guest");
            PT_OWN(fresh, &task->loop->heap);
            task->node.link.operand = &fresh->task;
            pt->label = 4;
            return (pt_op){PT_OP_SPAWN};
    case 4:;
        }
        self->cid = task->loop->taken;
        SAY("%s stays for %d h\n", ((struct guest *)self->cid->top)->name,
            ((struct guest *)self->cid->top)->hours);
        if (pt_join_(task, pt, self->cid)) {
            pt->label = 5;
            return (pt_op){PT_OP_PARK};
    case 5:;
        }
        SAY("Cid pays: %s\n", pt_status_text(pt->status));
        SAY("Dan will wait\n");
        while (!(tables.taken = pt_pool_take_(&tables.pool, tables.items,
                                              sizeof tables.items[0], 2))) {
            pt_pool_wait_(&tables.pool, task);
            pt->label = 6;
            return (pt_op){PT_OP_PARK};
    case 6:
            pt_pool_granted_(&tables.pool, task); /* a free item was reserved for this waiter */
        }
        pt_init_zeroed_(&tables.taken->frame.pt, PT_FN(guest), sizeof tables.taken->frame);
        tables.taken->frame.name = "Dan";
        tables.taken->frame.hours = 2;
        pt_task_init_(&tables.taken->task, &tables.taken->frame.pt, "guest");
        PT_OWN(tables.taken, pt_pool_owner_(&tables.pool));
        task->node.link.operand = &tables.taken->task;
        pt->label = 7;
        return (pt_op){PT_OP_SPAWN};
    case 7:
        SAY("a table for Dan: %s\n", pt_status_text(pt->status));
    }
    return pt_end_(pt);
}
