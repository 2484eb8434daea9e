/* samples.c - halves that are full, and the one that a task reads
 * SPDX-License-Identifier: MIT */
#include "samples.h"

void samples_open(struct samples *adc, const struct controller_ops *ops, struct pt_loop *loop)
{
    controller_open(&adc->controller, ops, loop);
    edges_open(&adc->halves, loop);
    adc->full = adc->taken = 0;
    adc->reads = false;
}

static uint8_t channels(uint16_t bits)
{
    uint8_t count = 0;

    for (; bits; bits &= (uint16_t)(bits - 1))
        count++;
    return count;
}

static bool fits(const struct samples_run *self)
{
    uint8_t group = channels(self->adc->channels);

    return group && self->count && self->count % (2u * group) == 0 &&
           self->count <= UINT16_MAX / sizeof *self->to;
}

static void begin(struct samples_run *self)
{
    struct samples *adc = self->adc;

    adc->to = self->to;
    adc->half = self->count / 2;
    adc->full = adc->taken = 0;
    adc->reads = false;
}

PT_ASYNC(samples_run, self)
{
    if (!fits(self))
        PT_RETURN(PT_EINVAL);
    PT_WITH_LOCK(&self->held, &self->adc->controller.lock) {
        begin(self);
        PT_TRY(&self->transfer, transfer, .by = &self->adc->controller, .in = (uint8_t *)self->to,
               .ins = (uint16_t)(self->count * sizeof *self->to));
    }
}
PT_END

/* Halves that are full, and not taken. Behind a run its memory is somebody else's. */
static uint8_t waiting(const struct samples *adc)
{
    return adc->controller.transfer ? samples_waiting(adc) : 0;
}

/* The hardware is in the half that the task has read, or is about to read. */
static bool is_late(const struct samples *adc)
{
    return waiting(adc) > !adc->reads;
}

static pt_status go_on(struct samples *adc)
{
    adc->taken = adc->full;
    adc->reads = false;
    return PT_EOVERRUN;
}

static const uint16_t *take(struct samples *adc)
{
    adc->reads = true;
    return adc->to + (adc->taken++ % 2 ? adc->half : 0);
}

PT_ASYNC(samples_next, self)
{
    if (is_late(self->adc))
        PT_RETURN(go_on(self->adc));
    self->adc->reads = false;
    while (waiting(self->adc) == 0)
        PT_WAIT_EVENT(&self->adc->halves.event);
    if (is_late(self->adc))
        PT_RETURN(go_on(self->adc));
    self->half = take(self->adc);
}
PT_END
