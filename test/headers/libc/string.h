/* string.h - as much of the C library as the headers use, where that of a system is not here
 * SPDX-License-Identifier: MIT */
#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *left, const void *right, size_t size);
size_t strlen(const char *text);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t size);
char *strchr(const char *text, int letter);
