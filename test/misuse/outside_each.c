/* outside_each.c - each operation of a body, in a plain function: the first message names the cure
 * SPDX-License-Identifier: MIT
 * expect first -DPT_MISUSE=PT_YIELD(): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_PARK(): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_WAIT(1): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_WAIT_DEADLINE(1): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_SPAWN(&rest,nap): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_WAIT_COMPLETE(&rest.frame,nap): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_YIELD_FROM(&rest.frame,nap): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_JOIN(&rest.task): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_SPAWN_FROM(&pool,nap): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_SPAWN_WHEN_FREE(&pool,nap): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_SPAWN_NEW(nap): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_JOIN_GROUP(&group): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_WITH_GROUP(&group,PT_GROUP_ALL){}: pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_WITH_TIMEOUT(&limit,1){}: pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_WITH_LOCAL(&local,&key,&key){}: pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_WITH_LOCK(&held,&lock){}: pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_SELECT(&choice,PT_CASE_EVENT(&event)): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_SELECT_NOW(&choice,PT_CASE_EVENT(&event)): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_WAIT_EVENT(&event): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_WAIT_FLAGS(&flags,&wanted,1,PT_FLAGS_ANY): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_WAIT_CONDITION(&condition,&lock): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_LOCK_SHARED(&shared): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_WAIT_LATEST(&latest,&seen): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_WAIT_BROADCAST(&news,&subscriber,&value): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_SEND(&channel,&value): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_RECV_EACH(&channel,&value){}: pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_RECV_MAIL(&mailbox,&mail): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_WRITE(&io,&value,1,&size): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_WAIT_SIGNAL(&signals,&value): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_RETURN(PT_OK): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_LOOP(): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_NOW(): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_REARM(&limit,1): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_ADOPT(&group): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_LOCAL(&key): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_UNLOCK(&lock): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_HOLDS(&lock): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_UNLOCK_EXCLUSIVE(&shared): pt_suspension_outside_PT_ASYNC
 * expect first -DPT_MISUSE=PT_FINALLY: pt_suspension_outside_PT_ASYNC */
#include "each.h"

void helper(void);

void helper(void)
{
    PT_MISUSE;
}
