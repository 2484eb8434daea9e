/* test_signals.c - signals are events
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "host.h"

#include <pt/host/signals.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>

static struct pt_signals signals, others;
static actor_task actors[1];

struct listen_to {
    struct pt pt;
    int times, number;
};

static PT_ASYNC(listen_to, self)
{
    while (self->times-- && self->pt.status == PT_OK) {
        PT_WAIT_SIGNAL(&signals, &self->number);
        trace_add("%s:%s@%d ",
                  self->number == SIGUSR1 ? "usr1"
                  : self->number          ? "usr2"
                                          : "none",
                  pt_status_name(self->pt.status) + 3, host_ms(PT_NOW()));
    }
}
PT_END

static PT_TASK(listen_to) task;

START_TEST(each_signal_is_reported_once)
{
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR2), PT_OK);
    PT_START(&host.loop, &task, listen_to, .times = 5);
    host_run();
    ck_assert_trace("");
    raise(SIGUSR2);
    raise(SIGUSR1);
    raise(SIGUSR1);
    host_run();
    ck_assert_trace("usr1:OK@0 usr2:OK@0 ");
    raise(SIGUSR1);
    host_run();
    ck_assert_trace("usr1:OK@0 ");
    pt_signals_close(&signals);
    host_run();
    ck_assert_trace("none:ECLOSED@0 ");
    host_close();
}
END_TEST

START_TEST(more_signals_than_a_pipe_holds_are_not_lost)
{
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR2), PT_OK);
    for (int i = 0; i < 70000; i++)
        raise(SIGUSR1);
    raise(SIGUSR2);
    PT_START(&host.loop, &task, listen_to, .times = 2);
    host_run();
    ck_assert_trace("usr1:OK@0 usr2:OK@0 ");
    pt_signals_close(&signals);
    host_close();
}
END_TEST

struct take_other {
    struct pt pt;
    int number;
};

static PT_ASYNC(take_other, self)
{
    PT_WAIT_SIGNAL(&others, &self->number);
    trace_add("other:%d ", self->number == SIGUSR1);
}
PT_END

START_TEST(each_set_that_watches_a_signal_gets_it_and_the_last_restores_its_action)
{
    static PT_TASK(take_other) other;

    signal(SIGUSR1, SIG_IGN);
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_open(&others, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&others, SIGUSR1), PT_OK);
    ck_assert_int_eq(pt_dump_on_signal(&host.system, SIGUSR1), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&others, SIGKILL), PT_EINVAL);
    ck_assert_int_eq(pt_signals_watch(&others, -1), PT_EINVAL);
    raise(SIGUSR1);
    ck_assert(pt_loop_posted(&host.loop));
    PT_START(&host.loop, &task, listen_to, .times = 2);
    PT_START(&host.loop, &other, take_other, .number = 0);
    host_run();
    ck_assert_trace("usr1:OK@0 other:1 ");
    pt_signals_close(&others);
    raise(SIGUSR1);
    host_run();
    ck_assert_trace("usr1:OK@0 ");
    pt_signals_close(&signals);
    host_close();
    ck_assert(signal(SIGUSR1, SIG_DFL) == SIG_IGN);
}
END_TEST

START_TEST(a_signal_that_is_no_longer_watched_has_its_old_action_and_what_came_is_taken)
{
    signal(SIGUSR1, SIG_IGN);
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    pt_signals_unwatch(&signals, SIGUSR1); /* it was not watched, or is none: of no effect */
    pt_signals_unwatch(&signals, -1);
    pt_signals_unwatch(&signals, 65);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR2), PT_OK);
    raise(SIGUSR1);
    pt_signals_unwatch(&signals, SIGUSR1);
    pt_signals_unwatch(&signals, SIGUSR1);
    raise(SIGUSR1);
    raise(SIGUSR2);
    PT_START(&host.loop, &task, listen_to, .times = 3);
    host_run();
    ck_assert_trace("usr1:OK@0 usr2:OK@0 ");
    ck_assert(signal(SIGUSR1, SIG_IGN) == SIG_IGN);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_OK);
    raise(SIGUSR1);
    host_run();
    ck_assert_trace("usr1:OK@0 ");
    pt_signals_close(&signals);
    ck_assert(signal(SIGUSR1, SIG_DFL) == SIG_IGN);
    host_close();
}
END_TEST

