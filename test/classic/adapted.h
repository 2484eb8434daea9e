/* adapted.h - the interface between a file with a classic thread and a file with a loop
 * SPDX-License-Identifier: MIT */
#ifndef ADAPTED_H
#define ADAPTED_H

#ifdef __cplusplus
extern "C" {
#endif
extern int blink_go;            /* the condition that the thread waits for */
extern void *const blink_state; /* its state, opaque */
char blink_step(void *state);   /* calls the thread */
#ifdef __cplusplus
}
#endif

#endif
