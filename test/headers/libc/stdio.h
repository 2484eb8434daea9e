/* stdio.h - as much of the C library as the headers use, where that of a system is not here
 * SPDX-License-Identifier: MIT */
#include <stddef.h>

typedef struct file FILE;
extern FILE *standard_output, *standard_errors;
#define stdout standard_output
#define stderr standard_errors
int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int snprintf(char *text, size_t size, const char *format, ...);
int fputs(const char *text, FILE *file);
int fflush(FILE *file);
int fclose(FILE *file);
FILE *fopen(const char *path, const char *mode);
char *fgets(char *text, int size, FILE *file);
