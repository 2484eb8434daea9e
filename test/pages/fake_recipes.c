/* fake_recipes.c - runs the code of doc/recipes.md in virtual time
 * SPDX-License-Identifier: MIT */
#include "recipes.c"

#include <pt/virtual.h>

#include <stdio.h>
#include <string.h>

static struct pt_virtual world;
static struct pt_loop loop;
static char trace[512];

static void say(const char *what, long number)
{
    size_t length = strlen(trace);

    snprintf(trace + length, sizeof trace - length, "%s%ld@%d ", what, number,
             (int)(world.now / PT_MS(1)));
}

static void open_world(void)
{
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    trace[0] = '\0';
}

/* Run what was started until MS, and then to its end; the trace must be EXPECTED. */
static void run(int ms, const char *expected)
{
    while (pt_loop_live(&loop) && world.now <= (pt_time)ms * PT_MS(1)) {
        pt_time next = pt_loop_turn(&loop, world.now);

        if (pt_loop_idle(&loop))
            world.now = pt_time_before(world.now, next) ? next : world.now;
    }
    pt_loop_cancel(&loop, PT_ECANCELED);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    if (strcmp(trace, expected) != 0) {
        printf("not \"%s\": \"%s\"\n", expected, trace);
        exit(1);
    }
}

/* --- the watchdog ---------------------------------------------------------------------------- */

struct feeder {
    struct pt pt;
    unsigned bit;
    int rounds;
    pt_time period;
};

static PT_ASYNC(feeder, self)
{
    while (self->rounds--) {
        pt_flags_set(&fed, self->bit);
        PT_WAIT(self->period);
    }
}
PT_END

static void late(unsigned bits)
{
    say("late:", (long)bits);
}

static void watchdog(void)
{
    static PT_TASK(feeder) motor, radio;
    static PT_TASK(guard) dog;

    open_world();
    pt_flags_init(&fed);
    PT_START(&loop, &dog, guard, .late = late);
    PT_START(&loop, &motor, feeder, .bit = MOTOR, .rounds = 9, .period = PT_SEC(1));
    PT_START(&loop, &radio, feeder, .bit = RADIO, .rounds = 2, .period = PT_SEC(1));
    run(5500, "late:2@3000 late:2@5000 ");
}

/* The time is over in the turn in which the last bit comes. */
static void just_fed(void)
{
    static PT_TASK(feeder) both;
    static PT_TASK(guard) dog;

    open_world();
    pt_flags_init(&fed);
    PT_START(&loop, &both, feeder, .bit = EVERYBODY, .rounds = 3, .period = PT_SEC(2));
    PT_START(&loop, &dog, guard, .late = late);
    run(5500, "");
}

/* --- the pause ------------------------------------------------------------------------------- */

struct door {
    struct pt pt;
    struct pt_task *machine;
};

static PT_ASYNC(door, self)
{
    PT_WAIT(PT_SEC(10));
    pt_wake(self->machine);
    PT_WAIT(PT_SEC(100));
    pt_wake(self->machine);
    PT_JOIN(self->machine);
    say("clean", self->pt.status);
}
PT_END

static void stand_still(void)
{
    static PT_TASK(wash) machine;
    static PT_TASK(door) door;

    open_world();
    PT_START(&loop, &machine, wash, .left = PT_SEC(30));
    PT_START(&loop, &door, door, .machine = &machine.task);
    run(200000, "clean0@130000 ");
}

/* The door opens at the end of the time, and a turn that is late notices both. */
static void late_door(void)
{
    static PT_TASK(wash) machine;
    static struct pt_remote door;

    open_world();
    PT_START(&loop, &machine, wash, .left = PT_SEC(30));
    pt_remote_open(&door, &loop, pt_remote_wake, &machine.task);
    pt_loop_turn(&loop, world.now);
    world.now = PT_SEC(31);
    pt_remote_post(&door);
    pt_loop_turn(&loop, world.now);
    say("clean", pt_task_status(&machine.task));
    pt_remote_close(&door);
    run(0, "clean0@31000 ");
}

/* --- the date -------------------------------------------------------------------------------- */

static time_t calendar(time_t *at)
{
    time_t now = (time_t)(world.now / PT_SEC(1)) + 1000;

    (void)at;
    return world.now < PT_SEC(60) ? now : now + 100; /* at 60 seconds somebody sets it */
}

struct sleeper {
    struct pt pt;
    struct until_date date;
};

static PT_ASYNC(sleeper, self)
{
    PT_WAIT_COMPLETE(&self->date, until_date, .at = 1250, .calendar = calendar);
    say("up", self->pt.status);
}
PT_END

