/* tables.h - the tables that the build makes of a program's structs
 * SPDX-License-Identifier: MIT */
#ifndef PLAY_TABLES_H
#define PLAY_TABLES_H

/* A field of a frame. kind: i signed, u unsigned, b bool, t time, s text, a array of char, p pointer,
 * F frame, T task, ? other. */
struct play_field_ {
    const char *name;
    size_t offset, size, count;
    char kind;
    const char *word; /* its type, for a value that is not shown */
};

/* A coroutine and the struct of its frame. */
struct play_type_ {
    const char *name;
#ifdef PLAY_PT
    pt_fn *fn;
#endif
    size_t size, count;
    const struct play_field_ *fields;
};

/* An object at which tasks wait, or a frame (X). */
struct play_object_ {
    const char *name;
    char kind;
    const void *at;
    const char *word;
    char item; /* of a queue: the kind of its values */
    size_t item_size;
    size_t count, stride; /* an array of them, if COUNT is over 0: its name is that of the array */
};

#endif
