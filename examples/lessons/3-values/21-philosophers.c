/* 21-philosophers.c - five philosophers, five forks, a deadlock, and a way to avoid it
 * SPDX-License-Identifier: MIT
 *
 *     PT_CASE_LOCK  a case of a select: the task has got the lock
 *     pt_lock_try   lock for a task, without waiting: PT_OK, or PT_EAGAIN if another task holds it
 *
 * What to notice:
 *   - Each takes the left fork and waits for the right one, so that nobody eats.
 *   - In virtual time the loop sees that nothing can happen, and pt_loop_run returns PT_EDEADLK.
 *   - A canceled philosopher puts down what he holds: PT_FINALLY checks PT_HOLDS.
 *   - The polite ones wait for the second fork only for a while, and each for a different time:
 *     PT_SELECT with a lock and a time. Then all eat, although no one is in charge.
 *
 * Try: let one stubborn philosopher take the right fork first. Does the deadlock remain? */
#include <pt/posix.h>

#include <stdio.h>

#define MINUTES(n) PT_SEC(60 * (n))
#define SAY(...) (printf("%2u min  ", (unsigned)(PT_NOW() / MINUTES(1))), printf(__VA_ARGS__))

enum { SEATS = 5 };

static const char *const names[SEATS] = {"Plato", "Hypatia", "Hegel", "Kant", "Arendt"};
static struct pt_lock forks[SEATS];

struct philosopher {
    struct pt pt;
    PT_SELECTION(2) second;
    struct pt_lock *left, *right;
    const char *name;
    pt_time patience; /* 0: no limit */
};

PT_ASYNC(philosopher, self)
{
    for (;;) {
        PT_LOCK(self->left);
        PT_WAIT(MINUTES(1)); /* a thought */
        if (self->patience)
            PT_SELECT(&self->second, PT_CASE_LOCK(self->right), PT_CASE_AFTER(self->patience));
        else
            PT_LOCK(self->right);
        if (PT_HOLDS(self->right))
            break;
        PT_UNLOCK(self->left);
        PT_WAIT(MINUTES(1));
    }
    SAY("%s eats\n", self->name);
    PT_WAIT(MINUTES(5));
    PT_FINALLY
    if (PT_HOLDS(self->left))
        PT_UNLOCK(self->left);
    if (PT_HOLDS(self->right))
        PT_UNLOCK(self->right);
}
PT_END

static void dinner(bool polite)
{
    static PT_TASK(philosopher) tasks[SEATS];
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    for (int i = 0; i < SEATS; i++) {
        pt_lock_init(&forks[i]);
        PT_START(&loop, &tasks[i], philosopher, .left = &forks[i], .right = &forks[(i + 1) % SEATS],
                 .name = names[i], .patience = polite ? MINUTES(i + 1) : 0);
    }
    printf("%s: %s\n", polite ? "polite" : "stubborn", pt_status_name(pt_loop_run(&loop)));
    for (int i = 0; i < SEATS; i++)
        pt_cancel(&tasks[i].task, PT_ECANCELED);
    pt_loop_run(&loop);
    printf("a fork is %s\n", pt_lock_try(&forks[0], &tasks[0].task) == PT_OK ? "free" : "taken");
    pt_loop_close(&loop);
}

int main(void)
{
    dinner(false);
    dinner(true);
    return 0;
}
