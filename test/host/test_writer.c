/* test_writer.c - formatted and complete writes through a buffer, to descriptors and to memory
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <pt/host/stream.h>

#include <wchar.h>

static struct pt_io io;
static struct pt_writer out;
static char room[16];
static int ends[2];

static void open_one(int poller)
{
    host_open(host_pollers[poller]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    pt_writer_init(&out, pt_io_stream(&io), room, sizeof room);
}

static void close_one(void)
{
    pt_io_close(&io);
    host_run();
    close(ends[1]);
    host_close();
}

/* What the other side has got. */
static const char *heard(void)
{
    static char data[256];
    ssize_t got = recv(ends[1], data, sizeof data - 1, MSG_DONTWAIT);

    data[got > 0 ? got : 0] = '\0';
    return data;
}

/* Executes letters: p prints TEXT, w writes it all, m writes it with more to follow, f flushes. Each
 * has MOST, if that is set. It does not end at a failure. */
struct giver {
    struct pt pt;
    const char *steps, *text;
    pt_time most;
    struct pt_scope patience;
    struct pt_write_all all;
    struct pt_flush flush;
};

static PT_ASYNC(giver, self)
{
    for (; *self->steps; self->steps++) {
        PT_WITH_TIMEOUT(&self->patience, self->most ? self->most : PT_DELAY_NEVER) {
            if (*self->steps == 'p')
                PT_PRINTF(&out, "%s", self->text);
            else if (*self->steps == 'f')
                PT_WAIT_COMPLETE(&self->flush, pt_flush, .writer = &out);
            else
                PT_WAIT_COMPLETE(&self->all, pt_write_all, .writer = &out, .data = self->text,
                                 .size = strlen(self->text), .more = *self->steps == 'm');
        }
        if (pt_timed_out(&self->patience))
            trace_add("%c:late@%d ", *self->steps, host_ms(PT_NOW()));
        else
            trace_add("%c:%s ", *self->steps, pt_status_name(self->pt.status) + 3);
    }
}
PT_END

static PT_TASK(giver) giver;

static void do_steps(const char *steps, const char *text)
{
    PT_START(&host.loop, &giver, giver, .steps = steps, .text = text, .most = PT_MS(5));
    host_run();
}

/* --- through the buffer ---------------------------------------------------------------------- */

START_TEST(what_is_printed_goes_out_in_one_piece_at_the_flush)
{
    open_one(_i);
    ck_assert_int_eq(pt_printf(&out, "%d-", 17), PT_OK);
    do_steps("pp", "ab");
    ck_assert_str_eq(room, "17-abab");
    ck_assert_str_eq(heard(), "");
    do_steps("ff", "");
    ck_assert_str_eq(heard(), "17-abab");
    ck_assert_int_eq(host.calls[HOST_sendmsg], 1);
    ck_assert_trace("p:OK p:OK f:OK f:OK ");
    close_one();
}
END_TEST

START_TEST(a_buffer_of_which_less_than_half_is_free_is_written)
{
    open_one(_i);
    do_steps("p", "1234567");
    ck_assert_str_eq(heard(), "");
    do_steps("p", "8");
    ck_assert_str_eq(heard(), "12345678");
    do_steps("p", "fifteen in all.");
    ck_assert_str_eq(heard(), "fifteen in all.");
    ck_assert_uint_eq(out.end, 0);
    trace_take();
    close_one();
}
END_TEST

START_TEST(a_text_of_half_of_the_buffer_always_fits)
{
    open_one(_i);
    for (size_t size = 1; size <= sizeof room; size++) {
        for (size_t before = 0; before < size; before++) {
            pt_writer_init(&out, pt_io_stream(&io), room, size);
            do_steps("p", &"123456789012345"[15 - before]);
            do_steps("pf", &"abcdefgh"[8 - size / 2]);
            ck_assert_trace("p:OK p:OK f:OK ");
            ck_assert_uint_eq(strlen(heard()), before + size / 2);
        }
    }
    close_one();
}
END_TEST

