/* test_batch.c - connections whose bytes go by the ring: nothing is lost, late, or out of order
 * SPDX-License-Identifier: MIT
 *
 * pt_io_batch has no effect with the other pollers, so they show what must come out. */
#define _GNU_SOURCE
#include "host.h"

#include <pt/host/blocking.h>
#include <pt/host/stream.h>

#include <pthread.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/wait.h>

enum { MANY = 300, LARGE = 200 << 10 };

static struct pt_io io, other;
static int ends[2];
static actor_task tasks[4];

/* A connection in batches, and its other side. */
static void open_one(struct pt_io *one, int pair[2])
{
    host_tcp_pair(pair);
    ck_assert_int_eq(pt_io_open(one, &host.system, pair[0]), PT_OK);
    pt_io_batch(one);
}

static void open_batched(int poller)
{
    host_open(host_pollers[poller]);
    open_one(&io, ends);
    ck_assert(io.batched == host_is(poller, "io_uring"));
}

static void close_batched(void)
{
    trace_take();
    pt_io_close(&io);
    host_run();
    close(ends[1]);
    host_close();
}

/* The other side reads what is there, at most SIZE bytes: how many; -1: an error. */
static char heard[LARGE + 100];
static int hear(size_t size)
{
    size_t sum = 0;
    ssize_t got = 1;

    while (got > 0 && sum < size) {
        got = read(ends[1], heard + sum, size - sum);
        sum += got > 0 ? (size_t)got : 0;
    }
    heard[sum] = '\0';
    return got < 0 && errno != EAGAIN ? -1 : (int)sum;
}

/* Whether the other side reads the end. */
static bool has_ended(void)
{
    char byte;

    return read(ends[1], &byte, 1) == 0;
}

/* --- calls ----------------------------------------------------------------------------------- */

static int transfers(void)
{
    return host.calls[HOST_read] + host.calls[HOST_readv] + host.calls[HOST_sendmsg] +
           host.calls[HOST_sendto];
}

START_TEST(the_bytes_of_all_connections_cost_one_call_of_the_system)
{
    enum { FEW = 8 };
    static struct pt_io few[FEW];
    static actor_task echoes[FEW];
    int pairs[FEW][2], calls, waits;
    char text[8];

    host_open(host_pollers[_i]);
    for (int i = 0; i < FEW; i++) {
        open_one(&few[i], pairs[i]);
        host_start(&echoes[i], 'A', &few[i], "rwrw");
    }
    host_run();
    calls = transfers();
    waits = host.calls[HOST_io_uring_submit_and_wait_timeout];
    for (int i = 0; i < FEW; i++)
        host_put(pairs[i][1], "ping");
    host_run();
    calls = transfers() - calls;
    for (int i = 0; i < FEW; i++) {
        ck_assert_int_eq(read(pairs[i][1], text, 8), 5);
        ck_assert(!memcmp(text, "hello", 5));
    }
    if (host_is(_i, "io_uring")) {
        ck_assert_int_eq(calls, 0);
        ck_assert_int_le(host.calls[HOST_io_uring_submit_and_wait_timeout] - waits, 4);
    }
    for (int i = 0; i < FEW; i++) {
        pt_io_close(&few[i]);
        close(pairs[i][1]);
    }
    host_run();
    trace_take();
    host_close();
}
END_TEST

/* --- reads ----------------------------------------------------------------------------------- */

START_TEST(a_task_that_waits_to_read_gets_what_comes_in_order)
{
    open_batched(_i);
    host_start(&tasks[0], 'A', &io, "rrrr");
    host_run();
    ck_assert_trace("");
    host_put(ends[1], "0123456789abcdefghijkl"); /* two reads of 16 bytes at most */
    host_run();
    ck_assert_trace("Ar:0123456789abcdef@0 Ar:ghijkl@0 ");
    host_put(ends[1], "news");
    close(ends[1]);
    host_run();
    ck_assert_trace("Ar:news@0 Ar:ECLOSED@0 ");
    close_batched();
}
END_TEST

START_TEST(a_read_that_was_canceled_has_lost_nothing)
{
    open_batched(_i);
    for (int i = 0; i < 3; i++) {
        host_start(&tasks[0], 'A', &io, "r");
        host_run();
        if (i != 1) /* before the bytes come, and behind */
            pt_cancel(&tasks[0].task, PT_ECANCELED);
        host_put(ends[1], "news");
        if (i == 2)
            host_turns(1);
        pt_cancel(&tasks[0].task, PT_ECANCELED);
        host_run();
        trace_take();
        host_start(&tasks[1], 'B', &io, "r");
        host_run();
        ck_assert_trace("Br:news@0 ");
    }
    close_batched();
}
END_TEST

