/* samples.h - a converter samples a group of channels at a rate, into the two halves of a buffer
 * SPDX-License-Identifier: MIT
 *
 *     PT_SPAWN_IN(&self->group, &self->run, samples_run, .adc = &adc, .to = self->buffer,
 *                 .count = 128);
 *     for (;;) {
 *         PT_TRY(&self->next, samples_next, .adc = &adc);
 *         ... self->next.half: 64 samples, until the other half is full
 *     }
 *
 * The hardware does not wait for a task. While a task reads one half, it writes to the other one,
 * and then to the first one again:
 *
 *     hardware:   first 0 | second 0 | first 1 | second 1 | first 2
 *     task:               '- 0 ----- | - 0 --- | - 1 ----------- | late: PT_EOVERRUN
 *
 * So a task has the time of a half for a half. If it takes longer, what it has read can be a mixture
 * of old and new samples: its next call ends with PT_EOVERRUN, and the one behind that goes on with
 * the next half that begins.
 *
 * The buffer is on loan as for any transfer: when samples_run has ended, by a cancel too, the
 * hardware has let go. Whoever has it in a frame joins that task, or has it in a group. */
#ifndef DRIVERS_SAMPLES_H
#define DRIVERS_SAMPLES_H

#include "edges.h"
#include "transfer.h"

/* A converter. A chip's file has a struct of its own that begins with this, and opens it by
 * samples_open. Its START writes samples to IN, two bytes each, channel by channel, around and
 * around, until it is asked to let go; it calls samples_half each time that a half is full. If the
 * hardware itself loses samples, it ends by controller_done with PT_EOVERRUN. */
struct samples {
    struct controller controller; /* its first member */
    uint16_t channels; /* a bit for each one of the group; as the rest, set before a run */
    uint32_t hertz;    /* groups in a second */
    /* private: */
    const uint16_t *to;
    uint16_t half;         /* samples */
    volatile uint8_t full; /* halves, modulo 256; no more than 128 ahead of TAKEN */
    uint8_t taken;         /* the same, of the task; it reads the one before */
    bool reads;
    struct edges halves;
};

/* samples_open - make a converter; before its interrupt is enabled. LOOP is as for pt_waker_open. */
void samples_open(struct samples *adc, const struct controller_ops *ops, struct pt_loop *loop);

/* samples_waiting - private: halves that are full, and not taken; never 256, which would be 0 */
static inline uint8_t samples_waiting(const struct samples *adc)
{
    return (uint8_t)(adc->full - adc->taken);
}

/* samples_half - a half is full; in the interrupt, of any priority; O(1) */
static inline void samples_half(struct samples *adc)
{
    adc->full = (uint8_t)(adc->full + (samples_waiting(adc) < 128 ? 1 : -1)); /* the other half */
    edges_post(&adc->halves);
}

/* samples_run - sample into TO, COUNT samples, until this is canceled; a task, or awaited
 * COUNT is twice a multiple of the channels, below 32,768. Ends with the reason of the cancel,
 * PT_EOVERRUN if the hardware has lost samples, or PT_EINVAL. */
struct samples_run {
    struct pt pt;
    struct samples *adc;
    uint16_t *to;
    uint16_t count;
    struct pt_held held;
    struct transfer transfer;
};
PT_DECLARE(samples_run);

/* samples_next - wait for the next half that is full; awaited, by one task
 * HALF is its first sample; it can be read until the other half is full, or the run ends: what is
 * not taken by then is gone. PT_OK; PT_EOVERRUN if the task was late, see above; or the reason of a
 * cancel. While nobody samples it waits: a group with samples_run in it ends that, or a block with
 * a time. */
struct samples_next {
    struct pt pt;
    struct samples *adc;
    const uint16_t *half;
};
PT_DECLARE(samples_next);

#endif
