/* test_custom.c - streams of other kinds: a ring between two tasks, one over another, a slow one
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <pt/host/stream.h>

#include <ctype.h>

/* --- a ring ---------------------------------------------------------------------------------- */

/* Waits until an event is set. */
struct until_set {
    struct pt pt;
    struct pt_event *event;
};

static PT_ASYNC(until_set, self)
{
    PT_WAIT_EVENT(self->event);
}
PT_END

/* Five bytes between a task that writes and one that reads. */
static struct ring {
    struct pt_event filled, emptied;
    struct until_set waits[2];
    char bytes[5];
    unsigned first, count;
    bool ended;
    int calls;
} ring;

static pt_status ring_read(void *object, void *data, size_t size, size_t *got)
{
    struct ring *of = (struct ring *)object;

    of->calls++;
    for (; *got < size && of->count; of->count--, of->first = (of->first + 1) % 5)
        ((char *)data)[(*got)++] = of->bytes[of->first];
    if (*got) {
        pt_event_set(&of->emptied);
        return PT_OK;
    }
    if (of->ended)
        return PT_ECLOSED;
    pt_event_clear(&of->filled);
    return PT_EAGAIN;
}

static pt_status ring_write(void *object, const void *data, size_t size, size_t *put)
{
    struct ring *of = (struct ring *)object;

    for (; *put < size && of->count < 5; of->count++)
        of->bytes[(of->first + of->count) % 5] = ((const char *)data)[(*put)++];
    if (*put) {
        pt_event_set(&of->filled);
        return PT_OK;
    }
    pt_event_clear(&of->emptied);
    return PT_EAGAIN;
}

static struct pt *ring_wait(void *object, bool writing, struct pt_stream_wait_ *spare)
{
    struct ring *of = (struct ring *)object;

    (void)spare;
    PT_INIT(&of->waits[writing], until_set, .event = writing ? &of->emptied : &of->filled);
    return &of->waits[writing].pt;
}

static const struct pt_stream_ops ring_ops = {ring_read, ring_write, ring_wait, NULL};
static const struct pt_stream ring_stream = {&ring_ops, &ring};

struct teller {
    struct pt pt;
    struct pt_writer out;
    struct pt_flush flush;
    int i;
    char room[16];
};

static PT_ASYNC(teller, self)
{
    pt_writer_init(&self->out, ring_stream, self->room, sizeof self->room);
    for (self->i = 1; self->i <= 3; self->i++)
        PT_PRINTF(&self->out, "line %d\n", self->i);
    PT_WAIT(PT_MS(10));
    PT_TRY(&self->flush, pt_flush, .writer = &self->out);
    trace_add("flushed@%d ", host_ms(PT_NOW()));
    ring.ended = true;
    pt_event_set(&ring.filled);
}
PT_END

struct hearer {
    struct pt pt;
    struct pt_stream from;
    struct pt_reader in;
    struct pt_read_line line;
    char room[16];
};

static PT_ASYNC(hearer, self)
{
    pt_reader_init(&self->in, self->from, self->room, sizeof self->room);
    for (;;) {
        PT_WAIT_COMPLETE(&self->line, pt_read_line, .reader = &self->in);
        if (self->pt.status != PT_OK)
            break;
        trace_add("%s@%d ", self->line.text, host_ms(PT_NOW()));
    }
    trace_add("%s@%d ", pt_status_name(self->pt.status) + 3, host_ms(PT_NOW()));
}
PT_END

static PT_TASK(teller) teller;
static PT_TASK(hearer) hearer;

static void open_ring(int poller)
{
    host_open(host_pollers[poller]);
    memset(&ring, 0, sizeof ring);
}

START_TEST(two_tasks_talk_through_a_ring_that_is_shorter_than_a_line)
{
    open_ring(_i);
    PT_START(&host.loop, &hearer, hearer, .from = ring_stream);
    PT_START(&host.loop, &teller, teller);
    host_run();
    ck_assert_trace("line 1@0 line 2@0 flushed@10 line 3@10 ECLOSED@10 ");
    host_close();
}
END_TEST

