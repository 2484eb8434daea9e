/* threads.h - the portable core on Unix, with a loop that other threads may inspect and change
 * SPDX-License-Identifier: MIT */
#ifndef PT_THREADS_H
#define PT_THREADS_H

#include "pt.h"
#include "ports/threads.h"

#endif
