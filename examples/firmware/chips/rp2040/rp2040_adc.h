/* rp2040_adc.h - the ADC of an RP2040 with two channels of its DMA
 * SPDX-License-Identifier: MIT
 *
 *     static struct rp2040_adc adc;
 *
 *     adc.samples.channels = 1 << 0 | 1 << 4;    a pin, and the temperature
 *     adc.samples.hertz = 1000;
 *     rp2040_adc_open(&adc, 48000000, 0, 1, &loop);
 *     rp2040_adc_interrupt(&adc);                in DMA_IRQ_0
 *
 * One channel of the DMA writes samples; the other one tells it which half is next:
 *
 *     data:    first 0 -----. second 0 ----. first 1 ----.
 *     feed:                 '- writes      '- writes     '- nothing is there: both rest
 *     interrupt:                '- gives "first 1"   '- too late
 *
 * An interrupt gives the next half away, once. If none comes for the time of a half, the DMA has
 * nowhere to write, and rests: it never leaves the buffer. The run ends with PT_EOVERRUN then, and
 * also if the FIFO overflows because others keep the DMA from the bus. */
#ifndef CHIPS_RP2040_ADC_H
#define CHIPS_RP2040_ADC_H

#include "drivers/samples.h"

struct rp2040_adc {
    struct samples samples; /* its first member */
    uint32_t clock;
    uint8_t data, feed; /* channels of the DMA */
    uint8_t half;       /* the one that is written: 0 or 1 */
    /* Where each half begins, or 0: given away. The DMA goes around in it. */
    volatile uint32_t given[2] __attribute__((aligned(8)));
};

/* rp2040_adc_open - the ADC with a CLOCK in hertz, which runs, and the channels DATA and FEED of
 * the DMA, for the tasks of LOOP; both parts are out of reset, and the pins are analog
 * A sample takes 96 clocks. A run whose samples would come faster, or slower than 65,536 clocks,
 * ends with PT_EINVAL. */
void rp2040_adc_open(struct rp2040_adc *it, uint32_t clock, uint8_t data, uint8_t feed,
                     struct pt_loop *loop);

/* rp2040_adc_interrupt - for DMA_IRQ_0, which other channels may share */
void rp2040_adc_interrupt(struct rp2040_adc *it);

#endif
