/* tables.h - the tables that the build makes of a program's structs
 * SPDX-License-Identifier: MIT */
#ifndef PLAY_TABLES_H
#define PLAY_TABLES_H

/* A field of a frame. kind: i signed, u unsigned, b bool, t time, s text, a array of char, p pointer,
 * F frame, T task, c scope, g group, k ticker, ? other. */
struct play_field_ {
    const char *name;
    size_t offset, size, count;
    char kind;
    const char *word; /* its type, for a value that is not shown */
};

/* A coroutine and the struct of its frame. */
struct play_type_ {
    const char *name;
#if PLAY_FN_
    pt_fn *fn;
#endif
    size_t size, count;
    const struct play_field_ *fields;
};

#endif
