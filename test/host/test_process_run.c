/* test_process_run.c - whole runs of programs: input, output, limits, timeouts, cancels
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <pt/host/process.h>

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

enum { MEGABYTE = 1 << 20 };

static PT_TASK(pt_run_process) run;
static char input[MEGABYTE], output[MEGABYTE + 1], errors[100];
static const char *words[] = {"sh", "-c", NULL, NULL};
static int before; /* descriptors */

static void open_all(int poller)
{
    host_open(host_pollers[poller]);
    host.patient = true;
    before = host_descriptors();
}

/* Nothing is left: no descriptor, no child, not even one that has ended. */
static void close_all(void)
{
    ck_assert_int_eq(host_descriptors(), before);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
    host_close();
}

static void start(const char *script, size_t put, size_t room)
{
    words[2] = script;
    ck_assert_int_eq(PT_START(&host.loop, &run, pt_run_process, .system = &host.system,
                              .process.words = words, .input = put ? input : NULL,
                              .input_size = put, .output = output, .output_size = room),
                     PT_OK);
}

/* Run SCRIPT to its end. */
static void run_to_end(const char *script, size_t put, size_t room, pt_status status)
{
    start(script, put, room);
    host_run();
    ck_assert_int_eq(pt_task_status(&run.task), status);
}

/* The same with a place for what it says at 2. */
static void run_with_errors(const char *script, size_t put, size_t errors_room, pt_status status)
{
    words[2] = script;
    PT_START(&host.loop, &run, pt_run_process, .system = &host.system, .process.words = words,
             .input = put ? input : NULL, .input_size = put, .output = output,
             .output_size = MEGABYTE, .errors = errors, .errors_size = errors_room);
    host_run();
    ck_assert_int_eq(pt_task_status(&run.task), status);
}

static void said(const char *text)
{
    ck_assert_uint_eq(run.frame.length, strlen(text));
    ck_assert_mem_eq(output, text, strlen(text));
}

START_TEST(a_run_returns_the_output_and_the_code_of_the_program)
{
    open_all(_i);
    run_to_end("echo hello; exit 3", 0, 100, PT_EFAILED);
    said("hello\n");
    ck_assert_int_eq(run.frame.end.code, 3);
    ck_assert_int_eq(run.frame.end.signal, 0);
    run_to_end("echo bye; kill -TERM $$", 0, 100, PT_EFAILED);
    said("bye\n");
    ck_assert_int_eq(run.frame.end.code, -1);
    ck_assert_int_eq(run.frame.end.signal, SIGTERM);
    close_all();
}
END_TEST

/* A megabyte does not fit in a pipe: each side would wait for the other one. */
START_TEST(a_program_that_writes_while_it_is_written_to_does_not_stop_the_run)
{
    open_all(_i);
    for (int i = 0; i < MEGABYTE; i++)
        input[i] = (char)(i * 7 + i / 256);
    run_to_end("cat", MEGABYTE, MEGABYTE, PT_OK); /* just enough room */
    ck_assert_uint_eq(run.frame.length, MEGABYTE);
    ck_assert_mem_eq(output, input, MEGABYTE);
    close_all();
}
END_TEST

START_TEST(a_program_without_input_reads_the_end_at_once)
{
    open_all(_i);
    run_to_end("cat; echo end", 0, 100, PT_OK);
    said("end\n");
    words[2] = "cat; echo end";
    PT_START(&host.loop, &run, pt_run_process, .system = &host.system, .process.words = words,
             .input = "", .output = output, .output_size = 100);
    host_run();
    said("end\n");
    close_all();
}
END_TEST

START_TEST(a_program_may_end_or_go_on_without_reading_its_input)
{
    open_all(_i);
    run_to_end("exit 4", MEGABYTE, 100, PT_EFAILED);
    ck_assert_int_eq(run.frame.end.code, 4);
    run_to_end("exec <&-; echo on", MEGABYTE, 100, PT_OK);
    said("on\n");
    ck_assert_uint_lt(run.frame.put, MEGABYTE);
    close_all();
}
END_TEST

