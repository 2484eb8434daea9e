/* script.h - runs bytes as a model script: pt and the reference must leave the same trace
 * SPDX-License-Identifier: MIT */
#ifndef FUZZ_SCRIPT_H
#define FUZZ_SCRIPT_H

#include "target.h"
#include "../model/script.h"

/* fuzz_script - run the script that the bytes encode; MIX: how often each operation is drawn
 * If the traces differ, both are printed, and the program aborts. */
void fuzz_script(const uint8_t *data, size_t size, const unsigned char mix[OP_KINDS]);

#endif
