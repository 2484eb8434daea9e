/* 39-watch.c - find the task that takes too long, and see how it delays others
 * SPDX-License-Identifier: MIT
 *
 * A painter paints for 80 ms and moves the clock by hand; a drummer beats every 50.
 *
 *     struct pt_watch     finds steps that take too long: pt_watch_start, pt_watch_stop
 *     pt_watch_stuck      the task whose step takes too long just now, or NULL: for an interrupt;
 *                         here the painter asks
 *     pt_loop_update      tell the loop the time in the middle of a turn
 *     struct pt_observer  functions that see each step of a loop: pt_loop_observe, pt_loop_ignore
 *     struct pt_choice    the ready tasks, when an observer may choose the next one; pt_choice_task
 *                         returns one of them
 *
 * What to notice:
 *   - A long step delays every task. A watch finds it by the clock, and names the task.
 *   - After a long step, call pt_loop_update; otherwise the waits that follow are too short.
 *   - A watch is an observer. Your own observer can see each step, or choose the next task.
 *
 * Try: remove the call of pt_loop_update. How long does the painter rest then? */
#include <pt/inspect.h>
#include <pt/posix.h>

#include <stdio.h>
#define SAY(text) printf("%3u ms  %s\n", (unsigned)(PT_NOW() / PT_MS(1)), text)

static struct pt_virtual world;
static struct pt_loop loop;
static struct pt_watch dog;

struct painter {
    struct pt pt;
    int pictures;
};

PT_ASYNC(painter, self)
{
    for (; self->pictures > 0; self->pictures--) {
        world.now += PT_MS(80);
        SAY(pt_watch_stuck(&dog, world.now) ? "(still at it)" : "(in time)");
        pt_loop_update(&loop, world.now);
        SAY("a picture");
        PT_WAIT(PT_MS(100));
    }
}
PT_END

struct drummer {
    struct pt pt;
    int beats;
};

PT_ASYNC(drummer, self)
{
    for (; self->beats > 0; self->beats--) {
        SAY("boom");
        PT_WAIT(PT_MS(50));
    }
}
PT_END

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
}
