/* test_reader.c - lines, texts up to a delimiter, exact reads and looks ahead, of descriptors and memory
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <pt/host/stream.h>

static struct pt_io io, other;
static struct pt_reader in;
static char room[8];
static int ends[2];

static void open_both(int poller)
{
    host_open(host_pollers[poller]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    ck_assert_int_eq(pt_io_open(&other, &host.system, ends[1]), PT_OK);
    pt_reader_init(&in, pt_io_stream(&io), room, sizeof room);
}

static void close_both(void)
{
    pt_io_close(&io);
    pt_io_close(&other);
    host_run();
    host_close();
}

/* Executes letters: l reads a line, u until "::", e exactly SIZE bytes, p looks ahead at 3 bytes, P
 * at 9; t takes what is in the buffer. Each has MOST, if that is
 * set. It does not end at a failure. */
struct taker {
    struct pt pt;
    const char *steps;
    size_t size, limit;
    pt_time most;
    struct pt_scope patience;
    struct pt_read_line line;
    struct pt_read_until until;
    struct pt_read_exactly exactly;
    struct pt_peek peek;
    const char *text;
    size_t length;
    char data[32];
};

static PT_ASYNC(taker, self)
{
    for (; *self->steps; self->steps++) {
        self->text = self->data, self->length = 0;
        PT_WITH_TIMEOUT(&self->patience, self->most ? self->most : PT_DELAY_NEVER) {
            if (*self->steps == 'l') {
                PT_WAIT_COMPLETE(&self->line, pt_read_line, .reader = &in);
                self->text = self->line.text, self->length = self->line.length;
            } else if (*self->steps == 'u') {
                PT_WAIT_COMPLETE(&self->until, pt_read_until, .reader = &in,
                                 .delimiter = "::", .limit = self->limit);
                self->text = self->until.text, self->length = self->until.length;
            } else if (*self->steps == 'e') {
                PT_WAIT_COMPLETE(&self->exactly, pt_read_exactly, .reader = &in, .data = self->data,
                                 .size = self->size);
                self->length = self->exactly.got;
            } else if (*self->steps == 't') {
                self->length = pt_reader_take(&in, self->data, sizeof self->data);
                self->pt.status = PT_OK;
            } else {
                PT_WAIT_COMPLETE(&self->peek, pt_peek, .reader = &in,
                                 .size = *self->steps == 'p' ? 3 : 9);
                self->text = self->peek.data, self->length = self->peek.length;
            }
        }
        if (pt_timed_out(&self->patience))
            trace_add("%c:late@%d ", *self->steps, host_ms(PT_NOW()));
        else if (self->pt.status != PT_OK)
            trace_add("%c:%s(%d) ", *self->steps, pt_status_name(self->pt.status) + 3,
                      (int)self->length);
        else
            trace_add("%c:%.*s(%d) ", *self->steps, (int)self->length, self->text,
                      (int)self->length);
    }
}
PT_END

static PT_TASK(taker) taker;

static void start(const char *steps, size_t size, pt_time most)
{
    PT_START(&host.loop, &taker, taker, .steps = steps, .size = size, .most = most);
}

/* What STEPS find if the stream gives PARTS, one in each turn, and then ends. */
static void expect(int poller, const char *steps, size_t size, const char *const *parts,
                   const char *told)
{
    open_both(poller);
    start(steps, size, 0);
    for (; *parts; parts++) {
        host_put(ends[1], *parts);
        host_run();
    }
    pt_io_close(&other);
    host_run();
    ck_assert_trace(told);
    close_both();
}

/* --- lines ----------------------------------------------------------------------------------- */

START_TEST(lines_are_cut_at_newlines_not_at_reads)
{
    static const char *const parts[] = {"on", "e\ntwo", "\n\nfo", "ur", NULL};

    expect(_i, "lllll", 0, parts, "l:one(3) l:two(3) l:(0) l:four(4) l:ECLOSED(0) ");
}
END_TEST

START_TEST(a_line_that_is_too_long_stays_so_that_what_follows_is_not_taken_for_a_line)
{
    static const char *const parts[] = {"12345678", "\nok\n1234567\n", NULL};

    expect(_i, "lltllll", 0, parts,
           "l:ERANGE(0) l:ERANGE(0) t:12345678(8) l:(0) l:ok(2) l:1234567(7) l:ECLOSED(0) ");
}
END_TEST

START_TEST(a_text_ends_at_a_delimiter_of_several_characters_however_it_is_cut)
{
    static const char *const parts[] = {"a:", ":b:c:", ":", "::d", NULL};

    expect(_i, "uuuut", 0, parts, "u:a(1) u:b:c(3) u:(0) u:ECLOSED(0) t:d(1) ");
}
END_TEST

