/* test_take.c - descriptors that move from one task to another: what happens to them on their way
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <pt/host/native_io.h>

static actor_task a, b;
static struct pt_io io, other;
static int ends[2];

static void open_pair(int poller)
{
    host_open(host_pollers[poller]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
}

/* With TCP there is urgent data, and a short read is the last one, as long as the end is unknown. */
static void open_tcp_pair(int poller)
{
    host_open(host_pollers[poller]);
    host_tcp_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
}

static void close_all(void)
{
    pt_io_close(&io); /* of no effect, if it was taken */
    pt_io_close(&other);
    close(ends[1]);
    host_close();
}

START_TEST(a_taken_descriptor_gets_its_events_at_its_new_pt_io)
{
    open_pair(_i);
    other = pt_io_take(&io);
    ck_assert_int_eq(io.fd, -1);
    host_start(&a, 'A', &other, "r");
    host_start(&b, 'B', &io, "r");
    host_run();
    host_put(ends[1], "moved");
    host_run();
    ck_assert_trace("Br:ECLOSED@0 Ar:moved@0 ");
    close_all();
}
END_TEST

/* As a table of descriptors does that closes its gaps. */
START_TEST(a_pt_io_that_is_taken_to_where_it_is_stays_open)
{
    open_pair(_i);
    io = pt_io_take(&io);
    host_start(&a, 'A', &io, "r");
    host_run();
    host_put(ends[1], "here");
    host_run();
    ck_assert_trace("Ar:here@0 ");
    close_all();
}
END_TEST

/* The poller reports what happens in the first 5 ms. Then an actor does STEPS. */
static void meet(const char *steps)
{
    host_start(&b, 'B', &other, "s");
    host_run();
    host_start(&a, 'A', &other, steps);
    host_run();
}

/* The other side says bye, and ends, while the descriptor is on its way. */
static void end_on_the_way(int poller)
{
    open_tcp_pair(poller);
    host_start(&a, 'A', &io, "s");
    host_run();
    other = pt_io_take(&io);
    host_put(ends[1], "bye");
    ck_assert_int_eq(shutdown(ends[1], SHUT_WR), 0);
}

START_TEST(the_end_of_the_other_side_is_not_missed_on_the_way)
{
    end_on_the_way(_i);
    meet("rr");
    ck_assert_trace("As@5 Bs@10 Ar:bye@10 Ar:ECLOSED@10 ");
    close_all();
}
END_TEST

START_TEST(what_was_missed_counts_after_a_second_take)
{
    end_on_the_way(_i);
    meet("");
    io = pt_io_take(&other);
    other = pt_io_take(&io);
    meet("rr");
    ck_assert_trace("As@5 Bs@10 Bs@15 Ar:bye@15 Ar:ECLOSED@15 ");
    close_all();
}
END_TEST

/* A pair of sockets, the first at FD. */
static void tcp_pair_at(int fd)
{
    int high;

    host_tcp_pair(ends);
    high = fcntl(ends[1], F_DUPFD, 100);
    close(ends[1]);
    ends[1] = high;
    if (ends[0] == fd)
        return;
    ck_assert_int_eq(dup2(ends[0], fd), fd);
    close(ends[0]);
    ends[0] = fd;
}

START_TEST(what_an_owner_before_has_missed_does_not_count)
{
    int fd;

    open_tcp_pair(_i);
    fd = io.fd;
    other = pt_io_take(&io);
    ck_assert_int_eq(shutdown(ends[1], SHUT_WR), 0);
    meet("r");
    ck_assert_trace("Bs@5 Ar:ECLOSED@5 ");
    pt_io_close(&other);
    close(ends[1]);
    tcp_pair_at(fd);
    ck_assert_int_eq(pt_io_open(&io, &host.system, fd), PT_OK);
    other = pt_io_take(&io);
    host_put(ends[1], "x");
    meet("r");
    ck_assert_trace("Bs@10 Ar:x@10 ");
    ck_assert(!other.ended);
    close_all();
}
END_TEST

START_TEST(urgent_data_is_not_missed_on_the_way)
{
    open_tcp_pair(_i);
    other = pt_io_take(&io);
    host_put(ends[1], "before");
    ck_assert_int_eq(send(ends[1], "!", 1, MSG_OOB), 1);
    host_put(ends[1], "behind");
    meet("rr"); /* the first one stops there */
    ck_assert_trace("Bs@5 Ar:before@5 Ar:behind@5 ");
    close_all();
}
END_TEST

/* Parks until IO is readable, so that its bits tell so, and is canceled. */
static void find_it_empty(void)
{
    host_start(&a, 'A', &io, "r");
    host_run();
    pt_cancel(&a.task, PT_ECANCELED);
    host_run();
    ck_assert(pt_task_done(&a.task));
    trace_take();
}

