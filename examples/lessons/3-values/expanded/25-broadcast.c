/* expanded/25-broadcast.c - the bodies of lesson 25, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_WAIT_LATEST     nothing, if the count differs from the one last seen; else enter the wait
 *                        list and park; then store the count as seen
 *     PT_WAIT_BROADCAST  the same with the number of the next value; then copy that value, or the
 *                        oldest one left */

#define SAY(...) (printf("%2u s  ", (unsigned)(pt_now_(task) / PT_SEC(1))), printf(__VA_ARGS__))

struct fan { struct pt pt; unsigned seen; const char *name; pt_time busy; };
static pt_op PT_FN(fan)(struct pt *pt, struct pt_task *task)
{
    struct fan *self = (struct fan *)pt;

    switch (pt->label) {
    case 0:
        do {
            if (pt_broadcast_must_wait_(task, pt, &score.sent, self->seen)) {
                pt->label = 1;
                return (pt_op){PT_OP_PARK};
    case 1:;
            }
            self->seen = score.sent.count;
            SAY("    %s sees %d\n", self->name, score.value);
            if (!pt_wait_(task, self->busy))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 2;
            return (pt_op){PT_OP_WAIT};
    case 2:;
        } while (score.value < 5);
    }
    return pt_end_(pt);
}

static pt_op PT_FN(listener)(struct pt *pt, struct pt_task *task)
{
    struct listener *self = (struct listener *)pt;

    switch (pt->label) {
    case 0:
        pt_subscribe(&radio, &self->me);
        do {
            if (pt_broadcast_must_wait_(task, pt, &radio.sent, self->me.next)) {
                pt->label = 1;
                return (pt_op){PT_OP_PARK};
    case 1:;
            }
            pt->status = pt_broadcast_next_(&radio.sent, &self->me, 4);
            self->heard = radio.items[(self->me.next - 1) % 4];
            if (pt->status == PT_EOVERRUN)
                SAY("        %s has missed %u\n", self->name, self->me.missed);
            SAY("        %s hears: %s\n", self->name, self->heard);
            if (!pt_wait_(task, self->busy))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 2;
            return (pt_op){PT_OP_WAIT};
    case 2:;
        } while (self->heard[0] != 'e');
    }
    return pt_end_(pt);
}

struct reporter { struct pt pt; int i; };
static pt_op PT_FN(reporter)(struct pt *pt, struct pt_task *task)
{
    struct reporter *self = (struct reporter *)pt;

    switch (pt->label) {
    case 0:
        for (self->i = 0; self->i < 6; self->i++) {
            SAY("%s\n", words[self->i]);
            radio.items[radio.sent.count % 4] = words[self->i];
            pt_broadcast_wake_(&radio.sent);
            score.value = self->i;
            pt_broadcast_wake_(&score.sent);
            if (!pt_wait_(task, PT_SEC(1)))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 1;
            return (pt_op){PT_OP_WAIT};
    case 1:;
        }
    }
    return pt_end_(pt);
}
