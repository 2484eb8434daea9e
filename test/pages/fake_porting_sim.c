/* fake_porting_sim.c - runs the button of doc/porting.md in a simulation, with its idle step and a second task
 * SPDX-License-Identifier: MIT */
#include <pt/posix.h>
#include <pt/sim.h>

static struct edge {
    pt_time at;
} edges[18], *edge;
static unsigned edges_left;
static struct pt_sim sim;
static struct pt_waker pressed;
static bool pin;

static bool board_button(void)
{
    return pin;
}

static void button_interrupt(void)
{
    pin = !pin;
    pt_waker_post(&pressed);
    edge++;
    edges_left--;
}

#include "button.inc"
#include "idle.inc"

/* Is ready at the times of the button's edges, so that there is an order to choose. */
struct beat {
    struct pt pt;
    int left;
};

static PT_ASYNC(beat, self)
{
    while (self->left-- > 0)
        PT_WAIT(PT_MS(1));
}
PT_END

/* Three presses; the pin bounces at each change. */
static int counts_wrong(uint64_t seed, void *context)
{
    static PT_TASK(button) key;
    static PT_TASK(beat) beat;
    struct pt_loop loop;

    (void)context;
    pt_sim_init(&sim, seed, &pt_posix);
    rest = sim.world.port.idle;
    sim.world.port.idle = idle;
    sim.world.now = (pt_time)0 - PT_MS(250);
    for (int i = 0; i < 18; i += 3) {
        pt_time bounce = PT_MS(1) * (1 + pt_random_below(&sim.world.random, 8));

        for (int j = 0; j < 3; j++)
            edges[i + j].at = sim.world.now + (pt_time)(i + 1) * PT_MS(30) + (pt_time)j * bounce;
    }
    edge = edges;
    edges_left = 18;
    pin = false;
    pt_sim_open(&sim, &loop);
    pt_waker_open(&pressed, &loop, &key.task);
    if (PT_START(&loop, &key, button, .presses = 0, .down = false) != PT_OK ||
        PT_START(&loop, &beat, beat, .left = 1000) != PT_OK)
        return 1;
    (void)(pt_loop_run)(&loop);
    pt_waker_close(&pressed);
    pt_loop_cancel(&loop, PT_ECANCELED);
    (void)pt_loop_run(&loop);
    pt_sim_close(&sim);
    return edges_left || key.frame.down || key.frame.presses != 3;
}

int main(void)
{
    return pt_sim_search(counts_wrong, NULL, 100) != 0;
}
