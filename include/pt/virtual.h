/* virtual.h - the portable core on a clock that jumps: hours of waiting take no time
 * SPDX-License-Identifier: MIT
 *
 * On Unix include <pt/posix.h>: it has this clock too, and the memory that a loop needs. */
#ifndef PT_VIRTUAL_H
#define PT_VIRTUAL_H

#include "pt.h"
#include "ports/virtual.h"

#endif
