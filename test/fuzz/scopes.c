/* scopes.c - nested blocks in nested functions: timeouts, groups, and all ways to leave them
 * SPDX-License-Identifier: MIT */
#include "script.h"

static const unsigned char mix[OP_KINDS] = {
    [OP_YIELD] = 2,  [OP_WAIT] = 8,     [OP_UNTIL] = 2,        [OP_PARK] = 2,      [OP_WAKE] = 2,
    [OP_SPAWN] = 2,  [OP_SPAWN_IN] = 6, [OP_AWAIT] = 10,       [OP_TIMED] = 14,    [OP_GROUP] = 8,
    [OP_REARM] = 4,  [OP_BREAK] = 3,    [OP_CONTINUE] = 2,     [OP_RETURN] = 5,    [OP_JOIN] = 1,
    [OP_CANCEL] = 1, [OP_PAUSE] = 1,    [OP_GROUP_CANCEL] = 2, [OP_GROUP_ADD] = 1, [OP_RESUME] = 1,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_script(data, size, mix);
    return 0;
}
