/* expanded/65-panic.c - the bodies of lesson 65, their operations expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     pt_native_yield    switch to the caller with the opcode YIELD
 *     pt_landing_mark    nothing, without AddressSanitizer */

static pt_status good(struct pt_native *self)
{
    return pt_native_suspend_(self, PT_OP_YIELD);
}
