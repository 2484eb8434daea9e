/* 16-backpressure.c - a fast producer, a slow consumer, a queue between them: baker, shop, shelf
 * SPDX-License-Identifier: MIT
 *
 * A queue is a channel with places: the producer can be some values ahead.
 *
 *     PT_QUEUE(type, n)  a queue with places for n values; functions take its member `queue`
 *     PT_QUEUE_INIT      set it up; pt_queue_init does so for places that stand elsewhere
 *     PT_PUSH            put a value in; wait while the queue is full
 *     PT_POP             take a value out; wait while it is empty; PT_POP_EACH repeats that until
 *                        the end
 *     PT_TRY_PUSH        push without waiting; PT_TRY_POP: pop without waiting. They return
 *                        PT_EAGAIN if the queue is full (push) or empty (pop).
 *     pt_queue_close     take no more values
 *
 * What to notice:
 *   - The baker could bake a loaf a minute, but soon bakes one in three: nothing is dropped, and
 *     nothing piles up.
 *   - After a close, what is in the queue is still sold; then PT_POP_EACH ends.
 *   - With `lifo`, a queue is a stack: the last item pushed is popped first.
 *
 * Try: give the shelf six places. When does the baker finish, and when the shop? */
#include <pt/posix.h>

#include <stdio.h>

#define SAY(...) (printf("%2u min  ", (unsigned)(PT_NOW() / PT_SEC(60))), printf(__VA_ARGS__))

static PT_QUEUE(int, 2) shelf;

struct baker {
    struct pt pt;
    int loaf;
};

PT_ASYNC(baker, self)
{
    for (self->loaf = 1; self->loaf <= 6; self->loaf++) {
        PT_WAIT(PT_SEC(60));
        SAY("loaf %d is ready, %u on the shelf\n", self->loaf, shelf.queue.count);
        PT_PUSH(&shelf, &self->loaf);
    }
    pt_queue_close(&shelf.queue);
    PT_PUSH(&shelf, &self->loaf);
    SAY("one more: %s\n", pt_status_text(self->pt.status));
}
PT_END

struct shop {
    struct pt pt;
    int loaf;
};

PT_ASYNC(shop, self)
{
    PT_POP(&shelf, &self->loaf);
    SAY("    loaf %d is for the window\n", self->loaf);
    PT_POP_EACH(&shelf, &self->loaf) {
        PT_WAIT(PT_SEC(60 * 3));
        SAY("    loaf %d is sold\n", self->loaf);
    }
    SAY("    no more: %s\n", pt_status_text(self->pt.status));
}
PT_END

static void wash_up(void)
{
    static const char *const plates[] = {"a red plate", "a blue plate", "a green plate"};
    static PT_QUEUE(const char *, 2) pile;
    const char *plate;

    pt_queue_init(&pile.queue, pile.items, 2); /* what PT_QUEUE_INIT expands to */
    pile.queue.lifo = true;
    for (int i = 0; i < 3; i++)
        printf("%s: %s\n", plates[i], pt_status_text(PT_TRY_PUSH(&pile, &plates[i])));
    while (PT_TRY_POP(&pile, &plate) == PT_OK)
        printf("%s is taken\n", plate);
}

int main(void)
{
    static PT_TASK(baker) baker_task;
    static PT_TASK(shop) shop_task;
    struct pt_virtual world;
    struct pt_loop loop;

    PT_QUEUE_INIT(&shelf);
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &baker_task, baker);
    PT_START(&loop, &shop_task, shop);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    wash_up();
    return 0;
}