START_TEST(a_cancel_ends_the_wait_of_a_stream_and_the_next_task_takes_over)
{
    open_ring(_i);
    PT_START(&host.loop, &hearer, hearer, .from = ring_stream);
    host_run();
    pt_cancel(&hearer.task, PT_ECANCELED);
    host_run();
    ck_assert_int_eq(pt_task_status(&hearer.task), PT_ECANCELED);
    ck_assert_ptr_null(ring.filled.waiters.first);
    PT_START(&host.loop, &hearer, hearer, .from = ring_stream);
    PT_START(&host.loop, &teller, teller);
    host_run();
    ck_assert_trace("line 1@0 line 2@0 flushed@10 line 3@10 ECLOSED@10 ");
    host_close();
}
END_TEST

/* --- a stream over another ------------------------------------------------------------------- */

/* Writes capitals to the stream below it, and reads small letters. */
struct capitals {
    struct pt_stream below;
};

static pt_status capitals_read(void *object, void *data, size_t size, size_t *got)
{
    struct pt_stream *below = &((struct capitals *)object)->below;
    pt_status status = below->ops->try_read(below->object, data, size, got);

    for (size_t i = 0; i < *got; i++)
        ((char *)data)[i] = (char)tolower(((unsigned char *)data)[i]);
    return status;
}

static pt_status capitals_write(void *object, const void *data, size_t size, size_t *put)
{
    struct pt_stream *below = &((struct capitals *)object)->below;
    char upper = (char)toupper(*(const unsigned char *)data);

    (void)size;
    return below->ops->try_write(below->object, &upper, 1, put);
}

static struct pt *capitals_wait(void *object, bool writing, struct pt_stream_wait_ *spare)
{
    struct pt_stream *below = &((struct capitals *)object)->below;

    return below->ops->wait(below->object, writing, spare);
}

static const struct pt_stream_ops capitals_ops = {capitals_read, capitals_write, capitals_wait,
                                                  NULL};