START_TEST(a_program_that_writes_more_than_the_limit_is_killed)
{
    open_all(_i);
    run_to_end("printf 12345", 0, 5, PT_OK);
    said("12345");
    run_to_end("printf 123456; sleep 1000", 0, 5, PT_ERANGE);
    said("12345");
    ck_assert_int_eq(run.frame.end.signal, SIGKILL);
    run_to_end("while :; do echo more; done", 0, 100000, PT_ERANGE);
    ck_assert_uint_eq(run.frame.length, 100000);
    close_all();
}
END_TEST

START_TEST(what_a_program_says_at_2_has_a_place_of_its_own)
{
    open_all(_i);
    run_with_errors("echo out; echo why >&2; exit 1", 0, sizeof errors, PT_EFAILED);
    said("out\n");
    ck_assert_uint_eq(run.frame.errors_length, 4);
    ck_assert_mem_eq(errors, "why\n", 4);
    run_with_errors("printf 12345 >&2; exec 2>&-; echo out", 0, 5, PT_OK);
    said("out\n");
    ck_assert_uint_eq(run.frame.errors_length, 5);
    ck_assert_mem_eq(errors, "12345", 5);
    close_all();
}
END_TEST

/* A megabyte at each of the three: none waits for another one. */
START_TEST(what_is_too_much_at_2_is_dropped_and_stops_nobody)
{
    open_all(_i);
    for (int i = 0; i < MEGABYTE; i++)
        input[i] = (char)(i * 7 + i / 256);
    errors[5] = '.';
    run_with_errors("printf 12345 >&2; head -c 1000000 /dev/zero >&2; cat", MEGABYTE, 5, PT_OK);
    ck_assert_uint_eq(run.frame.length, MEGABYTE);
    ck_assert_mem_eq(output, input, MEGABYTE);
    ck_assert_uint_gt(run.frame.errors_length, 5);
    ck_assert_mem_eq(errors, "12345.", 6);
    close_all();
}
END_TEST

/* It can be the pipe of a daemon, which fills it again and again. */
START_TEST(what_is_too_much_at_2_is_not_read_behind_the_end)
{
    siginfo_t about;

    open_all(_i);
    words[2] = "printf 1 >&2; kill -STOP $$; head -c 60000 /dev/zero >&2";
    PT_START(&host.loop, &run, pt_run_process, .system = &host.system, .process.words = words,
             .errors = errors, .errors_size = 5);
    host_turns(1); /* it ends only behind this turn */
    ck_assert_int_eq(waitid(P_PID, (id_t)run.frame.process.pid, &about, WSTOPPED | WNOWAIT), 0);
    ck_assert_int_eq(kill(run.frame.process.pid, SIGCONT), 0);
    ck_assert_int_eq(waitid(P_PID, (id_t)run.frame.process.pid, &about, WEXITED | WNOWAIT), 0);
    host_run();
    ck_assert_int_eq(pt_task_status(&run.task), PT_OK);
    ck_assert_uint_gt(run.frame.errors_length, 5);
    ck_assert_uint_lt(run.frame.errors_length, 60000);
    close_all();
}
END_TEST

/* Its pipes never end, and the kill of the group does not reach it. */
START_TEST(a_run_does_not_wait_for_a_daemon_that_has_its_pipes_and_writes)
{
    int pid;

    host_adopt();
    open_all(_i);
    run_with_errors("exec 3>&1; pid=$(setsid sh -c 'echo $$; exec >&3; "
                    "while :; do echo more >&2 || exit; done' &); echo $pid",
                    0, sizeof errors, PT_OK);
    output[run.frame.length] = '\0';
    pid = atoi(output);
    ck_assert_int_gt(pid, 0);
    host_gone(pid); /* it finds that nobody reads */
    close_all();
}
END_TEST

/* A pipeline: the second program would wait for ever. */
struct pipeline {
    struct pt pt;
    struct pt_group group;
    PT_TASK(pt_run_process) first, second;
};

