/* stdlib.h - as much of the C library as the headers use, where that of a system is not here
 * SPDX-License-Identifier: MIT */
#include <stddef.h>

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
void abort(void);
void exit(int code);
char *getenv(const char *name);
unsigned long long strtoull(const char *text, char **end, int base);
