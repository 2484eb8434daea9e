/* 07-park-pause.c - a task parks until it is woken, or is paused by another task
 * SPDX-License-Identifier: MIT
 *
 * A parked task waits for a wake, and for nothing else. Events, locks and channels park a task, too,
 * but then only they can wake it.
 *
 *     PT_PARK           stop this task until pt_wake is called for it
 *     PT_PARK_DEADLINE  the same, but at most until a time; PT_PARK_FOR: at most for a delay
 *     PT_ETIMEDOUT      self->pt.status when the time came before the wake
 *     pt_pause          stop any task, whatever it does, until pt_resume
 *     .frame            the member of a PT_TASK that is its struct: other tasks can write its
 *                       fields
 *
 * What to notice:
 *   - A wake only means "look again". So a parked task checks its condition in a loop.
 *   - A wake that comes before the park is kept: that is why the cat looks twice at 0 ms.
 *   - A paused task keeps its deadline: the beats of 300 to 500 ms come late, 600 is on time.
 *
 * Try: wake the cat twice before the loop runs. It still looks only twice: wakes are not
 * counted. Then wake it again at 620 ms: with PT_PARK_FOR(PT_MS(100)) it would stay longer. */
#include <pt/posix.h>

#include <stdio.h>

#define SAY(text) printf("%3u ms  %s\n", (unsigned)(PT_NOW() / PT_MS(1)), text)

struct cat {
    struct pt pt;
    bool food; /* written by the owner */
};

PT_ASYNC(cat, self)
{
    while (!self->food) {
        SAY("the cat looks, and sleeps on");
        PT_PARK();
    }
    SAY("the cat eats");
    do {
        PT_PARK_DEADLINE(PT_MS(650));
    } while (self->pt.status != PT_ETIMEDOUT);
    SAY("nobody brings more: the cat leaves");
}
PT_END

struct drummer {
    struct pt pt;
    pt_time beat;
};

PT_ASYNC(drummer, self)
{
    for (self->beat = PT_MS(100); self->beat < PT_MS(700); self->beat += PT_MS(100)) {
        PT_WAIT_DEADLINE(self->beat);
        SAY("boom");
    }
}
PT_END

static PT_TASK(cat) cat_task;
static PT_TASK(drummer) drummer_task;

struct owner {
    struct pt pt;
};

PT_ASYNC(owner, self)
{
    PT_WAIT(PT_MS(250));
    pt_pause(&drummer_task.task);
    SAY("silence; here, puss!");
    pt_wake(&cat_task.task);
    PT_WAIT(PT_MS(300));
    SAY("here is some food; drum on");
    cat_task.frame.food = true;
    pt_wake(&cat_task.task);
    pt_resume(&drummer_task.task);
}
PT_END

int main(void)
{
    static PT_TASK(owner) owner_task;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &cat_task, cat);
    PT_START(&loop, &drummer_task, drummer);
    PT_START(&loop, &owner_task, owner);
    pt_wake(&cat_task.task);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
