/* arch/arm.h - void pt_context_switch(struct pt_context *from, struct pt_context *to)
 * SPDX-License-Identifier: MIT
 *
 * A32, Thumb-2, and the Thumb-1 of a Cortex-M0; with VFP or without. Saved: pc, sp, r7 and r11.
 * Clobbered: all others. Unchanged: fpscr, which pt_context_swap_fp_ switches.
 * AAPCS32, 6.1.1: r4-r11 belong to the caller; 6.1.2.1: d8-d15, and the control bits of fpscr;
 * 6.2.1.2: sp is a multiple of 8 where a call is made; 6.5: the first argument is in r0, so a
 * switch leaves TO there, with 0 as the return address. The lowest bit of pc is set for Thumb code.
 *
 * On a Cortex-M an interrupt uses the main stack, or that of the fiber that it interrupts: sp moves
 * in one instruction and is always in one of the two stacks. If an interrupt has deferred the
 * saving of VFP registers, the processor saves them before any code here can change them. With
 * PT_CONTEXT_LIMIT "msplim" or "psplim", an ARMv8-M checks each stack against its end; there is no
 * limit while sp moves. */
#ifndef PT_ARCH_ARM_H
#define PT_ARCH_ARM_H

/* Set sp to r3. With limits (at offset 24 of a context), first remove the limit of the old
 * stack. */
#ifdef PT_CONTEXT_LIMIT
#define PT_CONTEXT_LIMITS_ 1
#define PT_CONTEXT_KEEP_LIMIT_       \
    "mrs r4, " PT_CONTEXT_LIMIT "\n" \
    "str r4, [r1, #24]\n"
#define PT_CONTEXT_MOVE_             \
    "movs r4, #0\n"                  \
    "msr " PT_CONTEXT_LIMIT ", r4\n" \
    "mov sp, r3\n"                   \
    "ldr r4, [r0, #24]\n"            \
    "msr " PT_CONTEXT_LIMIT ", r4\n"
#else
#define PT_CONTEXT_LIMITS_ 0
#define PT_CONTEXT_KEEP_LIMIT_
#define PT_CONTEXT_MOVE_ "mov sp, r3\n"
#endif

/* Written when a context is left, read when it is entered. */
struct pt_context {
    void *pc;       /* where it continues */
    void *sp;       /* its stack there */
    void *r7;       /* the frame pointer of Thumb code, which an asm cannot clobber */
    void *r11;      /* that of A32 code */
    uint32_t fpscr; /* rounding and exceptions, if pt_context_swap_fp_ is used */
    void *r6;       /* saved for clang, which ignores a clobber of it */
    PT_IF_(PT_CONTEXT_LIMITS_, void *limit;) /* the lower end of its stack; NULL: no limit */
};

/* There is no red zone. */
#define PT_CONTEXT_RED_ZONE_ 0

/* With VFP, and without. */
#ifdef __ARM_FP

#define PT_CONTEXT_VFP_                                                                            \
    "d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9", "d10", "d11", "d12", "d13", "d14", \
        "d15",

PT_ALWAYS void pt_context_get_fp_(struct pt_context *context)
{
    __asm__ volatile("vmrs %0, fpscr\n" : "=r"(context->fpscr));
}

/* The other bits are flags of past exceptions and comparisons: ignore them. */
PT_ALWAYS void pt_context_set_fp_(const struct pt_context *context, const struct pt_context *before)
{
    if (PT_UNLIKELY((context->fpscr ^ before->fpscr) & 0x07c09f00u))
        __asm__ volatile("vmsr fpscr, %0\n" : : "r"(context->fpscr));
}

#else

#define PT_CONTEXT_VFP_

PT_ALWAYS void pt_context_get_fp_(struct pt_context *context)
{
    context->fpscr = 0;
}

PT_ALWAYS void pt_context_set_fp_(const struct pt_context *context, const struct pt_context *before)
{
}

#endif

/* Continue in the context in r0. */
#define PT_CONTEXT_GO_                                         \
    "ldr r2, [r0, #0]\n"                                       \
    "ldr r3, [r0, #4]\n" PT_CONTEXT_MOVE_ "ldr r7, [r0, #8]\n" \
    "ldr r3, [r0, #12]\n"                                      \
    "mov r11, r3\n"                                            \
    "movs r3, #0\n"                                            \
    "mov lr, r3\n"                                             \
    "bx r2\n"

/* In a function that calls alloca and has an over-aligned local, clang addresses locals
 * through r6, and ignores that an asm clobbers it. So there the switch saves it. */
PT_ALWAYS void pt_context_switch(struct pt_context *from, struct pt_context *to)
{
    register struct pt_context *to_r0 __asm__("r0") = to;
    register struct pt_context *from_r1 __asm__("r1") = from;

    /* clang-format off */
    __asm__ volatile(
        ".syntax unified\n"
        "adr r2, 1f\n"
        PT_CONTEXT_IF_(__thumb__, "adds r2, r2, #1\n")
        "mov r3, sp\n"
        "str r2, [r1, #0]\n"
        "str r3, [r1, #4]\n"
        "str r7, [r1, #8]\n"
        "mov r3, r11\n"
        "str r3, [r1, #12]\n"
        PT_CONTEXT_IF_(__clang__, "str r6, [r1, #20]\n")
        PT_CONTEXT_KEEP_LIMIT_
        PT_CONTEXT_GO_
        ".p2align 2\n" /* adr of Thumb-1 reaches only aligned labels */
        "1:\n"
        PT_CONTEXT_IF_(__clang__, "ldr r6, [r0, #20]\n")
        : "+r"(to_r0), "+r"(from_r1)
        :
        : "r2", "r3", "r4", "r5", PT_CONTEXT_UNLESS_(__clang__, "r6",)
          "r8", "r9", "r10", "r12", "lr",
          PT_CONTEXT_VFP_
          PT_CONTEXT_IF_(__ARM_NEON, "d16", "d17", "d18", "d19", "d20", "d21", "d22", "d23", "d24",
                         "d25", "d26", "d27", "d28", "d29", "d30", "d31",)
          "cc", "memory");
    /* clang-format on */
    pt_uses_all_();
}

PT_ALWAYS void pt_context_enter_(struct pt_context *to)
{
    register struct pt_context *to_r0 __asm__("r0") = to;

    __asm__ volatile(".syntax unified\n" PT_CONTEXT_GO_ : : "r"(to_r0) : "memory");
    __builtin_unreachable();
}

PT_ALWAYS void pt_context_copy_fp_(struct pt_context *context, const struct pt_context *another)
{
    context->fpscr = another->fpscr;
}

PT_ALWAYS void pt_context_make(struct pt_context *context, void *stack, size_t bytes,
                               pt_entry entry)
{
    context->pc = PT_EXTENSION(void *) entry;
    context->sp = (void *)(((uintptr_t)stack + bytes) & ~(uintptr_t)7);
    context->r7 = context->r11 = NULL;
    PT_IF_(PT_CONTEXT_LIMITS_, context->limit = (void *)(((uintptr_t)stack + 7) & ~(uintptr_t)7);)
}

#endif