START_TEST(a_buffer_of_the_ring_that_is_filled_has_more_behind_it)
{
    static char data[LARGE];
    struct pt_stream stream;
    size_t sum = 0, got;

    open_batched(_i);
    for (size_t i = 0; i < sizeof heard; i++)
        heard[i] = (char)('a' + i % 23);
    host_start(&tasks[0], 'A', &io, "R");
    host_run();
    ck_assert_int_eq(write(ends[1], heard, 20000), 20000);
    host_run();
    ck_assert_trace("AR@0 ");
    stream = pt_io_stream(&io);
    while (sum < 20000) {
        got = 0;
        ck_assert_int_eq(stream.ops->try_read(stream.object, data + sum, sizeof data - sum, &got),
                         PT_OK);
        sum += got;
    }
    ck_assert(!memcmp(data, heard, 20000));
    ck_assert_int_eq(stream.ops->try_read(stream.object, data, 1, &got), PT_EAGAIN);
    close_batched();
}
END_TEST

/* Reads by parts, then as a datagram. */
struct parts {
    struct pt pt;
    PT_SELECTION(2) select;
    char first[4], second[16];
    struct iovec parts[3]; /* the first one is empty */
    size_t got;
};

static PT_ASYNC(parts, self)
{
    self->parts[1] = (struct iovec){self->first, 4};
    self->parts[2] = (struct iovec){self->second, 16};
    PT_SELECT(&self->select, PT_CASE_READABLE(&io));
    PT_READV(&io, self->parts, 3, &self->got);
    trace_add("%.4s %.*s ", self->first, (int)self->got - 4, self->second);
    PT_RECVFROM(&io, self->second, 16, &self->got, NULL);
    trace_add("%.*s ", (int)self->got, self->second);
    PT_SELECT(&self->select, PT_CASE_READABLE(&io), PT_CASE_HANGUP(&io));
    PT_READ(&io, self->second, 16, &self->got);
    trace_add("%s ", pt_status_name(self->pt.status) + 3);
}
PT_END

START_TEST(parts_datagrams_and_cases_of_a_select_read_the_same_bytes)
{
    static PT_TASK(parts) task;

    open_batched(_i);
    ck_assert_int_eq(PT_START(&host.loop, &task, parts), PT_OK);
    host_run();
    host_put(ends[1], "12345678");
    host_run();
    ck_assert_trace("1234 5678 ");
    host_put(ends[1], "more");
    host_run();
    ck_assert_trace("more ");
    close(ends[1]);
    host_run();
    ck_assert_trace("ECLOSED ");
    close_batched();
}
END_TEST

START_TEST(more_connections_than_buffers_read_all_that_came)
{
    static struct pt_io many[MANY];
    static actor_task readers[MANY];
    static int pairs[MANY][2];
    int count = 0;

    host_open(host_pollers[_i]);
    for (int i = 0; i < MANY; i++) {
        open_one(&many[i], pairs[i]);
        host_start(&readers[i], 'A', &many[i], "Rsr"); /* holds its buffer for a while */
    }
    host_run();
    for (int i = 0; i < MANY; i++)
        host_put(pairs[i][1], "news");
    host_run();
    for (const char *rest = trace_take(); (rest = strstr(rest, "Ar:news@5 ")); rest++)
        count++;
    ck_assert_int_eq(count, MANY);
    for (int i = 0; i < MANY; i++) {
        host_put(pairs[i][1], "not read");
        pt_io_close(&many[i]);
        close(pairs[i][1]);
    }
    host_run();
    host_close();
}
END_TEST

START_TEST(urgent_data_is_passed_over_as_by_a_read)
{
    open_batched(_i);
    host_start(&tasks[0], 'A', &io, "rrr");
    host_run();
    ck_assert_int_eq(send(ends[1], "one!", 4, MSG_OOB), 4);
    host_run();
    host_put(ends[1], "two");
    host_run();
    ck_assert_trace("Ar:one@0 Ar:two@0 ");
    ck_assert_int_eq(send(ends[1], "!", 1, MSG_OOB), 1);
    close(ends[1]);
    host_run();
    ck_assert_trace("Ar:ECLOSED@0 ");
    close_batched();
}
END_TEST

