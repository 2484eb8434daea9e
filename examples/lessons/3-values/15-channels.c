/* 15-channels.c - a value goes from one task to another
 * SPDX-License-Identifier: MIT
 *
 * A channel carries a value from one task to another, and lets them meet.
 *
 *     PT_CHANNEL(type)    a channel for values of a type; functions take its member `channel`
 *     pt_channel_init     set it up, with an enum pt_preference
 *     PT_SEND             wait until a task receives the value
 *     PT_RECV             wait until a task sends a value; PT_RECV_EACH repeats that until the
 *                         close
 *     PT_TRY_SEND         send without waiting; PT_TRY_RECV: receive without waiting. They return
 *                         PT_EAGAIN if no task waits at the other side.
 *     pt_channel_close    end all waits, and the loops of PT_RECV_EACH, with PT_ECLOSED
 *     pt_channel_balance  counts waiting tasks: senders above zero, receivers below
 *
 * What to notice:
 *   - A channel stores nothing: whichever task comes first waits for the other one.
 *   - The balance is printed first in each line.
 *   - After a transfer both tasks continue. The preference decides which one runs first. With
 *     PT_PREFER_RECEIVER the sender yields, so the value is used before the sender continues; with
 *     PT_PREFER_SENDER it is the other way round; with PT_PREFER_NEITHER the task that came second
 *     continues at once.
 *   - pt_loop_run returns PT_EDEADLK when all tasks wait, and nothing can wake them.
 *
 * Try: start Rob before Ann. What is the balance then? */
#include <pt/posix.h>

#include <stdio.h>

static PT_CHANNEL(const char *) channel;

#define SAY(...) (printf("%3d   ", pt_channel_balance(&channel.channel)), printf(__VA_ARGS__))

struct sender {
    struct pt pt;
    const char *name, *data;
};

PT_ASYNC(sender, self)
{
    SAY("%s sends\n", self->name);
    PT_SEND(&channel, &self->data);
    SAY("%s goes on\n", self->name);
}
PT_END

struct receiver {
    struct pt pt;
    const char *data;
};

PT_ASYNC(receiver, self)
{
    SAY("Rob receives\n");
    PT_RECV_EACH(&channel, &self->data)
        SAY("    Rob has %s\n", self->data);
    SAY("Rob ends: %s\n", pt_status_text(self->pt.status));
}
PT_END

static void scene(enum pt_preference preference, const char *title)
{
    static PT_TASK(sender) ann, bob, cid;
    static PT_TASK(receiver) rob;
    const char *leaflet = "a leaflet", *none;
    struct pt_loop loop;

    printf("%s\n", title);
    pt_channel_init(&channel.channel, preference);
    pt_loop_open(&loop, &pt_posix);
    SAY("nobody sends: %s\n", pt_status_text(PT_TRY_RECV(&channel, &none)));
    PT_START(&loop, &ann, sender, .name = "Ann", .data = "an apple");
    PT_START(&loop, &bob, sender, .name = "Bob", .data = "a banana");
    PT_START(&loop, &rob, receiver);
    pt_loop_run(&loop); /* until Rob waits and nothing can wake him: PT_EDEADLK */
    PT_START(&loop, &cid, sender, .name = "Cid", .data = "a cherry");
    pt_loop_run(&loop);
    SAY("a leaflet, by the way: %s\n", pt_status_text(PT_TRY_SEND(&channel, &leaflet)));
    pt_channel_close(&channel.channel);
    if (PT_TRY_SEND(&channel, &leaflet) == PT_ECLOSED)
        SAY("no more leaflets\n");
    pt_loop_run(&loop);
    pt_loop_close(&loop);
}

int main(void)
{
    scene(PT_PREFER_RECEIVER, "the receiver goes first");
    scene(PT_PREFER_SENDER, "the sender goes first");
    scene(PT_PREFER_NEITHER, "who came second goes on at once");
    return 0;
}
