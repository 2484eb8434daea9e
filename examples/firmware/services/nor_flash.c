/* nor_flash.c - a task that is hardware to another
 * SPDX-License-Identifier: MIT */
#include "nor_flash.h"

static struct nor_flash *memory(struct controller *by)
{
    return (struct nor_flash *)(void *)by; /* its first member's first member */
}

PT_ASYNC(nor_flash_job, self)
{
    if (self->memory->flash.does == FLASH_READ)
        PT_TRY(&self->read, nor_read, .spi = self->memory->spi, .at = self->memory->flash.at,
               .to = self->memory->flash.controller.transfer->in,
               .length = self->memory->flash.controller.transfer->ins);
    else if (self->memory->flash.does == FLASH_PROGRAM)
        PT_TRY(&self->program, nor_program, .spi = self->memory->spi, .at = self->memory->flash.at,
               .from = self->memory->flash.controller.transfer->out,
               .length = self->memory->flash.controller.transfer->outs);
    else
        PT_TRY(&self->erase, nor_erase, .spi = self->memory->spi, .at = self->memory->flash.at);

    PT_FINALLY
    controller_done(&self->memory->flash.controller, self->pt.result);
}
PT_END

static void start(struct controller *by)
{
    struct nor_flash *it = memory(by);
    pt_status code = PT_START(it->loop, &it->job, nor_flash_job, .memory = it);

    if (code != PT_OK)
        controller_done(by, code);
}

static void cancel(struct controller *by)
{
    pt_cancel(&memory(by)->job.task, PT_ECANCELED);
}

/* Never: a task that is canceled ends, as its bus has less patience. A loop that is late is no reason:
 * then this task is late, too. */
static void reset(struct controller *by)
{
    (void)by;
}

void nor_flash_open(struct nor_flash *it, const struct spi_device *spi, struct pt_loop *loop)
{
    static const struct controller_ops ops = {start, cancel, reset, NULL, PT_DELAY_MAX};

    controller_open(&it->flash.controller, &ops, loop);
    it->flash.sector = NOR_SECTOR;
    it->flash.unit = 1;
    it->spi = spi;
    it->loop = loop;
}
