/* play.h - what the playground's build puts behind the includes of a program: hooks for each line and each loop
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

void play_line_(unsigned line);
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

/* An object that is declared in a function. */
void play_object_(const char *name, char kind, const void *at, const char *word, char item,
                  size_t item_size, size_t count, size_t stride);

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
#define pt_loop_open(loop, port) (pt_loop_open(loop, port), play_open_(loop))
#define pt_loop_init(loop, now) (pt_loop_init(loop, now), play_open_(loop))
#define pt_loop_close(loop) (play_close_(loop), pt_loop_close(loop))
#define pt_sim_open(sim, loop) (pt_sim_open(sim, loop), play_open_(loop))
#define pt_sim_close(sim) (play_close_((sim)->loop), pt_sim_close(sim))
#endif

#endif