static PT_ASYNC(pipeline, self)
{
    static const char *const fails[] = {"sh", "-c", "exit 3", NULL};
    static const char *const waits[] = {"sleep", "1000", NULL};

    PT_WITH_GROUP(&self->group, PT_GROUP_ALL_OR_NONE) {
        PT_SPAWN_IN(&self->group, &self->first, pt_run_process, .system = &host.system,
                    .process.words = fails);
        PT_SPAWN_IN(&self->group, &self->second, pt_run_process, .system = &host.system,
                    .process.words = waits);
    }
    trace_add("%s %d %s %d ", pt_status_name(self->group.status) + 3, self->first.frame.end.code,
              pt_status_name(self->second.frame.pt.status) + 3, self->second.frame.end.signal);
    ck_assert_ptr_eq(self->group.decider, &self->first.task);
}
PT_END

START_TEST(a_program_that_fails_fails_its_group_and_ends_the_others)
{
    static PT_TASK(pipeline) task;

    open_all(_i);
    PT_START(&host.loop, &task, pipeline);
    host_run();
    ck_assert_trace("EFAILED 3 ECANCELED 9 ");
    close_all();
}
END_TEST

START_TEST(runs_one_after_the_other_leave_no_descriptor_and_no_child)
{
    static const char *const nothing[] = {"true", NULL};

    open_all(_i);
    for (int i = 0; i < 50; i++) {
        PT_START(&host.loop, &run, pt_run_process, .system = &host.system, .process.words = nothing,
                 .input = "", .output = output, .output_size = 1, .errors = errors,
                 .errors_size = 1);
        host_run();
        ck_assert_int_eq(pt_task_status(&run.task), PT_OK);
    }
    close_all();
}
END_TEST

/* A cancel after each number of turns, up to the end. */
START_TEST(a_run_that_is_canceled_at_any_point_leaves_nothing)
{
    open_all(_i);
    host.patient = false;
    for (int turns = 0; turns < 6; turns++) {
        words[2] = "cat; echo why >&2; exec sleep 1000";
        PT_START(&host.loop, &run, pt_run_process, .system = &host.system, .process.words = words,
                 .input = input, .input_size = MEGABYTE, .output = output, .output_size = MEGABYTE,
                 .errors = errors, .errors_size = 1);
        host_turns(turns);
        pt_cancel(&run.task, PT_ECANCELED);
        host.patient = true;
        host_run();
        host.patient = false;
        ck_assert_int_eq(pt_task_status(&run.task), PT_ECANCELED);
        ck_assert_int_eq(run.frame.end.signal, SIGKILL);
        ck_assert_int_eq(host_descriptors(), before);
    }
    close_all();
}
END_TEST

START_TEST(a_program_that_closes_its_output_is_waited_for_all_the_same)
{
    open_all(_i);
    run_to_end("echo hello; exec >&-; sleep 0.1; exit 5", 0, 100, PT_EFAILED);
    said("hello\n");
    ck_assert_int_eq(run.frame.end.code, 5);
    close_all();
}
END_TEST

/* The end of the pipe would come only with the end of what still has it. */
START_TEST(a_run_ends_with_the_program_and_what_that_has_left_is_killed)
{
    int pid;

    host_adopt();
    open_all(_i);
    run_to_end("sleep 1000 & echo $!", 0, 100, PT_OK);
    ck_assert_int_eq(run.frame.end.code, 0);
    output[run.frame.length] = '\0';
    pid = atoi(output);
    ck_assert_int_gt(pid, 0);
    host_gone(pid);
    close_all();
}
END_TEST

/* Ends the run after 5 seconds, or is canceled before. */
struct impatient {
    struct pt pt;
    const char *text;
    struct pt_scope limit;
    struct pt_run_process run;
};

static PT_ASYNC(impatient, self)
{
    words[2] = self->text;
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(5))
        PT_WAIT_COMPLETE(&self->run, pt_run_process, .system = &host.system, .process.words = words,
                         .process.err = PT_PROCESS_OUTPUT, .output = output, .output_size = 100);
    trace_add("%s %d %d ", pt_status_name(self->run.pt.result) + 3, pt_timed_out(&self->limit),
              self->run.end.signal);
}
PT_END

static PT_TASK(impatient) guarded;

