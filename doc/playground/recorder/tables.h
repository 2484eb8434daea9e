/* tables.h - the tables that the build makes of a program's structs
 * SPDX-License-Identifier: MIT */
#ifndef PLAY_TABLES_H
#define PLAY_TABLES_H

/* A field of a frame. kind: i signed, u unsigned, b bool, t time, s text, a array of char, p pointer, ? other. */
struct play_field_ {
    const char *name;
    size_t offset, size, count;
    char kind;
};

/* A coroutine and the struct of its frame. */
struct play_type_ {
    const char *name;
    pt_fn *fn;
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
};

#define PLAY_KIND_(value)       \
    _Generic((value),           \
        _Bool: 'b',             \
        char: 'i',              \
        signed char: 'i',       \
        short: 'i',             \
        int: 'i',               \
        long: 'i',              \
        long long: 'i',         \
        unsigned char: 'u',     \
        unsigned short: 'u',    \
        unsigned: 'u',          \
        unsigned long: 'u',     \
        unsigned long long: 'u', \
        char *: 's',            \
        const char *: 's',      \
        default: '?')

#endif
