/* level.h - interpret the operations of a list, or of a block in it
 * SPDX-License-Identifier: MIT
 *
 * Blocks are lexical, so each depth has its own copy of this code; LEVEL is the depth. deeper.h
 * includes it again for the next depth, or for the last one. */
while (next_op(&self->at, pt_)) {
    if (IS(YIELD))
        PT_YIELD();
    else if (IS(WAIT))
        PT_WAIT(to_delay(ARG(0)));
    else if (IS(UNTIL))
        PT_WAIT_DEADLINE(to_time(ARG(0)));
    else if (IS(PARK))
        PT_PARK();
#if PT_TIMED_PARKS
    else if (IS(PARK_FOR))
        PT_PARK_FOR(to_delay(ARG(0)));
    else if (IS(PARK_UNTIL))
        PT_PARK_DEADLINE(to_time(ARG(0)));
#endif
#if PT_GROUPS
    else if (IS(SPAWN_IN) && is_tidy(ARG(0)))
        PT_SPAWN_IN(group_named(MODEL_SELF, ARG(1), ARG(2)), &subject.slots[ARG(0)].tidy, tidy,
                    .at = base(ARG(0)));
    else if (IS(SPAWN_IN))
        PT_SPAWN_IN(group_named(MODEL_SELF, ARG(1), ARG(2)), &subject.slots[ARG(0)].plain, plain,
                    .at = base(ARG(0)));
#endif
    else if ((IS(SPAWN) || IS(SPAWN_IN)) && is_tidy(ARG(0)))
        PT_SPAWN(&subject.slots[ARG(0)].tidy, tidy, .at = base(ARG(0)));
    else if (IS(SPAWN) || IS(SPAWN_IN))
        PT_SPAWN(&subject.slots[ARG(0)].plain, plain, .at = base(ARG(0)));
#if PT_JOINS
    else if (IS(JOIN))
        PT_JOIN(task_named(ARG(0)));
#endif
    else if (IS(AWAIT) && is_tidy(ARG(0)))
        PT_WAIT_COMPLETE(&within(&self->at)->tidy, tidy, .at = inner(&self->at));
    else if (IS(AWAIT))
        PT_WAIT_COMPLETE(&within(&self->at)->plain, plain, .at = inner(&self->at));
    else if (IS(POOL) || IS(POOL_IN))
        PT_SPAWN_WHEN_FREE(&subject.pool, tidy, .at = item(ARG(0)));
    else if (IS(POOL_TRY))
        PT_SPAWN_FROM(&subject.pool, tidy, .at = item(ARG(0)));
#if PT_TIMEOUTS
    else if (IS(REARM))
        PT_REARM(own_scope(ARG(0), ARG(1)), to_delay(ARG(2)));
#endif
#if PT_GROUPS
    else if (IS(GROUP_JOIN))
        PT_JOIN_GROUP(group_named(ARG(0), ARG(1), ARG(2)));
    else if (IS(NOBODY) && ARG(0) == NOBODY_JOINS)
        PT_JOIN_GROUP((struct pt_group *)NULL);
#endif
    else if (IS(RETURN))
        PT_RETURN(to_status(ARG(0)));
    else if (IS(BREAK) || IS(CONTINUE))
        break;
#if LEVEL < 2 && PT_TIMEOUTS /* MODEL_NEST */
    else if (IS(TIMED)) {
        enter(&self->at, LEVEL);
        PT_GLUE_(WITHIN_, LEVEL)
        (&self->scopes[self->at.slot[LEVEL]], ARG(1)){
#include "deeper.h"
        } left(&self->at, LEVEL);
    }
#endif
#if LEVEL < 2 && PT_GROUPS
    else if (IS(GROUP)) {
        enter(&self->at, LEVEL);
        PT_WITH_GROUP(&self->groups[self->at.slot[LEVEL]], (enum pt_group_policy)ARG(1)) {
#include "deeper.h"
        }
        left(&self->at, LEVEL);
    }
#endif
#if LEVEL < 2 && PT_HAS_SCOPES_
    else if (IS(HOLD)) {
        enter(&self->at, LEVEL);
        PT_WITH_LOCK(&self->held[self->at.slot[LEVEL]], &objects.locks[ARG(1)]) {
#define INNERMOST
#include "deeper.h"
#undef INNERMOST
        }
        left(&self->at, LEVEL);
    }
#endif
#include "level_sync.h"
#if PT_NESTING
    else if (IS(NEST) && inner_loop(&self->at))
        PT_WAIT_COMPLETE(&subject.nests[inner_loop(&self->at) - subject.loops], pt_loop_async,
                         .loop = inner_loop(&self->at));
#endif
    else
        act(*self->at.op, &self->at);
    take_wanted(&self->at, &self->kit, pt_);
#if PT_GROUPS
    if (IS(POOL_IN))
        PT_ADOPT(group_named(MODEL_SELF, ARG(1), ARG(2)));
#endif
}
