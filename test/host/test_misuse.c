/* test_misuse.c - mistakes that stop the program with a message, in every build of the library
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <netinet/in.h>
#include <pt/host/native_io.h>

#include <signal.h>

static const char *poller;
static struct pt_io never_opened, io;
static struct sockaddr_storage from;
static size_t count;

/* --- a pt_io that was never opened ------------------------------------------------------------ */

enum operation {
    READ,
    WRITE,
    READV,
    WRITEV,
    RECVFROM,
    SENDTO,
    ACCEPT,
    CONNECT,
    READABLE,
    WRITABLE,
    HANGUP,
    CASE_READABLE,
    CASE_HANGUP,
    SIGNAL,
    SHUTDOWN
};

static enum operation operation;
static struct pt_signals no_signals;

struct user {
    struct pt pt;
    PT_SELECTION(1) choice;
    struct iovec part;
    struct pt_io peer;
    int number;
};

static PT_ASYNC(user, self)
{
    if (operation == READ)
        PT_READ(&never_opened, &self->number, 1, &count);
    if (operation == WRITE)
        PT_WRITE(&never_opened, &self->number, 1, &count);
    if (operation == READV)
        PT_READV(&never_opened, &self->part, 1, &count);
    if (operation == WRITEV)
        PT_WRITEV(&never_opened, &self->part, 1, &count);
    if (operation == RECVFROM)
        PT_RECVFROM(&never_opened, &self->number, 1, &count, &from);
    if (operation == SENDTO)
        PT_SENDTO(&never_opened, &self->number, 1, (struct sockaddr *)&from, sizeof from);
    if (operation == ACCEPT)
        PT_ACCEPT(&never_opened, &self->peer);
    if (operation == CONNECT)
        PT_CONNECT(&never_opened, (struct sockaddr *)&from, sizeof from);
    if (operation == READABLE)
        PT_WAIT_READABLE(&never_opened);
    if (operation == WRITABLE)
        PT_WAIT_WRITABLE(&never_opened);
    if (operation == HANGUP)
        PT_WAIT_HANGUP(&never_opened);
    if (operation == CASE_READABLE)
        PT_SELECT(&self->choice, PT_CASE_READABLE(&never_opened));
    if (operation == CASE_HANGUP)
        PT_SELECT(&self->choice, PT_CASE_HANGUP(&never_opened));
    if (operation == SIGNAL)
        PT_WAIT_SIGNAL(&no_signals, &self->number);
    if (operation == SHUTDOWN)
        self->pt.status = pt_io_shutdown(&never_opened, SHUT_RDWR);
}
PT_END

static PT_TASK(user) task;

static void use(void)
{
    host_open(poller);
    (void)PT_START(&host.loop, &task, user);
    host_run();
}

START_TEST(a_use_of_a_pt_io_that_was_never_opened_stops_the_program)
{
    static const char *const names[] = {"PT_READ",          "PT_WRITE",       "PT_READV",
                                        "PT_WRITE",         "PT_RECVFROM",    "PT_SENDTO",
                                        "PT_ACCEPT",        "PT_CONNECT",     "PT_WAIT_READABLE",
                                        "PT_WAIT_WRITABLE", "PT_WAIT_HANGUP", "PT_CASE_READABLE",
                                        "PT_CASE_HANGUP",   "PT_WAIT_SIGNAL", "pt_io_shutdown"};
    char text[80];

    poller = host_pollers[_i];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        operation = (enum operation)i;
        snprintf(text, sizeof text, "pt: %s: %s was never opened", names[i],
                 operation == SIGNAL ? "the pt_signals" : "the pt_io");
        host_stops(use, text);
    }
}
END_TEST

/* One that was closed, or whose opening failed, is not a mistake. */
START_TEST(a_use_of_a_pt_io_that_is_closed_gets_its_code)
{
    actor_task a = {0};
    struct pt_io other;

    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_io_open(&io, &host.system, -1), PT_EIO);
    host_start(&a, 'A', &io, "r");
    host_run();
    ck_assert_trace("Ar:EIO@0 ");
    other = pt_io_take(&io);
    ck_assert_ptr_null(other.system);
    host_start(&a, 'A', &io, "r");
    host_run();
    ck_assert_trace("Ar:ECLOSED@0 ");
    host_close();
}
END_TEST

