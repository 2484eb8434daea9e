/* posts.c - a loop on each core of a Pico, and posts both ways, for posts.js
 * SPDX-License-Identifier: MIT
 *
 * One core posts whenever posts.js says so, the other one runs its loop. POSTER, which posts.js
 * sets before the start, says which. A post of the loop's own task, to its own loop, follows each
 * post that it has heard: two cores put links into one inbox. */
#include "rp2040/second.h"
#include "run.h"

volatile uint32_t poster;          /* the core that posts */
volatile uint32_t wanted, made;    /* posts that posts.js asks for; that were made */
volatile uint32_t counted, echoed; /* by the callback of a post; by that of the listener's own */
volatile uint32_t heard;           /* of the posts that were counted, by the listener */

static struct pt_loop loop;
static struct pt_remote echo;

struct listener {
    struct pt pt;
    uint32_t seen;
};

static PT_TASK(listener) listener;

static void echo_came(struct pt_remote *self, unsigned times)
{
    (void)self;
    echoed += times;
}

#ifdef BY_MAILBOX

static struct pt_mailbox bell;
static struct pt_mail mails[4]; /* no more are on their way */

static void open_bell(void)
{
    pt_mailbox_open(&bell, &loop);
}

__attribute__((noinline)) void post_one(void)
{
    pt_mailbox_post(&bell, &mails[made % 4]);
}

static PT_ASYNC(listener, self)
{
    static struct pt_mail *mail;

    for (;;) {
        PT_RECV_MAIL(&bell, &mail);
        counted++;
        heard++;
        pt_remote_post(&echo);
    }
}
PT_END

#elif defined(BY_RING)

static PT_RING(uint32_t, 2) bell;
uint32_t missed;

static void open_bell(void)
{
    PT_RING_OPEN(&bell, &loop);
}

__attribute__((noinline)) void post_one(void)
{
    uint32_t number = made;

    missed += PT_RING_PUT(&bell, &number) != PT_OK;
}

static PT_ASYNC(listener, self)
{
    for (;;) {
        PT_RING_GET(&bell, &self->seen);
        counted += self->seen == counted;
        heard++;
        pt_remote_post(&echo);
    }
}
PT_END

#else

static struct pt_remote bell;

static void bell_rang(struct pt_remote *self, unsigned times)
{
    (void)self;
    counted += times;
    pt_wake(&listener.task);
}

static void open_bell(void)
{
    pt_remote_open(&bell, &loop, bell_rang, NULL);
}

__attribute__((noinline)) void post_one(void)
{
    pt_remote_post(&bell);
}

static PT_ASYNC(listener, self)
{
    for (;;) {
        while (self->seen != counted) {
            self->seen++;
            heard++;
            pt_remote_post(&echo);
        }
        PT_PARK();
    }
}
PT_END

#endif

__attribute__((noreturn)) static void run_poster(void)
{
    for (;;) {
        while (made == wanted) {
        }
        post_one();
        made++;
    }
}

__attribute__((noreturn)) static void run_loop(void)
{
    for (;;)
        board_turn_posted(&loop);
}

void pins_start(void);
void pins_start(void)
{
}

void board_received(void)
{
}

int main(void)
{
    board_start();
    pt_loop_init(&loop, board_now());
    open_bell();
    pt_remote_open(&echo, &loop, echo_came, NULL);
    PT_START(&loop, &listener, listener);
    second_start(poster ? run_poster : run_loop);
    if (poster)
        run_loop();
    run_poster();
}
