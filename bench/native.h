/* native.h - shared by the files of the bench of native stacks
 * SPDX-License-Identifier: MIT */
#ifndef PT_BENCH_NATIVE_H
#define PT_BENCH_NATIVE_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NATIVE_STEPS = 1000000, NATIVE_STACK = 16 << 10, NATIVE_STRIDE = NATIVE_STACK + 1088 };

/* Begin a measurement: clears the floating-point exception flags and returns the time. Loading
 * contexts that differ in these flags is slow, and whether they differ would be an accident. */
double native_begin(void);

/* The resident memory of the program, in bytes. */
double native_resident(void);

double native_rr_copied(unsigned long n, void **state);
double native_bytes_copied(unsigned long n, void **state);
double native_switch_abi(unsigned long n, void **state);
double native_ucontext_switch(unsigned long n, void **state);
double native_ucontext_rr(unsigned long n, void **state);
double native_boost_switch(unsigned long n, void **state);
double native_boost_rr(unsigned long n, void **state);
double native_boost_rr_shuffled(unsigned long n, void **state);
double native_boost_spawn(unsigned long n, void **state);
double native_cxx_switch(unsigned long n, void **state);
double native_cxx_rr(unsigned long n, void **state);
double native_cxx_spawn(unsigned long n, void **state);

extern const struct bench_case native_task_cases[], native_call_cases[];

#ifdef __cplusplus
}
#endif

#endif