/* --- a pt_system that is closed too early ------------------------------------------------------ */

struct forever {
    struct pt pt;
};

static PT_ASYNC(forever, self)
{
    PT_PARK();
}
PT_END

static PT_TASK(forever) left;
static int ends[2];

static void copy(void)
{
    static actor_task a;
    struct pt_io copied;
    int two[2];

    host_open(poller);
    host_pair(two);
    (void)pt_io_open(&io, &host.system, two[0]);
    copied = io;
    host_start(&a, 'A', &copied, "r");
    host_run();
}

START_TEST(a_wait_on_a_copy_of_a_pt_io_stops_the_program)
{
    poller = host_pollers[_i];
    host_stops(copy,
               "pt: a wait for a descriptor: the pt_io is a copy of an open one: see pt_io_take");
}
END_TEST

/* Accepts two connections, and forgets the first. */
struct forgets {
    struct pt pt;
    struct pt_io peer;
};

static PT_ASYNC(forgets, self)
{
    PT_ACCEPT(&io, &self->peer);
    PT_ACCEPT(&io, &self->peer);
}
PT_END

static pt_status forget(struct pt_native *self)
{
    static struct pt_io peer;

    while (pt_native_accept(self, &io, &peer) == PT_OK) {
    }
    return PT_OK;
}

static bool is_native;

static void accept_two(void)
{
    static PT_TASK(forgets) forgetful;
    static PT_TASK(pt_native) native;
    static char stack[32768];
    struct sockaddr_in name = {0};
    socklen_t length = sizeof name;

    host_open(poller);
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    (void)pt_listen(&io, &host.system, (struct sockaddr *)&name, sizeof name, false);
    getsockname(io.fd, (struct sockaddr *)&name, &length);
    for (int i = 0; i < 2; i++)
        (void)!connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&name, sizeof name);
    if (is_native)
        PT_START(&host.loop, &native, pt_native, .function = forget, .stack = stack,
                 .bytes = sizeof stack);
    else
        PT_START(&host.loop, &forgetful, forgets);
    host_run();
}

START_TEST(an_accept_into_an_open_pt_io_is_told)
{
    poller = host_pollers[_i];
    if (!PT_DEBUG)
        return;
    is_native = false;
    host_stops(accept_two, "pt: PT_ACCEPT: the pt_io is open, and its descriptor would be lost");
    is_native = true;
    host_stops(accept_two, "pt: pt_native_accept: the pt_io is open");
}
END_TEST

static void take_from_a_reader(void)
{
    static actor_task a;
    struct pt_io taken;
    int two[2];

    host_open(poller);
    host_pair(two);
    (void)pt_io_open(&io, &host.system, two[0]);
    host_start(&a, 'A', &io, "r");
    host_run();
    taken = pt_io_take(&io);
    pt_io_close(&taken);
}

START_TEST(a_take_of_a_descriptor_that_a_task_waits_for_stops_the_program)
{
    poller = host_pollers[_i];
    host_stops(take_from_a_reader, "pt: pt_io_take: a task waits for the descriptor");
}
END_TEST

static void close_with_a_task(void)
{
    host_open(poller);
    (void)PT_START(&host.loop, &left, forever);
    host_run();
    pt_system_close(&host.system);
}

static void close_with_a_descriptor(void)
{
    int two[2];

    host_open(poller);
    host_pair(two);
    dup2(two[0], 77);
    (void)pt_io_open(&io, &host.system, 77);
    pt_system_close(&host.system);
}

START_TEST(a_close_with_a_task_alive_names_the_task)
{
    poller = host_pollers[_i];
    host_stops(close_with_a_task, "forever: is parked");
    host_stops(close_with_a_task, "pt: pt_system_close: tasks are still alive: end them by");
}
END_TEST

