/* target.h - the function that a fuzzer calls with some bytes; it aborts if pt is wrong
 * SPDX-License-Identifier: MIT */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer requires this name; main.c calls it with the bytes of files. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
