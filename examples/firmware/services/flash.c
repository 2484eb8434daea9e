/* flash.c - a job is a transfer
 * SPDX-License-Identifier: MIT */
#include "flash.h"

PT_ASYNC(flash_job, self)
{
    PT_WITH_LOCK(&self->held, &self->flash->controller.lock) {
        self->flash->does = self->does;
        self->flash->at = self->at;
        PT_TRY(&self->transfer, transfer, .by = &self->flash->controller, .out = self->out,
               .outs = self->outs, .in = self->in, .ins = self->ins);
    }
}
PT_END