START_TEST(a_text_over_the_limit_or_the_buffer_stays)
{
    static const char *const parts[] = {"abc::abcd::", NULL};

    open_both(_i);
    host_put(ends[1], "abc::abcd::12345678");
    PT_START(&host.loop, &taker, taker, .steps = "uut", .limit = 3);
    host_run();
    ck_assert_trace("u:abc(3) u:ERANGE(0) t:abcd::12(8) ");
    pt_reader_take(&in, NULL, sizeof room);
    host_put(ends[1], "90");
    start("uut", 0, 0);
    host_run();
    ck_assert_trace("u:ERANGE(0) u:ERANGE(0) t:34567890(8) ");
    close_both();
    expect(_i, "uuu", 0, parts, "u:abc(3) u:abcd(4) u:ECLOSED(0) ");
}
END_TEST

/* --- so many bytes --------------------------------------------------------------------------- */

START_TEST(a_body_behind_a_head_is_read_from_the_buffer_first)
{
    static const char *const parts[] = {"head\nbo", "dy of te", "n\ntail\n", NULL};

    expect(_i, "lel", 10, parts, "l:head(4) e:body of te(10) l:n(1) ");
    expect(_i, "leel", 5, parts, "l:head(4) e:body (5) e:of te(5) l:n(1) ");
}
END_TEST

START_TEST(a_reader_without_a_buffer_reads_no_byte_too_many)
{
    char rest[8] = "";

    open_both(_i);
    pt_reader_init(&in, pt_io_stream(&io), NULL, 0);
    host_put(ends[1], "abcdef");
    start("elup", 4, 0);
    host_run();
    ck_assert_trace("e:abcd(4) l:ERANGE(0) u:ERANGE(0) p:ERANGE(0) ");
    ck_assert_int_eq(recv(ends[0], rest, sizeof rest, 0), 2);
    ck_assert_str_eq(rest, "ef");
    close_both();
}
END_TEST

START_TEST(a_look_ahead_leaves_the_bytes)
{
    static const char *const parts[] = {"ab", "cd", "e\nfg", NULL};

    expect(_i, "ppPlpt", 0, parts,
           "p:abcd(4) p:abcd(4) P:ERANGE(4) l:abcde(5) p:ECLOSED(2) t:fg(2) ");
}
END_TEST

START_TEST(bytes_are_taken_and_dropped_without_a_read)
{
    char rest[8];

    open_both(_i);
    host_put(ends[1], "a\nbody");
    start("l", 0, 0);
    host_run();
    ck_assert_trace("l:a(1) ");
    ck_assert_uint_eq(pt_reader_take(&in, NULL, 1), 1);
    ck_assert_uint_eq(pt_reader_take(&in, rest, 2), 2);
    ck_assert_uint_eq(pt_reader_take(&in, rest + 2, 6), 1);
    ck_assert(!memcmp(rest, "ody", 3));
    ck_assert_uint_eq(pt_reader_take(&in, rest, 8), 0);
    close_both();
}
END_TEST

/* --- what ends a wait ------------------------------------------------------------------------ */

START_TEST(a_read_that_was_ended_is_called_again_and_continues)
{
    open_both(_i);
    start("lupeluptel", 3, PT_MS(5));
    host_put(ends[1], "ab");
    host_run(); /* each of them waits for 5 ms, and finds no more; e and t take what is there */
    ck_assert_trace("l:late@5 u:late@10 p:late@15 e:late@20 l:late@25 u:late@30 p:late@35 t:(0) "
                    "e:late@40 l:late@45 ");
    ck_assert_uint_eq(taker.frame.exactly.got, 0);
    host_put(ends[1], "cd");
    start("lu", 0, PT_MS(5));
    host_run();
    host_put(ends[1], "e:");
    start("up", 0, PT_MS(5));
    host_run();
    host_put(ends[1], ":x\n");
    start("ul", 0, PT_MS(5));
    host_run();
    ck_assert_trace("l:late@50 u:late@55 u:late@60 p:cde:(4) u:cde(3) l:x(1) ");
    close_both();
}
END_TEST

START_TEST(a_look_ahead_that_was_ended_tells_what_is_there)
{
    open_both(_i);
    host_put(ends[1], "ab");
    start("p", 0, PT_MS(5));
    host_run();
    ck_assert_trace("p:late@5 ");
    ck_assert_uint_eq(taker.frame.peek.length, 2);
    ck_assert_mem_eq(taker.frame.peek.data, "ab", 2);
    close_both();
}
END_TEST

START_TEST(an_exact_read_that_was_ended_tells_how_much_it_has_read)
{
    open_both(_i);
    start("e", 6, PT_MS(5));
    host_put(ends[1], "ab");
    host_run();
    ck_assert_trace("e:late@5 ");
    ck_assert_uint_eq(taker.frame.exactly.got, 2);
    ck_assert(!memcmp(taker.frame.data, "ab", 2));
    close_both();
}
END_TEST