START_TEST(a_set_that_is_not_open_watches_no_signal)
{
    int ends[2];
    char byte;

    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    pt_signals_close(&signals);
    ck_assert_int_eq(pipe(ends), 0); /* its descriptors are those of the closed set */
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    signal(SIGUSR1, SIG_IGN);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_ECLOSED);
    raise(SIGUSR1);
    ck_assert_int_eq(read(ends[0], &byte, 1), -1);
    pt_signals_close(&signals);
    ck_assert(signal(SIGUSR1, SIG_DFL) == SIG_IGN);
    close(ends[0]);
    close(ends[1]);
    host_close();
}
END_TEST

struct choose {
    struct pt pt;
    int number;
    PT_SELECTION(2) next;
};

static PT_ASYNC(choose, self)
{
    do {
        PT_SELECT(&self->next, PT_CASE_READABLE(&signals.io), PT_CASE_AFTER(PT_MS(5)));
        if (PT_SELECTED(&self->next) == 0)
            PT_WAIT_SIGNAL(&signals, &self->number);
        trace_add("%d@%d ", PT_SELECTED(&self->next), host_ms(PT_NOW()));
    } while (PT_SELECTED(&self->next) == 0);
}
PT_END

START_TEST(only_a_signal_that_was_not_taken_leaves_something_to_read)
{
    static PT_TASK(choose) chooser;

    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR2), PT_OK);
    raise(SIGUSR1);
    raise(SIGUSR2);
    raise(SIGUSR2);
    PT_START(&host.loop, &chooser, choose);
    host_run();
    ck_assert_trace("0@0 0@0 1@5 ");
    pt_signals_close(&signals);
    host_close();
}
END_TEST

START_TEST(a_signal_that_arrives_just_before_the_wait_is_reported)
{
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_OK);
    PT_START(&host.loop, &task, listen_to, .times = 1);
    host.raises = SIGUSR1; /* it has checked for signals, and is about to wait */
    host_run();
    ck_assert_trace("usr1:OK@0 ");
    pt_signals_close(&signals);
    host_close();
}
END_TEST

START_TEST(a_failed_open_of_signals_returns_the_reason_and_leaks_nothing)
{
    static const enum host_call calls[] = {
#ifdef PT_PLAIN_UNIX /* which must set the flags after making the pipe */
        HOST_fcntl,
#endif
        HOST_pipe, HOST_realloc};
    int before;

    host_open(host_pollers[_i]);
    before = host_descriptors();
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        bool memory = calls[i] == HOST_realloc;

        host_fail(calls[i], 0, 1, memory ? ENOMEM : EMFILE);
        ck_assert_int_eq(pt_signals_open(&signals, &host.system), memory ? PT_ENOMEM : PT_EIO);
        ck_assert_int_eq(signals.io.error, memory ? ENOMEM : EMFILE);
        ck_assert_int_eq(host_descriptors(), before);
        PT_START(&host.loop, &task, listen_to, .times = 2); /* although the code was ignored */
        host_run();
        ck_assert_trace(memory ? "none:ENOMEM@0 " : "none:EIO@0 ");
    }
    host_close();
}
END_TEST

