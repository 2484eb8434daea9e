/* avr-state.h - the state of a processor in simavr, which a trial changes and then gets back
 * SPDX-License-Identifier: MIT */
#ifndef AVR_STATE_H
#define AVR_STATE_H

#include "avr.h"

#include <malloc.h>

static avr_int_vector_t *vector_of(avr_t *avr, int number)
{
    for (int i = 0; i < avr->interrupts.vector_count; i++)
        if (avr->interrupts.vector[i]->vector == number)
            return avr->interrupts.vector[i];
    exit(2);
}

/* The processor with its peripherals, which are one block; its memory; the values of its lines. */
static void *block;
static uint8_t *memory;
static uint32_t *lines;

static void make_room(avr_t *avr)
{
    block = malloc(malloc_usable_size(avr));
    memory = malloc(avr->ramend + 1u);
    lines = malloc((size_t)avr->irq_pool.count * sizeof *lines);
    if (!block || !memory || !lines)
        exit(2);
}

static void keep(avr_t *avr)
{
    memcpy(block, avr, malloc_usable_size(avr));
    memcpy(memory, avr->data, avr->ramend + 1u);
    for (int i = 0; i < avr->irq_pool.count; i++)
        lines[i] = avr->irq_pool.irq[i] ? avr->irq_pool.irq[i]->value : 0;
}

static void put_back(avr_t *avr)
{
    memcpy(avr, block, malloc_usable_size(avr));
    memcpy(avr->data, memory, avr->ramend + 1u);
    for (int i = 0; i < avr->irq_pool.count; i++)
        if (avr->irq_pool.irq[i])
            avr->irq_pool.irq[i]->value = lines[i];
}

#endif