START_TEST(data_and_room_are_not_missed_on_the_way)
{
    static const char *const steps[] = {"r", "Rr", "w", "Ww"};
    static const char *const told[] = {"Bs@5 Ar:x@5 ", "Bs@5 AR@5 Ar:x@5 ", "Bs@5 Aw:5@5 ",
                                       "Bs@5 AW@5 Aw:5@5 "};

    for (int i = 0; i < 4; i++) {
        open_pair(_i);
        find_it_empty();
        other = pt_io_take(&io);
        host_put(ends[1], "x");
        meet(steps[i]);
        ck_assert_trace(told[i]);
        close_all();
    }
}
END_TEST

/* Waits for all that a select can wait for. */
struct choice {
    struct pt pt;
    PT_SELECTION(2) next;
    bool hangs_up;
};

static PT_ASYNC(choice, self)
{
    if (self->hangs_up)
        PT_SELECT(&self->next, PT_CASE_HANGUP(&other), PT_CASE_AFTER(PT_MS(20)));
    else
        PT_SELECT(&self->next, PT_CASE_READABLE(&other), PT_CASE_AFTER(PT_MS(20)));
    trace_add("%d:%s@%d ", PT_SELECTED(&self->next), pt_status_name(self->pt.status) + 3,
              host_ms(PT_NOW()));
}
PT_END

START_TEST(a_select_and_a_hangup_find_a_taken_descriptor)
{
    static const char *const told[] = {"Bc@0 0:OK@0 ", "Bs@5 Bc@5 0:OK@5 "};
    static PT_TASK(choice) task;
    static struct pt_io far;

    for (int i = 0; i < 4; i++) { /* the event comes before the wait, or later */
        open_pair(_i);
        ck_assert_int_eq(pt_io_open(&far, &host.system, ends[1]), PT_OK);
        find_it_empty();
        other = pt_io_take(&io);
        host_start(&b, 'B', &far, i < 2 ? "c" : "sc");
        PT_START(&host.loop, &task, choice, .hangs_up = i % 2);
        host_run();
        ck_assert_trace(told[i / 2]);
        ends[1] = -1;
        close_all();
    }
}
END_TEST

START_TEST(a_wait_for_the_hangup_finds_a_taken_descriptor)
{
    static struct pt_io far;

    open_pair(_i);
    ck_assert_int_eq(pt_io_open(&far, &host.system, ends[1]), PT_OK);
    other = pt_io_take(&io);
    host_start(&a, 'A', &other, "H");
    host_start(&b, 'B', &far, "sc");
    host_run();
    ck_assert_trace("Bs@5 Bc@5 AH@5 ");
    ends[1] = -1;
    close_all();
}
END_TEST