START_TEST(the_signal_pipe_never_blocks_and_no_child_ever_inherits_it)
{
    host_open(host_pollers[_i]);
    memset(host.calls, 0, sizeof host.calls);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
#ifndef PT_PLAIN_UNIX /* which must set the flags after making the pipe */
    ck_assert_int_eq(host.calls[HOST_fcntl], 0);
#endif
    for (int i = 0; i < 2; i++) {
        int fd = i ? signals.wakeup : signals.io.fd;

        ck_assert_int_eq(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
        ck_assert_int_eq(fcntl(fd, F_GETFL) & O_NONBLOCK, O_NONBLOCK);
    }
    pt_signals_close(&signals);
    host_close();
}
END_TEST

START_TEST(a_system_prints_on_one_signal_until_it_is_closed)
{
    struct sigaction mine, now;

    memset(&mine, 0, sizeof mine);
    mine.sa_handler = SIG_IGN;
    sigaction(SIGUSR2, &mine, NULL);
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_dump_on_signal(&host.system, 0), PT_EINVAL);
    ck_assert_int_eq(pt_dump_on_signal(&host.system, 65), PT_EINVAL);
    ck_assert_int_eq(pt_dump_on_signal(&host.system, SIGKILL), PT_EINVAL);
    ck_assert_int_eq(pt_dump_on_signal(&host.system, SIGUSR2), PT_OK);
    ck_assert_int_eq(pt_dump_on_signal(&host.system, SIGUSR2), PT_OK);
    ck_assert_int_eq(pt_dump_on_signal(&host.system, SIGUSR1), PT_EBUSY);
    raise(SIGUSR2);
    ck_assert(pt_loop_posted(&host.loop));
    host_close();
    sigaction(SIGUSR2, NULL, &now);
    ck_assert(now.sa_handler == SIG_IGN);
    signal(SIGUSR2, SIG_DFL);
}
END_TEST

START_TEST(the_signal_of_a_fault_can_be_neither_watched_nor_printed_on)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};

    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct sigaction before, after;

        sigaction(faults[i], NULL, &before);
        ck_assert_int_eq(pt_signals_watch(&signals, faults[i]), PT_EINVAL);
        ck_assert_int_eq(pt_dump_on_signal(&host.system, faults[i]), PT_EINVAL);
        sigaction(faults[i], NULL, &after);
        ck_assert(before.sa_handler == after.sa_handler);
    }
    pt_signals_close(&signals);
    host_close();
}
END_TEST

/* A handler that a fault interrupts: that of the program must be called. */
START_TEST(a_fault_in_a_handler_of_the_library_reaches_the_handler_of_the_program)
{
    static struct pt_watchdog dog;
    static const int numbers[] = {SIGUSR1, SIGUSR2, PT_WATCHDOG_SIGNAL};

    host_open(host_pollers[_i]);
    host.apart = true;
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_OK);
    ck_assert_int_eq(pt_dump_on_signal(&host.system, SIGUSR2), PT_OK);
    ck_assert_int_eq(pt_watchdog_start(&dog, &host.loop, PT_SEC(1000)), PT_OK);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction action;

        sigaction(numbers[i], NULL, &action);
        ck_assert_int_eq(sigismember(&action.sa_mask, SIGSEGV), 0);
        ck_assert_int_eq(sigismember(&action.sa_mask, SIGTERM), 1);
    }
    pt_watchdog_stop(&dog);
    pt_signals_close(&signals);
    host_close();
}
END_TEST

static int full[2]; /* a pipe */

static void drain(int number)
{
    char bytes[4096];

    (void)number;
    while (read(full[0], bytes, sizeof bytes) > 0) {
    }
}

