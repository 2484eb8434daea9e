/* version.c - the version of the library, as opposed to that of the headers
 * SPDX-License-Identifier: MIT */
#include <pt/host.h>

const char *pt_version(void)
{
    return PT_VERSION;
}