/* --- writes ---------------------------------------------------------------------------------- */

/* Writes SIZE bytes, and after each short piece of them a long one. */
struct pieces {
    struct pt pt;
    struct pt_writer out;
    struct pt_write_all write;
    size_t at, step, size;
    bool ends;
};

static char said[LARGE];

static PT_ASYNC(pieces, self)
{
    pt_writer_init(&self->out, pt_io_stream(&io), NULL, 0);
    for (; self->at < self->size; self->at += self->step) {
        self->step = self->at % 3 ? 100 : 7001;
        if (self->step > self->size - self->at)
            self->step = self->size - self->at;
        PT_TRY(&self->write, pt_write_all, .writer = &self->out, .data = said + self->at,
               .size = self->step);
    }
    if (self->ends)
        self->pt.status = pt_io_shutdown(&io, SHUT_WR);
    trace_add("%s ", pt_status_name(self->pt.status) + 3);
}
PT_END

static PT_TASK(pieces) writer;

static void say(size_t size, bool ends_it)
{
    for (size_t i = 0; i < sizeof said; i++)
        said[i] = (char)('a' + i % 23);
    ck_assert_int_eq(PT_START(&host.loop, &writer, pieces, .size = size, .ends = ends_it), PT_OK);
}

/* Let the socket of IO take little. */
static void make_narrow(void)
{
    const int little = 4096;

    ck_assert_int_eq(setsockopt(io.fd, SOL_SOCKET, SO_SNDBUF, &little, sizeof little), 0);
}

/* Hear all that IO has written, though it comes bit by bit, as fast as the kernel sends it: whether
 * it is what was said. */
static bool hear_all(size_t size)
{
    size_t sum = 0;

    for (int i = 0; i < 100000 && sum < size; i++) {
        struct timeval soon = {0, 1000};
        ssize_t got;
        fd_set other_side;

        FD_ZERO(&other_side);
        FD_SET(ends[1], &other_side);
        select(ends[1] + 1, &other_side, NULL, NULL, &soon); /* the kernel can need a timer */
        got = read(ends[1], heard + sum, sizeof heard - sum);
        sum += got > 0 ? (size_t)got : 0;
        host_run();
    }
    return sum == size && !memcmp(heard, said, size);
}

START_TEST(short_and_long_writes_arrive_in_order)
{
    open_batched(_i);
    say(LARGE, true);
    ck_assert(hear_all(LARGE));
    ck_assert_trace("OK ");
    ck_assert(has_ended());
    close_batched();
}
END_TEST

START_TEST(a_file_is_sent_behind_what_was_written)
{
    static PT_TASK(pt_send_file) sender;
    char path[] = "/tmp/pt-batch-XXXXXX";
    int file = mkstemp(path);

    ck_assert_int_ge(file, 0);
    unlink(path);
    ck_assert_int_eq(write(file, " the body", 9), 9);
    open_batched(_i);
    host_start(&tasks[0], 'A', &io, "w");
    ck_assert_int_eq(
        PT_START(&host.loop, &sender, pt_send_file, .io = &io, .fd = file, .offset = 0, .size = 9),
        PT_OK);
    host_run();
    ck_assert_int_eq(hear(100), 14);
    ck_assert_str_eq(heard, "hello the body");
    close(file);
    close_batched();
}
END_TEST

START_TEST(a_socket_without_room_keeps_nothing_and_the_writer_waits)
{
    open_batched(_i);
    make_narrow();
    say(LARGE, true);
    host_run();
    ck_assert_trace(""); /* it waits for room */
    host_start(&tasks[0], 'A', &io, "W");
    host_run();
    ck_assert_trace("");
    ck_assert(hear_all(LARGE));
    ck_assert(strstr(trace_take(), "OK "));
    ck_assert(has_ended());
    close_batched();
}
END_TEST

START_TEST(what_was_written_arrives_before_the_end)
{
    open_batched(_i);
    host_start(&tasks[0], 'A', &io, "wwc");
    host_run();
    ck_assert_trace("Aw:5@0 Aw:5@0 Ac@0 ");
    ck_assert_int_eq(hear(100), 10);
    ck_assert_str_eq(heard, "hellohello");
    ck_assert(has_ended());
    close_batched();
}
END_TEST

