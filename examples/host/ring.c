/* ring.c - a stream of your own: bytes go from one task to another, and no descriptor is involved
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - Two functions move the bytes that can be moved now. If there are none, they return PT_EAGAIN.
 *   - Then the wait of the stream runs: an ordinary function, which can wait for anything. Here it
 *     waits for an event.
 *   - The reader and the writer do not depend on the ring. It holds five bytes, less than a line.
 *   - A reader of the far end of a pipe would differ in one line: pt_io_stream(&io). */
#include <pt/host.h>

#include <stdio.h>

/* Waits until an event is set. */
struct turn {
    struct pt pt;
    struct pt_event *event;
};

static PT_ASYNC(turn, self)
{
    PT_WAIT_EVENT(self->event);
}
PT_END

struct ring {
    char bytes[5];
    size_t first, count;
    bool ended;
    struct pt_event filled, emptied;
    struct turn turns[2]; /* to read, and to write */
};

static pt_status take(void *object, void *data, size_t size, size_t *got)
{
    struct ring *ring = (struct ring *)object;

    for (; *got < size && ring->count; ring->count--, ++*got) {
        ((char *)data)[*got] = ring->bytes[ring->first];
        ring->first = (ring->first + 1) % sizeof ring->bytes;
    }
    if (*got) {
        pt_event_set(&ring->emptied);
        return PT_OK;
    }
    pt_event_clear(&ring->filled);
    return ring->ended ? PT_ECLOSED : PT_EAGAIN;
}

static pt_status give(void *object, const void *data, size_t size, size_t *put)
{
    struct ring *ring = (struct ring *)object;

    for (; *put < size && ring->count < sizeof ring->bytes; ring->count++, ++*put)
        ring->bytes[(ring->first + ring->count) % sizeof ring->bytes] = ((const char *)data)[*put];
    if (*put) {
        pt_event_set(&ring->filled);
        return PT_OK;
    }
    pt_event_clear(&ring->emptied);
    return PT_EAGAIN;
}

static struct pt *take_turns(void *object, bool writing, struct pt_stream_wait_ *spare)
{
    struct ring *ring = (struct ring *)object;
    struct turn *mine = &ring->turns[writing];

    (void)spare;
    PT_INIT(mine, turn, .event = writing ? &ring->emptied : &ring->filled);
    return &mine->pt;
}

static const struct pt_stream_ops ring_ops = {take, give, take_turns, NULL};
static struct ring ring;
static const struct pt_stream stream = {&ring_ops, &ring};

struct poet {
    struct pt pt;
    struct pt_writer out;
    struct pt_flush flush;
    int i;
    char room[64];
};

static PT_ASYNC(poet, self)
{
    pt_writer_init(&self->out, stream, self->room, sizeof self->room);
    for (self->i = 3; self->i > 0; self->i--)
        PT_PRINTF(&self->out, "%d green bottle%s\n", self->i, self->i > 1 ? "s" : "");
    PT_TRY(&self->flush, pt_flush, .writer = &self->out);
    ring.ended = true;
    pt_event_set(&ring.filled);
}
PT_END

struct listener {
    struct pt pt;
    struct pt_reader in;
    struct pt_read_line line;
    char room[32];
};

static PT_ASYNC(listener, self)
{
    pt_reader_init(&self->in, stream, self->room, sizeof self->room);
    for (;;) {
        PT_WAIT_COMPLETE(&self->line, pt_read_line, .reader = &self->in);
        if (self->pt.status != PT_OK)
            break;
        printf("%s\n", self->line.text);
    }
    printf("the end: %s\n", pt_status_name(self->pt.status));
}
PT_END

int main(void)
{
    static PT_TASK(poet) poet;
    static PT_TASK(listener) listener;
    struct pt_loop loop;

    pt_loop_open(&loop, &pt_posix);
    PT_START(&loop, &listener, listener);
    PT_START(&loop, &poet, poet);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