START_TEST(a_text_that_does_not_fit_is_an_error_and_nothing_goes_out_any_more)
{
    open_one(_i);
    do_steps("ppfwm", "sixteen or more.");
    ck_assert_trace("p:ERANGE p:ERANGE f:ERANGE w:ERANGE m:ERANGE ");
    pt_writer_init(&out, pt_io_stream(&io), room, sizeof room);
    do_steps("p", "before");
    ck_assert_int_eq(pt_printf(&out, "%s", "ten and ten"), PT_ERANGE);
    ck_assert_str_eq(room, "before");
    do_steps("f", "");
    ck_assert_int_eq(out.failed, PT_ERANGE);
    ck_assert_str_eq(heard(), "");
    ck_assert_trace("p:OK f:ERANGE ");
    close_one();
}
END_TEST

START_TEST(bytes_are_written_behind_what_is_in_the_buffer)
{
    open_one(_i);
    do_steps("pw", "ab");
    ck_assert_str_eq(heard(), "abab");
    ck_assert_int_eq(host.calls[HOST_sendmsg], 1);
    ck_assert_int_eq(pt_printf(&out, "head "), PT_OK);
    do_steps("w", "a body that is longer");
    ck_assert_str_eq(heard(), "head a body that is longer");
    ck_assert_int_eq(host.calls[HOST_sendmsg], 2); /* one for both */
    ck_assert_uint_eq(giver.frame.all.put, 21);
    trace_take();
    close_one();
}
END_TEST

START_TEST(bytes_with_more_to_follow_stay_in_the_buffer_while_they_fit)
{
    open_one(_i);
    do_steps("mm", "1234567");
    ck_assert_str_eq(heard(), "");
    do_steps("m", "89");
    ck_assert_str_eq(heard(), "12345671234567");
    ck_assert_str_eq(room, "89");
    do_steps("w", "0");
    ck_assert_str_eq(heard(), "890");
    do_steps("m", "longer than the buffer");
    ck_assert_str_eq(heard(), "longer than the buffer");
    trace_take();
    close_one();
}
END_TEST

START_TEST(a_writer_without_a_buffer_writes_at_once)
{
    open_one(_i);
    pt_writer_init(&out, pt_io_stream(&io), NULL, 0);
    do_steps("wmf", "ab");
    ck_assert_str_eq(heard(), "abab");
    do_steps("p", "x");
    ck_assert_trace("w:OK m:OK f:OK p:ERANGE ");
    close_one();
}
END_TEST

/* --- what ends a wait ------------------------------------------------------------------------ */

/* A stream that takes ROOM bytes, then none until its event is set; with CODE it fails instead. */
static struct sink {
    struct pt_event more;
    struct until_more {
        struct pt pt;
    } wait;
    size_t room, count;
    pt_status code;
    char got[64];
} sink;

static PT_ASYNC(until_more, self)
{
    PT_WAIT_EVENT(&sink.more);
}
PT_END

static pt_status sink_write(void *object, const void *data, size_t size, size_t *put)
{
    struct sink *to = (struct sink *)object;

    if (to->room == 0) {
        pt_event_clear(&to->more);
        return to->code;
    }
    *put = size < to->room ? size : to->room;
    memcpy(to->got + to->count, data, *put);
    to->count += *put;
    to->room -= *put;
    return PT_OK;
}

static struct pt *sink_wait(void *object, bool writing, struct pt_stream_wait_ *spare)
{
    (void)object, (void)writing, (void)spare;
    PT_INIT(&sink.wait, until_more);
    return &sink.wait.pt;
}

static const struct pt_stream_ops sink_ops = {NULL, sink_write, sink_wait, NULL};
static const struct pt_stream sink_stream = {&sink_ops, &sink};

static void open_sink(int poller, size_t first, size_t size)
{
    host_open(host_pollers[poller]);
    memset(&sink, 0, sizeof sink);
    sink.room = first;
    sink.code = PT_EAGAIN;
    pt_writer_init(&out, sink_stream, size ? room : NULL, size);
}

static void give_room(size_t more)
{
    sink.room = more;
    pt_event_set(&sink.more);
}

START_TEST(a_flush_that_was_ended_is_called_again_and_continues)
{
    open_sink(_i, 3, sizeof room);
    do_steps("mf", "abcdefgh");
    ck_assert_trace("m:OK f:late@5 ");
    do_steps("m", "ijklmno"); /* what is written has made room */
    ck_assert_str_eq(room, "defghijklmno");
    PT_START(&host.loop, &giver, giver, .steps = "f");
    host_turns(1);
    give_room(4);
    host_turns(1);
    ck_assert_str_eq(sink.got, "abcdefg");
    give_room(64);
    host_run();
    ck_assert_str_eq(sink.got, "abcdefghijklmno");
    ck_assert_trace("m:OK f:OK ");
    host_close();
}
END_TEST

