/* there.c - which operations this configuration of pt has
 * SPDX-License-Identifier: MIT */
#include "script.h"

#define PT_OTHER_KNOBS 1 /* subject.c has labels of 16 bits */
#include <pt/pt.h>

bool op_there(int kind)
{
    switch (kind) {
    case OP_PAUSE:
    case OP_RESUME: return PT_PAUSE;
    case OP_JOIN: return PT_JOINS;
    case OP_CANCEL:
    case OP_CANCEL_ALL: return PT_CANCEL && PT_HAS_MEMBERS_;
    case OP_TIMED:
    case OP_REARM: return PT_TIMEOUTS;
    case OP_SPAWN_IN:
    case OP_POOL_IN:
    case OP_GROUP:
    case OP_GROUP_CANCEL:
    case OP_GROUP_ADD:
    case OP_GROUP_JOIN: return PT_GROUPS;
    case OP_BREAK:
    case OP_CONTINUE: return PT_TIMEOUTS || PT_GROUPS;
    case OP_NEST: return PT_NESTING;
    case OP_HOLD: return PT_HAS_SCOPES_;
    case OP_SLOW: return PT_SLOWMO;
    case OP_PARK_FOR:
    case OP_PARK_UNTIL: return PT_TIMED_PARKS;
    default: return true;
    }
}

bool wish_there(enum wish wish)
{
    return wish != WISH_END || PT_JOINS;
}

bool observers_there(void)
{
    return PT_INSPECT;
}

bool idle_alarms_there(void)
{
    return !PT_PORT;
}

bool clock_there(void)
{
    return PT_HAS_CLOCK_;
}

int sleepers_there(void)
{
    return PT_SLEEPERS_;
}

int steps_there(void)
{
    return PT_FAST_ && PT_HAS_CLOCK_ ? MODEL_STEPS : 0;
}

bool shortcuts_there(void)
{
    return PT_FAST_;
}
