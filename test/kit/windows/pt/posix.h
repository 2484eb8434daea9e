/* posix.h - for a program of the tests, which includes <pt/posix.h>, on Windows
 * SPDX-License-Identifier: MIT */
#include <pt/windows.h>

#define pt_posix pt_windows
