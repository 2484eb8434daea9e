/* arch/abi.h - void pt_context_switch(struct pt_context *from, struct pt_context *to)
 * SPDX-License-Identifier: MIT
 *
 * By functions of libpt, which save what the ABI requires: PT_CONTEXT_ABI. Included by the files of
 * the architectures that have them. */
#ifndef PT_ARCH_ABI_H
#define PT_ARCH_ABI_H

PT_C_LINKAGE_ void pt_context_switch_abi(struct pt_context *from, struct pt_context *to);
PT_C_LINKAGE_ void pt_context_enter_abi(struct pt_context *to);
PT_C_LINKAGE_ void pt_context_get_fp_abi(struct pt_context *context);
PT_C_LINKAGE_ void pt_context_set_fp_abi(const struct pt_context *context,
                                         const struct pt_context *before);

PT_ALWAYS void pt_context_switch(struct pt_context *from, struct pt_context *to)
{
    pt_context_switch_abi(from, to);
}

PT_ALWAYS void pt_context_enter_(struct pt_context *to)
{
    pt_context_enter_abi(to);
}

PT_ALWAYS void pt_context_get_fp_(struct pt_context *context)
{
    pt_context_get_fp_abi(context);
}

PT_ALWAYS void pt_context_set_fp_(const struct pt_context *context, const struct pt_context *before)
{
    pt_context_set_fp_abi(context, before);
}

#endif
