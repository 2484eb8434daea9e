/* core.cc - a sketch on a core of which pt_arduino.h knows nothing: it waits by delay(1)
 * SPDX-License-Identifier: MIT */
#include <pt_arduino.h>

#include <cassert>

static unsigned long clock_now = 0xfffffff0u; /* wraps soon */
static unsigned delays;
static bool moving; /* the clock moves at each reading */

unsigned long millis(void)
{
    return moving ? clock_now++ : clock_now;
}

void delay(unsigned long milliseconds)
{
    assert(milliseconds == 1);
    delays++;
    clock_now++;
}

static struct pt_remote post;
static unsigned long posted_at;
static unsigned handled;

static void handle(struct pt_remote *, unsigned times)
{
    assert(times == 1 && clock_now == posted_at); /* no delay came first */
    handled++;
}

struct walker {
    struct pt pt;
    unsigned steps, yields;
};

PT_ASYNC(walker, self)
{
    for (; self->yields > 0; self->yields--)
        PT_YIELD();
    for (;;) {
        self->steps++;
        posted_at = clock_now;
        pt_remote_post(&post); /* after the loop has handled all posts, as an interrupt can */
        PT_WAIT(PT_MS(10));
    }
}
PT_END

int main()
{
    static struct pt_loop tasks;
    static PT_TASK(walker) walk;

    pt_loop_init(&tasks, millis());
    pt_remote_open(&post, &tasks, handle, nullptr);
    assert(PT_START(&tasks, &walk, walker, .steps = 0, .yields = 3) == PT_OK);
    for (unsigned turn = 0; turn < 3; turn++)
        pt_arduino_turn(&tasks);
    assert(delays == 0); /* it was ready */
    while (handled < 3)
        pt_arduino_turn(&tasks);
    assert(walk.frame.steps == 3 && delays == 21); /* two waits, and one after the last turn */
    moving = true;
    pt_arduino_turn(&tasks);
    assert(delays == 21); /* a tick has passed since the turn: something may be due */
    return 0;
}
