/* arch/i386.h - void pt_context_switch(struct pt_context *from, struct pt_context *to)
 * SPDX-License-Identifier: MIT
 *
 * Saved: eip, esp, ebp. Clobbered: all others. Unchanged: the control bits of mxcsr and the x87
 * control word, which pt_context_swap_fp_ switches.
 * System V ABI, Intel386, 2.2.3: ebx, esi, edi, ebp, and the control words belong to the caller;
 * 2.2.2: esp + 4 is a multiple of 16 where a function begins; 2.2.3: arguments are on the stack, so
 * an entry finds its context there. */
#ifndef PT_ARCH_I386_H
#define PT_ARCH_I386_H

/* Written when a context is left, read when it is entered. */
struct pt_context {
    void *pc;         /* where it continues */
    void *sp;         /* its stack there */
    void *fp;         /* ebp, which an asm cannot clobber where it is the frame pointer */
    uint32_t mxcsr;   /* SSE's rounding and exceptions, if pt_context_swap_fp_ is used */
    uint16_t x87;     /* the same of the x87, with its precision */
    uint16_t padding; /* padding */
    void *esi;        /* saved for clang, which ignores a clobber of it */
};

/* There is no red zone. */
#define PT_CONTEXT_RED_ZONE_ 0

/* A landing pad, for processors that check the targets of indirect jumps. */
#if defined(__CET__) && (__CET__ & 1)
#define PT_CONTEXT_PAD_ "endbr32\n"
#else
#define PT_CONTEXT_PAD_
#endif

/* Load the address of label 1 into ecx; position-independent code needs a call for that. */
#ifdef __PIC__
#define PT_CONTEXT_HERE_ \
    "call 0f\n"          \
    "0: popl %%ecx\n"    \
    "addl $1f - 0b, %%ecx\n"
#else
#define PT_CONTEXT_HERE_ "movl $1f, %%ecx\n"
#endif

/* In a function that calls alloca and has an over-aligned local, clang addresses locals
 * through esi, and ignores that an asm clobbers it. So there the switch saves it. */
PT_ALWAYS void pt_context_switch(struct pt_context *from, struct pt_context *to)
{
    /* clang-format off */
    __asm__ volatile(
        PT_CONTEXT_HERE_
        "movl %%ecx, 0(%0)\n"
        "movl %%esp, 4(%0)\n"
        "movl %%ebp, 8(%0)\n"
        PT_CONTEXT_IF_(__clang__, "movl %%esi, 20(%0)\n")
        "movl 4(%1), %%esp\n"
        "movl 8(%1), %%ebp\n"
        "jmpl *0(%1)\n"
        "1: " PT_CONTEXT_PAD_
        PT_CONTEXT_IF_(__clang__, "movl 20(%1), %%esi\n")
        : "+a"(from), "+d"(to)
        :
        : "ebx", "ecx", PT_CONTEXT_UNLESS_(__clang__, "esi",) "edi",
          PT_CONTEXT_IF_(__SSE__, "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",)
          PT_CONTEXT_IF_(__AVX512F__, "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7",)
          "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)",
          PT_CONTEXT_IF_(__MMX__, "mm0", "mm1", "mm2", "mm3", "mm4", "mm5", "mm6", "mm7",)
          "cc", "memory");
    /* clang-format on */
    pt_uses_all_();
}

PT_ALWAYS void pt_context_enter_(struct pt_context *to)
{
    __asm__ volatile("movl 4(%0), %%esp\n"
                     "movl 8(%0), %%ebp\n"
                     "jmpl *0(%0)\n"
                     :
                     : "d"(to)
                     : "memory");
    __builtin_unreachable();
}

PT_ALWAYS void pt_context_get_fp_(struct pt_context *context)
{
    __asm__ volatile("fnstcw %0\n" : "=m"(context->x87));
    PT_CONTEXT_IF_(__SSE__, __asm__ volatile("stmxcsr %0\n" : "=m"(context->mxcsr));)
}

/* The low bits of mxcsr are flags of past exceptions: ignore them. */
PT_ALWAYS void pt_context_set_fp_(const struct pt_context *context, const struct pt_context *before)
{
    if (PT_UNLIKELY(context->x87 != before->x87))
        __asm__ volatile("fldcw %0\n" : : "m"(context->x87));
    if (PT_DEFINED_(__SSE__) && PT_UNLIKELY((context->mxcsr ^ before->mxcsr) & ~0x3fu))
        __asm__ volatile("ldmxcsr %0\n" : : "m"(context->mxcsr));
}

PT_ALWAYS void pt_context_copy_fp_(struct pt_context *context, const struct pt_context *another)
{
    context->mxcsr = another->mxcsr;
    context->x87 = another->x87;
}

/* Above the frame of ENTRY is the return address 0, where unwinders and debuggers stop; above that
 * its argument. */
PT_ALWAYS void pt_context_make(struct pt_context *context, void *stack, size_t bytes,
                               pt_entry entry)
{
    void **top = (void **)(((uintptr_t)stack + bytes) & ~(uintptr_t)15) - 5;

    top[0] = NULL;
    top[1] = context;
    context->pc = PT_EXTENSION(void *) entry;
    context->sp = top;
    context->fp = NULL;
}

#endif
