/* test_process.c - child processes
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <pt/host/process.h>

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

/* --- children -------------------------------------------------------------------------------- */

static PT_TASK(pt_wait_process) ends[2];

static pid_t start(const char *script)
{
    const char *const words[] = {"sh", "-c", script, NULL};
    struct pt_process child = {.words = words};

    ck_assert_int_eq(pt_process_start(&child, NULL), PT_OK);
    return child.pid;
}

static void wait_for(int which, pid_t pid)
{
    ck_assert_int_eq(
        PT_START(&host.loop, &ends[which], pt_wait_process, .system = &host.system, .pid = pid),
        PT_OK);
}

START_TEST(a_wait_for_a_child_reaps_no_other_child)
{
    pid_t other = start("exit 5"), mine = start("exit 3"), killed = start("kill -9 $$");
    int status;

    host_open(host_pollers[_i]);
    host.patient = true;
    wait_for(0, mine);
    wait_for(1, killed);
    host_run();
    ck_assert_int_eq(pt_task_status(&ends[0].task), PT_EFAILED);
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

/* waitpid(2) takes 0 and numbers below it for any child, or any of a group. */
START_TEST(a_wait_for_no_child_reaps_no_other_child)
{
    static const pid_t none[] = {0, -1};
    pid_t other = start("exit 5");
    siginfo_t about;
    int status;

    ck_assert_int_eq(waitid(P_PID, (id_t)other, &about, WEXITED | WNOWAIT), 0); /* it has ended */
    host_open(host_pollers[_i]);
    for (int i = 0; i < 2; i++)
        wait_for(i, none[i]);
    host_run();
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pt_task_status(&ends[i].task), PT_EIO);
        ck_assert_int_eq(ends[i].frame.error, ECHILD);
    }
    ck_assert_int_eq(waitpid(other, &status, 0), other);
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

/* Without a wait in between, to be sure that each has ended when it is waited for. */
static void lose_no_code(void (*handler)(int), int flags)
{
    struct sigaction action, before;
    siginfo_t about;
    pid_t pid;

    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    host_open("poll");
    sigaction(SIGCHLD, &action, &before);
    pid = start("trap : CHLD; sh -c 'exit 4'; exit $?");
    ck_assert_int_eq(waitid(P_PID, (id_t)pid, &about, WEXITED | WNOWAIT), 0);
    wait_for(0, pid);
    host_run();
    ck_assert_int_eq(pt_task_status(&ends[0].task), PT_EFAILED);
    ck_assert_int_eq(ends[0].frame.code, 4);
    sigaction(SIGCHLD, &before, &action);
    ck_assert(action.sa_handler == (handler == SIG_IGN ? SIG_DFL : handler));
    host_close();
}

static void nothing(int number)
{
    (void)number;
}

START_TEST(the_code_of_a_child_is_kept_although_sigchld_was_ignored)
{
    lose_no_code(SIG_IGN, 0);
    lose_no_code(SIG_DFL, SA_NOCLDWAIT);
    lose_no_code(nothing, SA_NOCLDWAIT | SA_RESTART);
    lose_no_code(nothing, SA_RESTART);
    (void)_i;
}
END_TEST

START_TEST(a_child_that_was_forked_while_sigchld_was_ignored_keeps_its_code_from_the_wait_on)
{
    int ends_[2], before;
    char byte = 0;
    pid_t pid;

    host_open(host_pollers[_i]);
    signal(SIGCHLD, SIG_IGN);
    ck_assert_int_eq(pipe(ends_), 0);
    before = (int)getpid();
    pid = fork();
    if (!pid) {
        if (read(ends_[0], &byte, 1) == 1 && getppid() == before)
            _exit(6);
        _exit(1);
    }
    wait_for(0, pid);
    host_turns(1);
    host.patient = true;
    ck_assert_int_eq(write(ends_[1], &byte, 1), 1);
    host_run();
    ck_assert_int_eq(ends[0].frame.code, 6);
    close(ends_[0]);
    close(ends_[1]);
    host_close();
}
END_TEST

/* What is inherited: SIGCHLD would lose its codes in the child, too. */
START_TEST(a_child_ignores_only_what_its_parent_was_told_to_ignore)
{
    const char *const script = "kill -CHLD $$; kill -HUP $$; kill -USR1 $$; exit 3";

    signal(SIGHUP, SIG_IGN);
    signal(SIGCHLD, SIG_IGN);
    host_open(host_pollers[_i]);
    host.patient = true;
    wait_for(0, start(script));
    host_run();
    ck_assert_int_eq(ends[0].frame.signal, SIGUSR1);
    signal(SIGHUP, SIG_DFL);
    host_close();
}
END_TEST

START_TEST(a_wait_for_a_child_can_be_interrupted_and_repeated)
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
    ck_assert_int_eq(pt_task_status(&ends[0].task), PT_EFAILED);
    ck_assert_int_eq(ends[0].frame.signal, SIGKILL);
    host_close();
}
END_TEST

