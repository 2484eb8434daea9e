/* expanded/39-watch.c - lesson 39 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     A step is what a function does from a case to a return: that is what a watch measures. */
#include <pt/inspect.h>
#include <pt/posix.h>

#include <stdio.h>

#define SAY(text) printf("%3u ms  %s\n", (unsigned)(pt_now_(task) / PT_MS(1)), text)

static struct pt_virtual world;
static struct pt_loop loop;
static struct pt_watch dog;

struct painter {
    struct pt pt;
    int pictures;
};

static pt_op PT_FN(painter)(struct pt *pt, struct pt_task *task)
{
    struct painter *self = (struct painter *)pt;

    switch (pt->label) {
    case 0:
        for (; self->pictures > 0; self->pictures--) {
            world.now += PT_MS(80);
            SAY(pt_watch_stuck(&dog, world.now) ? "(still at it)" : "(in time)");
            pt_loop_update(&loop, world.now); /* pt_now_(task) as well */
            SAY("a picture");
            if (!pt_wait_(task, PT_MS(100)))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 1;
            return (pt_op){PT_OP_WAIT};
    case 1:;
        }
    }
    return pt_end_(pt);
}

struct drummer {
    struct pt pt;
    int beats;
};

static pt_op PT_FN(drummer)(struct pt *pt, struct pt_task *task)
{
    struct drummer *self = (struct drummer *)pt;

    switch (pt->label) {
    case 0:
        for (; self->beats > 0; self->beats--) {
            SAY("boom");
            if (!pt_wait_(task, PT_MS(50)))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 1;
            return (pt_op){PT_OP_WAIT};
    case 1:;
        }
    }
    return pt_end_(pt);
}

static void complain(struct pt_watch *watch, struct pt_task *task, pt_time ticks)
{
    ticks -= watch->limit;
    printf("        %s: %u ms too long\n", pt_task_name(task), (unsigned)(ticks / PT_MS(1)));
}

static size_t last_first(struct pt_observer *observer, const struct pt_choice *choice)
{
    (void)observer;
    printf("        %s next\n", pt_task_name(pt_choice_task(choice, choice->count - 1)));
    return choice->count - 1;
}

int main(void)
{
    static struct pt_observer chooser;
    static PT_TASK(painter) painter;
    static PT_TASK(drummer) drummer;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    chooser.pick = last_first;
    pt_loop_observe(&loop, &chooser);
    PT_START(&loop, &painter, painter, .pictures = 2);
    PT_START(&loop, &drummer, drummer, .beats = 5);
    pt_watch_start(&dog, &loop, PT_MS(10), complain);
    pt_loop_turn(&loop, 0);
    pt_loop_ignore(&loop, &chooser);
    pt_loop_run(&loop);
    pt_watch_stop(&dog);
    printf("%s took longest: %u ms\n", dog.longest_name, (unsigned)(dog.longest / PT_MS(1)));
    pt_loop_close(&loop);
    return 0;
}
