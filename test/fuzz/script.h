/* script.h - bytes as a script of the model test: pt and the reference have to leave the same trace
 * SPDX-License-Identifier: MIT */
#ifndef FUZZ_SCRIPT_H
#define FUZZ_SCRIPT_H

#include "target.h"
#include "../model/script.h"

/* fuzz_script - run the script that the bytes are; MIX: how often each operation is in it
 * Where the traces part it is printed, and the program aborts. */
void fuzz_script(const uint8_t *data, size_t size, const unsigned char mix[OP_KINDS]);

#endif
