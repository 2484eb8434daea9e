/* nests.c - nested loops, time that is updated by hand, slow motion, observers that interfere
 * SPDX-License-Identifier: MIT */
#include "script.h"

static const unsigned char mix[OP_KINDS] = {
    [OP_YIELD] = 3,      [OP_WAIT] = 10,  [OP_UNTIL] = 2, [OP_PARK] = 4,   [OP_WAKE] = 4,
    [OP_PAUSE] = 3,      [OP_RESUME] = 4, [OP_SPAWN] = 6, [OP_JOIN] = 3,   [OP_AWAIT] = 6,
    [OP_CANCEL] = 6,     [OP_TIMED] = 8,  [OP_GROUP] = 3, [OP_REARM] = 1,  [OP_SPAWN_IN] = 3,
    [OP_CANCEL_ALL] = 1, [OP_RETURN] = 2, [OP_NEST] = 20, [OP_UPDATE] = 8, [OP_SLOW] = 6,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_script(data, size, mix);
    return 0;
}
