/* 15-channels.c - a value goes from one task to another
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - A channel stores nothing: whichever task comes first waits for the other one.
 *   - The balance, printed first, counts waiting tasks: senders above zero, receivers below.
 *   - After a transfer both tasks continue. The channel's preference decides which one runs first.
 *   - With PT_PREFER_RECEIVER the sender yields, so the value is used before the sender continues.
 *   - Closing a channel ends all waits and the loop of PT_RECV_EACH. */
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