static void date(void)
{
    static PT_TASK(sleeper) sleeper;

    open_world();
    PT_START(&loop, &sleeper, sleeper);
    run(300000, "up0@150000 ");
}

/* --- the meter ------------------------------------------------------------------------------- */

static pt_time my_now(void)
{
    return world.now;
}

static void my_sleep_until(pt_time until)
{
    world.now = until;
}

static void show(unsigned percent)
{
    say("slept%", (long)percent);
}

struct worker {
    struct pt pt;
};

static PT_ASYNC(worker, self)
{
    for (;;) {
        PT_WAIT(PT_MS(75));
        world.now += PT_MS(25); /* it computes: 25 ms of each 75, which count from the turn */
    }
}
PT_END

static void meter(void)
{
    static PT_TASK(meter) meter_task;
    static PT_TASK(worker) worker_task;

    open_world();
    PT_START(&loop, &worker_task, worker);
    PT_START(&loop, &meter_task, meter, .period = PT_SEC(10), .show = show);
    while (world.now < PT_SEC(15)) {
        pt_time next = pt_loop_turn(&loop, my_now());

        if (pt_loop_idle(&loop))
            sleep_and_count(next);
    }
    run(0, "slept%66@10000 ");
}

/* --- bytes, and the last values -------------------------------------------------------------- */

struct packer {
    struct pt pt;
    struct bytes packet;
};

static PT_ASYNC(packer, self)
{
    for (; self->packet.size < 10; self->packet.size++) {
        self->packet.data = (unsigned char *)malloc(self->packet.size);
        PT_PUSH(&packets, &self->packet);
    }
    pt_queue_close(&packets.queue);
}
PT_END

static void bytes(void)
{
    static PT_TASK(packer) packer;
    static PT_TASK(receiver) receiver;

    open_world();
    PT_QUEUE_INIT(&packets);
    PT_START(&loop, &receiver, receiver);
    PT_START(&loop, &packer, packer, .packet.size = 1);
    pt_loop_run(&loop);
    say("bytes:", (long)receiver.frame.sum);
    run(0, "bytes:45@0 ");
}

struct adder {
    struct pt pt;
    int number;
};

static PT_ASYNC(adder, self)
{
    PT_WAIT(PT_SEC(1));
    PT_RECV_EACH(&numbers, &self->number)
        say("got", self->number);
    say("end", self->pt.status == PT_ECLOSED);
}
PT_END

static void finish(bool canceled, const char *expected)
{
    static PT_TASK(senders) all;
    static PT_TASK(adder) adder;

    open_world();
    pt_channel_init(&numbers.channel, PT_PREFER_RECEIVER);
    PT_START(&loop, &all, senders);
    PT_START(&loop, &adder, adder);
    pt_loop_turn(&loop, world.now);
    if (canceled)
        pt_cancel(&all.task, PT_ECANCELED);
    run(5000, expected);
}

/* --- the native task ------------------------------------------------------------------------- */

static pt_status native(struct pt_native *self)
{
    pt_native_wait(self, PT_SEC(1));
    callback(self);
    say("wait", pt_native_wait(self, PT_SEC(1)) == PT_ECANCELED);
    return PT_OK;
}

static void native_end(void)
{
    static PT_TASK(pt_native) task;
    static char stack[64 << 10];

    open_world();
    PT_START(&loop, &task, pt_native, .function = native, .stack = stack, .bytes = sizeof stack);
    run(5000, "wait1@1000 ");
}

/* --- a task that runs at once, and main as a task -------------------------------------------- */

static void begun(void)
{
    static PT_TASK(caller) task;
    struct pt_task *listener;

    open_world();
    PT_START(&loop, &task, caller);
    while (pt_task_alive(&task.task))
        pt_loop_turn(&loop, world.now);
    listener = task.frame.listener;
    say("begun", pt_task_status(&task.task) == PT_OK && pt_task_alive(listener));
    pt_cancel(listener, PT_ECANCELED);
    run(5000, "begun1@0 ");
}

static pt_status program(struct pt_native *self)
{
    pt_native_wait(self, PT_SEC(1));
    say((const char *)self->argument, 1);
    return -70;
}

static void main_as_task(void)
{
    static char name[] = "program";

    open_world();
    say("code", run_as_task(&loop, program, name));
    run(0, "program1@1000 code-70@1000 ");
}

int main(void)
{
    watchdog();
    just_fed();
    stand_still();
    late_door();
    date();
    meter();
    bytes();
    finish(false, "got0@1000 got1@1000 got2@1000 end1@1000 ");
    finish(true, "end1@1000 ");
    native_end();
    begun();
    main_as_task();
    return 0;
}
