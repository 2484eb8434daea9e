/* expanded/36-slow-motion.c - lesson 36 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     Slow motion happens in the loop: no opcode, nothing in a body. */
#include <pt/posix.h>

#include <stdio.h>

#define SAY(text) printf("%5u ms  %s\n", (unsigned)(pt_now_(task) / PT_MS(1)), text)

struct hare {
    struct pt pt;
    int steps;
};

static pt_op PT_FN(hare)(struct pt *pt, struct pt_task *task)
{
    struct hare *self = (struct hare *)pt;

    switch (pt->label) {
    case 0:
        for (self->steps = 0; self->steps < 4; self->steps++) {
            SAY("hare");
            pt->label = 1;
            return (pt_op){PT_OP_YIELD};
    case 1:;
        }
        SAY("hare is there");
    }
    return pt_end_(pt);
}

struct tortoise {
    struct pt pt;
    int steps;
};

static pt_op PT_FN(tortoise)(struct pt *pt, struct pt_task *task)
{
    struct tortoise *self = (struct tortoise *)pt;

    switch (pt->label) {
    case 0:
        for (self->steps = 0; self->steps < 4; self->steps++) {
            SAY("      tortoise");
            if (!pt_wait_(task, PT_MS(100)))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 1;
            return (pt_op){PT_OP_WAIT};
    case 1:;
        }
        SAY("      tortoise is there");
    }
    return pt_end_(pt);
}

static void race(const char *title, pt_time delay)
{
    static PT_TASK(hare) hare_task;
    static PT_TASK(tortoise) tortoise_task;
    struct pt_virtual world;
    struct pt_loop loop;

    puts(title);
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    pt_loop_slow(&loop, delay);
    PT_START(&loop, &hare_task, hare);
    PT_START(&loop, &tortoise_task, tortoise);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
}
