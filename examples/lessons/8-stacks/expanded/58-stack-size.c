/* expanded/58-stack-size.c - lesson 58 with its operation expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     pt_native_yield    switch to the loop with the opcode YIELD */

static pt_status go_down(struct pt_native *self, int levels)
{
    volatile char room[256];
    pt_status status;

    room[levels] = (char)levels;
    status = levels ? go_down(self, levels - 1) : pt_native_suspend_(self, PT_OP_YIELD);
    return room[levels] == (char)levels ? status : (pt_status)PT_EINVAL;
}

static pt_status quiet(struct pt_native *self)
{
    return pt_native_suspend_(self, PT_OP_YIELD);
}