/* stderr is a pipe that does not block, and that its reader empties only when the dump waits for it. */
START_TEST(a_dump_waits_for_the_reader_of_its_pipe)
{
    int before = dup(STDERR_FILENO);
    char bytes[4096] = "";

    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    ck_assert_int_eq(pt_dump_on_signal(&host.system, SIGUSR2), PT_OK);
    PT_START(&host.loop, &task, listen_to, .times = 1);
    host_run();
    ck_assert(before >= 0 && !pipe(full));
    for (int i = 0; i < 2; i++)
        fcntl(full[i], F_SETFL, O_NONBLOCK);
    while (write(full[1], bytes, sizeof bytes) > 0) {
    }
    signal(SIGALRM, drain);
    host.raises = SIGALRM;
    dup2(full[1], STDERR_FILENO);
    raise(SIGUSR2);
    host_run();
    dup2(before, STDERR_FILENO);
    ck_assert_int_gt(read(full[0], bytes, sizeof bytes - 1), 0);
    ck_assert_ptr_nonnull(strstr(bytes, "loop: 1 task\n    listen_to: waits for a descriptor\n"));
    close(full[0]);
    close(full[1]);
    close(before);
    pt_signals_close(&signals);
    host_run();
    host_close();
}
END_TEST

/* A dump of several pieces, of which nobody reads the first. */
START_TEST(a_dump_gives_a_reader_that_has_stopped_one_second)
{
    static PT_TASK(listen_to) many[300];
    int before = dup(STDERR_FILENO);
    char bytes[4096] = "";
    int began;

    memset(many, 0, sizeof many);
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    ck_assert_int_eq(pt_dump_on_signal(&host.system, SIGUSR2), PT_OK);
    for (size_t i = 0; i < sizeof many / sizeof many[0]; i++)
        PT_START(&host.loop, &many[i], listen_to, .times = 1);
    host_run();
    ck_assert(before >= 0 && !pipe(full));
    for (int i = 0; i < 2; i++)
        fcntl(full[i], F_SETFL, O_NONBLOCK);
    while (write(full[1], bytes, sizeof bytes) > 0) {
    }
    began = host_ms(host.now);
    dup2(full[1], STDERR_FILENO);
    raise(SIGUSR2);
    host_run();
    dup2(before, STDERR_FILENO);
    ck_assert_int_eq(host_ms(host.now) - began, 1000);
    close(full[0]);
    close(full[1]);
    close(before);
    pt_signals_close(&signals);
    host_run();
    host_close();
}
END_TEST

/* The library writes to stderr only if that does not block. */
static void check_room(void)
{
    struct pollfd reader = {STDERR_FILENO, POLLOUT, 0};

    ck_assert_int_eq(poll(&reader, 1, 0), 1);
}

/* Replace stderr by FD, which is full. */
static void fill(int fd)
{
    char bytes[4096] = "";

    fcntl(fd, F_SETFL, O_NONBLOCK);
    while (write(fd, bytes, sizeof bytes) > 0) {
    }
    while (write(fd, bytes, 1) > 0) {
    }
    fcntl(fd, F_SETFL, 0);
    dup2(fd, STDERR_FILENO);
}

/* Ask for a dump of a task; stderr is a full pipe. Returns a descriptor of the stderr from before. */
static int ask_for_a_dump_into_a_full_pipe(const char *poller)
{
    int before = dup(STDERR_FILENO);

    host_open(poller);
    ck_assert_int_eq(pt_dump_on_signal(&host.system, SIGUSR2), PT_OK);
    host_start(&actors[0], 'A', NULL, "ss");
    ck_assert(before >= 0 && !pipe(full));
    fill(full[1]);
    host.on_write = check_room;
    raise(SIGUSR2);
    return before;
}

/* Run a turn, in which the dump waits for a second for its reader; BEFORE is stderr again. */
static void give_up_that_dump(int before)
{
    int began = host_ms(host.now);

    pt_loop_turn(&host.loop, host.now);
    host.on_write = NULL;
    dup2(before, STDERR_FILENO);
    ck_assert_int_eq(host_ms(host.now) - began, 1000);
    close(full[0]);
    close(full[1]);
    close(before);
    host_run();
    host_close();
}

START_TEST(a_full_pipe_that_blocks_holds_up_a_dump_for_a_second_at_most)
{
    give_up_that_dump(ask_for_a_dump_into_a_full_pipe(host_pollers[_i]));
}
END_TEST

