/* edge.h - in place of input.h: the UART's interrupt is the edge of a button, and only posts
 * SPDX-License-Identifier: MIT
 *
 * So the interrupt is what the documents teach: it acknowledges the device, and posts. */
#if !defined(INPUT_H) && !defined(__ASSEMBLER__)
#define INPUT_H

#include "board.h"

enum { BOARD_INPUT = 1 };

/* What input.c needs; the linker drops it. */
extern struct input {
    volatile uint_fast8_t written, taken;
    volatile uint8_t bytes[BOARD_INPUT];
} input;

#ifdef BY_WAKER
extern struct pt_waker edge;
#define edge_post pt_waker_post
#else
extern struct pt_remote edge;
#define edge_post pt_remote_post
#endif

static inline void input_received(uint8_t byte)
{
    (void)byte;
    (void)edge_post(&edge);
}

#endif
