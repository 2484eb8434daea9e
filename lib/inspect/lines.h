/* lines.h - a program without PT_SITES has no lines of suspensions: it names what has them
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_LINES_H
#define PT_LIB_LINES_H

#include <pt/inspect/dump.h>

#include <string.h>
#include <unistd.h>

/* Whether a piece of a dump is a suspension without its line. */
static inline bool pt_lacks_line_(const char *piece)
{
    return !strcmp(piece, "suspension ");
}

static inline void pt_name_what_knows_lines_(pt_print *print, void *context)
{
    print(context, "(pt-ps ");
    pt_print_number_(print, context, (uint64_t)getpid());
    print(context,
          " shows the lines; with PT_SITES 1 a program prints those of its PT_ASYNC bodies "
          "itself)\n");
}

#endif
