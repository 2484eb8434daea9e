/* threads.h - the portable core on Unix, in a loop that other threads may visit
 * SPDX-License-Identifier: MIT */
#ifndef PT_THREADS_H
#define PT_THREADS_H

#include "pt.h"
#include "ports/threads.h"

#endif