/* Fill the socket of IO and, by the last write, the buffer of the ring: how many bytes. */
static size_t fill(void)
{
    struct pt_stream stream = pt_io_stream(&io);
    size_t sum = 0, put, size = 3001;

    for (size_t i = 0; i < sizeof said; i++)
        said[i] = (char)('a' + i % 23);
    for (int i = 0; i < 10; i++) {
        while (put = 0, stream.ops->try_write(stream.object, said + sum, size, &put) == PT_OK)
            sum += put, host_turns(1);
        host_turns(1);
        io.writable = true;
        size = 100;
    }
    return sum;
}

START_TEST(a_writer_that_finds_no_room_goes_on_when_what_was_left_is_sent)
{
    size_t size;

    open_batched(_i);
    make_narrow();
    size = fill();
    host_start(&tasks[0], 'A', &io, "w");
    host_run();
    ck_assert_trace("");
    ck_assert(hear_all(size));
    ck_assert_trace("Aw:5@0 ");
    close_batched();
}
END_TEST

/* As a call of libpt-http, which sends its request and looks for an early reply. */
START_TEST(a_try_that_finds_nothing_finds_later_what_has_come_though_no_task_waits)
{
    struct pt_stream stream;
    char data[16];
    size_t got = 0;

    open_batched(_i);
    stream = pt_io_stream(&io);
    ck_assert_int_eq(stream.ops->try_read(stream.object, data, sizeof data, &got), PT_EAGAIN);
    for (int i = 0; i < 3; i++) { /* the second read is short, and the third is not tried */
        host_put(ends[1], "news");
        host_start(&tasks[0], 'A', &io, "s");
        host_run();
        ck_assert_int_eq(stream.ops->try_read(stream.object, data, i ? 16 : 4, &got), PT_OK);
        ck_assert_uint_eq(got, 4);
        ck_assert_int_eq(stream.ops->try_read(stream.object, data, 16, &got), PT_EAGAIN);
    }
    close_batched();
}
END_TEST

START_TEST(a_try_that_finds_no_room_finds_it_later_though_no_task_waits)
{
    struct pt_stream stream;
    size_t size = 0, put = 0;

    open_batched(_i);
    make_narrow();
    stream = pt_io_stream(&io);
    while (stream.ops->try_write(stream.object, said, sizeof said, &put) == PT_OK)
        size += put;
    for (size_t sum = 0; sum < size; host_run()) {
        ssize_t part = read(ends[1], heard, sizeof heard);

        sum += part > 0 ? (size_t)part : 0;
        host_start(&tasks[0], 'A', &io, "s");
    }
    host_start(&tasks[0], 'A', &io, "s");
    host_run();
    ck_assert_int_eq(stream.ops->try_write(stream.object, "more", 4, &put), PT_OK);
    close_batched();
}
END_TEST

START_TEST(a_close_leaves_what_has_no_room_to_a_task)
{
    size_t size;

    for (int i = 0; i < 2; i++) {
        open_batched(_i);
        make_narrow();
        size = fill();
        ck_assert_int_eq(pt_io_close(&io), PT_OK);
        ck_assert_int_eq(io.fd, -1);
        ck_assert(!io.batched);
        if (i == 0) {
            ck_assert(hear_all(size));
            ck_assert(has_ended());
        } /* else the other side does not read: after a minute it has lost the rest */
        close_batched();
    }
}
END_TEST

START_TEST(a_cancel_of_all_tasks_leaves_the_rest_of_a_close_to_be_sent)
{
    size_t size;

    open_batched(_i);
    make_narrow();
    size = fill();
    ck_assert_int_eq(pt_io_close(&io), PT_OK);
    pt_loop_cancel(&host.loop, PT_ECANCELED);
    ck_assert(hear_all(size));
    ck_assert(has_ended());
    close_batched();
}
END_TEST

START_TEST(a_second_cancel_of_all_tasks_gives_up_what_a_close_has_left)
{
    open_batched(_i);
    make_narrow();
    fill();
    ck_assert_int_eq(pt_io_close(&io), PT_OK);
    pt_loop_turn(&host.loop, host.now);
    pt_loop_cancel(&host.loop, PT_ECANCELED);
    pt_loop_turn(&host.loop, host.now);
    ck_assert(pt_loop_live(&host.loop) > 0 || !host_is(_i, "io_uring"));
    pt_loop_cancel(&host.loop, PT_ECANCELED);
    host_run();
    ck_assert_int_eq(host_ms(host.now), 0);
    close_batched();
}
END_TEST

