/* states.c - a program whose tasks are in every state; it prints pt_dump and stands still
 * SPDX-License-Identifier: MIT
 *
 *     states                dump, then wait for a signal
 *     states abort          dump, then abort, for a core file
 *     states damage         as the first, but lists and awaits lead in circles; "joiners": a list leads nowhere
 *     states running        stop inside a body, three functions deep: stopped_here() */
#include "attach.h"

#include <pt/inspect.h>
#include <pt/posix.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct pt_loop main_loop;
static struct pt_virtual world;

static struct {
    struct pt_lock lock;
    struct pt_event ready;
    PT_CHANNEL(int) inbox;
} server;
static PT_QUEUE(int, 2) jobs;
static struct pt_semaphore units;
static struct pt_flags bits;
static struct pt_condition changed;
static struct pt_barrier gate;
static struct pt_rwlock table;

void stopped_here(void);

__attribute__((noinline)) void stopped_here(void)
{
    __asm__ volatile("");
}

struct sleeper {
    struct pt pt;
    pt_time delay;
};

PT_ASYNC(sleeper, self)
{
    PT_WAIT(self->delay);
}
PT_END

struct parker {
    struct pt pt;
    int count;
};

PT_ASYNC(parker, self)
{
    self->count = 7;
    PT_PARK();
}
PT_END

struct holder {
    struct pt pt;
};

PT_ASYNC(holder, self)
{
    PT_LOCK(&server.lock);
    PT_WAIT(PT_SEC(100));
    PT_UNLOCK(&server.lock);
}
PT_END

struct locker {
    struct pt pt;
    struct pt_scope limit;
};

PT_ASYNC(locker, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(2)) {
        PT_LOCK(&server.lock);
    }
}
PT_END

struct sender {
    struct pt pt;
    int value;
};

PT_ASYNC(sender, self)
{
    PT_SEND(&server.inbox, &self->value);
}
PT_END

struct pusher {
    struct pt pt;
    int value;
};

PT_ASYNC(pusher, self)
{
    for (;;)
        PT_PUSH(&jobs, &self->value);
}
PT_END

struct listener {
    struct pt pt;
};

PT_ASYNC(listener, self)
{
    PT_WAIT_EVENT(&server.ready);
}
PT_END

struct taker {
    struct pt pt;
};

PT_ASYNC(taker, self)
{
    PT_ACQUIRE(&units);
}
PT_END

struct flagger {
    struct pt pt;
    struct pt_flags_wanted wanted;
};

PT_ASYNC(flagger, self)
{
    PT_WAIT_FLAGS(&bits, &self->wanted, 4, PT_FLAGS_ANY);
}
PT_END

struct noticer {
    struct pt pt;
    struct pt_lock lock;
};

PT_ASYNC(noticer, self)
{
    pt_lock_init(&self->lock);
    PT_LOCK(&self->lock);
    PT_WAIT_CONDITION(&changed, &self->lock);
}
PT_END

struct comer {
    struct pt pt;
};

PT_ASYNC(comer, self)
{
    PT_WAIT_BARRIER(&gate);
}
PT_END

struct writer {
    struct pt pt;
};

PT_ASYNC(writer, self)
{
    PT_LOCK_EXCLUSIVE(&table);
    PT_WAIT(PT_SEC(200));
}
PT_END

struct reader {
    struct pt pt;
};

PT_ASYNC(reader, self)
{
    PT_LOCK_SHARED(&table);
}
PT_END

struct selector {
    struct pt pt;
    PT_SELECTION(4) next;
    int value;
};

PT_ASYNC(selector, self)
{
    PT_SELECT(&self->next, PT_CASE_EVENT(&server.ready), PT_CASE_PUSH(&jobs, &self->value),
              PT_CASE_IF(self->value, PT_CASE_LOCK(&server.lock)), PT_CASE_AFTER(PT_SEC(5)));
}
PT_END

struct member {
    struct pt pt;
    struct sleeper sleep;
};

PT_ASYNC(member, self)
{
    PT_WAIT_COMPLETE(&self->sleep, sleeper, .delay = PT_SEC(30));
}
PT_END

struct parent {
    struct pt pt;
    struct pt_group group;
    PT_TASK(member) first, second;
};

PT_ASYNC(parent, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->first, member);
        PT_SPAWN_IN(&self->group, &self->second, member);
    }
}
PT_END

struct cleaner {
    struct pt pt;
};

PT_ASYNC(cleaner, self)
{
    PT_WAIT(PT_SEC(1000));
    PT_FINALLY
    PT_WAIT(PT_SEC(3));
}
PT_END

struct spinner {
    struct pt pt;
};

PT_ASYNC(spinner, self)
{
    for (;;)
        PT_YIELD();
}
PT_END

struct leaf {
    struct pt pt;
    int depth;
    bool stops;
};

PT_ASYNC(leaf, self)
{
    PT_YIELD();
    if (self->stops)
        stopped_here();
    PT_PARK();
}
PT_END

