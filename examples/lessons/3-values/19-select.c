/* 19-select.c - a select: a courier waits for four things at once
 * SPDX-License-Identifier: MIT
 *
 * A select waits for several things, and takes the one that comes first.
 *
 *     PT_SELECTION(n)  the storage of a wait for up to n cases, a field of the frame
 *     PT_SELECT        wait until one of the cases comes true
 *     PT_SELECTED      the number of that case; the first is 0
 *     PT_CASE_POP      a value from a queue; PT_CASE_PUSH: a place for a value in one
 *     PT_CASE_RECV     a value from a channel
 *     PT_CASE_EVENT    an event is set or triggered
 *     PT_CASE_AFTER    a delay is over
 *     PT_SELECT_NOW    the same without waiting; then PT_SELECTED can be PT_SELECT_NONE
 *
 * What to notice:
 *   - Exactly one case comes true. The others lose nothing: a parcel waits until the courier is off
 *     the phone.
 *   - A time is a case, too: a letter box that is full costs him two minutes at most.
 *   - If several are ready, the one after the last selected wins.
 *
 * Try: ring the evening bell at minute 2. How many parcels are left? */
#include <pt/posix.h>

#include <stdio.h>

#define MINUTES(n) PT_SEC(60 * (n))
#define SAY(...) (printf("%2u min  ", (unsigned)(PT_NOW() / MINUTES(1))), printf(__VA_ARGS__))

static PT_QUEUE(int, 9) parcels;
static PT_QUEUE(int, 1) letter_box;
static PT_CHANNEL(const char *) phone;
static struct pt_event evening;

struct courier {
    struct pt pt;
    PT_SELECTION(4) next;
    PT_SELECTION(2) box;
    const char *order;
    int parcel;
};

PT_ASYNC(courier, self)
{
    do {
        PT_SELECT(&self->next, PT_CASE_POP(&parcels, &self->parcel),
                  PT_CASE_RECV(&phone, &self->order), PT_CASE_EVENT(&evening),
                  PT_CASE_AFTER(MINUTES(10)));
        if (PT_SELECTED(&self->next) == 0) {
            PT_SELECT(&self->box, PT_CASE_PUSH(&letter_box, &self->parcel),
                      PT_CASE_AFTER(MINUTES(2)));
            SAY("parcel %d %s\n", self->parcel, PT_SELECTED(&self->box) ? "does not fit" : "fits");
        } else if (PT_SELECTED(&self->next) == 1) {
            SAY("on the phone: %s\n", self->order);
        } else if (PT_SELECTED(&self->next) == 3) {
            SAY("nothing to do\n");
        }
    } while (PT_SELECTED(&self->next) != 2);
    PT_SELECT_NOW(&self->next, PT_CASE_POP(&parcels, &self->parcel));
    SAY("evening: %s left\n", PT_SELECTED(&self->next) == PT_SELECT_NONE ? "no parcel" : "some");
}
PT_END

struct office {
    struct pt pt;
    const char *order;
    int i;
};

PT_ASYNC(office, self)
{
    PT_WAIT(MINUTES(1));
    for (self->i = 1; self->i <= 3; self->i++)
        PT_PUSH(&parcels, &self->i);
    PT_SEND(&phone, &self->order);
    PT_WAIT(MINUTES(15));
    pt_event_set(&evening);
}
PT_END

int main(void)
{
    static PT_TASK(courier) courier_task;
    static PT_TASK(office) office_task;
    struct pt_virtual world;
    struct pt_loop loop;

    PT_QUEUE_INIT(&parcels);
    PT_QUEUE_INIT(&letter_box);
    pt_channel_init(&phone.channel, PT_PREFER_NEITHER);
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &courier_task, courier);
    PT_START(&loop, &office_task, office, .order = "fetch a piano");
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