START_TEST(a_write_that_was_ended_tells_how_much_is_done)
{
    open_sink(_i, 3, 0);
    do_steps("w", "abcdefgh");
    ck_assert_trace("w:late@5 ");
    ck_assert_uint_eq(giver.frame.all.put, 3);
    sink.room = 64;
    do_steps("w", "defgh");
    ck_assert_str_eq(sink.got, "abcdefgh");
    trace_take();
    host_close();
    open_sink(_i, 2, sizeof room);
    do_steps("p", "more than half");
    ck_assert_trace("p:late@5 ");
    ck_assert_str_eq(out.data + out.first, "re than half");
    do_steps("w", "longer than the buffer");
    ck_assert_trace("w:late@10 ");
    ck_assert_uint_eq(giver.frame.all.put, 0);
    host_close();
}
END_TEST

static pt_status sink_parts(void *object, const struct iovec *parts, int count, size_t *put)
{
    pt_status status = PT_OK;
    size_t step = 0, sum = 0;

    for (; count-- > 0 && sink.room && status == PT_OK; parts++, sum += step)
        status = sink_write(object, parts->iov_base, parts->iov_len, &step);
    *put = sum;
    return sum ? PT_OK : sink.code;
}

START_TEST(a_write_that_takes_its_parts_at_once_can_end_within_each)
{
    static const struct pt_stream_ops ops = {NULL, sink_write, sink_wait, sink_parts};

    for (size_t most = 0; most < 30; most++) {
        open_sink(_i, most, sizeof room);
        out.stream.ops = &ops;
        do_steps("mw", "abcdefgh");
        ck_assert_str_eq(trace_take(), most < 16 ? "m:OK w:late@5 " : "m:OK w:OK ");
        ck_assert_uint_eq(giver.frame.all.put, most < 8 ? 0 : most < 16 ? most - 8 : 8);
        ck_assert_int_eq(strncmp(sink.got, "abcdefghabcdefgh", sink.count), 0);
        host_close();
    }
}
END_TEST

START_TEST(a_failed_write_is_told_each_time_and_the_rest_is_known)
{
    open_sink(_i, 3, sizeof room);
    sink.code = PT_EPERM;
    do_steps("mffpwm", "abcdefgh");
    ck_assert_trace("m:OK f:EPERM f:EPERM p:EPERM w:EPERM m:EPERM ");
    ck_assert_int_eq(out.failed, PT_EPERM);
    ck_assert_str_eq(out.data + out.first, "defgh");
    host_close();
    open_one(_i);
    host_fail(HOST_sendmsg, 0, 1, EPIPE);
    do_steps("w", "abc");
    pt_writer_init(&out, pt_io_stream(&io), room, sizeof room);
    host_fail(HOST_sendmsg, 0, 1, ENOBUFS);
    do_steps("w", "abc");
    ck_assert_int_eq(io.error, ENOBUFS);
    pt_writer_init(&out, pt_io_stream(&io), room, sizeof room);
    host_fail(HOST_sendmsg, 0, 3, EINTR);
    do_steps("w", "abc");
    ck_assert_trace("w:ECLOSED w:EIO w:OK ");
    ck_assert_str_eq(heard(), "abc");
    close_one();
}
END_TEST

START_TEST(a_text_that_does_not_fit_while_a_task_writes_is_told_to_that_task)
{
    for (const char *steps = "wpf"; steps[1]; steps++) {
        open_sink(_i, 3, sizeof room);
        PT_START(&host.loop, &giver, giver, .steps = steps, .text = "abcdefghijklmn");
        host_turns(1);
        ck_assert_int_eq(pt_printf(&out, "%s", "klmnopqrstuvwxyz"), PT_ERANGE);
        give_room(64);
        host_run();
        ck_assert_str_eq(sink.got, "abcdefghijklmn");
        ck_assert_str_eq(trace_take(),
                         *steps == 'w' ? "w:ERANGE p:ERANGE f:ERANGE " : "p:ERANGE f:ERANGE ");
        ck_assert_int_eq(out.failed, PT_ERANGE);
        host_close();
    }
}
END_TEST