/* A second signal, for example, ends the wait for the reader; the pipe is as full as before. */
START_TEST(a_signal_that_comes_in_a_dump_is_no_room_in_a_full_pipe)
{
    int before = ask_for_a_dump_into_a_full_pipe(host_pollers[_i]);

    host_fail(HOST_poll, 0, 3, EINTR);
    give_up_that_dump(before);
    ck_assert_int_eq(host.fault.times, 0);
}
END_TEST

/* A terminal has room for a part of a piece, and its reader has stopped: a write would block. */
START_TEST(a_full_terminal_holds_up_a_dump_for_a_second_at_most_and_stays_blocking)
{
    static PT_TASK(listen_to) many[1000];
    int before = dup(STDERR_FILENO), began;

    memset(many, 0, sizeof many);
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    ck_assert_int_eq(pt_dump_on_signal(&host.system, SIGUSR2), PT_OK);
    for (size_t i = 0; i < sizeof many / sizeof many[0]; i++)
        PT_START(&host.loop, &many[i], listen_to, .times = 1);
    host_run();
    full[0] = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert(before >= 0 && !grantpt(full[0]) && !unlockpt(full[0]));
    full[1] = open(ptsname(full[0]), O_RDWR | O_NOCTTY);
    ck_assert_int_ge(full[1], 0);
    began = host_ms(host.now);
    dup2(full[1], STDERR_FILENO);
    raise(SIGUSR2);
    host_turns(1);
    dup2(before, STDERR_FILENO);
    ck_assert_int_eq(host_ms(host.now) - began, 1000);
    ck_assert_int_eq(fcntl(full[1], F_GETFL) & O_NONBLOCK, 0);
    close(full[0]);
    close(full[1]);
    close(before);
    pt_loop_cancel(&host.loop, PT_ECANCELED);
    host_run();
    pt_signals_close(&signals);
    host_close();
}
END_TEST

struct slow {
    struct pt pt;
    struct pt_watchdog *dog;
};

/* Sends the signal before and after it is over the limit; the second time counts. */
static PT_ASYNC(slow, self)
{
    raise(PT_WATCHDOG_SIGNAL);
    trace_add("%u ", pt_watchdog_barks(self->dog));
    host.now += PT_SEC(2000);
    raise(PT_WATCHDOG_SIGNAL);
    raise(PT_WATCHDOG_SIGNAL);
    trace_add("%u ", pt_watchdog_barks(self->dog));
}
PT_END

/* Blocks the signal in a step that is over the limit, and unblocks it in that step or the next one. */
struct blocker {
    struct pt pt;
    struct pt_watchdog *dog;
    bool at_once;
};

static void block_watchdog(int how)
{
    sigset_t one;

    sigemptyset(&one);
    sigaddset(&one, PT_WATCHDOG_SIGNAL);
    ck_assert_int_eq(pthread_sigmask(how, &one, NULL), 0);
}

static PT_ASYNC(blocker, self)
{
    block_watchdog(SIG_BLOCK);
    host.now += PT_SEC(2000);
    raise(PT_WATCHDOG_SIGNAL);
    trace_add("%u ", pt_watchdog_barks(self->dog));
    if (!self->at_once)
        PT_YIELD();
    block_watchdog(SIG_UNBLOCK);
    trace_add("%u ", pt_watchdog_barks(self->dog));
}
PT_END

START_TEST(a_watchdog_whose_signal_is_blocked_names_no_step_that_is_over)
{
    static PT_TASK(blocker) blocker;
    static struct pt_watchdog dog;

    memset(&blocker, 0, sizeof blocker);
    host_open(host_pollers[_i]);
    host.apart = true;
    ck_assert_int_eq(pt_watchdog_start(&dog, &host.loop, PT_SEC(1000)), PT_OK);
    PT_START(&host.loop, &blocker, blocker, .dog = &dog);
    host_run();
    ck_assert_trace("0 0 ");
    PT_START(&host.loop, &blocker, blocker, .dog = &dog, .at_once = true);
    host_run();
    ck_assert_trace("0 1 ");
    pt_watchdog_stop(&dog);
    host_close();
}
END_TEST