START_TEST(a_descriptor_is_taken_on_and_on_and_closed_on_its_way)
{
    int before = host_descriptors(), fd;

    open_pair(_i);
    for (int i = 0; i < 3; i++) {
        other = pt_io_take(&io);
        io = pt_io_take(&other);
    }
    fd = io.fd;
    ck_assert_int_eq(pt_io_open(&other, &host.system, fd), PT_EBUSY);
    meet("");
    pt_io_close(&io);
    ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
    ck_assert_int_eq(dup2(ends[1], fd), fd); /* its number is free, in the loop, too */
    ck_assert_int_eq(pt_io_open(&io, &host.system, fd), PT_OK);
    trace_take();
    close_all();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

/* A start with PT_DEBUG asks this, before it zeroes a frame. */
START_TEST(an_open_pt_io_is_found_where_it_was_taken_to)
{
    open_pair(_i);
    other = pt_io_take(&io);
    ck_assert(pt_io_is_open_within_(&host.loop, (uintptr_t)&other, sizeof other));
    ck_assert(!pt_io_is_open_within_(&host.loop, (uintptr_t)&io, sizeof io));
    pt_io_close(&other);
    ck_assert(!pt_io_is_open_within_(&host.loop, (uintptr_t)&other, sizeof other));
    close_all();
}
END_TEST

/* Parks. */
struct parked {
    struct pt pt;
};

static PT_ASYNC(parked, self)
{
    PT_PARK();
}
PT_END

START_TEST(an_open_pt_io_is_found_from_a_loop_within_the_systems)
{
    static PT_TASK(parked) task;
    static PT_TASK(pt_loop_async) runs;
    static struct pt_loop inner;

    open_pair(_i);
    pt_loop_open(&inner, &pt_posix);
    ck_assert_int_eq(PT_START(&inner, &task, parked), PT_OK);
    ck_assert(!pt_io_is_open_within_(&inner, (uintptr_t)&io, sizeof io));
    ck_assert_int_eq(PT_START(&host.loop, &runs, pt_loop_async, .loop = &inner), PT_OK);
    host_turns(2);
    ck_assert(pt_io_is_open_within_(&inner, (uintptr_t)&io, sizeof io));
    pt_cancel(&runs.task, PT_ECANCELED);
    host_run();
    pt_loop_close(&inner);
    close_all();
}
END_TEST

/* A function before has left them there: it took IO for a task that has not run yet. */
START_TEST(bytes_of_a_taken_pt_io_on_the_stack_are_not_an_open_one)
{
    struct pt_io local;

    open_pair(_i);
    other = pt_io_take(&io);
    memcpy(&local, &other, sizeof local);
    ck_assert(!pt_io_is_open_within_(&host.loop, (uintptr_t)&local, sizeof local));
    local = pt_io_take(&other);
    host_start(&a, 'A', &local, "w");
    host_run(); /* the operation tells where it is */
    ck_assert(pt_io_is_open_within_(&host.loop, (uintptr_t)&local, sizeof local));
    pt_io_close(&local);
    close_all();
}
END_TEST

START_TEST(a_file_is_taken_as_a_socket_is)
{
    host_open(host_pollers[_i]);
    ends[1] = -1;
    ck_assert_int_eq(pt_io_open(&io, &host.system, open("/proc/self/comm", O_RDONLY)), PT_OK);
    other = pt_io_take(&io);
    ck_assert(!other.polled);
    meet("r");
    ck_assert_int_eq(strncmp(trace_take(), "Bs@5 Ar:", 8), 0);
    close_all();
}
END_TEST

START_TEST(a_copy_that_is_closed_does_not_make_a_taken_descriptor_blocking)
{
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(pt_io_open(&io, &host.system, dup(ends[0])), PT_OK);
    ck_assert_int_eq(pt_io_open(&other, &host.system, ends[0]), PT_OK);
    other = pt_io_take(&other);
    pt_io_close(&io);
    host_put(ends[1], "x");
    meet("r");
    ck_assert_trace("Bs@5 Ar:x@5 ");
    ck_assert_int_ne(fcntl(ends[0], F_GETFL) & O_NONBLOCK, 0);
    ck_assert_int_eq(host.system.sharing, 0);
    io = other;
    io.fd = dup(ends[0]);
    pt_io_close(&other);
    ck_assert_int_eq(fcntl(io.fd, F_GETFL) & O_NONBLOCK, 0);
    close(io.fd);
    io.system = NULL;
    close_all();
}
END_TEST

/* --- from the task that accepts to the one that serves ------------------------------------------ */

/* Reads up to the end. It yields at first: a cancel can come before it has used what it was given. */
struct guest {
    struct pt pt;
    struct pt_io io;
    size_t got;
    int yields;
    char data[16];
};

static PT_ASYNC(guest, self)
{
    while (self->yields-- > 0)
        PT_YIELD();
    do
        PT_READ(&self->io, self->data, sizeof self->data, &self->got);
    while (self->pt.status == PT_OK);
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

enum storage { POOL, WAITS, HEAP, OWN, GROUP, STORAGES };

/* Gives each connection to a guest in one kind of storage. */
struct server {
    struct pt pt;
    struct pt_io listener, peer;
    struct pt_group group;
    enum storage storage;
    int yields;
    bool cancels; /* each guest, in the step that starts it */
    PT_TASK(guest) own;
};

static PT_POOL(guest, 2) pool;

#define GIVEN(self) .io = pt_io_take(&(self)->peer), .yields = (self)->yields

static PT_ASYNC(server, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        for (;;) {
            PT_ACCEPT(&self->listener, &self->peer);
            if (self->pt.status != PT_OK)
                break;
            if (self->storage == POOL)
                PT_SPAWN_FROM(&pool, guest, GIVEN(self));
            if (self->storage == WAITS)
                PT_SPAWN_WHEN_FREE(&pool, guest, GIVEN(self));
            if (self->storage == HEAP)
                PT_SPAWN_NEW(guest, GIVEN(self));
            if (self->storage == OWN && !pt_task_alive(&self->own.task))
                PT_SPAWN(&self->own, guest, GIVEN(self));
            if (self->storage == GROUP && !pt_task_alive(&self->own.task))
                PT_SPAWN_IN(&self->group, &self->own, guest, GIVEN(self));
            if (self->cancels && self->storage >= OWN)
                pt_cancel(&self->own.task, PT_ECANCELED);
            pt_io_close(&self->peer);
        }
    }
    PT_FINALLY
    pt_io_close(&self->peer);
    pt_io_close(&self->listener);
}
PT_END

/* Cancels all tasks after some turns. */
struct canceler {
    struct pt pt;
    int turns;
};

static PT_ASYNC(canceler, self)
{
    while (self->turns-- > 0)
        PT_YIELD();
    pt_loop_cancel(pt_current_->loop, PT_ECANCELED);
}
PT_END

static struct sockaddr_un address(void)
{
    struct sockaddr_un name;

    memset(&name, 0, sizeof name);
    name.sun_family = AF_UNIX;
    snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "pt-take-%d", (int)getpid());
    return name;
}

