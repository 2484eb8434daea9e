/* works_same_place.c - a value that is sent and received at the same address is not copied
 * SPDX-License-Identifier: MIT
 * expect output: as it was 4 times, never copied onto itself
 * expect output -DPT_DEBUG=1: as it was 4 times, never copied onto itself */
#include <pt/posix.h>

#include <stdio.h>

struct page {
    unsigned char bytes[100000];
};

struct talk {
    struct pt pt;
};

static PT_CHANNEL(struct page) channel;
static PT_QUEUE(struct page, 1) queue;
static PT_RING(struct page, 1) ring;
static struct page page;
static int onto_itself;

/* Replaces the library's memcpy, which copies too large for inlining call. */
#ifdef __cplusplus
extern "C"
#endif
    void *
    memcpy(void *to, const void *from, size_t size);
void *memcpy(void *to, const void *from, size_t size)
{
    onto_itself += to == from;
    for (volatile size_t i = 0; i < size; i++)
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    return to;
}

static int kept(const struct page *where)
{
    return where->bytes[0] == 1 && where->bytes[sizeof where->bytes - 1] == 2;
}

static PT_ASYNC(talk, self)
{
    PT_SEND(&channel, &page);
}
PT_END

int main(void)
{
    static PT_TASK(talk) task;
    struct pt_loop loop;
    int good = 0;

    page.bytes[0] = 1;
    page.bytes[sizeof page.bytes - 1] = 2;
    pt_channel_init(&channel.channel, PT_PREFER_NEITHER);
    pt_loop_open(&loop, &pt_posix);
    PT_QUEUE_INIT(&queue);
    PT_RING_OPEN(&ring, &loop);
    if (PT_START(&loop, &task, talk))
        return 1;
    pt_loop_turn(&loop, 0);
    good += PT_TRY_RECV(&channel, &page) == PT_OK && kept(&page);
    queue.items[0] = page;
    good += PT_TRY_PUSH(&queue, &queue.items[0]) == PT_OK && kept(&queue.items[0]);
    good += PT_TRY_POP(&queue, &queue.items[0]) == PT_OK && kept(&queue.items[0]);
    ring.items[0] = page;
    good += PT_RING_PUT(&ring, &ring.items[0]) == PT_OK && kept(&ring.items[0]);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    printf("as it was %d times, %s\n", good, onto_itself ? "copied" : "never copied onto itself");
    return 0;
}