START_TEST(a_close_by_another_task_ends_a_read_and_leaves_what_was_read)
{
    for (const char *step = "uep"; *step; step++) {
        const char steps[2] = {*step, '\0'};

        open_both(_i);
        host_put(ends[1], "ab");
        start(steps, *step == 'e' ? 9 : 0, 0);
        host_run();
        pt_io_close(&io);
        host_run();
        ck_assert_str_eq(strchr(trace_take(), ':'), *step == 'u' ? ":ECLOSED(0) " : ":ECLOSED(2) ");
        ck_assert_uint_eq(in.end - in.first, *step == 'e' ? 0 : 2);
        close_both();
    }
}
END_TEST

START_TEST(a_failed_read_is_told_and_loses_nothing)
{
    open_both(_i);
    host_put(ends[1], "ab");
    start("l", 0, PT_MS(5));
    host_run();
    host_put(ends[1], "c\n");
    host_fail(HOST_read, 0, 1, EIO);
    start("l", 0, PT_MS(5));
    host_run();
    ck_assert_int_eq(io.error, EIO);
    host_fail(HOST_read, 0, 3, EINTR);
    start("l", 0, PT_MS(5));
    host_run();
    ck_assert_trace("l:late@5 l:EIO(0) l:abc(3) ");
    close_both();
}
END_TEST

/* --- how often ------------------------------------------------------------------------------- */

START_TEST(many_lines_cost_one_read)
{
    open_both(_i);
    host_put(ends[1], "a\nb\nc\nd\n");
    start("llll", 0, PT_MS(5));
    host_run();
    ck_assert_trace("l:a(1) l:b(1) l:c(1) l:d(1) ");
    ck_assert_int_eq(host.calls[HOST_read], 1);
    close_both();
}
END_TEST

/* --- memory ---------------------------------------------------------------------------------- */

START_TEST(a_reader_of_memory_ends_with_it)
{
    char text[32] = "one\nk::12345two";

    host_open(host_pollers[_i]);
    pt_reader_init_memory(&in, text, strlen(text), sizeof text);
    start("lueple", 5, PT_MS(5));
    host_run();
    ck_assert_trace("l:one(3) u:k(1) e:12345(5) p:two(3) l:two(3) e:ECLOSED(0) ");
    pt_reader_init_memory(&in, text, 0, sizeof text);
    start("lup", 0, PT_MS(5));
    host_run();
    ck_assert_trace("l:ECLOSED(0) u:ECLOSED(0) p:ECLOSED(0) ");
    host_close();
}
END_TEST

START_TEST(a_reader_of_memory_yields_too)
{
    static PT_TASK(taker) long_one;
    char text[64], steps[51];

    host_open(host_pollers[_i]);
    memset(text, '\n', sizeof text);
    memset(steps, 'l', sizeof steps - 1);
    steps[50] = '\0';
    pt_reader_init_memory(&in, text, sizeof text - 1, sizeof text);
    PT_START(&host.loop, &long_one, taker, .steps = steps);
    host_turns(1);
    ck_assert_ptr_eq(long_one.frame.steps, steps + 32);
    host_turns(1);
    ck_assert(!pt_task_alive(&long_one.task));
    trace_take();
    host_close();
}
END_TEST

Suite *host_suite_reader(void)
{
    Suite *suite = suite_create("reader");

    host_test(suite, lines_are_cut_at_newlines_not_at_reads);
    host_test(suite, a_line_that_is_too_long_stays_so_that_what_follows_is_not_taken_for_a_line);
    host_test(suite, a_text_ends_at_a_delimiter_of_several_characters_however_it_is_cut);
    host_test(suite, a_text_over_the_limit_or_the_buffer_stays);
    host_test(suite, a_body_behind_a_head_is_read_from_the_buffer_first);
    host_test(suite, a_reader_without_a_buffer_reads_no_byte_too_many);
    host_test(suite, a_look_ahead_leaves_the_bytes);
    host_test(suite, bytes_are_taken_and_dropped_without_a_read);
    host_test(suite, a_read_that_was_ended_is_called_again_and_continues);
    host_test(suite, a_look_ahead_that_was_ended_tells_what_is_there);
    host_test(suite, an_exact_read_that_was_ended_tells_how_much_it_has_read);
    host_test(suite, a_close_by_another_task_ends_a_read_and_leaves_what_was_read);
    host_test(suite, a_failed_read_is_told_and_loses_nothing);
    host_test(suite, many_lines_cost_one_read);
    host_test(suite, a_reader_of_memory_ends_with_it);
    host_test(suite, a_reader_of_memory_yields_too);
    return suite;
}
