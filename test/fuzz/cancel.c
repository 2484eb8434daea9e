/* cancel.c - tasks in any kind of wait are canceled by any task
 * SPDX-License-Identifier: MIT */
#include "script.h"

static const unsigned char mix[OP_KINDS] = {
    [OP_YIELD] = 3,      [OP_WAIT] = 6,    [OP_PARK] = 4,      [OP_WAKE] = 3,
    [OP_PAUSE] = 3,      [OP_RESUME] = 3,  [OP_SPAWN] = 5,     [OP_SPAWN_IN] = 4,
    [OP_JOIN] = 6,       [OP_AWAIT] = 8,   [OP_CANCEL] = 10,   [OP_CANCEL_ALL] = 1,
    [OP_POOL] = 5,       [OP_POOL_IN] = 3, [OP_POOL_TRY] = 2,  [OP_TIMED] = 2,
    [OP_GROUP] = 3,      [OP_REARM] = 1,   [OP_GROUP_ADD] = 2, [OP_GROUP_CANCEL] = 2,
    [OP_GROUP_JOIN] = 3, [OP_RETURN] = 3,  [OP_BREAK] = 1,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_script(data, size, mix);
    return 0;
}
