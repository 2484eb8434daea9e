/* arch/ucontext.h - void pt_context_switch(struct pt_context *from, struct pt_context *to)
 * SPDX-License-Identifier: MIT
 *
 * The portable form: swapcontext, which keeps the registers, the floating-point environment and the
 * signal mask, and makes a system call for the mask. For machines without a file of their own. */
#ifndef PT_ARCH_UCONTEXT_H
#define PT_ARCH_UCONTEXT_H

#include <ucontext.h>

/* Written when a context is left, read when it is entered. */
struct pt_context {
    void *pc;        /* NULL, or what to call if it is entered after its end */
    ucontext_t rest; /* all of it */
};

PT_ALWAYS void pt_context_switch(struct pt_context *from, struct pt_context *to)
{
    if (PT_UNLIKELY(to->pc))
        (PT_EXTENSION(pt_entry) to->pc)(to);
    (void)swapcontext(&from->rest, &to->rest);
}

PT_ALWAYS void pt_context_enter_(struct pt_context *to)
{
    (void)setcontext(&to->rest);
    PT_TRAP();
}

PT_ALWAYS void pt_context_prefetch_(const struct pt_context *context)
{
}

PT_ALWAYS void pt_context_get_fp_(struct pt_context *context)
{
    context->pc = NULL; /* a root, for which pt_context_make is not called */
}

PT_ALWAYS void pt_context_set_fp_(const struct pt_context *context, const struct pt_context *before)
{
}

PT_ALWAYS void pt_context_copy_fp_(struct pt_context *context, const struct pt_context *another)
{
}

/* makecontext passes only ints, so the context and its entry come in halves. */
PT_API void pt_context_begin_(unsigned context_high, unsigned context_low, unsigned entry_high,
                              unsigned entry_low)
{
    uintptr_t context = (uintptr_t)((uint64_t)context_high << 32 | context_low);
    uintptr_t entry = (uintptr_t)((uint64_t)entry_high << 32 | entry_low);

    ((pt_entry)entry)((struct pt_context *)context);
}

PT_API void pt_context_make(struct pt_context *context, void *stack, size_t bytes, pt_entry entry)
{
    uint64_t self = (uintptr_t)context, first = (uintptr_t)entry;

    context->pc = NULL;
    (void)getcontext(&context->rest);
    context->rest.uc_stack.ss_sp = stack;
    context->rest.uc_stack.ss_size = bytes;
    context->rest.uc_link = NULL;
    makecontext(&context->rest, PT_EXTENSION(void (*)(void)) pt_context_begin_, 4,
                (unsigned)(self >> 32), (unsigned)self, (unsigned)(first >> 32), (unsigned)first);
}

#endif
