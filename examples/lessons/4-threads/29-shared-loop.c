/* 29-shared-loop.c - another thread enters a running loop, inspects it, and acts on it
 * SPDX-License-Identifier: MIT
 *
 * A loop belongs to one thread. Here other threads may stop it for a moment.
 *
 *     struct pt_shared  a loop that other threads may enter; pt_shared_open, pt_shared_close
 *     pt_shared_run     pt_loop_run for such a loop: without a ready task it sleeps until a thread
 *                       enters
 *     pt_shared_enter   wait for the end of the current turn, and stop the loop; pt_shared_leave
 *                       lets it continue
 *     pt_loop_task      the first task of a loop (after NULL), or the next one
 *     pt_task_name      the name of its coroutine; pt_task_doing says what it does, in words
 *     pt_task_deadline  whether it waits for a time, and for which
 *
 * What to notice:
 *   - Between enter and leave the thread may call pt. Outside, it may only post (lesson 30).
 *   - A turn runs before the next thread enters: by then, what was asked for has happened.
 *   - A wake means "look again", not why or how often: the lamp checks what is wanted.
 *
 * Try: let the thread pause the porter before it lists the tasks. What does the list say about
 * it? */
#include <pt/inspect.h>
#include <pt/threads.h>

#include <stdio.h>

static struct pt_shared shared;
static struct pt_loop loop;

struct lamp {
    struct pt pt;
    bool on, wanted;
};

PT_ASYNC(lamp, self)
{
    for (;;) {
        while (self->on == self->wanted)
            PT_PARK();
        self->on = self->wanted;
        printf("the lamp goes %s\n", self->on ? "on" : "off");
    }
}
PT_END

static PT_TASK(lamp) lamp_task;

static void *visit(void *context)
{
    static const bool wanted[] = {true, true, false, true};
    pt_time end = 0;

    for (int i = 0; i < 4; i++) {
        pt_shared_enter(&shared);
        lamp_task.frame.wanted = wanted[i];
        pt_wake(&lamp_task.task);
        pt_shared_leave(&shared);
    }
    pt_shared_enter(&shared);
    for (struct pt_task *task = pt_loop_task(&loop, NULL); task; task = pt_loop_task(&loop, task))
        printf("the %s %s, and has %s\n", pt_task_name(task), pt_task_doing(task),
               pt_task_deadline(task, &end) ? "a deadline" : "none");
    pt_loop_cancel(&loop, PT_ECANCELED);
    pt_shared_leave(&shared);
    return context;
}

struct porter {
    struct pt pt;
    pthread_t visitor;
};

PT_ASYNC(porter, self)
{
    if (pthread_create(&self->visitor, NULL, visit, NULL))
        exit(1);
    PT_WAIT(PT_SEC(3600));
}
PT_END

int main(void)
{
    static PT_TASK(porter) porter_task;

    if (pt_shared_open(&shared, &loop) != PT_OK)
        return 1;
    PT_START(&loop, &lamp_task, lamp);
    PT_START(&loop, &porter_task, porter);
    printf("%s\n", pt_status_name(pt_shared_run(&shared)));
    pthread_join(porter_task.frame.visitor, NULL);
    pt_shared_close(&shared);
    return 0;
}
