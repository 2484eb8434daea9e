/* find_stuck.h - find the tasks of a program on a PC that nothing can wake any more; needs libpt
 * SPDX-License-Identifier: MIT
 *
 *     static void print_text(void *file, const char *text)
 *     {
 *         fputs(text, (FILE *)file);
 *     }
 *
 *     pt_print_stuck(&loop, print_text, stderr);
 *
 *     suspected to be stuck: nothing can wake it
 *         worker: sends to a channel
 *             at worker (jobs.c:31)
 *
 * pt/inspect/stuck.h says what is found. Here the memory is the process's: global variables, the
 * stacks of all threads, fibers and native tasks, the blocks of malloc, and whatever else it has
 * mapped for itself. A file or a device that it has mapped to write there is not read, nor is what
 * it cannot write, or has packed, nor are the registers of other threads: declare pointers there by
 * pt_keep. Linux with glibc tells where the blocks of malloc are; on another system, or with a
 * sanitizer, only deadlocks are found.
 *
 * The search reads all memory of the process that leads somewhere: some milliseconds for each 10
 * MB. Other threads go on meanwhile. If they allocate, a task can be missed. */
#ifndef PT_FIND_STUCK_H
#define PT_FIND_STUCK_H

#include "system.h"

#include "../inspect/stuck.h"

/* pt_find_stuck - pt_loop_find_stuck with the memory of the process; in the loop's thread
 * Between turns, or in a task. PT_OK; PT_ENOMEM or PT_EIO if the memory cannot be read, or if the
 * blocks of malloc are not known: then only deadlocks were looked for. */
PT_EXPORT pt_status pt_find_stuck(struct pt_loop *loop, pt_stuck_found *found, void *context);

/* pt_print_stuck - print the tasks that are stuck, and where each is; returns how many are stuck */
PT_EXPORT unsigned pt_print_stuck(struct pt_loop *loop, pt_print *print, void *context);

#endif
