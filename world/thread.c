/* thread.c - the threads of a program: when each goes on, and what none of them can end
 * SPDX-License-Identifier: MIT
 *
 *                begins               waits, or another one goes on first
 *     (none) ──► waits ──── turn ───► runs ◄────────────────────────────► waits
 *                                      │              turn
 *                                   it ends: a thread that joins it goes on
 *
 * Each is a fiber. It leaves at a call only: when it waits, and by the seed where threads meet. So what stands between
 * two calls is one step, and an order of plain reads and writes within it is not tried. */
#include "threads.h"

#include "calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    GUARD = 4096,
    CALLS = 10000000, /* that a program may make without a wait */
    SELDOM = 8        /* of so many calls at which threads meet, another thread goes on at one */
};

void machine_calls(void)
{
    if (++running->calls > CALLS)
        world_failed(2, "%s: its program makes calls for ever, and does not wait", here->name);
}

/* --- one thread ------------------------------------------------------------------------------ */

/* It goes on, until it waits or ends. */
static void turn(struct event *event)
{
    struct thread *thread =
        (struct thread *)(void *)((char *)event - offsetof(struct thread, turn));
    struct process *process = thread->process;

    if (process->machine->paused) {
        thread->owed = true;
        return;
    }
    running = process;
    here = process->machine;
    call_environ = process->environment;
    process->thread = thread;
    process->calls = 0;
    thread->waits = false;
    errno = thread->error;
    pt_fiber_switch(&here->world->root, &thread->fiber);
    thread->error = errno;
    process->thread = NULL;
    process->environment = call_environ;
    running = NULL;
    here = NULL;
    if (process->ended)
        process->clear(process, false);
    else if (thread->done && thread->detached)
        thread_free(thread);
}

struct thread *thread_new(struct process *process, size_t stack_size, pt_fiber_function function)
{
    struct thread *thread = calloc(1, sizeof *thread), **last = &process->threads;

    if (!thread)
        abort();
    thread->process = process;
    thread->number = ++process->threads_begun;
    thread->turn.fire = turn;
    thread->waits = true;
    thread->stack_size = stack_size + GUARD;
    thread->stack = mmap(NULL, thread->stack_size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (thread->stack == MAP_FAILED || mprotect(thread->stack, GUARD, PROT_NONE))
        world_failed(2, "%s: no memory for its stack", process->machine->name);
    pt_fiber_init(&thread->fiber, &process->machine->world->root, thread->stack + GUARD, stack_size,
                  function, thread);
    while (*last)
        last = &(*last)->next;
    *last = thread;
    return thread;
}

void thread_free(struct thread *thread)
{
    struct thread **link = &thread->process->threads;

    while (*link != thread)
        link = &(*link)->next;
    *link = thread->next;
    event_cancel(thread->process->machine->world, &thread->turn);
    pt_fiber_close(&thread->fiber);
    munmap(thread->stack, thread->stack_size);
    free(thread->locals);
    free(thread);
}

void threads_free(struct process *process)
{
    while (process->threads)
        thread_free(process->threads);
}

struct thread *thread_at(pthread_t number)
{
    struct thread *thread = running->threads;

    while (thread && (pthread_t)thread->number != number)
        thread = thread->next;
    return thread;
}

/* --- waits ----------------------------------------------------------------------------------- */

/* Whether only what another thread does ends its wait. */
static bool is_stuck(const struct thread *thread)
{
    return thread->done ||
           (thread->waits && thread->object && !thread->turn.place && !signals_next(thread));
}

/* A handler can end such a wait only, if there is one. */
static bool has_handlers(const struct process *process)
{
    for (int i = 0; i < SIGNALS; i++)
        if (process->actions[i].sa_handler != SIG_DFL && process->actions[i].sa_handler != SIG_IGN)
            return true;
    return false;
}

/* No thread goes on any more: the run has failed. */
static void complain(const struct process *process)
{
    char text[400];
    size_t used = 0;

    for (const struct thread *thread = process->threads; thread && used < sizeof text;
         thread = thread->next) {
        if (thread->done)
            continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s thread %d waits for %s",
                                 used ? ";" : "", thread->number, thread->what);
        if (thread->holder > 0 && used < sizeof text)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, " of thread %d", thread->holder);
    }
    world_failed(1, "%.6f ms: %s has a deadlock:%s", (double)here->world->now / 1e6, here->name,
                 text);
}

