/* native.h - tasks whose bodies are ordinary functions, on stacks of their own
 * SPDX-License-Identifier: MIT
 *
 * The operations on descriptors are in <pt/host/native_io.h> and need libpt. */
#ifndef PT_NATIVE_H
#define PT_NATIVE_H

#include "pt.h"
#include "stack/native.h"
#include "stack/stack.h"

#endif
