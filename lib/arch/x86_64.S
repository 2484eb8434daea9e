/* arch/x86_64.S - the switch as functions, for compilers that cannot have it in place
 * SPDX-License-Identifier: MIT
 *
 *     void pt_context_switch_abi(struct pt_context *from, struct pt_context *to);
 *     void pt_context_enter_abi(struct pt_context *to);
 *     void pt_context_get_fp_abi(struct pt_context *context);
 *     void pt_context_set_fp_abi(const struct pt_context *context, const struct pt_context *before);
 *
 * Saved on the stack that is left: rbx, r12-r15; in the context: rip, rsp, rbp. System V ABI, AMD64,
 * 3.2.1: these are the callee's to keep. It comes back by a jump: the processor would predict a return
 * by the calls of the other stack. The layout of a context: include/pt/arch/x86_64.h. */

#if defined(__x86_64__) && defined(__ELF__)

    .text

    .globl pt_context_switch_abi
    .type pt_context_switch_abi, @function
    .p2align 4
pt_context_switch_abi:
    .cfi_startproc
    endbr64
    leaq -40(%rsp), %rsp
    .cfi_adjust_cfa_offset 40
    movq %rbx, 0(%rsp)
    .cfi_rel_offset %rbx, 0
    movq %r12, 8(%rsp)
    .cfi_rel_offset %r12, 8
    movq %r13, 16(%rsp)
    .cfi_rel_offset %r13, 16
    movq %r14, 24(%rsp)
    .cfi_rel_offset %r14, 24
    movq %r15, 32(%rsp)
    .cfi_rel_offset %r15, 32
    leaq 1f(%rip), %rax
    movq %rax, 0(%rdi)
    movq %rsp, 8(%rdi)
    movq %rbp, 16(%rdi)
    movq %rsi, %rdi /* where an entry finds its context */
    movq 8(%rdi), %rsp
    movq 16(%rdi), %rbp
    jmpq *0(%rdi)
1:
    endbr64
    movq 0(%rsp), %rbx
    .cfi_restore %rbx
    movq 8(%rsp), %r12
    .cfi_restore %r12
    movq 16(%rsp), %r13
    .cfi_restore %r13
    movq 24(%rsp), %r14
    .cfi_restore %r14
    movq 32(%rsp), %r15
    .cfi_restore %r15
    movq 40(%rsp), %rcx
    leaq 48(%rsp), %rsp
    .cfi_def_cfa_offset 0
    .cfi_register %rip, %rcx
    notrack jmpq *%rcx /* behind a call stands no landing pad */
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
    testl $~0x3f, %eax /* the low bits say what happened */
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
