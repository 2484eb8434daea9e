/* lambda_each.c - each operation of a body, in a lambda of it: the lambda is another function
 * SPDX-License-Identifier: MIT
 * expect first c++ -DPT_MISUSE=PT_WITH_LOCAL(&local,&key,&key){}: pt_suspension_outside_PT_ASYNC
 * expect first c++ -DPT_MISUSE=PT_SELECT_NOW(&choice,PT_CASE_EVENT(&event)): pt_suspension_outside_PT_ASYNC
 * expect first c++ -DPT_MISUSE=PT_RETURN(PT_OK): pt_suspension_outside_PT_ASYNC
 * expect first c++ -DPT_MISUSE=PT_NOW(): pt_suspension_outside_PT_ASYNC
 * expect first c++ -DPT_MISUSE=PT_LOOP(): pt_suspension_outside_PT_ASYNC
 * expect first c++ -DPT_MISUSE=PT_REARM(&limit,1): pt_suspension_outside_PT_ASYNC
 * expect first c++ -DPT_MISUSE=PT_ADOPT(&group): pt_suspension_outside_PT_ASYNC
 * expect first c++ -DPT_MISUSE=PT_LOCAL(&key): pt_suspension_outside_PT_ASYNC
 * expect first c++ -DPT_MISUSE=PT_UNLOCK(&lock): pt_suspension_outside_PT_ASYNC
 * expect first c++ -DPT_MISUSE=PT_HOLDS(&lock): pt_suspension_outside_PT_ASYNC
 * expect first c++ -DPT_MISUSE=PT_UNLOCK_EXCLUSIVE(&shared): pt_suspension_outside_PT_ASYNC
 * expect error c++ -DPT_MISUSE=PT_YIELD(): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_PARK(): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_WAIT(1): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_WAIT_DEADLINE(1): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_SPAWN(&rest,nap): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_WAIT_COMPLETE(&rest.frame,nap): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_YIELD_FROM(&rest.frame,nap): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_JOIN(&rest.task): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_SPAWN_FROM(&pool,nap): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_SPAWN_WHEN_FREE(&pool,nap): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_SPAWN_NEW(nap): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_JOIN_GROUP(&group): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_WITH_GROUP(&group,PT_GROUP_ALL){}: case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_WITH_LOCK(&held,&lock){}: case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_WITH_TIMEOUT(&limit,1){}: case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_SELECT(&choice,PT_CASE_EVENT(&event)): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_WAIT_EVENT(&event): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_WAIT_FLAGS(&flags,&wanted,1,PT_FLAGS_ANY): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_WAIT_CONDITION(&condition,&lock): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_LOCK_SHARED(&shared): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_WAIT_LATEST(&latest,&seen): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_WAIT_BROADCAST(&news,&subscriber,&value): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_SEND(&channel,&value): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_RECV_EACH(&channel,&value){}: case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_RECV_MAIL(&mailbox,&mail): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_WRITE(&io,&value,1,&size): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_WAIT_SIGNAL(&signals,&value): case label|.case. statement
 * expect error c++ -DPT_MISUSE=PT_FINALLY: case label|.case. statement */
#include "each.h"

struct body {
    struct pt pt;
};

PT_ASYNC(body, self)
{
    [&] { PT_MISUSE; }();
}
PT_END
