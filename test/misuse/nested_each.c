/* nested_each.c - operations of a body in a function that is nested in it, which gcc has and clang has not
 * SPDX-License-Identifier: MIT
 * expect error c -DPT_MISUSE=PT_WITH_LOCAL(&local,&key,&key){}: pt_suspension_outside_PT_ASYNC|function definition is not allowed here
 * expect error c -DPT_MISUSE=PT_SELECT_NOW(&choice,PT_CASE_EVENT(&event)): pt_suspension_outside_PT_ASYNC|function definition is not allowed here
 * expect error c -DPT_MISUSE=PT_RETURN(PT_OK): pt_suspension_outside_PT_ASYNC|function definition is not allowed here
 * expect error c -DPT_MISUSE=PT_NOW(): pt_suspension_outside_PT_ASYNC|function definition is not allowed here
 * expect error c -DPT_MISUSE=PT_LOOP(): pt_suspension_outside_PT_ASYNC|function definition is not allowed here
 * expect error c -DPT_MISUSE=PT_REARM(&limit,1): pt_suspension_outside_PT_ASYNC|function definition is not allowed here
 * expect error c -DPT_MISUSE=PT_ADOPT(&group): pt_suspension_outside_PT_ASYNC|function definition is not allowed here
 * expect error c -DPT_MISUSE=PT_LOCAL(&key): pt_suspension_outside_PT_ASYNC|function definition is not allowed here
 * expect error c -DPT_MISUSE=PT_UNLOCK(&lock): pt_suspension_outside_PT_ASYNC|function definition is not allowed here
 * expect error c -DPT_MISUSE=PT_HOLDS(&lock): pt_suspension_outside_PT_ASYNC|function definition is not allowed here
 * expect error c -DPT_MISUSE=PT_UNLOCK_EXCLUSIVE(&shared): pt_suspension_outside_PT_ASYNC|function definition is not allowed here
 * expect error c -DPT_MISUSE=PT_YIELD(): case label|function definition is not allowed here
 * expect error c -DPT_MISUSE=PT_WAIT(1): case label|function definition is not allowed here
 * expect error c -DPT_MISUSE=PT_WITH_TIMEOUT(&limit,1){}: case label|function definition is not allowed here
 * expect error c -DPT_MISUSE=PT_RECV_EACH(&channel,&value){}: case label|function definition is not allowed here
 * expect error c -DPT_MISUSE=PT_FINALLY: case label|function definition is not allowed here */
#include "each.h"

struct body {
    struct pt pt;
};

PT_ASYNC(body, self)
{
    pt_op nested(void)
    {
        PT_MISUSE;
        return pt_op_of_(0);
    }

    (void)nested;
}
PT_END
