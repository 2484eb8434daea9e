/* two_files.h - a program of two files: the declarations that they share
 * SPDX-License-Identifier: MIT */
#ifndef TWO_FILES_H
#define TWO_FILES_H

#include <pt/pt.h>

struct tick {
    struct pt pt;
    int count;
    struct pt_scope limit;
};

PT_DECLARE(tick);

/* Start, in LOOP, a task that lives in the other file. */
pt_status watch_start(struct pt_loop *loop);

#endif
