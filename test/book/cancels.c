/* cancels.c - a task of the miniature is canceled, by itself too, at each kind of wait: it cleans up once, and ends
 * SPDX-License-Identifier: MIT */
#include "pt.h"
#include "virtual.h"
#include <stdio.h>

enum wait { WAITS, YIELDS, PARKS, PARKS_WOKEN, RECEIVES, AWAITS, SPAWNS, WAIT_KINDS };

static struct pt_channel empty;
static char said[32];
static size_t length;

static void say(char what)
{
    said[length++] = what;
    said[length] = '\0';
}

struct inner {
    struct pt pt;
};

static PT_ASYNC(inner, self)
{
    say('i');
    PT_WAIT(PT_MS(1000));
    say('!');

    PT_FINALLY
    PT_WAIT(PT_MS(5)); /* a cleanup is not interrupted */
    say('I');
}
PT_END

struct victim {
    struct pt pt;
    enum wait wait;
    bool itself;
    int value;
    struct inner inner;
    PT_TASK(inner) other;
};

static PT_ASYNC(victim, self)
{
    say('v');
    if (self->itself) {
        pt_cancel(task_, PT_ECANCELED);
        pt_cancel(task_, PT_EBUSY); /* no effect: it is canceled already */
    }
    say('w');
    if (self->wait == PARKS_WOKEN)
        pt_wake(task_);
    if (self->wait == WAITS)
        PT_WAIT(PT_MS(1000));
    else if (self->wait == YIELDS)
        while (true)
            PT_YIELD();
    else if (self->wait == PARKS || self->wait == PARKS_WOKEN)
        while (true)
            PT_PARK();
    else if (self->wait == RECEIVES)
        PT_RECV(&empty, &self->value);
    else if (self->wait == AWAITS)
        PT_WAIT_COMPLETE(&self->inner, inner);
    else if (self->wait == SPAWNS) {
        PT_SPAWN(&self->other, inner); /* no wait: it continues */
        say('s');
        PT_WAIT(PT_MS(1));
    }
    say('!');

    PT_FINALLY
    say('c');
    PT_WAIT(PT_MS(7));
    say('C');
}
PT_END

static bool ends(enum wait wait, bool itself, const char *as)
{
    static PT_TASK(victim) victims[WAIT_KINDS][2];
    struct pt_virtual world;
    struct pt_loop loop;
    pt_status status;

    length = 0;
    pt_virtual_init(&world);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &victims[wait][itself], victim, .wait = wait, .itself = itself);
    world.now = PT_MS(0);
    (void)pt_loop_turn(&loop, world.now);
    pt_cancel(&victims[wait][itself].task, PT_ECANCELED);
    status = pt_loop_run(&loop);
    if (status == PT_OK && !strcmp(said, as) && !empty.receivers.first && !loop.sleeping &&
        pt_task_status(&victims[wait][itself].task) == PT_ECANCELED)
        return true;
    printf("wait %d, %s: said \"%s\", not \"%s\"; the loop: %d, the task: %d\n", (int)wait,
           itself ? "itself" : "from outside", said, as, status,
           pt_task_status(&victims[wait][itself].task));
    return false;
}

int main(void)
{
    bool good = true;

    for (int itself = 0; itself < 2; itself++) {
        good &= ends(WAITS, itself, "vwcC");
        good &= ends(YIELDS, itself, "vwcC");
        good &= ends(PARKS, itself, "vwcC");
        good &= ends(PARKS_WOKEN, itself, "vwcC");
        good &= ends(RECEIVES, itself, "vwcC");
        good &= ends(AWAITS, itself, itself ? "vwcC" : "vwiIcC");
        good &= ends(SPAWNS, itself, "vwsicC!I");
    }
    return !good;
}
