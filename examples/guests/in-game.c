/* in-game.c - the tasks of a game: a fixed number of turns for each frame, in the game's own time
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - No port and no system: each frame passes its time to pt_loop_turn, as firmware does.
 *   - The time is the game's. While the game is paused it stands still, and so do all tasks; in slow
 *     motion or in a replay they see the same times again.
 *   - A turn runs each ready task once. A few turns for each frame let tasks answer each other
 *     within the frame, and limit what a frame costs.
 *   - pt_loop_turn returns when the next turn has work. This game has frames anyway; what may sleep
 *     sleeps until then, unless pt_loop_idle says that a task has become ready. */
#include <pt/pt.h>

#include <stdio.h>

enum { TURNS = 3 };

#define FRAME PT_MS(50)

static struct pt_event door;

struct player {
    struct pt pt;
    int x;
};

/* Walks to the door, a step every 100 ms, and opens it. */
static PT_ASYNC(player, self)
{
    for (; self->x < 3; self->x++)
        PT_WAIT(PT_MS(100));
    puts("player: opens the door");
    pt_event_set(&door);
}
PT_END

struct guard {
    struct pt pt;
    struct pt_scope patience;
};

/* Waits for the door, and then looks elsewhere. */
static PT_ASYNC(guard, self)
{
    PT_WITH_TIMEOUT(&self->patience, PT_MS(200)) {
        PT_WAIT_EVENT(&door);
    }
    puts(pt_timed_out(&self->patience) ? "guard: nothing happens" : "guard: who is there?");
    PT_WAIT_EVENT(&door);
    puts("guard: there is somebody!");
}
PT_END

int main(void)
{
    static PT_LOOP_STORAGE(2) storage;
    static PT_TASK(player) player_task;
    static PT_TASK(guard) guard_task;
    static struct pt_loop loop;
    pt_time game = 0;

    pt_loop_init(&loop, game);
    pt_loop_use(&loop, &storage);
    PT_START(&loop, &player_task, player);
    PT_START(&loop, &guard_task, guard);
    for (int frame = 0; pt_loop_live(&loop); frame++) {
        bool paused = frame >= 3 && frame < 5;

        if (!paused)
            game += FRAME;
        for (int turn = 0; turn < TURNS; turn++)
            pt_loop_turn(&loop, game);
        printf("frame %d: player at %d%s\n", frame, player_task.frame.x, paused ? ", paused" : "");
    }
    return 0;
}
