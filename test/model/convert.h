/* convert.h - codes, times and delays: from the script's numbers to those of pt
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_CONVERT_H
#define MODEL_CONVERT_H

#include "script.h"

#undef PT_LABEL_BITS
#undef PT_COUNTER_
#define PT_LABEL_BITS 16 /* each depth of blocks has a copy of all operations */
#define PT_COUNTER_ 1
#include <pt/pt.h>

/* The clock starts just below its wrap. */
#define START ((pt_time)((pt_time)0 - 20))

static int from_status(pt_status status)
{
    switch (status) {
    case PT_OK: return CODE_OK;
    case PT_ECANCELED: return CODE_CANCELED;
    case PT_EBUSY: return CODE_BUSY;
    case PT_EINVAL: return CODE_INVALID;
    case PT_ENOMEM: return CODE_NO_ROOM;
    case PT_ERANGE: return CODE_RANGE;
    case PT_EDEADLK: return CODE_DEADLOCK;
    case PT_ETIMEDOUT: return CODE_TIMED_OUT;
    case PT_EAGAIN: return CODE_AGAIN;
    case PT_ECLOSED: return CODE_CLOSED;
    case PT_EPERM: return CODE_NOT_HELD;
    case PT_EOVERRUN: return CODE_OVERRUN;
    default: return CODE_USER - 64 - status;
    }
}

static pt_status to_status(int code)
{
    if (code == CODE_OK)
        return PT_OK;
    return code == CODE_CANCELED ? (pt_status)PT_ECANCELED : (pt_status)(CODE_USER - 64 - code);
}

static pt_time to_time(int time)
{
    return (pt_time)(START + (pt_time)time);
}

static int from_time(pt_time time)
{
    return (int)(pt_time)(time - START);
}

static pt_time to_delay(int delay)
{
    if (delay == MODEL_NEVER)
        return PT_DELAY_NEVER;
    return delay == MODEL_LONG ? (pt_time)(PT_DELAY_NEVER + 1) : (pt_time)delay;
}

#endif