START_TEST(a_stream_over_a_descriptor_waits_as_that_does)
{
    static struct capitals capitals;
    static struct pt_writer out;
    static PT_TASK(pt_write_all) all;
    static struct pt_io io;
    struct pt_stream stream = {&capitals_ops, &capitals};
    char data[8] = "";
    int ends[2];

    host_open(host_pollers[_i]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    capitals.below = pt_io_stream(&io);
    PT_START(&host.loop, &hearer, hearer, .from = stream);
    host_run();
    host_put(ends[1], "GOOD\nDAY\n");
    host_run();
    pt_writer_init(&out, stream, NULL, 0);
    PT_START(&host.loop, &all, pt_write_all, .writer = &out, .data = "night", .size = 5);
    host_run();
    ck_assert_int_eq(recv(ends[1], data, sizeof data, MSG_DONTWAIT), 5);
    ck_assert_str_eq(data, "NIGHT");
    pt_io_close(&io);
    host_run();
    ck_assert_trace("good@0 day@0 ECLOSED@0 ");
    close(ends[1]);
    host_close();
}
END_TEST

/* --- slow ones ------------------------------------------------------------------------------- */

/* Has nothing at each second attempt. With EVERY it waits for so long, and ends the third wait with
 * CODE; without, it is asked again in the next turn. */
static struct source {
    pt_time every;
    pt_status code;
    int asked, waits;
    struct pause {
        struct pt pt;
        struct source *of;
    } pause;
} source;

static PT_ASYNC(pause, self)
{
    PT_WAIT(self->of->every);
    PT_RETURN(++self->of->waits == 3 ? self->of->code : (pt_status)PT_OK);
}
PT_END

static pt_status source_read(void *object, void *data, size_t size, size_t *got)
{
    struct source *of = (struct source *)object;

    (void)size;
    if (of->asked++ % 2 == 0)
        return PT_EAGAIN;
    if (of->asked > 12)
        return PT_ECLOSED;
    memcpy(data, "a\n", 2);
    *got = 2;
    return PT_OK;
}

static struct pt *source_wait(void *object, bool writing, struct pt_stream_wait_ *spare)
{
    struct source *of = (struct source *)object;

    (void)writing, (void)spare;
    if (!of->every)
        return NULL;
    PT_INIT(&of->pause, pause, .of = of);
    return &of->pause.pt;
}

static const struct pt_stream_ops source_ops = {source_read, NULL, source_wait, NULL};
static const struct pt_stream source_stream = {&source_ops, &source};

START_TEST(a_stream_can_wait_for_the_clock_and_its_wait_can_fail)
{
    host_open(host_pollers[_i]);
    memset(&source, 0, sizeof source);
    source.every = PT_MS(5);
    source.code = PT_EPERM;
    PT_START(&host.loop, &hearer, hearer, .from = source_stream);
    host_run();
    ck_assert_trace("a@5 a@10 EPERM@15 ");
    host_close();
}
END_TEST

START_TEST(a_stream_without_a_wait_is_asked_in_each_turn)
{
    int turns = 0;

    host_open(host_pollers[_i]);
    memset(&source, 0, sizeof source);
    PT_START(&host.loop, &hearer, hearer, .from = source_stream);
    for (; pt_task_alive(&hearer.task); turns++)
        host_turns(1);
    ck_assert_int_eq(turns, 8);
    ck_assert_trace("a@0 a@0 a@0 a@0 a@0 a@0 ECLOSED@0 ");
    host_close();
}
END_TEST

/* --- the share ------------------------------------------------------------------------------- */

static size_t swallowed;

static pt_status swallow(void *object, const void *data, size_t size, size_t *put)
{
    (void)object, (void)data, (void)size;
    swallowed += *put = 1;
    return PT_OK;
}

START_TEST(a_writer_yields_as_often_as_configured)
{
    static const struct pt_stream_ops ops = {NULL, swallow, NULL, NULL};
    static const struct pt_stream stream = {&ops, NULL};
    static const uint8_t shares[] = {32, 4, 0, UINT8_MAX};
    static const size_t most[] = {32, 4, 1, 100};
    static struct pt_writer out;
    static PT_TASK(pt_write_all) all;
    static const char data[100];

    for (int i = 0; i < 4; i++) {
        host_open(host_pollers[_i]);
        pt_writer_init(&out, stream, NULL, 0);
        if (i)
            out.share = shares[i];
        swallowed = 0;
        PT_START(&host.loop, &all, pt_write_all, .writer = &out, .data = data, .size = 100);
        host_turns(1);
        ck_assert_uint_eq(swallowed, most[i]);
        host_run();
        ck_assert_uint_eq(swallowed, 100);
        host_close();
    }
}
END_TEST

/* A wait that has nothing to wait for. */
struct at_once {
    struct pt pt;
};

static PT_ASYNC(at_once, self)
{
    PT_RETURN(PT_OK);
}
PT_END

static int asked;

/* Gives nothing, a hundred times; then it has ended. */
static pt_status give_nothing(void *object, void *data, size_t size, size_t *got)
{
    (void)object, (void)data, (void)size, (void)got;
    return asked++ < 100 ? PT_EAGAIN : PT_ECLOSED;
}

static struct pt *wait_at_once(void *object, bool writing, struct pt_stream_wait_ *spare)
{
    static struct at_once frame;

    (void)object, (void)writing, (void)spare;
    PT_INIT(&frame, at_once);
    return &frame.pt;
}

START_TEST(a_reader_yields_although_the_waits_of_its_stream_end_at_once)
{
    static const struct pt_stream_ops ops = {give_nothing, NULL, wait_at_once, NULL};
    static const struct pt_stream stream = {&ops, NULL};
    static struct pt_reader in;
    static PT_TASK(pt_read_exactly) exactly;
    static char byte;

    host_open(host_pollers[_i]);
    pt_reader_init(&in, stream, NULL, 0);
    asked = 0;
    PT_START(&host.loop, &exactly, pt_read_exactly, .reader = &in, .data = &byte, .size = 1);
    host_turns(1);
    ck_assert_int_eq(asked, 32);
    host_run();
    ck_assert_int_eq(asked, 101);
    host_close();
}
END_TEST

Suite *host_suite_custom(void)
{
    Suite *suite = suite_create("custom");

    host_test(suite, two_tasks_talk_through_a_ring_that_is_shorter_than_a_line);
    host_test(suite, a_cancel_ends_the_wait_of_a_stream_and_the_next_task_takes_over);
    host_test(suite, a_stream_over_a_descriptor_waits_as_that_does);
    host_test(suite, a_stream_can_wait_for_the_clock_and_its_wait_can_fail);
    host_test(suite, a_stream_without_a_wait_is_asked_in_each_turn);
    host_test(suite, a_writer_yields_as_often_as_configured);
    host_test(suite, a_reader_yields_although_the_waits_of_its_stream_end_at_once);
    return suite;
}
