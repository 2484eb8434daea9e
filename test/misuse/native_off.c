/* native_off.c - native tasks without what they need
 * SPDX-License-Identifier: MIT
 * expect first -DPT_AWAIT=0: pt_native_needs_PT_AWAIT_1_and_PT_CLEANUP_1_and_PT_JOINS_1
 * expect first -DPT_ALL=0: pt_native_needs_PT_AWAIT_1_and_PT_CLEANUP_1_and_PT_JOINS_1
 * expect first -DPT_ALL=0 -DFOLDER: incomplete type .*pt_native_needs_PT_AWAIT_1_and_PT_CLEANUP_1_and_PT_JOINS_1
 * expect first -DPT_ALL=0 -DALONE: native tasks need PT_AWAIT 1, PT_CLEANUP 1 and PT_JOINS 1 */
#ifdef ALONE
#include <pt/stack/native_select.h>
#elif defined(FOLDER)
#include <pt/stack/native.h>
struct pt_native *native;
#else
#include <pt/native.h>
#endif

#ifndef FOLDER
PT_TASK(pt_native) task;
#endif
