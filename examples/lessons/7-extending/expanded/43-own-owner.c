/* expanded/43-own-owner.c - lesson 43 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     The owner has nothing to expand: the loop calls it when a base frame returns DONE. */
#include <pt/posix.h>

#include <stdio.h>

struct bulb {
    struct pt pt;
    int hours;
};

static pt_op PT_FN(bulb)(struct pt *pt, struct pt_task *task)
{
    struct bulb *self = (struct bulb *)pt;

    switch (pt->label) {
    case 0:
        printf("%2u h  a bulb for %d hours\n", (unsigned)(pt_now_(task) / PT_SEC(3600)),
               self->hours);
        if (!pt_wait_(task, PT_SEC(3600 * self->hours)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:;
    }
    return pt_end_(pt);
}

struct lamp {
    struct pt_owner owner; /* first member: its address is the lamp's */
    int spares;
    PT_OWNED_TASK(bulb) socket;
};

static struct pt_random chance = {1};

static void light(struct lamp *lamp, struct pt_loop *loop)
{
    int hours = 1 + (int)(pt_random_next(&chance) >> 60); /* 4 bits of chance: 1 to 16 */

    PT_START(loop, &lamp->socket, bulb, .hours = hours);
    PT_OWN(&lamp->socket, &lamp->owner);
}

static void replace(struct pt_owner *owner, struct pt_task *task)
{
    struct lamp *lamp = (struct lamp *)(void *)owner;

    printf("      burnt out; spare bulbs: %d\n", lamp->spares);
    if (lamp->spares-- > 0)
        light(lamp, task->loop);
}

struct reader {
    struct pt pt;
    struct pt_task *light;
};

static pt_op PT_FN(reader)(struct pt *pt, struct pt_task *task)
{
    struct reader *self = (struct reader *)pt;

    switch (pt->label) {
    case 0:
        if (pt_join_(task, pt, self->light)) {
            pt->label = 1;
            return (pt_op){PT_OP_PARK};
    case 1:;
        }
        printf("%2u h  time to sleep\n", (unsigned)(pt_now_(task) / PT_SEC(3600)));
    }
    return pt_end_(pt);
}
