/* rp2040_adc.c - a channel of the DMA starts another one, as long as an interrupt gives it memory
 * SPDX-License-Identifier: MIT */
#include "rp2040_adc.h"

#include "rp2040.h"

#define ADC_STATE(alias) REGISTER(0x4004c000 + (alias))
#define ADC_FIFO_STATE REGISTER(0x4004c008)
#define ADC_FIFO REGISTER(0x4004c00c)
#define ADC_PERIOD REGISTER(0x4004c010)

enum { DMA = 1 << 2 };                                                   /* in RESETS */
enum { ON = 1 << 0, SENSES = 1 << 1, RUNS = 1 << 3, IS_READY = 1 << 8 }; /* in ADC_STATE */
enum { FIRST = 12, GROUP = 16 };                                         /* its fields */
enum { ASK_AT_ONE = 1 << 24 | 1 << 3 | 1 << 0, EMPTY = 1 << 8, LOST = 1 << 11 };

/* In DMA_CONTROL. DATA: by the ADC's requests, 16 bits, to memory; it interrupts only if it is to
 * write to 0. FEED: at once, a word, from the two of `given` in turn. */
enum { DATA = 36 << ASKED_BY | QUIET | TO_NEXT | HALVES | ENABLED };
enum { FEED = 63 << ASKED_BY | 3 << 6 | FROM_NEXT | WORDS | ENABLED };

enum { CHANNELS = 5, CONVERSION = 96, LONGEST = 65536 };

static struct rp2040_adc *adc(struct controller *by)
{
    return (struct rp2040_adc *)(void *)by; /* its first member's first member */
}

static uint32_t both(const struct rp2040_adc *it)
{
    return 1u << it->data | 1u << it->feed;
}

static uint32_t half_at(const struct rp2040_adc *it, uint8_t half)
{
    const struct transfer *transfer = it->samples.controller.transfer;

    return rp2040_address(transfer->in) + (half ? transfer->ins / 2u : 0);
}

/* From one conversion to the next, in 256ths of a clock; 0 if that cannot be. */
static uint32_t period(const struct rp2040_adc *it)
{
    uint32_t rate = 0, whole;

    if (it->samples.channels >> CHANNELS || it->samples.hertz > it->clock / CONVERSION)
        return 0;
    for (uint32_t group = it->samples.channels; group; group >>= 1)
        rate += group & 1 ? it->samples.hertz : 0;
    whole = rate ? it->clock / rate : 0;
    if (whole < CONVERSION || whole > LONGEST)
        return 0;
    return whole << 8 | (it->clock % rate << 8) / rate;
}

static void start_dma(struct rp2040_adc *it)
{
    it->half = 0;
    it->given[0] = 0;
    it->given[1] = half_at(it, 1);
    DMA_FROM(it->feed) = rp2040_address(&it->given[1]);
    DMA_TO(it->feed) = rp2040_address(&DMA_START_TO(it->data));
    DMA_COUNT(it->feed) = 1;
    DMA_CONTROL(it->feed, 0) = FEED | (uint32_t)it->feed << CHAIN;
    DMA_FROM(it->data) = rp2040_address(&ADC_FIFO);
    DMA_TO(it->data) = half_at(it, 0);
    DMA_COUNT(it->data) = it->samples.controller.transfer->ins / 4u;
    DMA_REQUESTS(it->data) = 0;
    DMA_START(it->data) = DATA | (uint32_t)it->feed << CHAIN;
    DMA_STATE = both(it);
    DMA_ENABLE(SET) = both(it);
}

/* Behind a run that has lost samples a conversion can be on its way, for 2 us. */
static void empty_fifo(void)
{
    while (!(ADC_STATE(0) & IS_READY)) {
    }
    while (!(ADC_FIFO_STATE & EMPTY))
        (void)ADC_FIFO;
    ADC_FIFO_STATE = ASK_AT_ONE | LOST;
}

static void start_adc(const struct rp2040_adc *it, uint32_t each)
{
    uint32_t group = it->samples.channels, first = 0;

    while (!(group >> first & 1))
        first++;
    ADC_PERIOD = each - 256;
    ADC_STATE(0) = group << GROUP | first << FIRST | RUNS | SENSES | ON;
}

static void start(struct controller *by)
{
    struct rp2040_adc *it = adc(by);
    uint32_t each = period(it);

    if (!each) {
        controller_done(by, PT_EINVAL);
        return;
    }
    empty_fifo();
    start_dma(it);
    start_adc(it, each);
}

static void stop_adc(const struct rp2040_adc *it)
{
    DMA_ENABLE(CLEAR) = both(it);
    ADC_STATE(CLEAR) = RUNS;
}

/* The abort itself can raise an interrupt, as if all were complete (RP2040-E13): it is off before.
 * A word of FEED that is in flight would start DATA again: both are disabled before, too. */
static void stop_soon(struct controller *by)
{
    struct rp2040_adc *it = adc(by);

    stop_adc(it);
    DMA_CONTROL(it->data, CLEAR) = ENABLED;
    DMA_CONTROL(it->feed, CLEAR) = ENABLED;
    DMA_ABORT = both(it);
}

/* An item can be in flight although no channel is busy, and a conversion come to its end. */
static bool holds(struct controller *by)
{
    return (DMA_ABORT & both(adc(by))) || !(ADC_STATE(0) & IS_READY);
}

static void reset(struct controller *by)
{
    (void)by;
    rp2040_reset(DMA);
}

/* DATA has begun a half: the other one is full, and is given behind this one. */
static void go_on(struct rp2040_adc *it)
{
    uint8_t full = it->half;

    it->half = !full;
    it->given[it->half] = 0; /* first: so at no instruction both halves are given */
    it->given[full] = half_at(it, full);
    samples_half(&it->samples);
}

void rp2040_adc_interrupt(struct rp2040_adc *it)
{
    uint32_t state = DMA_STATE & both(it);

    DMA_STATE = state;
    if (state & 1u << it->data) { /* it had nowhere to write, and rests */
        stop_adc(it);
        controller_done(&it->samples.controller, PT_EOVERRUN);
    } else if (state && !(ADC_FIFO_STATE & LOST)) /* else it rests at the end of this half */
        go_on(it);
}

void rp2040_adc_open(struct rp2040_adc *it, uint32_t clock, uint8_t data, uint8_t feed,
                     struct pt_loop *loop)
{
    static const struct controller_ops ops = {start, stop_soon, reset, holds, PT_MS(2)};

    it->clock = clock;
    it->data = data;
    it->feed = feed;
    samples_open(&it->samples, &ops, loop);
    ADC_STATE(0) = SENSES | ON;
}