START_TEST(a_full_pipe_holds_up_no_step_that_a_watchdog_names)
{
    static PT_TASK(slow) slowly;
    static struct pt_watchdog dog;
    int before = dup(STDERR_FILENO);

    memset(&slowly, 0, sizeof slowly);
    host_open(host_pollers[_i]);
    host.apart = true;
    ck_assert_int_eq(pt_watchdog_start(&dog, &host.loop, PT_SEC(1000)), PT_OK);
    ck_assert(before >= 0 && !pipe(full));
    fill(full[1]);
    host.on_write = check_room;
    PT_START(&host.loop, &slowly, slow, .dog = &dog);
    host_run();
    host.on_write = NULL;
    dup2(before, STDERR_FILENO);
    ck_assert_trace("0 1 ");
    close(full[0]);
    close(full[1]);
    close(before);
    pt_watchdog_stop(&dog);
    host_close();
}
END_TEST

START_TEST(a_watchdog_names_each_slow_step_once_and_gives_its_signal_back)
{
    static PT_TASK(slow) slowly;
    static struct pt_watchdog dog, other;
    struct sigaction now;

    memset(&slowly, 0, sizeof slowly);
    host_open(host_pollers[_i]);
    host.apart = true;
    ck_assert_int_eq(pt_watchdog_start(&dog, &host.loop, 0), PT_EINVAL);
    ck_assert_int_eq(pt_watchdog_start(&dog, &host.loop, PT_SEC(1000)), PT_OK);
    ck_assert_int_eq(pt_watchdog_start(&other, &host.loop, PT_SEC(1000)), PT_EBUSY);
    PT_START(&host.loop, &slowly, slow, .dog = &dog);
    host_run();
    ck_assert_trace("0 1 ");
    ck_assert_str_eq(dog.watch.longest_name, "slow");
    pt_watchdog_stop(&dog);
    sigaction(PT_WATCHDOG_SIGNAL, NULL, &now);
    ck_assert(now.sa_handler == SIG_DFL);
    host_close();
}
END_TEST

/* What a step awaits takes long together, but not each. */
struct part {
    struct pt pt;
};

static PT_ASYNC(part, self)
{
    host.now += PT_SEC(600);
}
PT_END

/* A slow observer, after a step: what the task waits for comes, and then the signal of the watchdog. */
static void dawdle(struct pt_observer *observer, struct pt_task *its, enum pt_opcode op)
{
    (void)op;
    pt_loop_ignore(its->loop, observer);
    raise(SIGUSR1);
    for (int i = 0; i < 2; i++) { /* the first reading of the clock never calls the poller */
        host.now += PT_SEC(2000);
        raise(PT_WATCHDOG_SIGNAL);
    }
    trace_add("%u ready ", (unsigned)pt_loop_ready(its->loop));
}

START_TEST(a_watchdog_does_not_call_the_poller_between_two_steps)
{
    static struct pt_watchdog dog;
    static struct pt_observer observer;

    memset(&observer, 0, sizeof observer);
    observer.returned = dawdle;
    host_open(host_pollers[_i]);
    host.apart = true;
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_OK);
    ck_assert_int_eq(pt_watchdog_start(&dog, &host.loop, PT_SEC(1000)), PT_OK);
    pt_loop_observe(&host.loop, &observer);
    PT_START(&host.loop, &task, listen_to, .times = 1);
    pt_loop_turn(&host.loop, host.now);
    ck_assert_trace("0 ready ");
    pt_watchdog_stop(&dog);
    host_run();
    trace_take();
    pt_signals_close(&signals);
    host_close();
}
END_TEST

struct whole {
    struct pt pt;
    struct pt_watchdog *dog;
    struct part part;
    int i;
};