static void look_for_deadlock(const struct process *process)
{
    for (const struct thread *thread = process->threads; thread; thread = thread->next)
        if (!is_stuck(thread) || (thread->holder == A_HANDLER && has_handlers(process)))
            return;
    complain(process);
}

/* 0: OBJECT has woken it; EINTR: a handler has run; EAGAIN: neither. */
static int wait_for(const void *object, uint64_t until)
{
    struct thread *self = running->thread;
    struct world *world = here->world;
    bool woken;

    self->object = object;
    if (until != NEVER)
        event_at(world, &self->turn, until);
    if (!signals_next(self)) {
        self->waits = true;
        if (object)
            look_for_deadlock(running);
        pt_fiber_switch(&self->fiber, &world->root);
    }
    event_cancel(world, &self->turn);
    woken = object && !self->object;
    self->object = NULL; /* before a handler that waits */
    return signals_deliver() && !woken ? EINTR : woken ? 0 : EAGAIN;
}

bool machine_wait(uint64_t until)
{
    return wait_for(NULL, until) != EINTR;
}

int thread_wait(const void *object, const char *what, int holder, uint64_t until)
{
    running->thread->what = what;
    running->thread->holder = holder;
    return wait_for(object, until);
}

/* It takes the scheduler of the machine up to 20 microseconds. */
void thread_wake(struct thread *thread)
{
    struct world *world = thread->process->machine->world;
    uint64_t at = world->now + WORLD_US + world_chance(world, 20 * WORLD_US);

    if (thread->waits && (!thread->turn.place || thread->turn.at > at))
        event_at(world, &thread->turn, at);
}

void machine_wake(struct world_machine *machine)
{
    for (struct process *process = machine->processes; process; process = process->next)
        for (struct thread *thread = process->threads; thread; thread = thread->next)
            if (!thread->object && !thread->done)
                thread_wake(thread);
}

int threads_wake(const void *object, int most)
{
    int waiting = 0, woken = 0;

    for (struct thread *thread = running->threads; thread; thread = thread->next)
        waiting += thread->object == object;
    for (struct thread *thread = running->threads; waiting && woken < most; thread = thread->next) {
        if (thread->object != object)
            continue;
        /* so that each set of MOST is as likely */
        if (most - woken >= waiting ||
            world_chance(here->world, (uint64_t)waiting) < (uint64_t)(most - woken)) {
            thread->object = NULL;
            thread_wake(thread);
            woken++;
        }
        waiting--;
    }
    return woken;
}

void thread_end(void *value)
{
    struct thread *self = running->thread, *other = running->threads;

    self->value = value;
    self->done = true;
    while (other && other->done)
        other = other->next;
    if (!other)
        machine_end(0, 0);
    trace(here, "thread %d ends", self->number);
    if (!threads_wake(self, 1))
        look_for_deadlock(running);
    pt_fiber_switch(&self->fiber, &here->world->root);
    abort(); /* nothing switches back */
}

void thread_yields(void)
{
    struct thread *self = running->thread;
    struct world *world = here->world;
    int error;

    if (!running->threads->next)
        return;
    event_at(world, &self->turn, world->now + WORLD_US + world_chance(world, 20 * WORLD_US));
    self->waits = true;
    pt_fiber_switch(&self->fiber, &world->root);
    error = errno;
    if (!self->keeps) /* else it would come before the call for which the mask is */
        signals_deliver();
    errno = error;
}

void thread_meets(void)
{
    if (running->threads->next && !world_chance(here->world, SELDOM))
        thread_yields();
}
