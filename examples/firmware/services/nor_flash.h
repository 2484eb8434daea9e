/* nor_flash.h - a memory of nor.h as the flash of services/flash.h: for services/store.h
 * SPDX-License-Identifier: MIT
 *
 *     static struct nor_flash memory;
 *     static struct store store = {.flash = &memory.flash, .at = 0xfe000};
 *
 *     nor_flash_open(&memory, &spi_device, &loop);
 *
 * A job is a task of its own, which is the hardware for the one that waits for it. An abort cancels
 * that task: it ends when the bus has let go, however long the memory is still busy by itself. Needs
 * PT_CANCEL. */
#ifndef DEVICES_NOR_FLASH_H
#define DEVICES_NOR_FLASH_H

#include "flash.h"
#include "devices/nor.h"

/* nor_flash_job - private: a task */
struct nor_flash_job {
    struct pt pt;
    struct nor_flash *memory;
    struct nor_read read;
    struct nor_program program;
    struct nor_erase erase;
};
PT_DECLARE(nor_flash_job);

struct nor_flash {
    struct flash flash; /* its first member */
    const struct spi_device *spi;
    struct pt_loop *loop;
    PT_TASK(nor_flash_job) job; /* zero before the open */
};

/* nor_flash_open - the memory SPI, with sectors of 4 kB and programs of any size */
void nor_flash_open(struct nor_flash *it, const struct spi_device *spi, struct pt_loop *loop);

#endif
