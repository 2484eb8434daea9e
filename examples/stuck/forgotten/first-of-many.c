/* first-of-many.c - five tasks answer, the asker takes the first answer: four wait to send theirs
 * SPDX-License-Identifier: MIT */
#include "../scene.h"

struct race {
    PT_CHANNEL(int) answers;
};

struct runner {
    struct pt pt;
    struct race *race;
    int number;
};

static PT_ASYNC(runner, self)
{
    PT_WAIT(PT_MS(self->number + 1));
    PT_SEND(&self->race->answers, &self->number);
}
PT_END

struct asker {
    struct pt pt;
    struct race *race;
    int i;
};

static PT_ASYNC(asker, self)
{
    self->race = NEW(struct race);
    pt_channel_init(&self->race->answers.channel, PT_PREFER_NEITHER);
    for (self->i = 0; self->i < 5; self->i++)
        PT_SPAWN_NEW(runner, .race = self->race, .number = self->i);
    PT_RECV(&self->race->answers, &self->i);
#ifdef MENDED
    pt_channel_close(&self->race->answers.channel); /* the others get PT_ECLOSED */
    PT_WAIT(PT_MS(10));
#endif
}
PT_END

static void scene(struct pt_loop *loop)
{
    PT_START_NEW(loop, asker);
}
