/* avr.h - an ATmega328P in simavr, for avr-run and avr-sweep
 * SPDX-License-Identifier: MIT */
#ifndef AVR_H
#define AVR_H

#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sleep takes no real time: it only advances the cycle count. */
static void avr_sleep(avr_t *avr, avr_cycle_count_t cycles)
{
    (void)avr;
    (void)cycles;
}

static void avr_quiet(avr_t *avr, const int level, const char *format, va_list arguments)
{
    if (level <= LOG_ERROR)
        vfprintf(stderr, format, arguments);
    (void)avr;
}

/* A processor at reset, with this program. */
static avr_t *avr_start(elf_firmware_t *firmware)
{
    uint32_t flags = 0;
    avr_t *avr;

    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    strcpy(firmware->mmcu, "atmega328p");
    firmware->frequency = 16000000;
    avr_load_firmware(avr, firmware);
    avr->sleep = avr_sleep;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    return avr;
}

/* The same with the program of an ELF file. */
static avr_t *avr_load(const char *path)
{
    elf_firmware_t firmware;

    avr_global_logger_set(avr_quiet);
    memset(&firmware, 0, sizeof firmware);
    if (elf_read_firmware(path, &firmware) != 0) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    return avr_start(&firmware);
}

#endif
