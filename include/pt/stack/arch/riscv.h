/* arch/riscv.h - void pt_context_switch(struct pt_context *from, struct pt_context *to)
 * SPDX-License-Identifier: MIT
 *
 * RV32 and RV64, with floating-point registers or without. Saved: pc, sp, s0. Clobbered: all others
 * but gp and tp. Unchanged: fcsr, which pt_context_swap_fp_ switches.
 * RISC-V psABI, 1.1 and 1.2: s0-s11 and fs0-fs11 belong to the caller; 2.1: sp is a multiple of 16,
 * and the first argument is in a0, so a switch leaves TO there, with 0 as the return address. It
 * jumps through t1, because a jump through ra or t0 would be predicted as a return. */
#ifndef PT_ARCH_RISCV_H
#define PT_ARCH_RISCV_H

/* Written when a context is left, read when it is entered. */
struct pt_context {
    void *pc;       /* where it continues */
    void *sp;       /* its stack there */
    void *fp;       /* s0, which an asm cannot clobber where it is the frame pointer */
    uintptr_t fcsr; /* rounding, if pt_context_swap_fp_ is used */
    void *s1;       /* saved for clang, which ignores a clobber of it */
};

/* There is no red zone. */
#define PT_CONTEXT_RED_ZONE_ 0

#if __riscv_xlen == 64
#define PT_CONTEXT_LOAD_(register, number) "ld " register ", 8*" number "(a0)\n"
#define PT_CONTEXT_STORE_(register, number) "sd " register ", 8*" number "(a1)\n"
#else
#define PT_CONTEXT_LOAD_(register, number) "lw " register ", 4*" number "(a0)\n"
#define PT_CONTEXT_STORE_(register, number) "sw " register ", 4*" number "(a1)\n"
#endif

/* With floating-point registers, and without. */
#ifdef __riscv_flen

#define PT_CONTEXT_FLOATS_                                                                         \
    "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "ft8", "ft9", "ft10", "ft11", "fa0",   \
        "fa1", "fa2", "fa3", "fa4", "fa5", "fa6", "fa7", "fs0", "fs1", "fs2", "fs3", "fs4", "fs5", \
        "fs6", "fs7", "fs8", "fs9", "fs10", "fs11",

PT_ALWAYS void pt_context_get_fp_(struct pt_context *context)
{
    __asm__ volatile("frcsr %0\n" : "=r"(context->fcsr));
}

/* The low bits are flags of past exceptions: ignore them. */
PT_ALWAYS void pt_context_set_fp_(const struct pt_context *context, const struct pt_context *before)
{
    if (PT_UNLIKELY((context->fcsr ^ before->fcsr) & 0xe0))
        __asm__ volatile("fscsr %0\n" : : "r"(context->fcsr));
}

#else

#define PT_CONTEXT_FLOATS_

PT_ALWAYS void pt_context_get_fp_(struct pt_context *context)
{
    context->fcsr = 0;
}

PT_ALWAYS void pt_context_set_fp_(const struct pt_context *context, const struct pt_context *before)
{
}

#endif

/* Continue in the context in a0. */
#define PT_CONTEXT_GO_          \
    PT_CONTEXT_LOAD_("t1", "0") \
    PT_CONTEXT_LOAD_("sp", "1") \
    PT_CONTEXT_LOAD_("s0", "2") \
    "li ra, 0\n"                \
    "jr t1\n"

/* In a function that calls alloca and has an over-aligned local, clang addresses locals
 * through s1, and ignores that an asm clobbers it. So there the switch saves it. */
PT_ALWAYS void pt_context_switch(struct pt_context *from, struct pt_context *to)
{
    register struct pt_context *to_a0 __asm__("a0") = to;
    register struct pt_context *from_a1 __asm__("a1") = from;

    /* clang-format off */
    __asm__ volatile(
        "lla t1, 1f\n"
        PT_CONTEXT_STORE_("t1", "0")
        PT_CONTEXT_STORE_("sp", "1")
        PT_CONTEXT_STORE_("s0", "2")
        PT_CONTEXT_IF_(__clang__, PT_CONTEXT_STORE_("s1", "4"))
        PT_CONTEXT_GO_
        "1:\n"
        PT_CONTEXT_IF_(__clang__, PT_CONTEXT_LOAD_("s1", "4"))
        : "+r"(to_a0), "+r"(from_a1)
        :
        : "ra", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a2", "a3", "a4", "a5", "a6", "a7",
          PT_CONTEXT_UNLESS_(__clang__, "s1",)
          "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", PT_CONTEXT_FLOATS_
          PT_CONTEXT_IF_(__riscv_vector, "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9",
                         "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19",
                         "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29",
                         "v30", "v31", "vl", "vtype",)
          "memory");
    /* clang-format on */
    pt_uses_all_();
}

PT_ALWAYS void pt_context_enter_(struct pt_context *to)
{
    register struct pt_context *to_a0 __asm__("a0") = to;

    __asm__ volatile(PT_CONTEXT_GO_ : : "r"(to_a0) : "memory");
    __builtin_unreachable();
}

PT_ALWAYS void pt_context_copy_fp_(struct pt_context *context, const struct pt_context *another)
{
    context->fcsr = another->fcsr;
}

PT_ALWAYS void pt_context_make(struct pt_context *context, void *stack, size_t bytes,
                               pt_entry entry)
{
    context->pc = PT_EXTENSION(void *) entry;
    context->sp = (void *)(((uintptr_t)stack + bytes) & ~(uintptr_t)15);
    context->fp = NULL;
}

#endif