/* Start a program, and wait until it has written: by then it ignores SIGTERM. */
static void start_guarded(const char *text)
{
    PT_START(&host.loop, &guarded, impatient, .text = text);
    while (!guarded.frame.run.length) {
        ck_assert(pt_task_alive(&guarded.task));
        host_turns(1);
    }
}

START_TEST(a_timeout_kills_the_group_of_the_program_and_waits_for_its_end)
{
    open_all(_i);
    start_guarded("trap '' TERM; sh -c 'echo begun; sleep 1000; sleep 1000'; sleep 1000");
    host.patient = false; /* the 5 seconds pass at once */
    while (pt_task_alive(&guarded.task))
        host_turns(1);
    ck_assert_trace("ETIMEDOUT 1 9 ");
    close_all();
}
END_TEST

START_TEST(a_program_that_has_left_its_group_is_killed_all_the_same)
{
    open_all(_i);
    start_guarded("exec python3 -c 'import os, time\n"
                  "os.setpgid(0, os.getpgid(os.getppid()))\n"
                  "os.write(1, b\"begun\")\n"
                  "time.sleep(1000)'");
    pt_cancel(&guarded.task, PT_ECANCELED);
    host_run();
    ck_assert_int_eq(guarded.frame.run.end.signal, SIGKILL);
    close_all();
}
END_TEST

START_TEST(a_canceled_run_has_killed_the_program_when_the_task_has_ended)
{
    open_all(_i);
    start_guarded("trap '' TERM; echo begun; sleep 1000");
    pt_cancel(&guarded.task, PT_ECANCELED);
    host_run();
    ck_assert_int_eq(pt_task_status(&guarded.task), PT_ECANCELED);
    ck_assert_int_eq(kill(guarded.frame.run.process.pid, 0), -1);
    ck_assert_int_eq(guarded.frame.run.end.signal, SIGKILL);
    close_all();
}
END_TEST

START_TEST(a_run_that_cannot_start_returns_why)
{
    static const char *const nothing[] = {"pt-no-such-program", NULL};

    open_all(_i);
    PT_START(&host.loop, &run, pt_run_process, .system = &host.system, .process.words = nothing);
    host_run();
    ck_assert_int_eq(pt_task_status(&run.task), PT_EIO);
    ck_assert_int_eq(run.frame.end.error, ENOENT);
    words[2] = "exit 0";
    PT_START(&host.loop, &run, pt_run_process, .system = &host.system, .process.words = words,
             .process.err = PT_PROCESS_PIPE); /* nobody would read it */
    host_run();
    ck_assert_int_eq(pt_task_status(&run.task), PT_EINVAL);
    for (int i = 0; i < 3; i++) {
        host_fail(HOST_pipe, i, 1, EMFILE);
        run_with_errors("exit 0", 10, 10, PT_EIO);
        ck_assert_int_eq(run.frame.end.error, EMFILE);
    }
    close_all();
}
END_TEST

START_TEST(a_run_whose_end_another_one_has_waited_for_says_so_and_kills_nobody)
{
    open_all(_i);
    host.patient = false;
    start("exec sleep 1000", 0, 100);
    host_turns(1);
    host.patient = true;
    kill(run.frame.process.pid, SIGKILL);
    ck_assert_int_eq(waitpid(run.frame.process.pid, NULL, 0), run.frame.process.pid);
    host.calls[HOST_kill] = 0;
    host_run();
    ck_assert_int_eq(pt_task_status(&run.task), PT_EIO);
    ck_assert_int_eq(run.frame.end.error, ECHILD);
    ck_assert_int_eq(host.calls[HOST_kill], 0);
    close_all();
}
END_TEST