static PT_ASYNC(whole, self)
{
    for (; self->i < 3; self->i++) {
        PT_WAIT_COMPLETE(&self->part, part);
        raise(PT_WATCHDOG_SIGNAL);
        trace_add("%u ", pt_watchdog_barks(self->dog));
    }
}
PT_END

START_TEST(a_watchdog_takes_what_a_step_awaits_for_a_part_of_it)
{
    static PT_TASK(whole) wholly;
    static struct pt_watchdog dog;

    memset(&wholly, 0, sizeof wholly);
    host_open(host_pollers[_i]);
    host.apart = true;
    ck_assert_int_eq(pt_watchdog_start(&dog, &host.loop, PT_SEC(1000)), PT_OK);
    PT_START(&host.loop, &wholly, whole, .dog = &dog);
    host_run();
    ck_assert_trace("0 1 1 ");
    pt_watchdog_stop(&dog);
    host_close();
}
END_TEST

/* A step that stays until the watchdog has looked at it eight times. */
struct stayer {
    struct pt pt;
    struct pt_watchdog *dog;
};

static PT_ASYNC(stayer, self)
{
    unsigned before = __atomic_load_n(&self->dog->looks, __ATOMIC_SEQ_CST);

    while (__atomic_load_n(&self->dog->looks, __ATOMIC_SEQ_CST) - before < 8)
        sched_yield();
}
PT_END

START_TEST(a_step_gets_at_most_two_signals_from_its_watchdog)
{
    static PT_TASK(stayer) stays;
    static struct pt_watchdog dog;

    host_open(host_pollers[_i]);
    host.apart = true;
    memset(&stays, 0, sizeof stays);
    ck_assert_int_eq(pt_watchdog_start(&dog, &host.loop, PT_MS(1)), PT_OK);
    PT_START(&host.loop, &stays, stayer, .dog = &dog);
    host_run();
    ck_assert_uint_ge(dog.sent, 1);
    ck_assert_uint_le(dog.sent, 2);
    pt_watchdog_stop(&dog);
    host_close();
}
END_TEST

START_TEST(a_watchdog_looks_although_the_clock_of_the_wall_was_set_back)
{
    static PT_TASK(stayer) stays;
    static struct pt_watchdog dog;

    host_open(host_pollers[_i]);
    host.apart = true;
    host.wall = -1000000; /* what it shows now lies in its future */
    memset(&stays, 0, sizeof stays);
    ck_assert_int_eq(pt_watchdog_start(&dog, &host.loop, PT_MS(1)), PT_OK);
    PT_START(&host.loop, &stays, stayer, .dog = &dog);
    host_run();
    pt_watchdog_stop(&dog);
    host_close();
}
END_TEST

START_TEST(a_forked_process_can_stop_the_watchdog_that_it_was_copied_with)
{
    static struct pt_watchdog dog;
    int status;
    pid_t child;

    host_open(host_pollers[_i]);
    host.apart = true;
    ck_assert_int_eq(pt_watchdog_start(&dog, &host.loop, PT_SEC(1000)), PT_OK);
    child = fork();
    if (!child) {
        host.alone = true;
        pt_watchdog_stop(&dog);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    pt_watchdog_stop(&dog);
    host_close();
}
END_TEST

/* Whether the handler of a signal runs on STACK, which is of BYTES bytes. */
static bool handled_on(char *stack, size_t bytes, int number)
{
    memset(stack, 0x55, bytes);
    raise(number);
    for (size_t i = 0; i < bytes; i++)
        if (stack[i] != 0x55)
            return true;
    return false;
}

/* A packed stack of a native task has no room for one. */
START_TEST(handlers_run_on_the_alternate_stack_of_a_thread)
{
    static char memory[64 << 10];
    static struct pt_watchdog dog;
    stack_t stack, before;

    memset(&stack, 0, sizeof stack);
    stack.ss_sp = memory;
    stack.ss_size = sizeof memory;
    ck_assert_int_eq(sigaltstack(&stack, &before), 0);
    host_open(host_pollers[_i]);
    host.apart = true;
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_OK);
    ck_assert_int_eq(pt_dump_on_signal(&host.system, SIGUSR2), PT_OK);
    ck_assert_int_eq(pt_watchdog_start(&dog, &host.loop, PT_SEC(1000)), PT_OK);
    ck_assert(handled_on(memory, sizeof memory, SIGUSR1));
    ck_assert(handled_on(memory, sizeof memory, SIGUSR2));
    ck_assert(handled_on(memory, sizeof memory, PT_WATCHDOG_SIGNAL));
    pt_watchdog_stop(&dog);
    pt_signals_close(&signals);
    host_close();
    sigaltstack(&before, NULL);
}
END_TEST

