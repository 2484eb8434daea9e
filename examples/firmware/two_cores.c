/* two_cores.c - a loop on each core of a Pico: one asks, the other one calculates
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - Each core has a loop. They share remotes, rings and mailboxes, and what was written before a
 *     post: the answer is plain memory.
 *   - Posts go both ways, and take a lock of the hardware (first/two_cores.h). No core sleeps with
 *     it: the sleep masks the interrupts of its own core.
 *   - A core whose tasks all wait sleeps by wfe. The post of the other one wakes it.
 *   - Core 0 blinks while core 1 calculates: nothing is shared but the question. */
#include "rp2040/second.h"
#include "run.h"

static struct pt_loop first, second;
static struct pt_remote question, answer; /* act in the second loop, and in the first */

static struct {
    uint32_t number, primes;
} job;

static void say(const char *text)
{
    for (; *text; text++)
        while (!board_put(*text)) {
        }
}

static void say_number(uint32_t number)
{
    const char digit[] = {(char)('0' + number % 10), '\0'};

    if (number >= 10)
        say_number(number / 10);
    say(digit);
}

/* --- core 1 -------------------------------------------------------------------------------- */

static bool is_prime(uint32_t number)
{
    for (uint32_t by = 2; by * by <= number; by++)
        if (number % by == 0)
            return false;
    return number >= 2;
}

struct worker {
    struct pt pt;
};

static PT_ASYNC(worker, self)
{
    for (;;) {
        PT_PARK();
        job.primes = 0;
        for (uint32_t number = 0; number < job.number; number++)
            job.primes += is_prime(number);
        pt_remote_post(&answer);
    }
}
PT_END

static PT_TASK(worker) worker;

static void second_loop(void)
{
    for (;;)
        board_turn_posted(&second);
}

/* --- core 0 -------------------------------------------------------------------------------- */

struct asker {
    struct pt pt;
    uint8_t blinks;
};

static PT_TASK(asker) asker;

struct blink {
    struct pt pt;
};

static PT_ASYNC(blink, self)
{
    for (;;) {
        board_led(0, ++asker.frame.blinks & 1);
        PT_WAIT(PT_MS(2));
    }
}
PT_END

static PT_ASYNC(asker, self)
{
    for (job.number = 30; job.number <= 3000; job.number *= 10) {
        self->blinks = 0;
        pt_remote_post(&question);
        PT_PARK();
        say_number(job.primes);
        say(" primes below ");
        say_number(job.number);
        say(self->blinks > 4 ? ", and core 0 blinked\n" : "\n");
    }
}
PT_END

void board_received(void)
{
}

int main(void)
{
    static PT_TASK(blink) blink;

    board_start();
    pt_loop_init(&first, board_now());
    pt_loop_init(&second, board_now());
    pt_remote_open(&question, &second, pt_remote_wake, &worker.task);
    pt_remote_open(&answer, &first, pt_remote_wake, &asker.task);
    PT_START(&second, &worker, worker);
    PT_START(&first, &blink, blink);
    PT_START(&first, &asker, asker);
    second_start(second_loop);
    while (pt_task_alive(&asker.task))
        board_turn_posted(&first);
    return 0;
}
