/* core.cc - a sketch on a core of which pt_arduino.h knows nothing: it waits by delay(1)
 * SPDX-License-Identifier: MIT
 *
 * ARDUINO_ARCH_RP2040: the core of an RP2040, which has a wait until a time or an event, and FreeRTOS
 * if FREERTOS is true. */
#include <pt_arduino.h>

#include <cassert>

static unsigned long clock_now = 0xfffffff0u; /* wraps soon */
static unsigned delays;
static bool moving; /* the clock moves at each reading */

unsigned long millis(void)
{
    return moving ? clock_now++ : clock_now;
}

static void wait()
{
    delays++;
    clock_now++;
}

#if defined(ARDUINO_ARCH_RP2040) && !defined(ARDUINO_ARCH_MBED)

bool __isFreeRTOS = FREERTOS;

uint64_t time_us_64(void)
{
    return clock_now * 1000ull + 400;
}

bool best_effort_wfe_or_timeout(absolute_time_t timeout)
{
    assert(!FREERTOS && timeout == (clock_now + 1) * 1000ull); /* the next tick of millis() */
    wait();
    return true;
}

#define BY_DELAY FREERTOS
#else
#define BY_DELAY true
#endif

void delay(unsigned long milliseconds)
{
    assert(BY_DELAY && milliseconds == 1);
    wait();
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
