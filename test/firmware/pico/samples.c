/* samples.c - the ADC of a Pico by DMA, for samples.js
 * SPDX-License-Identifier: MIT
 *
 * Sample n of all has n in its low bits, and its channel above. With ROUNDS, each round is a run
 * that is canceled by an interrupt, and one whose halves must be whole. Without, a task and an
 * interrupt are late, the DMA is slow, and hangs. */
#include "chips/rp2040_adc.h"
#include "end.h"
#include "registers.h"
#include "run.h"

#define CLOCKS_ADC_CTRL REGISTER(0x40008060)
#define SHOT REGISTER(0x40070000)

enum { DMA_IRQ = 11, SHOT_IRQ = 31, ADC_BIT = 1 << 0, DMA_BIT = 1 << 2 };
enum { COUNT = 12, HALF = COUNT / 2, CANARY = 8, NUMBERS = 512 };
enum { FAST = 62500, SLOW = 15000 }; /* groups in a second; of two: a half takes 48 us, and 200 */
enum { SHORT = 700, LONG = 3000 };   /* cycles; for the first the FIFO has time */

/* samples.js sets the first two, and reads the others. LENT: the hardware may write the buffer.
 * SLOWEST: how long an item is in flight, in cycles, at most. */
volatile uint32_t rounds, cancel_at;
volatile uint32_t lent, done, canceled, slowest = SHORT;
volatile uint16_t buffer[COUNT + CANARY];

static struct rp2040_adc adc;
static struct pt_loop loop;
static struct pt_remote cancel;

static void dma(void)
{
    rp2040_adc_interrupt(&adc);
}

static void shot(void)
{
    pt_remote_post(&cancel);
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

static void wait_us(uint32_t micros)
{
    uint32_t since = TIMER_LOW;

    while (TIMER_LOW - since < micros) {
    }
}

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

/* As board_turn_posted, but it does not sleep behind the end of the run: until that sleep is over,
 * all that is in flight has landed. */
static void turn(void)
{
    pt_time next = pt_loop_turn(&loop, board_now());
    board_state state = board_lock();

    if (pt_task_alive(&run.task) && pt_loop_idle(&loop) && !pt_loop_posted(&loop))
        board_sleep_until(next);
    board_unlock(state);
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
    while (pt_task_alive(&reader.task))
        turn();
    (void)pt_cancel(&run.task, PT_ECANCELED);
    while (pt_task_alive(&run.task))
        turn();
    return end() && reader.frame.halves == halves && pt_task_status(&run.task) == PT_ECANCELED;
}

static int one_round(void)
{
    slowest = LONG;
    begin(FAST);
    SHOT = cancel_at;
    while (pt_task_alive(&run.task))
        turn();
    SHOT = 0;
    pt_loop_turn(&loop, board_now()); /* a cancel that came too late */
    canceled += pt_task_status(&run.task) == PT_ECANCELED;
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
    while (pt_task_alive(&run.task))
        turn();
    return pt_task_status(&run.task) == status && end();
}

static bool interrupt_is_late(uint32_t micros)
{
    board_state state;

    begin(SLOW);
    turn();
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
        SHOT = shot_at;
        if (!ends_with(PT_ECANCELED))
            return 6;
        wait_us(8000);
    }
    if (!adc.samples.controller.resets)
        return 6;
    slowest = SHORT;
    return !is_refused(0) || !is_refused(366) || !is_refused(250001) || !read(SLOW, 10, 0) ? 7 : 0;
}

void pins_start(void);
void pins_start(void)
{
}

void board_received(void)
{
}

int main(void)
{
    static handler *copy[48] __attribute__((aligned(256)));
    handler *const *from = (handler *const *)(uintptr_t)VTOR;
    int wrong = 0;

    for (unsigned i = 0; i < 16 + IRQS; i++)
        copy[i] = from[i];
    copy[16 + DMA_IRQ] = dma;
    copy[16 + SHOT_IRQ] = shot;
    board_start();
    VTOR = (uint32_t)(uintptr_t)copy;
    CLOCKS_ADC_CTRL = 1 << 11; /* from the PLL of USB, which samples.js has at 48 MHz */
    RESETS_RESET(CLEAR) = DMA_BIT | ADC_BIT;
    while (~RESETS_DONE & (DMA_BIT | ADC_BIT)) {
    }
    NVIC_ISER = 1u << DMA_IRQ | 1u << SHOT_IRQ;
    pt_loop_init(&loop, board_now());
    adc.samples.channels = 1 << 1 | 1 << 4;
    rp2040_adc_open(&adc, 48000000, 3, 4, &loop);
    pt_remote_open(&cancel, &loop, pt_remote_cancel, &run.task);
    if (!rounds)
        return who_is_late();
    while (!wrong && done < rounds) {
        wrong = one_round();
        done++;
    }
    return wrong;
}
