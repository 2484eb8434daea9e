/* test_signals.c - signals, child processes, forks
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <pt/process.h>
#include <pt/signals.h>

#include <stdlib.h>
#include <sys/wait.h>

static struct pt_signals signals, others;

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

START_TEST(signals_are_waited_for_and_each_is_told_once)
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

START_TEST(a_signal_has_one_owner_and_does_again_what_it_did_when_he_closes)
{
    signal(SIGUSR1, SIG_IGN);
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_open(&others, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&others, SIGUSR1), PT_EBUSY);
    ck_assert_int_eq(pt_signals_watch(&others, SIGKILL), PT_EINVAL);
    ck_assert_int_eq(pt_signals_watch(&others, -1), PT_EINVAL);
    pt_signals_close(&signals);
    ck_assert(signal(SIGUSR1, SIG_DFL) == SIG_IGN);
    pt_signals_close(&others);
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

START_TEST(a_signal_that_was_taken_leaves_nothing_to_read_and_one_that_was_not_does)
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

/* --- children -------------------------------------------------------------------------------- */

static PT_TASK(pt_wait_process) ends[2];

static pid_t start(const char *script)
{
    const char *words[] = {"sh", "-c", script, NULL};
    pid_t pid;

    ck_assert_int_eq(pt_process_start(&pid, words), PT_OK);
    return pid;
}

static void wait_for(int which, pid_t pid)
{
    ck_assert_int_eq(
        PT_START(&host.loop, &ends[which], pt_wait_process, .system = &host.system, .pid = pid),
        PT_OK);
}

START_TEST(a_child_is_waited_for_and_no_other)
{
    pid_t other = start("exit 5"), mine = start("exit 3"), killed = start("kill -9 $$");
    int status;

    host_open(host_pollers[_i]);
    host.patient = true;
    wait_for(0, mine);
    wait_for(1, killed);
    host_run();
    ck_assert_int_eq(pt_task_status(&ends[0].task), PT_OK);
    ck_assert_int_eq(ends[0].frame.code, 3);
    ck_assert_int_eq(ends[1].frame.code, -1);
    ck_assert_int_eq(ends[1].frame.signal, SIGKILL);
    ck_assert_int_eq(waitpid(other, &status, 0), other);
    ck_assert_int_eq(WEXITSTATUS(status), 5);
    wait_for(0, mine); /* a second time */
    host_run();
    ck_assert_int_eq(pt_task_status(&ends[0].task), PT_EIO);
    ck_assert_int_eq(ends[0].frame.error, ECHILD);
    host_close();
}
END_TEST

START_TEST(a_child_does_not_ignore_broken_pipes)
{
    host_open(host_pollers[_i]);
    host.patient = true;
    wait_for(0, start("kill -PIPE $$"));
    host_run();
    ck_assert_int_eq(ends[0].frame.signal, SIGPIPE);
    host_close();
}
END_TEST

START_TEST(a_wait_for_a_child_is_left_and_taken_up_again)
{
    pid_t pid = start("kill -STOP $$");

    host_open(host_pollers[_i]);
    wait_for(0, pid);
    host_turns(3);
    pt_cancel(&ends[0].task, PT_ECANCELED);
    host_run();
    ck_assert_int_eq(pt_task_status(&ends[0].task), PT_ECANCELED);
    kill(pid, SIGKILL);
    host.patient = true;
    wait_for(0, pid);
    host_run();
    ck_assert_int_eq(pt_task_status(&ends[0].task), PT_OK);
    host_close();
}
END_TEST

START_TEST(a_program_that_there_is_not_says_so)
{
    const char *words[] = {"/nowhere/at/all", NULL};
    pid_t pid;

    ck_assert_int_eq(pt_process_start(&pid, words), PT_EIO);
    ck_assert_int_eq(errno, ENOENT);
    (void)_i;
}
END_TEST

/* --- forks ----------------------------------------------------------------------------------- */

/* What a child does, in a process of its own: how it ended. */
static int in_a_child(void (*act)(void))
{
    pid_t pid = fork();
    int status;

    if (!pid) {
        act();
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return status;
}

static actor_task a, b;
static struct pt_io io;
static int pair[2];

static void run_it(void)
{
    close(2);
    host_turns(1);
}

START_TEST(a_forked_process_that_runs_the_loop_of_its_parent_is_stopped)
{
    host_open(host_pollers[_i]);
    host_start(&a, 'A', NULL, "s");
    ck_assert(WIFSIGNALED(in_a_child(run_it)));
    host_run();
    ck_assert_trace("As@5 ");
    host_close();
}
END_TEST

static void use_it(void)
{
    int fd = pair[1];

    if (pt_io_open(&io, &host.system, fd) != PT_EPERM)
        _exit(1);
    pt_io_close(&host.system.slots[pair[0]].io[0]); /* without effect for the parent */
    if (pt_system_open(&host.system, &host.loop, NULL) != PT_OK)
        _exit(2);
    host_start(&b, 'B', NULL, "");
    host_run();
    host_close();
}

START_TEST(a_forked_process_leaves_the_descriptors_to_its_parent_and_opens_a_loop_of_its_own)
{
    static struct pt_io mine;

    host_open(host_pollers[_i]);
    host_pair(pair);
    ck_assert_int_eq(pt_io_open(&mine, &host.system, pair[0]), PT_OK);
    host_start(&a, 'A', &mine, "r");
    host_run();
    ck_assert_int_eq(in_a_child(use_it), 0);
    host_put(pair[1], "mine");
    host_run();
    ck_assert_trace("Ar:mine@0 ");
    pt_io_close(&mine);
    close(pair[1]);
    host_close();
}
END_TEST

Suite *host_suite_signals(void)
{
    Suite *suite = suite_create("signals");

    host_test(suite, signals_are_waited_for_and_each_is_told_once);
    host_test(suite, more_signals_than_a_pipe_holds_are_not_lost);
    host_test(suite, a_signal_that_was_taken_leaves_nothing_to_read_and_one_that_was_not_does);
    host_test(suite, a_signal_has_one_owner_and_does_again_what_it_did_when_he_closes);
    host_test(suite, a_child_is_waited_for_and_no_other);
    host_test(suite, a_child_does_not_ignore_broken_pipes);
    host_test(suite, a_wait_for_a_child_is_left_and_taken_up_again);
    host_test(suite, a_program_that_there_is_not_says_so);
    host_test(suite, a_forked_process_that_runs_the_loop_of_its_parent_is_stopped);
    host_test(suite,
              a_forked_process_leaves_the_descriptors_to_its_parent_and_opens_a_loop_of_its_own);
    return suite;
}
