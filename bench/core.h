/* core.h - shared by the files of the core's bench
 * SPDX-License-Identifier: MIT */
#ifndef PT_BENCH_CORE_H
#define PT_BENCH_CORE_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* End the program if a result is wrong. */
void core_check(bool right, const char *what);

struct core_tree {
    const struct core_tree *left, *right;
    unsigned long number;
};

/* A balanced tree of N nodes, numbered in order; the same in each call. */
const struct core_tree *core_plant(unsigned long n);

/* core_cxx.cc */
double core_cxx_generator_tree(unsigned long n, void **state);

#ifdef __cplusplus
}
#endif

#endif
