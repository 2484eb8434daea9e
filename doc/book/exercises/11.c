/* A port whose clock jumps, and in which a button is pressed at 30, 35 and 130 ms. */
#include "pt.h"
#include <stdio.h>
#include <string.h>

static const int presses[] = {30, 35, 130};

struct board {
    struct pt_port port;
    pt_time now;
    int pressed;          /* how many of the presses have come */
    struct pt_task *task; /* the one that they wake */
};

static pt_time board_now(void *context)
{
    return ((struct board *)context)->now;
}

/* Jump to UNTIL or to the next press, whichever is earlier. */
static bool board_idle(void *context, pt_time now, pt_time until)
{
    struct board *board = context;

    (void)now;
#ifdef SOLUTION
    if (board->pressed < 3 && !pt_time_before(until, PT_MS(presses[board->pressed]))) {
        board->now = PT_MS(presses[board->pressed++]);
        pt_wake(board->task);
        return true;
    }
#else
    /* your code: if a press comes before UNTIL, jump there, wake the task, and return true */
    (void)presses;
#endif
    if (until - now == PT_DELAY_NEVER)
        return false;
    board->now = until;
    return true;
}

/* --- the test: leave it as it is --- */

static char seen[64];

struct counter {
    struct pt pt;
    int n;
};

static PT_ASYNC(counter, self)
{
    for (self->n = 0; self->n < 3; self->n++) {
        PT_PARK();
        sprintf(seen + strlen(seen), "%d ", (int)(PT_NOW() / PT_MS(1)));
    }
}
PT_END

struct ticker {
    struct pt pt;
    int n;
};

static PT_ASYNC(ticker, self)
{
    for (self->n = 0; self->n < 3; self->n++) {
        PT_WAIT(PT_MS(40));
        strcat(seen, "tick ");
    }
}
PT_END

int main(void)
{
    static PT_TASK(counter) counter;
    static PT_TASK(ticker) ticker;
    static struct board board = {.port = {.now = board_now, .idle = board_idle, .context = &board}};
    static struct pt_loop loop;
    pt_status status;

    board.task = &counter.task;
    pt_loop_open(&loop, &board.port);
    PT_START(&loop, &counter, counter);
    PT_START(&loop, &ticker, ticker);
    status = pt_loop_run(&loop);
    if (status != PT_OK || strcmp(seen, "30 35 tick tick tick 130 ")) {
        printf("FAIL: seen \"%s\", not \"30 35 tick tick tick 130 \"; status %d, not 0\n", seen, status);
        return 1;
    }
    printf("passed\n");
    return 0;
}
