/* 09-cleanup.c - what was opened is closed, however the function ends
 * SPDX-License-Identifier: MIT
 *
 * A function that holds something must let it go, also when it fails or is canceled.
 *
 *     PT_FINALLY       the part after it runs however the function ends: at its end, on PT_RETURN,
 *                      on a cancel. Close things there.
 *     self->pt.result  in that part: the code that the function ends with
 *     pt_cancel        end a whole task, with a code: the awaited function first, then its caller
 *
 * What to notice:
 *   - A task that is canceled before it first runs still runs to its first wait, and cleans up: so
 *     what it was started with is never lost.
 *   - A cleanup can wait, so a canceled task does not end at once. PT_JOIN waits for its end.
 *   - pt_close ends a generator (lesson 02) that is no longer needed, and runs the same part.
 *
 * Try: let the warden cancel and join Ann instead of Cid, after 11 minutes. She is in the middle of
 * her cleanup: she finishes it, and ends only then. */
#include <pt/posix.h>

#include <stdio.h>

#define SAY(...) (printf("%2u min  ", (unsigned)(PT_NOW() / PT_SEC(60))), printf(__VA_ARGS__))

enum { NO_EGGS = -64, FIRE = -65 };

struct bake {
    struct pt pt;
    const char *name;
    int minutes;
};

PT_ASYNC(bake, self)
{
    if (self->minutes == 0)
        PT_RETURN(NO_EGGS);
    PT_WAIT(PT_SEC(60 * self->minutes));
    SAY("%s eats a cake\n", self->name);
    PT_FINALLY
    PT_WAIT(PT_SEC(60 * 2));
    SAY("%s has washed the bowl\n", self->name);
}
PT_END

struct cook {
    struct pt pt;
    const char *name;
    int minutes;
    struct bake bake;
};

PT_ASYNC(cook, self)
{
    SAY("%s lights the oven\n", self->name);
    PT_TRY(&self->bake, bake, .name = self->name, .minutes = self->minutes);
    PT_FINALLY
    SAY("%s turns the oven off: %d\n", self->name, self->pt.result);
}
PT_END

static PT_TASK(cook) ann, bob, cid;

struct warden {
    struct pt pt;
};

PT_ASYNC(warden, self)
{
    PT_WAIT(PT_SEC(60 * 20));
    SAY("fire!\n");
    pt_cancel(&cid.task, FIRE);
    PT_JOIN(&cid.task);
    SAY("nobody is left in the kitchen: %d\n", self->pt.status);
}
PT_END

int main(void)
{
    static PT_TASK(warden) warden_task;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &ann, cook, .name = "Ann", .minutes = 10);
    PT_START(&loop, &bob, cook, .name = "Bob", .minutes = 0);
    PT_START(&loop, &cid, cook, .name = "Cid", .minutes = 30);
    PT_START(&loop, &warden_task, warden);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