START_TEST(a_close_without_memory_for_that_task_says_so)
{
    open_batched(_i);
    make_narrow();
    fill();
    host_fail(HOST_realloc, 0, -1, ENOMEM);
    if (host_is(_i, "io_uring") && host.system.poller) {
        ck_assert_int_eq(pt_io_close(&io), PT_EIO);
        ck_assert_int_eq(io.error, ENOMEM);
    }
    host.fault.times = 0;
    close_batched();
}
END_TEST

START_TEST(a_shutdown_comes_behind_what_has_no_room)
{
    size_t size;

    open_batched(_i);
    make_narrow();
    size = fill();
    ck_assert_int_eq(pt_io_shutdown(&io, SHUT_WR), PT_OK);
    host_start(&tasks[0], 'A', &io, "w");
    host_start(&tasks[1], 'B', &io, "r");
    host_run();
    ck_assert_trace("Aw:ECLOSED@0 ");
    ck_assert(hear_all(size));
    ck_assert(has_ended());
    host_put(ends[1], "bye");
    host_run();
    ck_assert_trace("Br:bye@0 ");
    close_batched();
}
END_TEST

/* --- the other side -------------------------------------------------------------------------- */

static void reset(void)
{
    const struct linger now = {1, 0};

    setsockopt(ends[1], SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(ends[1]);
}

START_TEST(a_reset_ends_the_tasks_that_wait_and_later_operations)
{
    char what[40] = "";

    open_batched(_i);
    host_start(&tasks[0], 'A', &io, "r");
    host_start(&tasks[1], 'B', &io, "H");
    host_run();
    reset();
    host_run();
    strncat(what, trace_take(), 39);
    ck_assert(strstr(what, "Ar:E"));
    ck_assert(strstr(what, "BH@0 "));
    host_start(&tasks[0], 'A', &io, "wsw");
    host_run();
    ck_assert(strstr(trace_take(), "w:ECLOSED@")); /* as behind a socket's buffer: soon */
    close_batched();
}
END_TEST

START_TEST(a_reader_and_a_writer_wait_at_the_same_time)
{
    open_batched(_i);
    make_narrow();
    say(LARGE, false);
    host_start(&tasks[0], 'A', &io, "rr");
    host_run();
    ck_assert_trace("");
    host_put(ends[1], "one");
    host_run();
    ck_assert_trace("Ar:one@0 ");
    ck_assert(hear_all(LARGE));
    ck_assert_trace("OK ");
    host_put(ends[1], "two");
    host_run();
    ck_assert_trace("Ar:two@0 ");
    close_batched();
}
END_TEST

START_TEST(bytes_that_were_not_read_neither_hide_nor_cause_a_hangup)
{
    open_batched(_i);
    host_start(&tasks[0], 'A', &io, "R");
    host_start(&tasks[1], 'B', &io, "H");
    host_run();
    host_put(ends[1], "news");
    host_run();
    ck_assert_trace("AR@0 ");
    shutdown(ends[1], SHUT_WR);
    host_run();
    ck_assert_trace("BH@0 ");
    host_start(&tasks[0], 'A', &io, "rr");
    host_run();
    ck_assert_trace("Ar:news@0 Ar:ECLOSED@0 ");
    close_batched();
}
END_TEST

START_TEST(a_close_tells_the_other_side_at_once_whatever_waits)
{
    open_batched(_i);
    host_start(&tasks[0], 'A', &io, "r");
    host_run();
    pt_io_close(&io);
    ck_assert(has_ended());
    host_run();
    ck_assert_trace("Ar:ECLOSED@0 ");
    close_batched();
}
END_TEST

START_TEST(a_close_behind_bytes_that_were_not_read_is_no_reset_with_the_ring)
{
    open_batched(_i);
    host_start(&tasks[0], 'A', &io, "R");
    host_run();
    host_put(ends[1], "news");
    host_run();
    ck_assert_trace("AR@0 ");
    pt_io_close(&io);
    ck_assert(has_ended() == host_is(_i, "io_uring"));
    close_batched();
}
END_TEST

START_TEST(tasks_that_wait_when_it_begins_go_on)
{
    host_open(host_pollers[_i]);
    host_tcp_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    make_narrow();
    say(LARGE, false);
    host_start(&tasks[0], 'A', &io, "r");
    host_run();
    ck_assert_trace("");
    pt_io_batch(&io);
    host_run();
    host_put(ends[1], "news");
    host_run();
    ck_assert_trace("Ar:news@0 ");
    ck_assert(hear_all(LARGE));
    ck_assert_trace("OK ");
    close_batched();
}
END_TEST

/* --- moves, loans, forks, threads ------------------------------------------------------------ */

START_TEST(what_has_come_and_what_was_written_moves_with_the_pt_io)
{
    open_batched(_i);
    host_start(&tasks[0], 'A', &io, "R");
    host_run();
    host_put(ends[1], "news");
    host_run();
    host_start(&tasks[0], 'A', &io, "w");
    pt_loop_turn(&host.loop, host.now);
    other = pt_io_take(&io);
    trace_take();
    host_start(&tasks[0], 'A', &other, "rrr");
    host_run();
    ck_assert_trace("Ar:news@0 ");
    ck_assert_int_eq(hear(100), 5);
    io = pt_io_take(&io);
    host_put(ends[1], "more");
    host_run();
    ck_assert_trace("Ar:more@0 ");
    pt_io_close(&other);
    host_run();
    close_batched();
}
END_TEST

START_TEST(a_pt_io_that_borrows_it_sees_the_end)
{
    open_batched(_i);
    host_start(&tasks[0], 'A', &io, "rr");
    ck_assert_int_eq(pt_io_borrow(&other, &host.system, io.fd), PT_OK);
    host_start(&tasks[1], 'B', &other, "H");
    host_run();
    host_put(ends[1], "news");
    host_run();
    ck_assert_trace("Ar:news@0 ");
    shutdown(ends[1], SHUT_WR);
    host_run();
    ck_assert(strstr(trace_take(), "BH@0 "));
    pt_io_close(&other);
    close_batched();
}
END_TEST

START_TEST(a_release_of_a_pt_io_in_batches_stops_the_program)
{
    int status;
    pid_t child;

    open_batched(_i);
    child = fork();
    if (!child) {
        close(STDERR_FILENO);
        pt_io_release(&io);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(host_is(_i, "io_uring") ? WIFSIGNALED(status) : WIFEXITED(status));
    close_batched();
}
END_TEST

START_TEST(a_forked_process_closes_its_copy_and_takes_nothing)
{
    pid_t child;
    int status;

    open_batched(_i);
    host_start(&tasks[0], 'A', &io, "rwr");
    host_run();
    host_put(ends[1], "news");
    child = fork();
    if (!child) {
        pt_io_close(&io);
        pt_system_close(&host.system);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    host_run();
    ck_assert_trace("Ar:news@0 Aw:5@0 ");
    ck_assert_int_eq(hear(100), 5);
    host_put(ends[1], "more");
    host_run();
    ck_assert_trace("Ar:more@0 ");
    close_batched();
}
END_TEST

static void *run_there(void *nothing)
{
    host_run();
    return nothing;
}

static void *turn_there(void *nothing)
{
    host_turns(20);
    return nothing;
}

/* The loop runs in another thread. */
static void run_elsewhere(void)
{
    pthread_t thread;

    ck_assert_int_eq(pthread_create(&thread, NULL, run_there, NULL), 0);
    pthread_join(thread, NULL);
}

START_TEST(a_loop_that_moves_to_another_thread_loses_no_byte)
{
    open_batched(_i);
    host_start(&tasks[0], 'A', &io, "rwrws");
    host_run();
    host_put(ends[1], "one");
    run_elsewhere();
    ck_assert_trace("Ar:one@0 Aw:5@0 ");
    ck_assert_int_eq(hear(100), 5);
    host_put(ends[1], "two");
    host_run();
    ck_assert_trace("Ar:two@0 Aw:5@0 As@5 ");
    ck_assert_int_eq(hear(100), 5);
    close_batched();
}
END_TEST

START_TEST(what_a_ring_has_told_before_another_one_replaces_it_wakes_at_once)
{
    int pair[2];

    open_batched(_i);
    host_start(&tasks[0], 'A', &io, "r");
    host_run();
    host_put(ends[1], "news");
    host_pair(pair); /* a close lets the kernel do what it has to */
    ck_assert_int_eq(pt_io_open(&other, &host.system, pair[0]), PT_OK);
    pt_io_close(&other);
    close(pair[1]);
    host_start(&tasks[1], 'B', &io, "w");
    run_elsewhere();
    ck_assert_trace("Bw:5@0 Ar:news@0 ");
    close_batched();
}
END_TEST

START_TEST(without_a_ring_the_calls_of_the_system_carry_the_bytes)
{
    open_batched(_i);
    host_start(&tasks[0], 'A', &io, "rwr");
    host_run();
    host_fail(HOST_io_uring_queue_init_params, 0, -1, EMFILE);
    host_put(ends[1], "one");
    if (host_is(_i, "io_uring")) {
        pthread_t thread;

        host.stuck = false;
        ck_assert_int_eq(pthread_create(&thread, NULL, turn_there, NULL), 0);
        pthread_join(thread, NULL);
    } else {
        host_run();
    }
    ck_assert(strstr(trace_take(), "Ar:one@"));
    ck_assert_int_eq(hear(100), 5);
    host.fault.times = 0;
    host_put(ends[1], "two");
    host_run();
    ck_assert(strstr(trace_take(), "Ar:two@"));
    close_batched();
}
END_TEST

START_TEST(a_send_that_the_kernel_does_not_take_goes_out_later)
{
    open_batched(_i);
    host_start(&tasks[0], 'A', &io, "wsws");
    host_fail(HOST_io_uring_submit_and_wait_timeout, 0, 3, EAGAIN);
    host_turns(2);
    host_run();
    ck_assert_int_eq(hear(100), 10);
    host_start(&tasks[0], 'A', &io, "w");
    host_fail(HOST_io_uring_submit_and_wait_timeout, 0, 3, EAGAIN);
    host_turns(2);
    pt_io_close(&io);
    ck_assert_int_eq(hear(100), 5);
    ck_assert(has_ended());
    close_batched();
}
END_TEST

/* The kernel has told of a receive, by the call with which another descriptor was closed, and a close
 * of a third one has taken that; its own send was not submitted before. */
START_TEST(a_buffer_that_was_taken_between_two_waits_belongs_to_its_connection)
{
    enum { MORE_THAN_BUFFERS = 300 };
    static struct pt_io closes, plain;
    int pair[2], plain_pair[2], third[2];

    open_batched(_i);
    open_one(&other, pair);
    open_one(&closes, third);
    host_pair(plain_pair);
    ck_assert_int_eq(pt_io_open(&plain, &host.system, plain_pair[0]), PT_OK);
    host_start(&tasks[0], 'A', &io, "r");
    host_run();
    pt_cancel(&tasks[0].task, PT_ECANCELED);
    host_run();
    host_start(&tasks[1], 'B', &closes, "ws");
    host_fail(HOST_io_uring_submit_and_wait_timeout, 0, 3, EAGAIN);
    host_turns(1);
    host_put(ends[1], "news");
    pt_io_close(&plain);
    pt_io_close(&closes);
    host_run();
    trace_take();
    for (int i = 0; i < MORE_THAN_BUFFERS; i++) {
        host_start(&tasks[0], 'A', &other, "r");
        host_run();
        host_put(pair[1], "other");
        host_run();
        ck_assert(strstr(trace_take(), "Ar:other@"));
    }
    host_start(&tasks[0], 'A', &io, "r");
    host_run();
    ck_assert_trace("Ar:news@5 ");
    pt_io_close(&other);
    close(pair[1]);
    close(third[1]);
    close(plain_pair[1]);
    close_batched();
}
END_TEST

/* The kernel has not taken a receive before the close of its connection, whose number another one
 * has then. */
START_TEST(a_request_that_was_not_taken_takes_nothing_of_the_next_connection)
{
    int fd, pair[2];

    open_batched(_i);
    host_tcp_pair(pair);
    host_put(pair[1], "news");
    fd = io.fd;
    host_start(&tasks[0], 'A', &io, "r");
    host_fail(HOST_io_uring_submit_and_wait_timeout, 0, 3, EAGAIN);
    host_turns(1);
    host_fail(HOST_io_uring_submit_and_get_events, 0, 1, EAGAIN);
    pt_io_close(&io);
    ck_assert_int_eq(dup2(pair[0], fd), fd);
    close(pair[0]);
    ck_assert_int_eq(pt_io_open(&other, &host.system, fd), PT_OK);
    pt_io_batch(&other);
    host_start(&tasks[1], 'B', &other, "sr");
    host_run();
    ck_assert_trace("Ar:ECLOSED@0 Bs@5 Br:news@5 ");
    pt_io_close(&other);
    close(pair[1]);
    close_batched();
}
END_TEST

START_TEST(a_stream_whose_bytes_are_lost_does_not_go_on_behind_them)
{
    open_batched(_i);
    host_start(&tasks[0], 'A', &io, "r");
    host_run();
    if (host_is(_i, "io_uring")) {
        host_fail(HOST_io_uring_submit_and_wait_timeout, 0, 1, EBADR); /* of a completion */
        host_run();
        ck_assert_trace("Ar:EIO@0 ");
        host_put(ends[1], "news");
        host_start(&tasks[0], 'A', &io, "r");
        host_start(&tasks[1], 'B', &io, "w");
        host_run();
        ck_assert_trace("Ar:EIO@0 Bw:EIO@0 ");
        ck_assert_int_eq(io.error, ENOBUFS);
    }
    close_batched();
}
END_TEST

START_TEST(a_kernel_without_rings_of_buffers_leaves_all_as_it_was)
{
    host_open(host_pollers[_i]);
    host_fail(HOST_io_uring_register_buf_ring, 0, -1, EINVAL);
    open_one(&io, ends);
    ck_assert(!io.batched);
    host_start(&tasks[0], 'A', &io, "rw");
    host_run();
    host_put(ends[1], "news");
    host_run();
    ck_assert_trace("Ar:news@0 Aw:5@0 ");
    ck_assert_int_eq(hear(100), 5);
    close_batched();
}
END_TEST

Suite *host_suite_batch(void)
{
    Suite *suite = suite_create("batch");

    host_test(suite, the_bytes_of_all_connections_cost_one_call_of_the_system);
    host_test(suite, a_task_that_waits_to_read_gets_what_comes_in_order);
    host_test(suite, a_read_that_was_canceled_has_lost_nothing);
    host_test(suite, a_buffer_of_the_ring_that_is_filled_has_more_behind_it);
    host_test(suite, parts_datagrams_and_cases_of_a_select_read_the_same_bytes);
    host_test(suite, more_connections_than_buffers_read_all_that_came);
    host_test(suite, urgent_data_is_passed_over_as_by_a_read);
    host_test(suite, short_and_long_writes_arrive_in_order);
    host_test(suite, a_file_is_sent_behind_what_was_written);
    host_test(suite, a_socket_without_room_keeps_nothing_and_the_writer_waits);
    host_test(suite, what_was_written_arrives_before_the_end);
    host_test(suite, a_writer_that_finds_no_room_goes_on_when_what_was_left_is_sent);
    host_test(suite, a_try_that_finds_nothing_finds_later_what_has_come_though_no_task_waits);
    host_test(suite, a_try_that_finds_no_room_finds_it_later_though_no_task_waits);
    host_test(suite, a_close_leaves_what_has_no_room_to_a_task);
    host_test(suite, a_cancel_of_all_tasks_leaves_the_rest_of_a_close_to_be_sent);
    host_test(suite, a_second_cancel_of_all_tasks_gives_up_what_a_close_has_left);
    host_test(suite, a_close_without_memory_for_that_task_says_so);
    host_test(suite, a_shutdown_comes_behind_what_has_no_room);
    host_test(suite, a_reset_ends_the_tasks_that_wait_and_later_operations);
    host_test(suite, a_reader_and_a_writer_wait_at_the_same_time);
    host_test(suite, bytes_that_were_not_read_neither_hide_nor_cause_a_hangup);
    host_test(suite, a_close_tells_the_other_side_at_once_whatever_waits);
    host_test(suite, a_close_behind_bytes_that_were_not_read_is_no_reset_with_the_ring);
    host_test(suite, tasks_that_wait_when_it_begins_go_on);
    host_test(suite, what_has_come_and_what_was_written_moves_with_the_pt_io);
    host_test(suite, a_pt_io_that_borrows_it_sees_the_end);
    host_test(suite, a_release_of_a_pt_io_in_batches_stops_the_program);
    host_test(suite, a_forked_process_closes_its_copy_and_takes_nothing);
    host_test(suite, a_loop_that_moves_to_another_thread_loses_no_byte);
    host_test(suite, what_a_ring_has_told_before_another_one_replaces_it_wakes_at_once);
    host_test(suite, without_a_ring_the_calls_of_the_system_carry_the_bytes);
    host_test(suite, a_send_that_the_kernel_does_not_take_goes_out_later);
    host_test(suite, a_buffer_that_was_taken_between_two_waits_belongs_to_its_connection);
    host_test(suite, a_request_that_was_not_taken_takes_nothing_of_the_next_connection);
    host_test(suite, a_stream_whose_bytes_are_lost_does_not_go_on_behind_them);
    host_test(suite, a_kernel_without_rings_of_buffers_leaves_all_as_it_was);
    return suite;
}
