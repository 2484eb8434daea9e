/* flash_model.h - a flash of the virtual board, whose power can go in the middle of a byte
 * SPDX-License-Identifier: MIT
 *
 * It takes a tick for up to UNIT bytes, and some for an erase. Asked to let go, it does behind the
 * next of them. A program of what is not erased is counted. */
#ifndef FLASH_MODEL_H
#define FLASH_MODEL_H

#include "services/flash.h"
#include "hardware.h"

enum { FLASH_MODEL_SECTOR = 256, FLASH_MODEL_SIZE = 2 * FLASH_MODEL_SECTOR };

struct flash_model {
    struct flash flash; /* its first member */
    struct hardware hardware;
    uint8_t bytes[FLASH_MODEL_SIZE];
    uint32_t
        power;   /* steps until the power goes: a byte programmed, a part of an erase; 0: never */
    bool is_off; /* it has gone: nothing ever comes back */
    bool fails;  /* what a job does is done, and it ends with BUS_FAILED all the same */
    bool hangs;  /* a job does nothing, and has no end but a reset */
    unsigned steps;  /* so far; counted for tests, as the rest */
    unsigned broken; /* what a flash does not take */
    unsigned erases[2];
    /* private: */
    uint16_t done;
    bool aborted;
    uint32_t noise;
};

/* flash_model_open - make a flash, whose bytes are as they were, with programs of UNIT bytes */
void flash_model_open(struct flash_model *it, struct pt_loop *loop, uint8_t unit);

#endif
