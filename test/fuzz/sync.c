/* sync.c - tasks wait for each other in every way, and are canceled, timed out and paused there
 * SPDX-License-Identifier: MIT */
#include "script.h"

static const unsigned char mix[OP_KINDS] = {
    [OP_YIELD] = 6,          [OP_WAIT] = 10,
    [OP_PAUSE] = 3,          [OP_RESUME] = 4,
    [OP_SPAWN] = 4,          [OP_SPAWN_IN] = 3,
    [OP_JOIN] = 3,           [OP_AWAIT] = 6,
    [OP_CANCEL] = 8,         [OP_TIMED] = 10,
    [OP_GROUP] = 3,          [OP_REARM] = 2,
    [OP_RETURN] = 1,         [OP_BREAK] = 1,
    [OP_WAIT_EVENT] = 12,    [OP_SET] = 4,
    [OP_CLEAR] = 4,          [OP_TRIGGER] = 4,
    [OP_ACQUIRE] = 12,       [OP_TRY_ACQUIRE] = 2,
    [OP_RELEASE] = 6,        [OP_LOCK] = 14,
    [OP_WAIT_CONDITION] = 4, [OP_TRY_LOCK] = 2,
    [OP_UNLOCK] = 5,         [OP_NOTIFY] = 5,
    [OP_NOTIFY_ALL] = 2,     [OP_SEND] = 12,
    [OP_RECV] = 12,          [OP_RECV_EACH] = 5,
    [OP_TRY_SEND] = 3,       [OP_TRY_RECV] = 3,
    [OP_CLOSE] = 1,          [OP_PUSH] = 14,
    [OP_POP] = 10,           [OP_POP_EACH] = 4,
    [OP_TRY_PUSH] = 3,       [OP_TRY_POP] = 3,
    [OP_CLOSE_QUEUE] = 1,    [OP_WAIT_FLAGS] = 12,
    [OP_SET_FLAGS] = 9,      [OP_CLEAR_FLAGS] = 2,
    [OP_WAIT_BARRIER] = 10,  [OP_WAIT_LATEST] = 8,
    [OP_TELL] = 8,           [OP_WAIT_BROADCAST] = 8,
    [OP_BROADCAST] = 8,      [OP_SUBSCRIBE] = 3,
    [OP_LOCK_SHARED] = 12,   [OP_LOCK_EXCLUSIVE] = 9,
    [OP_TRY_SHARED] = 2,     [OP_TRY_EXCLUSIVE] = 2,
    [OP_UNLOCK_SHARED] = 6,  [OP_UNLOCK_EXCLUSIVE] = 5,
    [OP_SELECT] = 14,        [OP_SELECT_TWO] = 10,
    [OP_SELECT_NOW] = 4,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_script(data, size, mix);
    return 0;
}
