/* adc_model.h - a converter of the virtual board: sample n of a run is n
 * SPDX-License-Identifier: MIT
 *
 * A sample comes each tick, or some of them. Asked to stop, it writes a few more. */
#ifndef ADC_MODEL_H
#define ADC_MODEL_H

#include "drivers/samples.h"
#include "hardware.h"

struct adc_model {
    struct samples samples; /* its first member */
    struct hardware hardware;
    uint16_t lag;      /* samples behind an abort */
    uint16_t fails_at; /* the sample that the hardware loses; 0: none */
    /* private: */
    uint16_t sample, left;
    bool aborted;
};

/* adc_model_open - the fields LAG and FAILS_AT can be set at any time */
void adc_model_open(struct adc_model *it, struct pt_loop *loop);

#endif
