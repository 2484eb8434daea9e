/* posix.h - the portable core on Unix: real time, and memory that grows
 * SPDX-License-Identifier: MIT */
#ifndef PT_POSIX_H
#define PT_POSIX_H

#include "pt.h"
#include "ports/posix.h"

#endif
