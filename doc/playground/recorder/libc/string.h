/* string.h - what programs of the playground do with memory and text
 * SPDX-License-Identifier: MIT */
#ifndef PLAY_STRING_H
#define PLAY_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
char *strchr(const char *text, int character);
char *strrchr(const char *text, int character);

#endif
