/* start.h - what a start and a wait share: the codes of children
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_START_H
#define PT_LIB_START_H

/* While SIGCHLD is ignored, which is inherited, or has SA_NOCLDWAIT, the system throws the codes of
 * children away. End that; an action that the program has chosen stays. */
void pt_keep_codes_(void);

#endif
