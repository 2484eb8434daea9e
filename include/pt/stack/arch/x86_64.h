/* arch/x86_64.h - void pt_context_switch(struct pt_context *from, struct pt_context *to)
 * SPDX-License-Identifier: MIT
 *
 * Saved: rip, rsp, rbp. Clobbered: all others, so that the compiler saves what it needs of them. Left as
 * they are: the control bits of mxcsr and the x87 control word, but for pt_context_swap_fp.
 * System V ABI, AMD64, 3.2.1: rbx, rbp, r12-r15 and the control words belong to the caller; 3.2.2: rsp
 * is a multiple of 16 where a call is made; 3.2.3: the first argument is in rdi. There TO is when it is
 * entered. */
#ifndef PT_ARCH_X86_64_H
#define PT_ARCH_X86_64_H

/* Written when it is left, read when it is entered. */
struct pt_context {
    void *pc;        /* where it goes on */
    void *sp;        /* its stack there */
    void *fp;        /* rbp: a compiler that uses it as a frame pointer lets nobody clobber it */
    uint32_t mxcsr;  /* SSE's rounding and exceptions, if it keeps its own: pt_context_swap_fp */
    uint16_t x87;    /* and those of the x87, with the precision */
    uint16_t unused; /* nothing; padding that has a name */
    void *rbx;       /* for those who cannot clobber it: clang, and the functions of libpt */
#if PT_CONTEXT == PT_CONTEXT_ABI
    void *kept[4]; /* r12-r15 */
#endif
};

#if PT_CONTEXT == PT_CONTEXT_INLINE

/* A landing pad, for processors that check where indirect jumps lead to. */
#if defined(__CET__) && (__CET__ & 1)
#define PT_CONTEXT_PAD_ "endbr64\n"
#else
#define PT_CONTEXT_PAD_
#endif

/* Registers that the compiler has with AVX-512 alone. */
#ifdef __AVX512F__
#define PT_CONTEXT_AVX512_                                                                        \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",   \
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", \
        "k6", "k7"
#else
#define PT_CONTEXT_AVX512_
#endif

/* Where alloca moves the stack, and a local is aligned more than it, clang finds locals by rbx, and takes
 * no notice of an asm that clobbers it. */
#ifdef __clang__
#define PT_CONTEXT_KEEP_BASE_ "movq %%rbx, 32(%0)\n"
#define PT_CONTEXT_LOAD_BASE_ "movq 32(%1), %%rbx\n"
#define PT_CONTEXT_BASE_
#else
#define PT_CONTEXT_KEEP_BASE_
#define PT_CONTEXT_LOAD_BASE_
#define PT_CONTEXT_BASE_ , "rbx"
#endif

#ifdef __MMX__
#define PT_CONTEXT_MMX_ , "mm0", "mm1", "mm2", "mm3", "mm4", "mm5", "mm6", "mm7"
#else
#define PT_CONTEXT_MMX_
#endif

PT_ALWAYS void pt_context_switch(struct pt_context *from, struct pt_context *to)
{
    /* clang-format off */
    __asm__ volatile(
        "leaq 1f(%%rip), %%rax\n"
        "movq %%rax, 0(%0)\n"
        "movq %%rsp, 8(%0)\n"
        "movq %%rbp, 16(%0)\n"
        PT_CONTEXT_KEEP_BASE_
        "movq 8(%1), %%rsp\n"
        "movq 16(%1), %%rbp\n"
        "jmpq *0(%1)\n"
        "1: " PT_CONTEXT_PAD_
        PT_CONTEXT_LOAD_BASE_
        : "+S"(from), "+D"(to)
        :
        : "rax" PT_CONTEXT_BASE_, "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
          "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
          "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15" PT_CONTEXT_AVX512_,
          "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)" PT_CONTEXT_MMX_,
          "cc", "memory");
    /* clang-format on */
}

PT_ALWAYS void pt_context_enter_(struct pt_context *to)
{
    __asm__ volatile("movq 8(%0), %%rsp\n"
                     "movq 16(%0), %%rbp\n"
                     "jmpq *0(%0)\n"
                     :
                     : "D"(to)
                     : "memory");
    __builtin_unreachable();
}

PT_ALWAYS void pt_context_get_fp(struct pt_context *context)
{
    __asm__ volatile("stmxcsr %0\n"
                     "fnstcw %1\n"
                     : "=m"(context->mxcsr), "=m"(context->x87));
}

/* To load one takes long, and mostly two are the same but for the low bits of mxcsr, which say what
 * happened. */
PT_ALWAYS void pt_context_set_fp_(const struct pt_context *context, const struct pt_context *before)
{
    if (PT_UNLIKELY((context->mxcsr ^ before->mxcsr) & ~0x3fu))
        __asm__ volatile("ldmxcsr %0\n" : : "m"(context->mxcsr));
    if (PT_UNLIKELY(context->x87 != before->x87))
        __asm__ volatile("fldcw %0\n" : : "m"(context->x87));
}

#endif

/* Shadow stacks hold return addresses alone: there none would be found behind a switch. */
PT_ALWAYS void pt_context_check_(void)
{
#if defined(__CET__) && (__CET__ & 2)
    uintptr_t shadow = 0;

    __asm__ volatile("rdsspq %0" : "+r"(shadow)); /* nothing where there are none */
    if (PT_UNLIKELY(shadow))
        PT_PANIC("shadow stacks are on: link the program with -z noshstk", "pt_context_make", 0);
#endif
}

PT_ALWAYS void pt_context_copy_fp(struct pt_context *context, const struct pt_context *another)
{
    context->mxcsr = another->mxcsr;
    context->x87 = another->x87;
}

/* Above the frame of ENTRY is a return to 0, where unwinders and debuggers stop. */
PT_ALWAYS void pt_context_make(struct pt_context *context, void *stack, size_t bytes,
                               pt_entry entry)
{
    void **top = (void **)(((uintptr_t)stack + bytes) & ~(uintptr_t)15) - 1;

    pt_context_check_();
    *top = NULL;
    context->pc = PT_EXTENSION(void *) entry;
    context->sp = top;
    context->fp = NULL;
}

#endif
