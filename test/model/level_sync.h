/* level_sync.h - the part of level.h with the operations that wait for objects
 * SPDX-License-Identifier: MIT */
else if (IS(WAIT_EVENT)) PT_WAIT_EVENT(&objects.events[ARG(0)]);
else if (IS(ACQUIRE)) PT_ACQUIRE(&objects.semaphores[ARG(0)]);
else if (IS(LOCK)) PT_LOCK(&objects.locks[ARG(0)]);
else if (IS(WAIT_CONDITION)) PT_WAIT_CONDITION(&objects.conditions[ARG(0)], &objects.locks[ARG(1)]);
else if (IS(WAIT_RWLOCK)) PT_WAIT_CONDITION(&objects.conditions[ARG(0)], &objects.rwlocks[ARG(1)]);
else if (IS(SEND)) PT_SEND(&objects.channels[ARG(0)], offer(&self->kit.values[0]));
else if (IS(RECV)) PT_RECV(&objects.channels[ARG(0)], expect(&self->kit.values[0]));
else if (IS(RECV_EACH))
{
    begin_each(&self->at, &self->kit);
    PT_RECV_EACH(&objects.channels[ARG(0)], &self->kit.values[0]) {
        if (!take_each(&self->at, &self->kit, pt_))
            break;
    }
}
else if (IS(PUSH)) PT_PUSH(&objects.queues[ARG(0)], offer(&self->kit.values[0]));
else if (IS(POP)) PT_POP(&objects.queues[ARG(0)], expect(&self->kit.values[0]));
else if (IS(POP_EACH))
{
    begin_each(&self->at, &self->kit);
    PT_POP_EACH(&objects.queues[ARG(0)], &self->kit.values[0]) {
        if (!take_each(&self->at, &self->kit, pt_))
            break;
    }
}
else if (IS(WAIT_FLAGS))
    PT_WAIT_FLAGS(&objects.flags[ARG(0)], &self->kit.wanted, (unsigned)ARG(1), (unsigned)ARG(2));
else if (IS(WAIT_BARRIER)) PT_WAIT_BARRIER(&objects.barriers[ARG(0)]);
else if (IS(WAIT_LATEST)) PT_WAIT_LATEST(&objects.latest[ARG(0)], &self->kit.seen[ARG(0)]);
else if (IS(WAIT_BROADCAST))
    PT_WAIT_BROADCAST(&objects.broadcasts[ARG(0)], &self->kit.subscribers[ARG(0)],
                      &self->kit.values[0]);
else if (IS(SUBSCRIBE)) pt_subscribe(&objects.broadcasts[ARG(0)], &self->kit.subscribers[ARG(0)]);
else if (IS(LOCK_SHARED)) PT_LOCK_SHARED(&objects.rwlocks[ARG(0)]);
else if (IS(LOCK_EXCLUSIVE)) PT_LOCK_EXCLUSIVE(&objects.rwlocks[ARG(0)]);
else if (IS(SELECT)) PT_SELECT(&self->kit.choice, CASE(0), CASE(1), CASE(2));
else if (IS(SELECT_TWO)) PT_SELECT_FROM(&self->kit.choice)
{
    for (int i = 0; i < 2; i++)
        add_case(PT_CASE_TASK_, &self->kit, i, ARG(i));
}
else if (IS(SELECT_NOW)) PT_SELECT_NOW(&self->kit.choice, CASE(0), CASE(1));
