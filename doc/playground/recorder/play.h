/* play.h - what the playground's build puts after the includes of a program: hooks for each line and each loop
 * SPDX-License-Identifier: MIT
 *
 * The build (../build) also inserts a call of play_line_ before each statement, and record.h at the end of
 * the program. The same text is compiled to WebAssembly, and for this computer in the tests. */
#ifndef PLAY_H
#define PLAY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Whether a frame has a pointer to its function: always with pt; in the book from chapter 3 on. */
#if defined PLAY_PT || PLAY_CHAPTER >= 3
#define PLAY_FN_ 1
#else
#define PLAY_FN_ 0
#endif

/* Before each statement: its line, and in a coroutine its frame. */
void play_line_(unsigned line);
void play_body_(const void *frame, unsigned line);
int play_printf_(const char *format, ...) __attribute__((format(printf, 1, 2)));
int play_puts_(const char *text);
int play_putchar_(int character);
int play_fputs_(const char *text, FILE *file);

/* The numbers of a program that the reader can change. NUMBER: which one; it is WRITTEN in the source. */
extern int play_parameters_[64];
static inline int play_parameter_(int number, int written)
{
    return play_parameters_[number] >= 0 ? play_parameters_[number] : written;
}

/* An object at which tasks wait, or a frame (X). */
struct play_object_ {
    const char *name;
    char kind;
    const void *at;
    const char *word;
    char item;            /* of a queue: the kind of its values */
    size_t item_size;     /* of a frame: the size of the task before it, or 0 */
    size_t count, stride; /* an array of them, if COUNT is over 0: its name is that of the array */
    int parameter,
        written; /* which parameter is its size, counted from 1, and what is written; or 0 */
};

/* One that is declared in a function. */
void play_object_(struct play_object_ object);

/* How many places an object at AT has: GIVEN, unless its size is a parameter. */
unsigned play_capacity_(const void *at, size_t given);

/* The kind of a value (tables.h). */
#define PLAY_KIND_(value) \
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

#define printf play_printf_
#define puts play_puts_
#define putchar play_putchar_
#define fputs play_fputs_
#define main play_main_

#ifdef PLAY_PT /* a program on pt's own headers, not on the book's miniature */
void play_open_(struct pt_loop *loop);
void play_close_(struct pt_loop *loop);
/* Their memory has room for more than the program says (../parameters.py). */
#define pt_queue_init(queue, items, places) \
    pt_queue_init(queue, items, play_capacity_(queue, places))
#define pt_pool_take_(pool, items, size, count) \
    pt_pool_take_(pool, items, size, play_capacity_(pool, count))
#undef PT_BROADCAST_KEEPS_
#define PT_BROADCAST_KEEPS_(broadcast) \
    play_capacity_(&(broadcast)->sent, sizeof((broadcast)->items) / sizeof((broadcast)->items[0]))
#undef PT_BROADCAST_PLACE_
#define PT_BROADCAST_PLACE_(broadcast, n) ((n) % PT_BROADCAST_KEEPS_(broadcast))
#define pt_loop_open(loop, port) (pt_loop_open(loop, port), play_open_(loop))
#define pt_loop_init(loop, now) (pt_loop_init(loop, now), play_open_(loop))
#define pt_loop_close(loop) (play_close_(loop), pt_loop_close(loop))
#define pt_sim_open(sim, loop) (pt_sim_open(sim, loop), play_open_(loop))
#define pt_sim_close(sim) (play_close_((sim)->loop), pt_sim_close(sim))
#endif

#endif
