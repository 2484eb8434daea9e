# miniature.py - the book's pt.h for the playground: its loop calls the recorder
# SPDX-License-Identifier: MIT
"""hooked(text, chapter) returns a chapter's pt.h with calls of recorder/hooks.h. Chapters 2 and 3 have no loop."""

import re
import sys

# Each: its first chapter, what to find, and what to write instead. Each is found exactly once.
HOOKS = (
    (4, r"#include <string.h>\n", r'\g<0>#include "hooks.h"\n'),
    (4, r"loop->live\+\+;", "loop->live++, play_begins_(loop, task);"),
    (4, r"((?:task->base|top))->fn\(\1, task\)", r"play_call_(\1, task)"),
    (4, r"for \(last = loop->ready", r"play_turns_(loop);\n    \g<0>"),
    (4, r"loop->current = first->task;", r"\g<0> play_resumes_(loop, first->task);"),
    (4, r"loop->current = NULL;", r"\g<0> play_turned_();"),
    (4, r"(static inline void pt_end_\(struct pt_task \*task\)\n\{\n.*?\n)\}", r"\1    play_ended_(task);\n}"),
    (5, r"\(void\)\((\*\(loop\) = \(struct pt_loop\)\{\.port = \(by\)\})\)", r"(void)(\1, play_opens_(loop))"),
)


def hooked(text, chapter):
    for first, found, instead in HOOKS:
        if chapter < first:
            continue
        text, times = re.subn(found, instead, text, flags=re.S)
        if times != 1:
            sys.exit(f"miniature.py: the pt.h of chapter {chapter} has {times} places like {found}")
    return text
