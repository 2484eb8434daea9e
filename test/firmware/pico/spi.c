/* spi.c - a transfer by an STM32's SPI, for spi.js, which cancels it at every moment
 * SPDX-License-Identifier: MIT
 *
 * A round is a transfer that is canceled, and one behind it that must be complete. When a task has
 * ended, its memory is not the driver's any more: IN is filled, and must stay as it is. */
#include "chips/stm32/stm32_spi.h"
#include "sweep.h"

#define CHIP_SELECT REGISTER(SPI_AT + 0x100)

#ifndef HERTZ
#define HERTZ 1000000
#endif
enum { SPI_AT = 0x40074000, SPI_IRQ = 28, CLOCK = 125000000 };
enum { SIZE = 8, MARGIN = 4 };
enum { WRITTEN_LATE = 1, NOT_COMPLETE, CANARY, SELECTED, UNEVEN, GOES_ON, NO_RESET };

static const uint8_t out[SIZE] = {1, 2, 3, 4, 5, 6, 7, 8};
static uint8_t in[MARGIN + SIZE + MARGIN];

static struct stm32_spi spi;
static const struct spi_device device = {&spi.bus, .hertz = HERTZ, .mode = 3, .pin = 1};

static void select_pin(uint8_t pin, bool on)
{
    CHIP_SELECT = on ? pin : 0;
}

static uint32_t behind; /* bytes that came behind an abort */

static void interrupt(void)
{
    uint16_t received = spi.received;
    bool aborts = spi.aborts;

    stm32_spi_interrupt(&spi);
    behind += aborts && spi.received != received;
}

struct user {
    struct pt pt;
    uint16_t outs, ins;
    struct pt_held held;
    struct transfer transfer;
};

static PT_ASYNC(user, self)
{
    PT_WITH_LOCK(&self->held, spi_lock(&device)) {
        spi_select(&self->held, &device);
        PT_TRY(&self->transfer, transfer, SPI(&device), .out = out, .outs = self->outs,
               .in = in + MARGIN, .ins = self->ins);
    }
}
PT_END

static PT_TASK(user) user;

static void begin(uint16_t outs, uint16_t ins)
{
    fill(in, sizeof in, 0xa5);
    behind = 0;
    PT_START(&loop, &user, user, .outs = outs, .ins = ins);
}

static bool ends(uint16_t outs, uint16_t ins)
{
    begin(outs, ins);
    sweep_run(&user.task);
    return user.frame.pt.status == PT_OK;
}

static bool is_complete(void)
{
    if (!ends(SIZE, SIZE))
        return false;
    for (uint8_t i = 0; i < SIZE; i++)
        if (in[MARGIN + i] != out[i] + 100)
            return false;
    return true;
}

static int one_round(void)
{
    begin(SIZE, SIZE);
    sweep_canceled(&user.task);
    if (behind > 1)
        return GOES_ON;
    if (spi.bus.selected)
        return SELECTED;
    if (!is_all(in, 0, MARGIN, 0xa5) || !is_all(in, MARGIN + SIZE, sizeof in, 0xa5))
        return CANARY;
    fill(in, sizeof in, 0x5a);
    if (done % 2) { /* the next transfer begins at once, or later */
        wait_us(100);
        if (!is_all(in, 0, sizeof in, 0x5a))
            return WRITTEN_LATE;
    }
    if (spi.bus.controller.resets)
        return NO_RESET;
    return is_complete() ? 0 : NOT_COMPLETE;
}

/* --- parts of all lengths, and an interrupt that does not come --------------------------------- */

static bool is_uneven(void)
{
    if (!ends(0, 0) || !is_all(in, 0, sizeof in, 0xa5))
        return false;
    if (!ends(3, 1) || in[MARGIN] != 101 || in[MARGIN + 1] != 0xa5)
        return false;
    /* 0xff goes out, and the device adds 100. */
    return ends(1, 3) && in[MARGIN + 2] == 0x63 && in[MARGIN + 3] == 0xa5;
}

/* The driver is reset. PENDS: the interrupt comes afterwards. */
static int hangs(bool pends)
{
    uint8_t resets = spi.bus.controller.resets;

    NVIC_ICER = 1u << SPI_IRQ;
    begin(SIZE, SIZE);
    sweep_cancel_in(500);
    sweep_run(&user.task);
    if (user.frame.pt.status != PT_ECANCELED || spi.bus.controller.resets == resets)
        return NO_RESET;
    if (!pends)
        NVIC_ICPR = 1u << SPI_IRQ;
    NVIC_ISER = 1u << SPI_IRQ;
    if (!is_all(in, 0, sizeof in, 0xa5))
        return WRITTEN_LATE;
    return is_complete() ? 0 : NOT_COMPLETE;
}

static int without_rounds(void)
{
    int wrong = is_uneven() ? 0 : UNEVEN;

    if (!wrong)
        wrong = hangs(false);
    return wrong ? wrong : hangs(true);
}

int main(void)
{
    sweep_open(0, &user.task);
    stm32_spi_open(&spi, SPI_AT, CLOCK, select_pin, &loop);
    sweep_handle(SPI_IRQ, interrupt);
    sweep_pends = 1u << SPI_IRQ;
    return rounds ? sweep(one_round) : without_rounds();
}
