/* adc_model.c - the converter, a sample at a time
 * SPDX-License-Identifier: MIT */
#include "adc_model.h"

static struct adc_model *model(struct controller *by)
{
    return (struct adc_model *)(void *)by; /* its first member's first member */
}

static void next_at(struct adc_model *it)
{
    hardware_at(&it->hardware, (pt_time)(board_now() + 1));
}

static void act(struct hardware *hardware)
{
    struct adc_model *it =
        (struct adc_model *)(void *)((char *)hardware - offsetof(struct adc_model, hardware));
    struct controller *by = &it->samples.controller;
    uint16_t *in = (uint16_t *)(void *)by->transfer->in, count = by->transfer->ins / 2;

    if (it->aborted && !it->left--) {
        controller_done(by, PT_ECANCELED);
        return;
    }
    if (it->fails_at && it->sample == it->fails_at) {
        controller_done(by, PT_EOVERRUN);
        return;
    }
    in[it->sample % count] = it->sample;
    it->sample++;
    if (it->sample % (count / 2) == 0)
        samples_half(&it->samples);
    next_at(it);
}

static void start(struct controller *by)
{
    struct adc_model *it = model(by);

    it->sample = 0;
    it->aborted = false;
    next_at(it);
}

static void abort_later(struct controller *by)
{
    struct adc_model *it = model(by);

    it->aborted = true;
    it->left = it->lag;
}

static void reset(struct controller *by)
{
    hardware_stop(&model(by)->hardware);
}

void adc_model_open(struct adc_model *it, struct pt_loop *loop)
{
    static const struct controller_ops ops = {start, abort_later, reset, NULL, PT_MS(100)};

    samples_open(&it->samples, &ops, loop);
    it->hardware.act = act;
}
