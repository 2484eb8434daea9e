/* arch/x86_64.S - the switch as functions, for compilers that cannot have it inline
 * SPDX-License-Identifier: MIT
 *
 *     void pt_context_switch_abi(struct pt_context *from, struct pt_context *to);
 *     void pt_context_enter_abi(struct pt_context *to);
 *     void pt_context_get_fp_abi(struct pt_context *context);
 *     void pt_context_set_fp_abi(const struct pt_context *context,
 *                                const struct pt_context *before);
 *
 * System V ABI, AMD64, 3.2.1: the callee must preserve rbx, rbp, r12-r15. They are saved in the
 * context, where they can be loaded before rsp is. The switch ends in a jump, because the processor
 * would predict a return from the calls on the other stack. The layout of a context with
 * PT_CONTEXT_ABI: include/pt/stack/arch/x86_64.h. */

#if defined(__x86_64__) && defined(__ELF__)

    .text

    .globl pt_context_switch_abi
    .type pt_context_switch_abi, @function
    .p2align 4
pt_context_switch_abi:
    .cfi_startproc
    endbr64
    leaq 1f(%rip), %rax
    movq %rax, 0(%rdi)
    movq %rsp, 8(%rdi)
    movq %rbp, 16(%rdi)
    movq %rbx, 32(%rdi)
    movq %r12, 40(%rdi)
    movq %r13, 48(%rdi)
    movq %r14, 56(%rdi)
    movq %r15, 64(%rdi)
    movq %rsi, %rdi /* where an entry finds its context */
    movq 8(%rdi), %rsp
    movq 16(%rdi), %rbp
    cmpq %rax, 0(%rdi)
    jne 2f /* the first time */
1:
    endbr64
    movq 32(%rdi), %rbx
    movq 40(%rdi), %r12
    movq 48(%rdi), %r13
    movq 56(%rdi), %r14
    movq 64(%rdi), %r15
    movq (%rsp), %rcx
    addq $8, %rsp
    .cfi_remember_state
    .cfi_def_cfa_offset 0
    .cfi_register %rip, %rcx
    notrack jmpq *%rcx /* there is no landing pad after a call */
2:
    .cfi_restore_state
    jmpq *0(%rdi)
    .cfi_endproc
    .size pt_context_switch_abi, . - pt_context_switch_abi

    .globl pt_context_enter_abi
    .type pt_context_enter_abi, @function
    .p2align 4
pt_context_enter_abi:
    .cfi_startproc
    endbr64
    movq 8(%rdi), %rsp
    movq 16(%rdi), %rbp
    jmpq *0(%rdi)
    .cfi_endproc
    .size pt_context_enter_abi, . - pt_context_enter_abi

    .globl pt_context_get_fp_abi
    .type pt_context_get_fp_abi, @function
    .p2align 4
pt_context_get_fp_abi:
    .cfi_startproc
    endbr64
    stmxcsr 24(%rdi)
    fnstcw 28(%rdi)
    ret
    .cfi_endproc
    .size pt_context_get_fp_abi, . - pt_context_get_fp_abi

    .globl pt_context_set_fp_abi
    .type pt_context_set_fp_abi, @function
    .p2align 4
pt_context_set_fp_abi:
    .cfi_startproc
    endbr64
    movl 24(%rdi), %eax
    xorl 24(%rsi), %eax
    testl $~0x3f, %eax /* ignore the flags of past exceptions */
    je 1f
    ldmxcsr 24(%rdi)
1:
    movzwl 28(%rdi), %eax
    cmpw 28(%rsi), %ax
    je 1f
    fldcw 28(%rdi)
1:
    ret
    .cfi_endproc
    .size pt_context_set_fp_abi, . - pt_context_set_fp_abi

/* Each indirect jump lands on an endbr64 (IBT); shadow stacks are not switched (no SHSTK). */
    .section .note.gnu.property, "a", @note
    .p2align 3
    .long 4, 16, 5
    .asciz "GNU"
    .long 0xc0000002, 4, 1, 0

#endif

#ifdef __ELF__
    .section .note.GNU-stack, "", %progbits
#endif
