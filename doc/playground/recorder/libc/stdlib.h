/* stdlib.h - memory that is given out once, for programs of the playground
 * SPDX-License-Identifier: MIT */
#ifndef PLAY_STDLIB_H
#define PLAY_STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

void *malloc(size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
_Noreturn void abort(void);
_Noreturn void exit(int status);
char *getenv(const char *name);
unsigned long long strtoull(const char *text, char **end, int base);

#endif
