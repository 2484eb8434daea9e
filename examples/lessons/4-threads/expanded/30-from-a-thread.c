/* expanded/30-from-a-thread.c - lesson 30 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_ACQUIRE  take a unit; if there is none, enter the queue and park until one is given
 *
 *     The thread is not a task, and has nothing to expand. */
#include <pt/threads.h>

#include <stdio.h>

static struct pt_shared shared;
static struct pt_loop loop;
static struct pt_event bell;
static struct pt_semaphore keys;

struct lamp { struct pt pt; int blinks; };

static pt_op PT_FN(lamp)(struct pt *pt, struct pt_task *task)
{
    struct lamp *self = (struct lamp *)pt;

    (void)task;
    switch (pt->label) {
    case 0:
        for (puts("    the lamp is plugged in");; printf("    it blinks, %d\n", ++self->blinks)) {
            pt->label = 1;
            return (pt_op){PT_OP_PARK};
    case 1:;
        }
    }
    return pt_end_(pt);
}

static PT_TASK(lamp) lamp_task;
enum { ON, WAKE, PAUSE, RESUME, OFF, RING, KEY, BUTTONS };
static struct pt_remote buttons[BUTTONS];
static const char *const names[] = {"on", "wake", "pause", "resume", "off", "ring", "key"};

static void *press(void *context)
{
    static const int order[] = {ON, ON, PAUSE, WAKE, RESUME, OFF, WAKE, RING, KEY};

    for (int i = 0; i < 9; i++) {
        pt_shared_enter(&shared); /* after the last post took effect */
        puts(names[order[i]]);
        pt_remote_post(&buttons[order[i]]);
        pt_shared_leave(&shared);
    }
    return context;
}

struct house { struct pt pt; pthread_t thread; };

static pt_op PT_FN(house)(struct pt *pt, struct pt_task *task)
{
    struct house *self = (struct house *)pt;

    switch (pt->label) {
    case 0:
        if (pthread_create(&self->thread, NULL, press, NULL))
            exit(1);
        if (pt_event_must_wait_(task, pt, &bell)) {
            pt->label = 1;
            return (pt_op){PT_OP_PARK};
    case 1:;
        }
        puts("    somebody rings");
        if (pt_semaphore_must_wait_(task, pt, &keys)) {
            pt->label = 2;
            return (pt_op){PT_OP_PARK};
    case 2:
            pt_task_take_(task);
        }
        puts("    the key is back");
    }
    return pt_end_(pt);
}
