/* volume.c - two loops on two cores that run at the same time, and as many posts as you like
 * SPDX-License-Identifier: MIT
 *
 * On each core a task posts POSTS times to the loop of the other core: a few in each turn, and now
 * and then one whose answer it waits for, so that both loops also sleep. Behind the last it posts
 * that it is done. Each core counts what it gets. */
#include "end.h"
#include "volume.h"
#include <pt/pt.h>

#ifndef POSTS
#define POSTS 200000
#endif

unsigned post_lock;
unsigned about_to_sleep[2];

struct side;

struct poster {
    struct pt pt;
    struct side *to;
    uint32_t made, answers;
};

/* What belongs to a core: posts to its remotes come from the other one. */
struct side {
    struct pt_loop loop;
    struct pt_remote bell, question, answer, done;
    PT_TASK(poster) poster;
    uint32_t counted, sleeps;
    bool over; /* the other core has posted all */
};

static struct side sides[2];
static bool ended; /* the second core has counted all */

static void post(struct pt_remote *remote)
{
    (void)pt_remote_post(remote);
    if (PT_ATOMICS)
        ring();
}

static struct side *other(const struct side *side)
{
    return &sides[side == sides];
}

static void bell_rang(struct pt_remote *self, unsigned times)
{
    ((struct side *)self->target)->counted += times;
}

static void question_came(struct pt_remote *self, unsigned times)
{
    bell_rang(self, times);
    post(&other((struct side *)self->target)->answer);
}

static void answer_came(struct pt_remote *self, unsigned times)
{
    struct side *side = (struct side *)self->target;

    side->poster.frame.answers += times;
    pt_wake(&side->poster.task);
}

static void done_came(struct pt_remote *self, unsigned times)
{
    (void)times;
    ((struct side *)self->target)->over = true;
}

static PT_ASYNC(poster, self)
{
    while (self->made < POSTS) {
        while (self->made % 1021 && self->made < POSTS - 1) {
            post(&self->to->bell);
            if (++self->made % 5 == 0)
                PT_YIELD(); /* for a turn, which takes what has come */
        }
        self->answers = 0;
        post(&self->to->question);
        self->made++;
        while (!self->answers)
            PT_PARK();
    }
    post(&self->to->done);
}
PT_END

static pt_time now(void)
{
    return 0; /* nobody waits for a time */
}

static bool goes_on(const struct side *side)
{
    return !side->over || pt_task_alive(&side->poster.task);
}

/* Who posts behind the first line sees it, and rings; who has posted before is seen behind it. */
static void sleep_until(pt_time until)
{
    struct side *side = &sides[core()];

    (void)until;
    __atomic_store_n(&about_to_sleep[core()], 1, __ATOMIC_SEQ_CST);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (!pt_loop_posted(&side->loop) && goes_on(side)) {
        side->sleeps++;
        core_wait();
    }
    __atomic_store_n(&about_to_sleep[core()], 0, __ATOMIC_SEQ_CST);
}

static void run(void)
{
    struct side *side = &sides[core()];

    PT_START(&side->loop, &side->poster, poster, .to = other(side));
    while (goes_on(side))
        pt_loop_turn_and_sleep(&side->loop, now, sleep_until);
}

static void second(void)
{
    run();
    __atomic_store_n(&ended, true, __ATOMIC_SEQ_CST);
    for (;;) {
    }
}

int main(void)
{
    uint32_t lost;

    for (struct side *side = sides; side < sides + 2; side++) {
        pt_loop_init(&side->loop, now());
        pt_remote_open(&side->bell, &side->loop, bell_rang, side);
        pt_remote_open(&side->question, &side->loop, question_came, side);
        pt_remote_open(&side->answer, &side->loop, answer_came, side);
        pt_remote_open(&side->done, &side->loop, done_came, side);
    }
    second_start(second);
    run();
    while (!__atomic_load_n(&ended, __ATOMIC_SEQ_CST)) {
    }
    lost = 2 * POSTS - sides[0].counted - sides[1].counted;
    say_number(2l * POSTS);
    say(" posts, ");
    say_number((long)lost);
    say(" posts lost, the loops slept ");
    say_number((long)(sides[0].sleeps + sides[1].sleeps));
    say(" times\n");
    return lost != 0;
}
