/* attach.h - a debugger that did not start this process may attach to it, where Yama restricts that
 * SPDX-License-Identifier: MIT */
#ifndef ATTACH_H
#define ATTACH_H

#include <sys/prctl.h>

/* Without Yama it fails, and nothing needs it. */
static void let_attach(void)
{
#ifdef PR_SET_PTRACER
    (void)prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
#endif
}

#endif