struct middle {
    struct pt pt;
    int depth;
    bool stops;
    struct leaf leaf;
};

PT_ASYNC(middle, self)
{
    PT_WAIT_COMPLETE(&self->leaf, leaf, .depth = 3, .stops = self->stops);
}
PT_END

struct root {
    struct pt pt;
    int depth;
    bool stops;
    struct middle middle;
};

PT_ASYNC(root, self)
{
    self->depth = 1;
    PT_WAIT_COMPLETE(&self->middle, middle, .depth = 2, .stops = self->stops);
}
PT_END

struct reader_of_all {
    struct pt pt;
    int value;
};

static PT_CHANNEL(int) letters;

PT_ASYNC(reader_of_all, self)
{
    PT_RECV_EACH(&letters, &self->value) {
    }
}
PT_END

static PT_TASK(sleeper) sleeping;
static PT_TASK(parker) parked, held, never_run;
static PT_TASK(holder) holding;
static PT_TASK(locker) locking;
static PT_TASK(sender) sending;
static PT_TASK(pusher) pushing;
static PT_TASK(listener) listening;
static PT_TASK(taker) taking;
static PT_TASK(flagger) flagging;
static PT_TASK(noticer) noticing;
static PT_TASK(comer) coming;
static PT_TASK(writer) writing, writing_next;
static PT_TASK(reader) reading;
static PT_TASK(selector) selecting;
static PT_TASK(parent) family;
static PT_TASK(cleaner) cleaning;
static PT_TASK(spinner) spinning;
static PT_TASK(root) deep;
static PT_TASK(reader_of_all) reading_all;

static void start(bool stops)
{
    pt_lock_init(&server.lock);
    pt_channel_init(&server.inbox.channel, PT_PREFER_NEITHER);
    pt_channel_init(&letters.channel, PT_PREFER_NEITHER);
    PT_QUEUE_INIT(&jobs);
    pt_semaphore_init(&units, 0, 1);
    pt_flags_init(&bits);
    pt_condition_init(&changed);
    pt_barrier_init(&gate, 2);
    pt_rwlock_init(&table);
    (void)!PT_START(&main_loop, &sleeping, sleeper, .delay = PT_MS(250));
    (void)!PT_START(&main_loop, &parked, parker);
    (void)!PT_START(&main_loop, &held, parker);
    (void)!PT_START(&main_loop, &holding, holder);
    (void)!PT_START(&main_loop, &locking, locker);
    (void)!PT_START(&main_loop, &sending, sender);
    (void)!PT_START(&main_loop, &pushing, pusher);
    (void)!PT_START(&main_loop, &listening, listener);
    (void)!PT_START(&main_loop, &taking, taker);
    (void)!PT_START(&main_loop, &flagging, flagger);
    (void)!PT_START(&main_loop, &noticing, noticer);
    (void)!PT_START(&main_loop, &coming, comer);
    (void)!PT_START(&main_loop, &writing, writer);
    (void)!PT_START(&main_loop, &writing_next, writer);
    (void)!PT_START(&main_loop, &reading, reader);
    (void)!PT_START(&main_loop, &selecting, selector);
    (void)!PT_START(&main_loop, &family, parent);
    (void)!PT_START(&main_loop, &cleaning, cleaner);
    (void)!PT_START(&main_loop, &spinning, spinner);
    (void)!PT_START(&main_loop, &deep, root, .stops = stops);
    (void)!PT_START(&main_loop, &reading_all, reader_of_all);
}

static void print(void *context, const char *text)
{
    fputs(text, (FILE *)context);
}

int main(int count, char **arguments)
{
    const char *how = count > 1 ? arguments[1] : "";
    pt_time now = (pt_time)-1000;

    let_attach();
    pt_virtual_init(&world, 0, &pt_posix);
    world.now = now;
    pt_loop_open(&main_loop, &world.port);
    start(!strcmp(how, "running"));
    for (int turn = 0; turn < 4; turn++)
        (void)pt_loop_turn(&main_loop, now += PT_MS(10));
    pt_pause(&held.task);
    pt_cancel(&cleaning.task, PT_ECANCELED);
    (void)pt_loop_turn(&main_loop, now += PT_MS(10));
    (void)!PT_START(&main_loop, &never_run, parker);
#if PT_INSPECT
    pt_dump(&main_loop, print, stdout);
    if (!strcmp(how, "damage")) {
        parked.task.member.link.next = &sleeping.task.member;
        deep.frame.middle.pt.caller = &deep.frame.middle.leaf.pt;
        sending.task.node.link.next = &pushing.task.node;
    }
    if (!strcmp(how, "joiners"))
        family.frame.first.task.joiners.first = (struct pt_node *)8;
#endif
    (void)print;
    puts("end");
    fflush(stdout);
    if (!strcmp(how, "abort"))
        abort();
    for (;;)
        pause();
}
