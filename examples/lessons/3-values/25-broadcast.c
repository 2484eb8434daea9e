/* 25-broadcast.c - one task tells many: the latest value, or every value
 * SPDX-License-Identifier: MIT
 *
 * The sender of a broadcast never waits, and does not know who listens.
 *
 *     PT_LATEST(type)        a value: pt_latest_set writes it, and readers use its member `value`
 *     PT_WAIT_LATEST         wait until it was set since this task last saw it
 *     PT_BROADCAST(type, n)  a broadcast that keeps the last n values; pt_broadcast_send adds one
 *     pt_subscribe           begin to listen; a struct pt_subscriber is the place of one listener
 *     PT_WAIT_BROADCAST      receive the next value, or wait for it; the code is PT_EOVERRUN if
 *                            values were lost, and the subscriber's `missed` says how many
 *
 * What to notice:
 *   - A latest value: a reader that was busy sees only the last one.
 *   - A broadcast: each subscriber gets every value sent after it subscribed. Four values are kept.
 *   - A subscriber further behind learns how many it lost, and continues with the oldest left.
 *
 * Try: let the radio keep eight values. Who misses something then? */
#include <pt/posix.h>

#include <stdio.h>

#define SAY(...) (printf("%2u s  ", (unsigned)(PT_NOW() / PT_SEC(1))), printf(__VA_ARGS__))

static const char *const words[] = {"kick-off", "a pass", "a foul", "a goal", "rain", "end"};
static PT_LATEST(int) score;
static PT_BROADCAST(const char *, 4) radio;

struct fan {
    struct pt pt;
    unsigned seen;
    const char *name;
    pt_time busy;
};
PT_ASYNC(fan, self)
{
    do {
        PT_WAIT_LATEST(&score, &self->seen);
        SAY("    %s sees %d\n", self->name, score.value);
        PT_WAIT(self->busy);
    } while (score.value < 5);
}
PT_END

struct listener {
    struct pt pt;
    struct pt_subscriber me;
    const char *name, *heard;
    pt_time busy;
};

PT_ASYNC(listener, self)
{
    pt_subscribe(&radio, &self->me);
    do {
        PT_WAIT_BROADCAST(&radio, &self->me, &self->heard);
        if (self->pt.status == PT_EOVERRUN)
            SAY("        %s has missed %u\n", self->name, self->me.missed);
        SAY("        %s hears: %s\n", self->name, self->heard);
        PT_WAIT(self->busy);
    } while (self->heard[0] != 'e');
}
PT_END

struct reporter {
    struct pt pt;
    int i;
};
PT_ASYNC(reporter, self)
{
    for (self->i = 0; self->i < 6; self->i++) {
        SAY("%s\n", words[self->i]);
        pt_broadcast_send(&radio, words[self->i]);
        pt_latest_set(&score, self->i);
        PT_WAIT(PT_SEC(1));
    }
}
PT_END

int main(void)
{
    static PT_TASK(reporter) bob;
    static PT_TASK(fan) fay; /* seen: 0, as static storage is zero */
    static PT_TASK(listener) ann, cid;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &fay, fan, .name = "Fay", .busy = PT_MS(2500));
    PT_START(&loop, &ann, listener, .name = "Ann", .busy = 0);
    PT_START(&loop, &cid, listener, .name = "Cid", .busy = PT_MS(5500));
    PT_START(&loop, &bob, reporter);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