START_TEST(a_close_with_a_pt_io_open_names_its_descriptor)
{
    poller = host_pollers[_i];
    host_stops(close_with_a_descriptor, "pt: pt_system_close: the pt_io of descriptor 77 is open");
}
END_TEST

static void open_signals_twice(void)
{
    static struct pt_signals signals;

    host_open(poller);
    for (int i = 0; i < 2; i++)
        if (pt_signals_open(&signals, &host.system) == PT_OK)
            pt_signals_watch(&signals, i ? SIGUSR2 : SIGUSR1);
    raise(SIGUSR1);
}

START_TEST(signals_that_are_opened_twice_stop_the_program)
{
    poller = host_pollers[_i];
    host_stops(open_signals_twice,
               "pt: pt_signals_open: it is open already: pt_signals_close it first");
}
END_TEST

static void open_the_system_twice(void)
{
    host_open(poller);
    for (int i = 0; i < 2; i++)
        if (pt_dump_on_signal(&host.system, i ? SIGUSR2 : SIGUSR1) == PT_OK)
            (void)!pt_system_open(&host.system, &host.loop, poller);
}

START_TEST(a_system_that_prints_on_a_signal_and_is_opened_twice_stops_the_program)
{
    poller = host_pollers[_i];
    host_stops(open_the_system_twice,
               "pt: pt_system_open: it is open already: pt_system_close it first");
}
END_TEST

static void close_the_parents(void)
{
    pt_system_close(&host.system);
    pt_io_close(&io);
    dprintf(2, "it goes on");
    raise(SIGTRAP);
}