START_TEST(a_wait_succeeds_or_fails_as_its_child_and_says_why)
{
    static const struct {
        const char *script, *words;
        pt_status status;
    } cases[] = {{"exit 0", "success", PT_OK},
                 {"exit 7", "ended with code 7", PT_EFAILED},
                 {"kill -TERM $$", "ended by signal 15 (Terminated)", PT_EFAILED}};
    char text[80];

    host_open(host_pollers[_i]);
    host.patient = true;
    for (int i = 0; i < 4; i++) {
        wait_for(0, i < 3 ? start(cases[i].script) : 0);
        host_run();
        pt_process_error_text(&ends[0].frame, pt_task_status(&ends[0].task), text, sizeof text);
        ck_assert_str_eq(text, i < 3 ? cases[i].words : "No child processes");
        ck_assert_int_eq(pt_task_status(&ends[0].task), i < 3 ? cases[i].status : PT_EIO);
    }
    ck_assert_str_eq(pt_process_error_text(&ends[0].frame, PT_ETIMEDOUT, text, 6), "timed");
    host_close();
}
END_TEST

/* --- a wait that owns its child -------------------------------------------------------------- */

static pid_t start_group(const char *script)
{
    const char *const words[] = {"sh", "-c", script, NULL};
    struct pt_process child = {.words = words, .group = true};

    ck_assert_int_eq(pt_process_start(&child, NULL), PT_OK);
    return child.pid;
}

static void own(int which, pid_t pid)
{
    PT_START(&host.loop, &ends[which], pt_wait_process, .system = &host.system, .pid = pid,
             .kill = true);
}

START_TEST(a_wait_that_owns_its_child_kills_its_group_at_a_cancel_and_waits_for_its_end)
{
    pid_t group = start_group("trap '' TERM; sleep 1000 & sleep 1000"), alone;

    host_adopt();
    host_open(host_pollers[_i]);
    alone = start("kill -STOP $$"); /* leads no group */
    own(0, group), own(1, alone);
    host_turns(3);
    pt_cancel(&ends[0].task, PT_ECANCELED), pt_cancel(&ends[1].task, PT_ETIMEDOUT);
    host.patient = true;
    host_run();
    ck_assert_int_eq(pt_task_status(&ends[0].task), PT_ECANCELED);
    ck_assert_int_eq(pt_task_status(&ends[1].task), PT_ETIMEDOUT);
    ck_assert_int_eq(ends[0].frame.signal, SIGKILL);
    ck_assert_int_eq(ends[1].frame.signal, SIGKILL);
    host_gone(-group);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    host_close();
}
END_TEST

START_TEST(a_wait_that_owns_its_child_kills_what_that_has_left)
{
    pid_t group;

    host_adopt();
    group = start_group("sleep 1000 & exit 3");
    host_open(host_pollers[_i]);
    host.patient = true;
    own(0, group);
    host_run();
    ck_assert_int_eq(pt_task_status(&ends[0].task), PT_EFAILED);
    ck_assert_int_eq(ends[0].frame.code, 3);
    host_gone(-group);
    host_close();
}
END_TEST

/* The number can be that of another process by then. */
START_TEST(a_child_that_another_one_has_waited_for_is_not_killed)
{
    pid_t pid = start_group("kill -STOP $$");

    host_open(host_pollers[_i]);
    own(0, pid);
    host_turns(3);
    kill(pid, SIGKILL);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    host.calls[HOST_kill] = 0;
    pt_cancel(&ends[0].task, PT_ECANCELED);
    host_run();
    own(0, pid), own(1, 0);
    host_run();
    ck_assert_int_eq(host.calls[HOST_kill], 0);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pt_task_status(&ends[i].task), PT_EIO);
        ck_assert_int_eq(ends[i].frame.error, ECHILD);
    }
    host_close();
}
END_TEST

START_TEST(a_wait_goes_on_when_a_signal_interrupts_it)
{
    host_open(host_pollers[_i]);
    host.patient = true;
    for (int i = 0; i < 2; i++) {
        own(0, start_group("exit 6"));
        host_fail(i ? HOST_waitid : HOST_waitpid, 0, 3, EINTR);
        host_run();
        ck_assert_int_eq(host.fault.times, 0);
        ck_assert_int_eq(ends[0].frame.code, 6);
    }
    host_close();
}
END_TEST

START_TEST(a_missing_program_returns_its_error)
{
    const char *const words[] = {"/nowhere/at/all", NULL};
    struct pt_process child = {.words = words, .pid = getpid()};

    ck_assert_int_eq(pt_process_start(&child, NULL), PT_EIO);
    ck_assert_int_eq(child.error, ENOENT);
    ck_assert_int_eq(child.pid, 0); /* not the number of another process */
    (void)_i;
}
END_TEST

Suite *host_suite_process(void)
{
    Suite *suite = suite_create("process");

    host_test(suite, a_wait_for_a_child_reaps_no_other_child);
    host_test(suite, a_wait_for_no_child_reaps_no_other_child);
    host_test(suite, a_child_does_not_ignore_broken_pipes);
    host_test(suite, the_code_of_a_child_is_kept_although_sigchld_was_ignored);
    host_test(suite,
              a_child_that_was_forked_while_sigchld_was_ignored_keeps_its_code_from_the_wait_on);
    host_test(suite, a_child_ignores_only_what_its_parent_was_told_to_ignore);
    host_test(suite, a_wait_for_a_child_can_be_interrupted_and_repeated);
    host_test(suite, a_wait_succeeds_or_fails_as_its_child_and_says_why);
    host_test(suite, a_wait_that_owns_its_child_kills_its_group_at_a_cancel_and_waits_for_its_end);
    host_test(suite, a_wait_that_owns_its_child_kills_what_that_has_left);
    host_test(suite, a_child_that_another_one_has_waited_for_is_not_killed);
    host_test(suite, a_wait_goes_on_when_a_signal_interrupts_it);
    host_test(suite, a_missing_program_returns_its_error);
    return suite;
}