START_TEST(a_close_by_another_task_ends_a_write)
{
    for (const char *steps = "wp"; *steps; steps++) {
        open_one(_i);
        while (send(ends[0], room, sizeof room, MSG_DONTWAIT) > 0) {
        }
        PT_START(&host.loop, &giver, giver, .steps = steps, .text = "more than half");
        host_run();
        pt_io_close(&io);
        host_run();
        ck_assert_str_eq(trace_take(), *steps == 'w' ? "w:ECLOSED p:ECLOSED " : "p:ECLOSED ");
        ck_assert_int_eq(out.failed, PT_ECLOSED);
        close_one();
    }
}
END_TEST

/* --- what is printed ------------------------------------------------------------------------- */

START_TEST(what_the_system_cannot_format_fails_the_writer)
{
    static const wchar_t euro[] = {0x20ac, 0}; /* no character of the locale C */

    open_one(_i);
    do_steps("p", "before");
    ck_assert_int_eq(pt_printf(&out, "%ls", euro), PT_EINVAL);
    do_steps("pf", "x");
    ck_assert_trace("p:OK p:EINVAL f:EINVAL ");
    ck_assert_str_eq(room, "before");
    close_one();
}
END_TEST

struct number {
    struct pt pt;
};

static int evaluated;

static PT_ASYNC(number, self)
{
    PT_PRINTF(&out, "%08d.", ++evaluated);
    trace_add("%s ", pt_status_name(self->pt.status));
}
PT_END

START_TEST(a_value_that_is_printed_is_evaluated_once_although_the_writer_waits)
{
    static PT_TASK(number) number;

    evaluated = 0;
    open_sink(_i, 3, sizeof room);
    PT_START(&host.loop, &number, number);
    host_turns(1);
    ck_assert_str_eq(sink.got, "000");
    give_room(64);
    host_run();
    ck_assert_str_eq(sink.got, "00000001.");
    ck_assert_int_eq(evaluated, 1);
    ck_assert_trace("PT_OK ");
    host_close();
}
END_TEST

/* --- memory ---------------------------------------------------------------------------------- */

START_TEST(a_writer_of_memory_makes_a_string_up_to_its_limit)
{
    host_open(host_pollers[_i]);
    pt_writer_init_memory(&out, room, sizeof room);
    ck_assert_str_eq(room, "");
    do_steps("pwmf", "12345");
    ck_assert_trace("p:OK w:OK m:OK f:OK ");
    ck_assert_str_eq(room, "123451234512345");
    ck_assert_uint_eq(out.end, 15);
    do_steps("pf", "6");
    ck_assert_trace("p:ERANGE f:ERANGE ");
    ck_assert_str_eq(room, "123451234512345");
    pt_writer_init_memory(&out, room, sizeof room);
    do_steps("wf", "sixteen or more.");
    ck_assert_trace("w:ERANGE f:ERANGE ");
    ck_assert_str_eq(room, "");
    host_close();
}
END_TEST

Suite *host_suite_writer(void)
{
    Suite *suite = suite_create("writer");

    host_test(suite, what_is_printed_goes_out_in_one_piece_at_the_flush);
    host_test(suite, a_buffer_of_which_less_than_half_is_free_is_written);
    host_test(suite, a_text_of_half_of_the_buffer_always_fits);
    host_test(suite, a_text_that_does_not_fit_is_an_error_and_nothing_goes_out_any_more);
    host_test(suite, bytes_are_written_behind_what_is_in_the_buffer);
    host_test(suite, bytes_with_more_to_follow_stay_in_the_buffer_while_they_fit);
    host_test(suite, a_writer_without_a_buffer_writes_at_once);
    host_test(suite, a_flush_that_was_ended_is_called_again_and_continues);
    host_test(suite, a_write_that_was_ended_tells_how_much_is_done);
    host_test(suite, a_write_that_takes_its_parts_at_once_can_end_within_each);
    host_test(suite, a_failed_write_is_told_each_time_and_the_rest_is_known);
    host_test(suite, a_text_that_does_not_fit_while_a_task_writes_is_told_to_that_task);
    host_test(suite, a_close_by_another_task_ends_a_write);
    host_test(suite, what_the_system_cannot_format_fails_the_writer);
    host_test(suite, a_value_that_is_printed_is_evaluated_once_although_the_writer_waits);
    host_test(suite, a_writer_of_memory_makes_a_string_up_to_its_limit);
    return suite;
}
