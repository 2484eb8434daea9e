/* arch/aarch64.S - the switch as functions, for compilers that cannot have it inline
 * SPDX-License-Identifier: MIT
 *
 *     void pt_context_switch_abi(struct pt_context *from, struct pt_context *to);
 *     void pt_context_enter_abi(struct pt_context *to);
 *     void pt_context_get_fp_abi(struct pt_context *context);
 *     void pt_context_set_fp_abi(const struct pt_context *context,
 *                                const struct pt_context *before);
 *
 * AAPCS64, 6.1.1 and 6.1.2: the callee must preserve x19-x29, sp and the low halves of v8-v15. They
 * are saved in the context; the way back to the caller, x29 and x30, is on the stack, where
 * unwinders look for it. The switch ends in a ret, although the processor mispredicts it: a jump
 * would need a landing pad after the call, and there is none. The other jumps go through x16: such
 * a jump may land on a function's `bti c`, and on a `bti j`. The layout of a context with
 * PT_CONTEXT_ABI: include/pt/stack/arch/aarch64.h. */

#if defined(__aarch64__) && defined(__ELF__) && !defined(__ILP32__)

    .text

    .globl pt_context_switch_abi
    .type pt_context_switch_abi, %function
    .p2align 4
pt_context_switch_abi:
    .cfi_startproc
    hint #34 /* bti c */
    stp x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x29, -16
    .cfi_offset x30, -8
    adr x16, 1f
    mov x17, sp
    stp x16, x17, [x0]
    str x29, [x0, #16]
    stp x19, x20, [x0, #32]
    stp x21, x22, [x0, #48]
    stp x23, x24, [x0, #64]
    stp x25, x26, [x0, #80]
    stp x27, x28, [x0, #96]
    stp d8, d9, [x0, #112]
    stp d10, d11, [x0, #128]
    stp d12, d13, [x0, #144]
    stp d14, d15, [x0, #160]
    mov x0, x1 /* where an entry, or the code at label 1, finds its context */
    ldp x16, x17, [x0]
    ldr x29, [x0, #16]
    mov x30, xzr
    mov sp, x17
    br x16
1:
    hint #36 /* bti j */
    ldp x19, x20, [x0, #32]
    ldp x21, x22, [x0, #48]
    ldp x23, x24, [x0, #64]
    ldp x25, x26, [x0, #80]
    ldp x27, x28, [x0, #96]
    ldp d8, d9, [x0, #112]
    ldp d10, d11, [x0, #128]
    ldp d12, d13, [x0, #144]
    ldp d14, d15, [x0, #160]
    ldp x29, x30, [sp], #16
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc
    .size pt_context_switch_abi, . - pt_context_switch_abi

    .globl pt_context_enter_abi
    .type pt_context_enter_abi, %function
    .p2align 4
pt_context_enter_abi:
    .cfi_startproc
    hint #34
    ldp x16, x17, [x0]
    ldr x29, [x0, #16]
    mov x30, xzr
    mov sp, x17
    br x16
    .cfi_endproc
    .size pt_context_enter_abi, . - pt_context_enter_abi

    .globl pt_context_get_fp_abi
    .type pt_context_get_fp_abi, %function
    .p2align 4
pt_context_get_fp_abi:
    .cfi_startproc
    hint #34
    mrs x1, fpcr
    str x1, [x0, #24]
    ret
    .cfi_endproc
    .size pt_context_get_fp_abi, . - pt_context_get_fp_abi

    .globl pt_context_set_fp_abi
    .type pt_context_set_fp_abi, %function
    .p2align 4
pt_context_set_fp_abi:
    .cfi_startproc
    hint #34
    ldr x2, [x0, #24]
    ldr x3, [x1, #24]
    cmp x2, x3
    b.eq 1f
    msr fpcr, x2
1:
    ret
    .cfi_endproc
    .size pt_context_set_fp_abi, . - pt_context_set_fp_abi

/* Each indirect jump lands on a landing pad (BTI). */
    .section .note.gnu.property, "a", %note
    .p2align 3
    .long 4, 16, 5
    .asciz "GNU"
    .long 0xc0000000, 4, 1, 0

#endif

#ifdef __ELF__
    .section .note.GNU-stack, "", %progbits
#endif
