/* config_bad.c - knobs with invalid values, or with values that exclude each other
 * SPDX-License-Identifier: MIT
 * expect error c -DPT_TIME_BITS=24: PT_TIME_BITS must be 16, 32 or 64
 * expect error c -DPT_LABEL_BITS=7: PT_LABEL_BITS must be 8 or 16
 * expect error c -DPT_TIMERS=7: PT_TIMERS must be
 * expect error c -DPT_TIME_BITS=32 -DPT_TIMERS=PT_TIMERS_ARRAY: an array, needs PT_TIME_BITS 64
 * expect error c -DPT_CENSUS=0: need PT_CENSUS
 * expect error c -DPT_ALL=0 -DPT_GROUPS=1 -DPT_CANCEL=0: PT_GROUPS needs PT_CANCEL
 * expect error c -DPT_TIMERS=0 -DPT_SLOWMO=0: PT_NESTING needs a timer queue
 * expect error c -DPT_TIMERS=0 -DPT_NESTING=0: PT_SLOWMO needs time
 * expect error c -DPT_TIMERS=0 -DPT_NESTING=0 -DPT_SLOWMO=0 -DPT_TIMED_PARKS=1: PT_TIMED_PARKS needs a timer queue
 * expect error c -DPT_INSPECT=0 -DPT_TRACE=1: PT_TRACE needs PT_INSPECT
 * expect error c -DPT_READY=7: PT_READY must be
 * expect error c -DPT_AWAIT=0 -DPT_SUBGENERATORS=1: PT_SUBGENERATORS needs PT_AWAIT
 * expect first -DPT_JOINS=: a feature has no value: write #define PT_JOINS 1
 * expect first -DPT_CLEANUP=: a feature has no value: write #define PT_JOINS 1
 * expect error c -DPT_CONFIG_H="no_such_file.h": no_such_file.h */
#include <pt/pt.h>
