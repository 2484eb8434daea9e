/* An event: PT_WAIT_EVENT(&event) waits; event_trigger(&event) releases all tasks that wait, in their order. */
#include "pt.h"
#include "virtual.h"
#include <stdio.h>
#include <string.h>

struct event {
    struct pt_list waiters;
};

#define PT_WAIT_EVENT(event)                \
    do {                                    \
        pt_enlist_(task_, &task_->own, 1);  \
        event_join(event, &task_->own);     \
        PT_PARK();                          \
        pt_->status = task_->given;         \
    } while (0)

static void event_join(struct event *event, struct pt_waiter *waiter)
{
#ifdef SOLUTION
    pt_list_add(&event->waiters, waiter);
#else
    /* your code: the waiter joins the list */
    (void)event;
    (void)waiter;
#endif
}

static void event_trigger(struct event *event)
{
#ifdef SOLUTION
    while (event->waiters.first)
        pt_release_(event->waiters.first, PT_OK);
#else
    /* your code: release each of them with PT_OK */
    (void)event;
#endif
}

/* --- the test: leave it as it is --- */

static struct event bell, never;
static char heard[32];

struct listener {
    struct pt pt;
    struct event *to;
    char name;
};

static PT_ASYNC(listener, self)
{
    PT_WAIT_EVENT(self->to);
    strncat(heard, self->pt.status == PT_OK ? &self->name : "?", 1);
    PT_WAIT_EVENT(self->to);
    strncat(heard, self->pt.status == PT_OK ? &self->name : "?", 1);
}
PT_END

int main(void)
{
    static PT_TASK(listener) tasks[5];
    static struct pt_virtual world;
    static struct pt_loop loop;

    pt_virtual_init(&world);
    pt_loop_open(&loop, &world.port);
    event_trigger(&bell); /* nothing waits yet */
    for (int i = 0; i < 5; i++)
        PT_START(&loop, &tasks[i], listener, .to = i == 2 ? &never : &bell, .name = (char)('a' + i));
    for (int i = 0; i < 2; i++) {
        pt_loop_turn(&loop, 0);
        event_trigger(&bell);
        pt_wake(&tasks[0].task); /* a wake does not end the wait for the event */
        pt_loop_turn(&loop, 0);
        strcat(heard, " ");
    }
    if (strcmp(heard, "abde abde ")) { /* c waits for another event */
        printf("FAIL: heard \"%s\", not \"abde abde \"\n", heard);
        return 1;
    }
    printf("passed\n");
    return 0;
}
