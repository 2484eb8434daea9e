/* stdio.h - the part of the C library that programs of the playground print with
 * SPDX-License-Identifier: MIT */
#ifndef PLAY_STDIO_H
#define PLAY_STDIO_H

#include <stdarg.h>
#include <stddef.h>

typedef struct play_file FILE;
extern FILE *const stdout, *const stderr;

int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int fprintf(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
int snprintf(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int vsnprintf(char *text, size_t size, const char *format, va_list arguments);
int puts(const char *text);
int fputs(const char *text, FILE *file);
int putchar(int character);
int fflush(FILE *file);

#endif