static void *raise_often(void *unused)
{
    (void)unused;
    for (int i = 0; i < 1000; i++)
        raise(SIGUSR1);
    return NULL;
}

/* ThreadSanitizer sees what the handler of a thread reads while this one writes it. */
START_TEST(a_signal_can_be_watched_again_while_another_thread_gets_it)
{
    pthread_t thread;

    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_OK);
    ck_assert_int_eq(pthread_create(&thread, NULL, raise_often, NULL), 0);
    for (int i = 0; i < 1000; i++)
        ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_OK);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    pt_signals_close(&signals);
    host_close();
}
END_TEST

Suite *host_suite_signals(void)
{
    Suite *suite = suite_create("signals");

    host_test(suite, each_signal_is_reported_once);
    host_test(suite, more_signals_than_a_pipe_holds_are_not_lost);
    host_test(suite, each_set_that_watches_a_signal_gets_it_and_the_last_restores_its_action);
    host_test(suite, a_signal_that_is_no_longer_watched_has_its_old_action_and_what_came_is_taken);
    host_test(suite, a_signal_can_be_watched_again_while_another_thread_gets_it);
    host_test(suite, a_set_that_is_not_open_watches_no_signal);
    host_test(suite, only_a_signal_that_was_not_taken_leaves_something_to_read);
    host_test(suite, a_signal_that_arrives_just_before_the_wait_is_reported);
    host_test(suite, a_failed_open_of_signals_returns_the_reason_and_leaks_nothing);
    host_test(suite, the_signal_pipe_never_blocks_and_no_child_ever_inherits_it);
    host_test(suite, a_system_prints_on_one_signal_until_it_is_closed);
    host_test(suite, the_signal_of_a_fault_can_be_neither_watched_nor_printed_on);
    host_test(suite, a_fault_in_a_handler_of_the_library_reaches_the_handler_of_the_program);
    host_test(suite, a_dump_waits_for_the_reader_of_its_pipe);
    host_test(suite, a_dump_gives_a_reader_that_has_stopped_one_second);
    host_test(suite, a_full_pipe_that_blocks_holds_up_a_dump_for_a_second_at_most);
    host_test(suite, a_signal_that_comes_in_a_dump_is_no_room_in_a_full_pipe);
    host_test(suite, a_full_terminal_holds_up_a_dump_for_a_second_at_most_and_stays_blocking);
    host_test(suite, a_watchdog_whose_signal_is_blocked_names_no_step_that_is_over);
    host_test(suite, a_full_pipe_holds_up_no_step_that_a_watchdog_names);
    host_test(suite, a_watchdog_names_each_slow_step_once_and_gives_its_signal_back);
    host_test(suite, a_watchdog_does_not_call_the_poller_between_two_steps);
    host_test(suite, a_watchdog_takes_what_a_step_awaits_for_a_part_of_it);
    host_test(suite, a_watchdog_looks_although_the_clock_of_the_wall_was_set_back);
    host_test(suite, a_step_gets_at_most_two_signals_from_its_watchdog);
    host_test(suite, handlers_run_on_the_alternate_stack_of_a_thread);
    host_test(suite, a_forked_process_can_stop_the_watchdog_that_it_was_copied_with);
    return suite;
}
