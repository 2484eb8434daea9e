/* 30-from-a-thread.c - a thread presses buttons, and the loop does what each button stands for
 * SPDX-License-Identifier: MIT
 *
 * A remote is a button: an action and a target. Any thread or interrupt can press it.
 *
 *     struct pt_remote    the button; pt_remote_open sets its loop, its action, and its target
 *     pt_remote_post      press it: the loop runs the action before its next turn
 *     PT_PREPARE          set up a task as PT_START does, but do not start it
 *     pt_remote_activate  an action: start the prepared task if it has never run, else wake it
 *     pt_remote_wake      an action on a task, like pt_remote_pause, pt_remote_resume,
 *                         pt_remote_cancel
 *     pt_remote_trigger   an action on an event: trigger it
 *     pt_remote_release   an action on a semaphore: give a unit back
 *
 * What to notice:
 *   - If the loop sleeps, a post wakes it.
 *   - A wake acts only on a live task: the second one comes after "off", and does nothing.
 *   - Two posts can become one wake, so the thread enters the loop before each.
 *   - After the loop is closed, a post is refused.
 *
 * Try: remove pt_shared_enter and pt_shared_leave. Which presses are lost? */
#include <pt/threads.h>

#include <stdio.h>

static struct pt_shared shared;
static struct pt_loop loop;
static struct pt_event bell;
static struct pt_semaphore keys;

struct lamp {
    struct pt pt;
    int blinks;
};

PT_ASYNC(lamp, self)
{
    for (puts("    the lamp is plugged in");; printf("    it blinks, %d\n", ++self->blinks))
        PT_PARK();
}
PT_END

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

struct house {
    struct pt pt;
    pthread_t thread;
};

PT_ASYNC(house, self)
{
    if (pthread_create(&self->thread, NULL, press, NULL))
        exit(1);
    PT_WAIT_EVENT(&bell);
    puts("    somebody rings");
    PT_ACQUIRE(&keys);
    puts("    the key is back");
}
PT_END

int main(void)
{
    static PT_TASK(house) house_task;
    static void (*const actions[])(struct pt_remote *, unsigned) = {
        pt_remote_activate, pt_remote_wake,    pt_remote_pause,  pt_remote_resume,
        pt_remote_cancel,   pt_remote_trigger, pt_remote_release};

    if (pt_shared_open(&shared, &loop) != PT_OK)
        return 1;
    pt_event_init(&bell);
    pt_semaphore_init(&keys, 0, 1);
    PT_PREPARE(&lamp_task, lamp);
    for (int i = 0; i < BUTTONS; i++)
        pt_remote_open(&buttons[i], &loop, actions[i], &lamp_task.task);
    buttons[RING].target = &bell;
    buttons[KEY].target = &keys;
    PT_START(&loop, &house_task, house);
    pt_shared_run(&shared);
    pthread_join(house_task.frame.thread, NULL);
    pt_shared_close(&shared);
    printf("too late: %s\n", pt_status_name(pt_remote_post(&buttons[ON])));
    return 0;
}