static PT_TASK(server) server;
static PT_TASK(canceler) canceler;

/* Open a server to which three clients have connected. */
static void open_server(int poller, int clients[3])
{
    struct sockaddr_un name = address();

    host_open(host_pollers[poller]);
    memset(&server, 0, sizeof server);
    memset(&pool, 0, sizeof pool);
    ck_assert_int_eq(pt_listen(&server.frame.listener, &host.system,
                               (const struct sockaddr *)(const void *)&name, sizeof name, false),
                     PT_OK);
    for (int i = 0; i < 3; i++) {
        clients[i] = socket(AF_UNIX, SOCK_STREAM, 0);
        ck_assert_int_eq(
            connect(clients[i], (const struct sockaddr *)(const void *)&name, sizeof name), 0);
        host_put(clients[i], "hello");
    }
}

/* Run until all tasks are canceled, after some TURNS. The server must have closed what it opened. */
static void end_in_turn(int turns, const int clients[3])
{
    PT_START(&host.loop, &canceler, canceler, .turns = turns);
    ck_assert_int_eq(pt_loop_run(&host.loop), PT_OK);
    for (int i = 0; i < 3; i++)
        close(clients[i]);
    host_close();
}

START_TEST(a_cancel_in_any_turn_loses_no_connection)
{
    int before = host_descriptors(), clients[3];

    for (enum storage storage = POOL; storage < STORAGES; storage++)
        for (int yields = 0; yields < 3; yields++)
            for (int turns = 0; turns < 8; turns++) {
                open_server(_i, clients);
                PT_START(&host.loop, &server, server, PT_KEEP, .storage = storage, .yields = yields,
                         .cancels = yields % 2);
                end_in_turn(turns, clients);
                ck_assert_int_eq(host_descriptors(), before);
            }
}
END_TEST

/* The same, with an ordinary function that accepts. */
static pt_status accept_all(struct pt_native *self)
{
    struct server *frame = (struct server *)self->argument;
    pt_status status;

    while ((status = pt_native_accept(self, &frame->listener, &frame->peer)) == PT_OK) {
        if (frame->yields % 2)
            (void)pt_native_spawn_from(self, &pool, guest, GIVEN(frame));
        else
            (void)pt_native_spawn_new(self, guest, GIVEN(frame));
        pt_io_close(&frame->peer);
    }
    pt_io_close(&frame->listener);
    return status;
}

START_TEST(a_native_server_that_is_canceled_in_any_turn_loses_no_connection)
{
    static char stack[32768];
    static PT_TASK(pt_native) accepting;
    int before = host_descriptors(), clients[3];

    for (int yields = 0; yields < 4; yields++)
        for (int turns = 0; turns < 8; turns++) {
            open_server(_i, clients);
            server.frame.yields = yields;
            PT_START(&host.loop, &accepting, pt_native, .function = accept_all,
                     .argument = &server.frame, .stack = stack, .bytes = sizeof stack);
            end_in_turn(turns, clients);
            ck_assert_int_eq(host_descriptors(), before);
        }
}
END_TEST

Suite *host_suite_take(void)
{
    Suite *suite = suite_create("take");

    host_test(suite, a_taken_descriptor_gets_its_events_at_its_new_pt_io);
    host_test(suite, a_pt_io_that_is_taken_to_where_it_is_stays_open);
    host_test(suite, the_end_of_the_other_side_is_not_missed_on_the_way);
    host_test(suite, what_was_missed_counts_after_a_second_take);
    host_test(suite, what_an_owner_before_has_missed_does_not_count);
    host_test(suite, urgent_data_is_not_missed_on_the_way);
    host_test(suite, data_and_room_are_not_missed_on_the_way);
    host_test(suite, a_select_and_a_hangup_find_a_taken_descriptor);
    host_test(suite, a_wait_for_the_hangup_finds_a_taken_descriptor);
    host_test(suite, a_descriptor_is_taken_on_and_on_and_closed_on_its_way);
    host_test(suite, an_open_pt_io_is_found_where_it_was_taken_to);
    host_test(suite, an_open_pt_io_is_found_from_a_loop_within_the_systems);
    host_test(suite, bytes_of_a_taken_pt_io_on_the_stack_are_not_an_open_one);
    host_test(suite, a_file_is_taken_as_a_socket_is);
    host_test(suite, a_copy_that_is_closed_does_not_make_a_taken_descriptor_blocking);
    host_test(suite, a_cancel_in_any_turn_loses_no_connection);
    host_test(suite, a_native_server_that_is_canceled_in_any_turn_loses_no_connection);
    return suite;
}