/* The tasks and descriptors are still those of its parent; it closes its copies in any order. */
START_TEST(a_forked_process_may_close_a_system_with_tasks)
{
    actor_task a = {0};

    host_open(host_pollers[_i]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    (void)PT_START(&host.loop, &left, forever);
    host_start(&a, 'A', &io, "r");
    host_run();
    host_stops(close_the_parents, "it goes on");
    pt_io_close(&io);
    pt_cancel(&left.task, PT_ECANCELED);
    host_run();
    host_close();
    close(ends[1]);
}
END_TEST

/* --- a borrowed pt_io, and a guest --------------------------------------------------------------- */

static void read_what_is_borrowed(void)
{
    actor_task a = {0};

    host_open(poller);
    host_pair(ends);
    pt_io_borrow(&io, &host.system, ends[0]);
    host_start(&a, 'A', &io, "r");
    host_run();
}

static void take_what_is_borrowed(void)
{
    host_open(poller);
    host_pair(ends);
    pt_io_borrow(&io, &host.system, ends[0]);
    never_opened = pt_io_take(&io);
}

static void close_with_a_loan(void)
{
    host_open(poller);
    host_pair(ends);
    pt_io_borrow(&io, &host.system, ends[0]);
    pt_system_close(&host.system);
}

START_TEST(a_borrowed_pt_io_only_waits_and_ends_before_its_system)
{
    poller = host_pollers[_i];
    host_stops(read_what_is_borrowed,
               "pt: PT_READ: the pt_io is borrowed, it only waits: see pt_io_borrow");
    host_stops(take_what_is_borrowed,
               "pt: pt_io_take: the pt_io is borrowed: call pt_io_borrow for another one");
    host_stops(close_with_a_loan, "pt: pt_system_close: a pt_io that borrows descriptor");
}
END_TEST

struct inside {
    struct pt pt;
};

static PT_ASYNC(inside, self)
{
    (void)self;
    pt_system_dispatch(&host.system, 1);
}
PT_END

static void dispatch_in_a_task(void)
{
    static PT_TASK(inside) in;

    host_open(poller);
    (void)PT_START(&host.loop, &in, inside);
    pt_system_dispatch(&host.system, 1);
}

static void dispatch_nothing(void)
{
    host_open(poller);
    pt_system_dispatch(&host.system, 0);
}

START_TEST(a_dispatch_in_a_task_or_without_a_turn_stops_the_program)
{
    poller = host_pollers[_i];
    host_stops(dispatch_in_a_task, "pt: pt_system_dispatch: called from a task of the same loop");
    host_stops(dispatch_nothing, "pt: pt_system_dispatch: it may make no turn: pass 1 or more");
}
END_TEST

/* --- a frame or an object that lacks something ------------------------------------------------- */

static PT_TASK(pt_read_exactly) exactly;
static PT_TASK(pt_write_all) all;
static PT_TASK(pt_read_line) line;
static PT_TASK(pt_read_until) until;
static PT_TASK(pt_peek) peek;
static PT_TASK(pt_flush) flush;
static PT_TASK(pt_finish) finish;
static PT_TASK(pt_blocking) call;
static PT_TASK(pt_wait_process) process;
static PT_TASK(pt_file_rename) renaming;
static PT_TASK(pt_file_remove) removing;
static PT_TASK(pt_run_process) run;
static PT_TASK(pt_file_load) load;
static PT_TASK(pt_send_file) sending;
static const char *nothing[] = {NULL};
static struct pt_process no_program, no_words = {.words = nothing};
static PT_TASK(pt_resolve) query;
static struct pt_reader no_reader, reader;
static struct pt_writer no_writer, writer;
static struct pt_stream no_stream;
static char room[8];
static struct pt_workers no_workers, workers;
static struct pt_system no_system;
static struct pt_pollset no_set;
static PT_TASK(pt_pollset_wait) set_wait;
static struct pt_team no_team;

static void work(void *argument)
{
    (void)argument;
}

#define LACKING(X)                                                                                \
    X("pt_read_exactly: .reader is not set", PT_START(&host.loop, &exactly, pt_read_exactly))     \
    X("pt_write_all: .writer is not set", PT_START(&host.loop, &all, pt_write_all, .data = "x"))  \
    X("pt_read_line: .reader is not set", PT_START(&host.loop, &line, pt_read_line))              \
    X("pt_read_line: the pt_reader was not initialized",                                          \
      PT_START(&host.loop, &line, pt_read_line, .reader = &no_reader))                            \
    X("pt_read_until: .reader is not set",                                                        \
      PT_START(&host.loop, &until, pt_read_until, .delimiter = ";"))                              \
    X("pt_read_until: .delimiter is not set",                                                     \
      PT_START(&host.loop, &until, pt_read_until, .reader = &no_reader))                          \
    X("pt_read_until: .delimiter is empty",                                                       \
      PT_START(&host.loop, &until, pt_read_until, .reader = &no_reader, .delimiter = ""))         \
    X("pt_peek: .reader is not set", PT_START(&host.loop, &peek, pt_peek))                        \
    X("pt_flush: .writer is not set", PT_START(&host.loop, &flush, pt_flush))                     \
    X("pt_flush: the pt_writer was not initialized",                                              \
      PT_START(&host.loop, &flush, pt_flush, .writer = &no_writer))                               \
    X("pt_printf: the pt_writer was not initialized", pt_printf(&no_writer, "x"))                 \
    X("pt_reader_init: the stream has no try_read",                                               \
      (pt_reader_init(&reader, no_stream, room, sizeof room), 0))                                 \
    X("pt_writer_init: the stream has no try_write",                                              \
      (pt_writer_init(&writer, no_stream, room, sizeof room), 0))                                 \
    X("pt_reader_init_memory: the buffer has no room for a 0",                                    \
      (pt_reader_init_memory(&reader, room, sizeof room, sizeof room), 0))                        \
    X("pt_writer_init_memory: the buffer has no room for a 0",                                    \
      (pt_writer_init_memory(&writer, room, 0), 0))                                               \
    X("pt_finish: .io is not set", PT_START(&host.loop, &finish, pt_finish))                      \
    X("pt_blocking: .workers is not set", PT_START(&host.loop, &call, pt_blocking, .work = work)) \
    X("pt_blocking: .work is not set",                                                            \
      PT_START(&host.loop, &call, pt_blocking, .workers = &workers))                              \
    X("pt_blocking: the workers are not open",                                                    \
      PT_START(&host.loop, &call, pt_blocking, .workers = &no_workers, .work = work))             \
    X("pt_wait_process: .system is not set",                                                      \
      PT_START(&host.loop, &process, pt_wait_process, .pid = 1))                                  \
    X("pt_blocking: .workers is not set", PT_START(&host.loop, &load, pt_file_load, .path = "x")) \
    X("pt_file_load: .path is not set", PT_START(&host.loop, &load, pt_file_load, .size = 0))     \
    X("pt_file_rename: .from is not set",                                                         \
      PT_START(&host.loop, &renaming, pt_file_rename, .to = "x"))                                 \
    X("pt_file_rename: .to is not set",                                                           \
      PT_START(&host.loop, &renaming, pt_file_rename, .from = "x"))                               \
    X("pt_file_remove: .path is not set",                                                         \
      PT_START(&host.loop, &removing, pt_file_remove, .workers = &workers))                       \
    X("pt_send_file: .io is not set", PT_START(&host.loop, &sending, pt_send_file, .fd = 0))      \
    X("pt_process_start: .words is not set", pt_process_start(&no_program, &host.system))         \
    X("pt_process_start: .words is empty", pt_process_start(&no_words, &host.system))             \
    X("pt_run_process: .system is not set",                                                       \
      PT_START(&host.loop, &run, pt_run_process, .input_size = 0))                                \
    X("pt_resolve: .system is not set",                                                           \
      PT_START(&host.loop, &query, pt_resolve, .host = "localhost"))                              \
    X("pt_io_open: the pt_system is not open", pt_io_open(&io, NULL, 0))                          \
    X("pt_io_open: the pt_system is not open", pt_io_open(&io, &no_system, 0))                    \
    X("pt_io_open: the pt_system is not open",                                                    \
      pt_socket(&io, &no_system, AF_UNIX, SOCK_STREAM, 0))                                        \
    X("pt_signals_open: the pt_system is not open", pt_signals_open(&no_signals, &no_system))     \
    X("pt_run_until_signal: the pt_system is not open", pt_run_until_signal(&no_system, NULL))    \
    X("pt_workers_open: the pt_system is not open", pt_workers_open(&no_workers, NULL, 1))        \
    X("pt_io_borrow: the pt_system is not open", pt_io_borrow(&io, &no_system, 0))                \
    X("pt_pollset_open: the pt_system is not open", (pt_pollset_open(&no_set, NULL), 0))          \
    X("pt_pollset_set: the pt_pollset is not open", pt_pollset_set(&no_set, 0, 0))                \
    X("pt_pollset_wait: the pt_pollset is not open",                                              \
      PT_START(&host.loop, &set_wait, pt_pollset_wait, .set = &no_set))                           \
    X("pt_pollset_wait: .set is not set", PT_START(&host.loop, &set_wait, pt_pollset_wait))       \
    X("pt_system_fd: the pt_system is not open", pt_system_fd(&no_system))                        \
    X("pt_team_run: the team is not open", pt_team_run(&no_team))

static int lacking;

static void do_without(void)
{
    int number = 0;

    host_open(poller);
#define DO_(text, statement) \
    if (number++ == lacking) \
        (void)statement;
    LACKING(DO_)
    host_run();
}

START_TEST(what_a_function_of_the_library_lacks_is_named)
{
    static const char *const texts[] = {
#define TEXT_(text, statement) text,
        LACKING(TEXT_)};

    poller = host_pollers[_i];
    for (lacking = 0; lacking < (int)(sizeof texts / sizeof texts[0]); lacking++)
        host_stops(do_without, texts[lacking]);
}
END_TEST

/* Two tasks read lines by one reader. */
static void read_in_two(void)
{
    static PT_TASK(pt_read_line) second;

    host_open(poller);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    pt_reader_init(&reader, pt_io_stream(&io), room, sizeof room);
    (void)PT_START(&host.loop, &line, pt_read_line, .reader = &reader);
    (void)PT_START(&host.loop, &second, pt_read_line, .reader = &reader);
    host_run();
}

START_TEST(a_second_task_that_waits_in_a_reader_stops_the_program)
{
    poller = host_pollers[_i];
    host_stops(read_in_two, "a read: another task waits in the same reader or writer");
}
END_TEST

/* A stream that cannot give a byte now, and has no wait. */
static pt_status give_nothing(void *object, void *data, size_t size, size_t *got)
{
    (void)object, (void)data, (void)size, (void)got;
    return PT_EAGAIN;
}

static void read_without_a_wait(void)
{
    static const struct pt_stream_ops ops = {.try_read = give_nothing};

    host_open(poller);
    pt_reader_init(&reader, (struct pt_stream){&ops, NULL}, room, sizeof room);
    (void)PT_START(&host.loop, &line, pt_read_line, .reader = &reader);
    host_run();
}

START_TEST(a_stream_that_must_wait_and_has_no_wait_stops_the_program)
{
    poller = host_pollers[_i];
    host_stops(read_without_a_wait, "a read: the stream has no wait");
}
END_TEST

/* Functions that say that they have moved a byte more than they were asked for. */
static pt_status read_too_much(void *object, void *data, size_t size, size_t *got)
{
    (void)object, (void)data;
    *got = size + 1;
    return PT_OK;
}

static pt_status write_too_much(void *object, const void *data, size_t size, size_t *put)
{
    (void)object, (void)data;
    *put = size + 1;
    return PT_OK;
}

static const struct pt_stream_ops too_much = {read_too_much, write_too_much, NULL, NULL};

static void read_more_than_asked(void)
{
    static PT_TASK(pt_peek) reads;

    host_open(poller);
    pt_reader_init(&reader, (struct pt_stream){&too_much, NULL}, room, sizeof room);
    PT_START(&host.loop, &reads, pt_peek, .reader = &reader, .size = 1);
    host_run();
}

static void write_more_than_asked(void)
{
    static PT_TASK(pt_flush) writes;

    host_open(poller);
    pt_writer_init(&writer, (struct pt_stream){&too_much, NULL}, room, sizeof room);
    pt_printf(&writer, "x");
    PT_START(&host.loop, &writes, pt_flush, .writer = &writer);
    host_run();
}

START_TEST(a_stream_that_moves_more_than_it_was_asked_for_stops_the_program)
{
    poller = host_pollers[_i];
    host_stops(read_more_than_asked,
               "a read: the stream has moved more bytes than it was asked for");
    host_stops(write_more_than_asked,
               "a write: the stream has moved more bytes than it was asked for");
}
END_TEST

Suite *host_suite_misuse(void)
{
    Suite *suite = suite_create("misuse");

    host_test(suite, a_use_of_a_pt_io_that_was_never_opened_stops_the_program);
    host_test(suite, a_use_of_a_pt_io_that_is_closed_gets_its_code);
    host_test(suite, a_wait_on_a_copy_of_a_pt_io_stops_the_program);
    host_test(suite, an_accept_into_an_open_pt_io_is_told);
    host_test(suite, a_take_of_a_descriptor_that_a_task_waits_for_stops_the_program);
    host_test(suite, a_close_with_a_task_alive_names_the_task);
    host_test(suite, a_close_with_a_pt_io_open_names_its_descriptor);
    host_test(suite, signals_that_are_opened_twice_stop_the_program);
    host_test(suite, a_system_that_prints_on_a_signal_and_is_opened_twice_stops_the_program);
    host_test(suite, a_forked_process_may_close_a_system_with_tasks);
    host_test(suite, a_borrowed_pt_io_only_waits_and_ends_before_its_system);
    host_test(suite, a_dispatch_in_a_task_or_without_a_turn_stops_the_program);
    host_test(suite, what_a_function_of_the_library_lacks_is_named);
    host_test(suite, a_second_task_that_waits_in_a_reader_stops_the_program);
    host_test(suite, a_stream_that_must_wait_and_has_no_wait_stops_the_program);
    host_test(suite, a_stream_that_moves_more_than_it_was_asked_for_stops_the_program);
    return suite;
}
