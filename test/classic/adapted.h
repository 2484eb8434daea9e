/* adapted.h - what the file of a classic thread offers to one that has a loop
 * SPDX-License-Identifier: MIT */
#ifndef ADAPTED_H
#define ADAPTED_H

#ifdef __cplusplus
extern "C" {
#endif
extern int blink_go;            /* what the thread waits for */
extern void *const blink_state; /* its state, opaque */
char blink_step(void *state);   /* calls it */
#ifdef __cplusplus
}
#endif

#endif
