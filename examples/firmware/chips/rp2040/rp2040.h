/* rp2040.h - what the drivers of an RP2040's parts share: RESETS, and the channels of the DMA
 * SPDX-License-Identifier: MIT */
#ifndef CHIPS_RP2040_H
#define CHIPS_RP2040_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

/* A write so far behind a register sets or clears the bits of what is written. */
enum { SET = 0x2000, CLEAR = 0x3000 };

#define RESETS_RESET(alias) REGISTER(0x4000c000 + (alias))
#define RESETS_DONE REGISTER(0x4000c008)

#define DMA_FROM(n) REGISTER(0x50000000 + 0x40 * (n))
#define DMA_TO(n) REGISTER(0x50000004 + 0x40 * (n))
#define DMA_COUNT(n) REGISTER(0x50000008 + 0x40 * (n))
#define DMA_START(n) REGISTER(0x5000000c + 0x40 * (n)) /* writes DMA_CONTROL, and starts */
#define DMA_CONTROL(n, alias) REGISTER(0x50000010 + 0x40 * (n) + (alias))
#define DMA_START_TO(n) REGISTER(0x5000002c + 0x40 * (n))   /* writes DMA_TO, and starts if not 0 */
#define DMA_START_FROM(n) REGISTER(0x5000003c + 0x40 * (n)) /* the same of DMA_FROM */
#define DMA_REQUESTS(n) REGISTER(0x50000800 + 0x40 * (n))   /* not served; a write clears them */
#define DMA_ENABLE(alias) REGISTER(0x50000404 + (alias))    /* of DMA_IRQ_0 */
#define DMA_STATE REGISTER(0x5000040c)
#define DMA_ABORT REGISTER(0x50000444)

/* In DMA_CONTROL. Two fields are numbers: who asks for an item, and the channel that is started at
 * the end, or the channel itself for none. */
enum { ENABLED = 1 << 0, HALVES = 1 << 2, WORDS = 2 << 2, FROM_NEXT = 1 << 4, TO_NEXT = 1 << 5 };
enum { CHAIN = 11, ASKED_BY = 15, QUIET = 1 << 21 };

static inline uint32_t rp2040_address(const volatile void *memory)
{
    return (uint32_t)(uintptr_t)memory;
}

/* rp2040_reset - PARTS, bits of RESETS, are as behind the start of the chip */
static inline void rp2040_reset(uint32_t parts)
{
    RESETS_RESET(SET) = parts;
    RESETS_RESET(CLEAR) = parts;
    while (~RESETS_DONE & parts) {
    }
}

#endif
