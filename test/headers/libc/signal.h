/* signal.h - as much of the C library as the headers use, where that of a system is not here
 * SPDX-License-Identifier: MIT */
#define SIGABRT 22
#define SIGSEGV 11
#define SIG_DFL ((void (*)(int))0)
#define SIG_ERR ((void (*)(int)) - 1)
void (*signal(int number, void (*handler)(int)))(int);
int raise(int number);
