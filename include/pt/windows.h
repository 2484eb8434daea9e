/* windows.h - the portable core on Windows: real time, and memory that grows
 * SPDX-License-Identifier: MIT */
#ifndef PT_WINDOWS_H
#define PT_WINDOWS_H

#include "pt.h"
#include "ports/windows.h"

#endif
