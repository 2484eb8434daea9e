/* samples.c - the ADC of a Pico by DMA, for samples.js
 * SPDX-License-Identifier: MIT
 *
 * Sample n of all has n in its low bits, and its channel above. With ROUNDS, each round is a run
 * that is canceled by an interrupt, and one whose halves must be whole. Without, a task and an
 * interrupt are late, the DMA is slow, and hangs. */
#include "chips/rp2040/rp2040_adc.h"
#include "sweep.h"

#define CLOCKS_ADC_CTRL REGISTER(0x40008060)

enum { ADC_BIT = 1 << 0 };
enum { COUNT = 12, HALF = COUNT / 2, CANARY = 8, NUMBERS = 512 };
enum { FAST = 62500, SLOW = 15000 }; /* groups in a second; of two: a half takes 48 us, and 200 */
enum { SHORT = 700, LONG = 3000 };   /* cycles; for the first the FIFO has time */

/* samples.js reads SLOWEST: how long an item is in flight, in cycles, at most. */
volatile uint32_t slowest = SHORT;
volatile uint16_t buffer[COUNT + CANARY];

static struct rp2040_adc adc;

static void dma(void)
{
    rp2040_adc_interrupt(&adc);
}

/* --- the tasks ----------------------------------------------------------------------------- */

/* HALVES: that were whole, one behind the other. LATE: how long it works on each, in us. */
struct reader {
    struct pt pt;
    uint32_t halves, wanted, overruns, late;
    bool begun;
    uint16_t number; /* of the next sample */
    struct samples_next next;
};

static PT_TASK(samples_run) run;
static PT_TASK(reader) reader;

/* Channels 1 and 4, in turn, and each number once. */
static bool is_next(struct reader *self)
{
    const volatile uint16_t *half = self->next.half;

    if (!self->begun)
        self->number = half[0] % NUMBERS;
    self->begun = true;
    for (uint8_t i = 0; i < HALF; i++, self->number = (self->number + 1u) % NUMBERS)
        if (half[i] != ((i % 2 ? 4 : 1) * NUMBERS | self->number))
            return false;
    return true;
}

static PT_ASYNC(reader, self)
{
    while (self->halves < self->wanted) {
        PT_WAIT_COMPLETE(&self->next, samples_next, .adc = &adc.samples);
        if (self->pt.status == PT_EOVERRUN) {
            self->overruns++;
            self->begun = false;
            self->late = 0;
        } else if (self->pt.status != PT_OK || !is_next(self))
            PT_RETURN(PT_EINVAL);
        else
            self->halves++;
        wait_us(self->late);
    }
}
PT_END

static void begin(uint32_t hertz)
{
    for (uint8_t i = 0; i < COUNT + CANARY; i++)
        buffer[i] = 0xa5a5;
    adc.samples.hertz = hertz;
    lent = 1;
    PT_START(&loop, &run, samples_run, .adc = &adc.samples, .to = (uint16_t *)buffer,
             .count = COUNT);
}

/* The memory is this program's again; whether nothing writes to it, and nothing wrote behind it. */
static bool end(void)
{
    bool whole = true;

    lent = 0;
    for (uint8_t i = 0; i < COUNT + CANARY; i++) {
        whole = whole && (i < COUNT || buffer[i] == 0xa5a5);
        buffer[i] = 0x5a5a;
    }
    wait_us(40);
    for (uint8_t i = 0; i < COUNT + CANARY; i++)
        whole = whole && buffer[i] == 0x5a5a;
    return whole;
}

static bool read(uint32_t hertz, uint32_t halves, uint32_t late)
{
    begin(hertz);
    PT_START(&loop, &reader, reader, .wanted = halves, .late = late);
    sweep_run(&reader.task);
    (void)pt_cancel(&run.task, PT_ECANCELED);
    sweep_run(&run.task);
    return end() && reader.frame.halves == halves && pt_task_status(&run.task) == PT_ECANCELED;
}

static int one_round(void)
{
    slowest = LONG;
    begin(FAST);
    sweep_canceled(&run.task);
    if (!end())
        return 1; /* memory was written behind the end of the run */
    slowest = SHORT;
    if (!read(FAST, 3, 0) || reader.frame.overruns)
        return 2; /* the run behind it is not whole */
    return 0;
}

/* --- who is late --------------------------------------------------------------------------- */

static bool ends_with(pt_status status)
{
    sweep_run(&run.task);
    return pt_task_status(&run.task) == status && end();
}

static bool interrupt_is_late(uint32_t micros)
{
    board_state state;

    begin(SLOW);
    sweep_turn(&run.task);
    state = board_lock();
    wait_us(micros);
    board_unlock(state);
    return ends_with(PT_EOVERRUN);
}

static bool is_refused(uint32_t hertz)
{
    begin(hertz);
    return ends_with(PT_EINVAL);
}

static int who_is_late(void)
{
    if (!read(SLOW, 100, 0) || reader.frame.overruns)
        return 1;
    if (!read(SLOW, 100, 150) || reader.frame.overruns)
        return 2; /* it is in time */
    if (!read(SLOW, 10, 450) || reader.frame.overruns != 1)
        return 3; /* a late task gets its code, and goes on */
    for (uint32_t micros = 410; micros < 2000; micros += 150)
        if (!interrupt_is_late(micros) || !read(SLOW, 3, 0))
            return 4; /* the run ends, and the DMA has not left the buffer */
    slowest = 8000;   /* 64 us: the FIFO overflows */
    begin(FAST);
    if (!ends_with(PT_EOVERRUN) || adc.samples.controller.resets)
        return 5;
    slowest = 1000000; /* 8 ms: longer than the patience */
    for (uint32_t shot_at = 60000; shot_at < 100000; shot_at += 10000) {
        begin(SLOW);
        sweep_cancel_in(shot_at);
        if (!ends_with(PT_ECANCELED))
            return 6;
        wait_us(8000);
    }
    if (!adc.samples.controller.resets)
        return 6;
    slowest = SHORT;
    return !is_refused(0) || !is_refused(366) || !is_refused(250001) || !read(SLOW, 10, 0) ? 7 : 0;
}

int main(void)
{
    sweep_open(DMA_BIT | ADC_BIT, &run.task);
    sweep_handle(DMA_IRQ, dma);
    CLOCKS_ADC_CTRL = 1 << 11; /* from the PLL of USB, which samples.js has at 48 MHz */
    adc.samples.channels = 1 << 1 | 1 << 4;
    rp2040_adc_open(&adc, 48000000, 3, 4, &loop);
    return rounds ? sweep(one_round) : who_is_late();
}
