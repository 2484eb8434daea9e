/* 14-closing-time.c - end many tasks at once, or a part of one
 * SPDX-License-Identifier: MIT
 *
 * A cancel can end a task, all tasks of a group, or all tasks of a loop. A group without tasks is a
 * scope: a part of a task that others can end.
 *
 *     pt_group_cancel   end the tasks of a group, and its block; PT_SPAWN_IN starts no more in it
 *     PT_JOIN_GROUP     wait, in any task, until a group is empty; pt_group_empty asks
 *     pt_task_canceled  whether a task was canceled
 *     pt_loop_cancel    end all tasks of a loop; the task that calls it ends at its next wait
 *
 * What to notice:
 *   - Each task still runs its cleanup: the guests pay, which takes five minutes.
 *   - The driver sleeps in the block of a group that has no task. Who knocks ends that block, and not
 *     the taxi. Had nobody knocked, nap.status would be PT_OK.
 *   - pt_loop_run returns after the last cleanup: that is how a program ends.
 *
 * Try: remove the call of pt_loop_cancel. The taxi parks, nobody wakes it, and pt_loop_run
 * returns. */
#include <pt/posix.h>

#include <stdio.h>

#define SAY(...) (printf("%2u min  ", (unsigned)(PT_NOW() / PT_SEC(60))), printf(__VA_ARGS__))

static struct pt_loop loop;
static struct pt_group pub, nap;

struct guest {
    struct pt pt;
    const char *name;
};

PT_ASYNC(guest, self)
{
    SAY("%s drinks\n", self->name);
    PT_PARK();
    PT_FINALLY
    PT_WAIT(PT_SEC(60 * 5));
    SAY("%s has paid\n", self->name);
}
PT_END

static PT_TASK(guest) ann, bob, cid;

struct landlord {
    struct pt pt;
};

PT_ASYNC(landlord, self)
{
    PT_WITH_GROUP(&pub, PT_GROUP_ALL) {
        PT_SPAWN_IN(&pub, &ann, guest, .name = "Ann");
        PT_SPAWN_IN(&pub, &bob, guest, .name = "Bob");
        PT_WAIT(PT_SEC(60 * 60));
        SAY("time, please!\n");
        pt_group_cancel(&pub, PT_ECANCELED);
        PT_SPAWN_IN(&pub, &cid, guest, .name = "Cid");
        SAY("Cid comes too late: %s\n", self->pt.status == PT_OK ? "a drink" : "no drink");
    }
    SAY("Ann %s\n", pt_task_canceled(&ann.task) ? "had to go" : "went home");
    PT_WAIT(PT_SEC(60 * 20));
    pt_group_cancel(&nap, PT_ECANCELED);
    PT_WAIT(PT_SEC(60 * 5));
    pt_loop_cancel(&loop, PT_ECANCELED);
}
PT_END

struct taxi {
    struct pt pt;
};

PT_ASYNC(taxi, self)
{
    PT_WAIT(PT_SEC(60 * 30));
    SAY("a taxi waits%s\n", pt_group_empty(&pub) ? " in vain" : "");
    PT_JOIN_GROUP(&pub);
    SAY("the taxi finds nobody else\n");
    PT_WITH_GROUP(&nap, PT_GROUP_ALL)
        PT_WAIT(PT_SEC(60 * 60 * 8));
    SAY("the driver wakes up%s\n", nap.status == PT_OK ? "" : ": somebody knocks");
    PT_PARK();
    PT_FINALLY
    SAY("the taxi goes home\n");
}
PT_END

int main(void)
{
    static PT_TASK(landlord) landlord_task;
    static PT_TASK(taxi) taxi_task;
    struct pt_virtual world;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &landlord_task, landlord);
    PT_START(&loop, &taxi_task, taxi);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