/* The program has ended behind the turn that has started it, so one read of all is left. */
START_TEST(a_read_that_a_signal_interrupts_behind_the_end_loses_no_output)
{
    siginfo_t about;

    open_all(_i);
    host.patient = false;
    start("kill -STOP $$; echo hello", 0, 100);
    host_turns(1);
    host.patient = true;
    ck_assert_int_eq(waitid(P_PID, (id_t)run.frame.process.pid, &about, WSTOPPED), 0);
    kill(run.frame.process.pid, SIGCONT);
    ck_assert_int_eq(waitid(P_PID, (id_t)run.frame.process.pid, &about, WEXITED | WNOWAIT), 0);
    host_fail(HOST_read, 0, 2, EINTR);
    host_run();
    ck_assert_int_eq(pt_task_status(&run.task), PT_OK);
    said("hello\n");
    close_all();
}
END_TEST

/* The pipe can be closed before the program writes: without SIGPIPE it is the kill that ends it. */
START_TEST(a_pipe_that_fails_fails_the_run_and_kills_the_group)
{
    static const enum host_call calls[] = {HOST_read, HOST_write};

    open_all(_i);
    for (int i = 0; i < 2; i++) {
        host_fail(calls[i], 0, 1, EIO);
        run_to_end("trap '' PIPE; sleep 1000 & { echo hello; cat; } 2>/dev/null; wait", 1, 100,
                   PT_EIO);
        ck_assert_int_eq(run.frame.end.error, EIO);
        ck_assert_int_eq(run.frame.end.signal, SIGKILL);
        ck_assert_int_eq(host_descriptors(), before);
    }
    host_fail(HOST_read, 0, 1, EIO);
    run_with_errors("trap '' PIPE; echo why >&2; exec sleep 1000", 0, 5, PT_EIO);
    ck_assert_int_eq(run.frame.end.error, EIO);
    close_all();
}
END_TEST

START_TEST(other_tasks_run_beside_a_program_that_never_stops_writing)
{
    static actor_task other;

    open_all(_i);
    start("while :; do echo more; done", 0, MEGABYTE);
    host_turns(2);
    host_start(&other, 'A', NULL, "yyy");
    host.awaited = &other.task;
    host_run();
    ck_assert(pt_task_alive(&run.task));
    host.awaited = NULL;
    host_run();
    ck_assert_int_eq(pt_task_status(&run.task), PT_ERANGE);
    close_all();
}
END_TEST

Suite *host_suite_process_run(void)
{
    Suite *suite = suite_create("process_run");

    host_test(suite, a_run_returns_the_output_and_the_code_of_the_program);
    host_test(suite, a_program_that_writes_while_it_is_written_to_does_not_stop_the_run);
    host_test(suite, a_program_without_input_reads_the_end_at_once);
    host_test(suite, a_program_may_end_or_go_on_without_reading_its_input);
    host_test(suite, a_program_that_writes_more_than_the_limit_is_killed);
    host_test(suite, what_a_program_says_at_2_has_a_place_of_its_own);
    host_test(suite, what_is_too_much_at_2_is_dropped_and_stops_nobody);
    host_test(suite, what_is_too_much_at_2_is_not_read_behind_the_end);
    host_test(suite, a_run_does_not_wait_for_a_daemon_that_has_its_pipes_and_writes);
    host_test(suite, a_program_that_fails_fails_its_group_and_ends_the_others);
    host_test(suite, runs_one_after_the_other_leave_no_descriptor_and_no_child);
    host_test(suite, a_run_that_is_canceled_at_any_point_leaves_nothing);
    host_test(suite, a_program_that_closes_its_output_is_waited_for_all_the_same);
    host_test(suite, a_run_ends_with_the_program_and_what_that_has_left_is_killed);
    host_test(suite, a_timeout_kills_the_group_of_the_program_and_waits_for_its_end);
    host_test(suite, a_program_that_has_left_its_group_is_killed_all_the_same);
    host_test(suite, a_canceled_run_has_killed_the_program_when_the_task_has_ended);
    host_test(suite, a_run_that_cannot_start_returns_why);
    host_test(suite, a_run_whose_end_another_one_has_waited_for_says_so_and_kills_nobody);
    host_test(suite, a_read_that_a_signal_interrupts_behind_the_end_loses_no_output);
    host_test(suite, a_pipe_that_fails_fails_the_run_and_kills_the_group);
    host_test(suite, other_tasks_run_beside_a_program_that_never_stops_writing);
    return suite;
}
