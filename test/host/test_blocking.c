/* test_blocking.c - blocking calls, in threads beside the loop
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <pt/host/blocking.h>
#include <pt/inspect.h>

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

static struct pt_workers workers;
static int gate[2];  /* a pipe: a call waits until a byte is written to it */
static int begun[2]; /* a pipe: the call writes to it when it has begun */

static void add_one(void *argument)
{
    ++*(int *)argument;
}

static void wait_at_the_gate(void *argument)
{
    char byte = 0;

    if (write(begun[1], &byte, 1) == 1 && read(gate[0], &byte, 1) == 1)
        add_one(argument);
}

static void open_workers(int poller, unsigned count)
{
    host_open(host_pollers[poller]);
    host.patient = true;
    ck_assert_int_eq(pipe(gate), 0);
    ck_assert_int_eq(pipe(begun), 0);
    ck_assert_int_eq(pt_workers_open(&workers, &host.system, count), PT_OK);
}

static void close_workers(void)
{
    pt_workers_close(&workers);
    host_close();
    close(gate[0]);
    close(gate[1]);
}

typedef PT_TASK(pt_blocking) call;

static void start(call *task, void (*work)(void *), int *number)
{
    ck_assert_int_eq(PT_START(&host.loop, task, pt_blocking, .workers = &workers, .work = work,
                              .argument = number),
                     PT_OK);
}

START_TEST(a_hundred_calls_in_four_threads_all_return)
{
    static call calls[100];
    int numbers[100] = {0};

    open_workers(_i, 4);
    for (int i = 0; i < 100; i++)
        start(&calls[i], add_one, &numbers[i]);
    host_run();
    for (int i = 0; i < 100; i++)
        ck_assert_int_eq(numbers[i], 1);
    close_workers();
}
END_TEST

START_TEST(the_loop_runs_while_a_call_blocks)
{
    static call blocked;
    static actor_task a;
    int number = 0;

    open_workers(_i, 1);
    host.patient = false;
    start(&blocked, wait_at_the_gate, &number);
    host_start(&a, 'A', NULL, "ss");
    host_run();
    ck_assert_trace("As@5 As@10 ");
    ck_assert(pt_task_alive(&blocked.task));
    host.patient = true;
    host_put(gate[1], "x");
    host_run();
    ck_assert_int_eq(number, 1);
    close_workers();
}
END_TEST

START_TEST(a_canceled_call_is_withdrawn_if_it_has_not_begun_and_else_waited_for)
{
    static call running, waiting, last;
    int numbers[3] = {0};
    char byte;

    open_workers(_i, 1);
    host.patient = false;
    start(&running, wait_at_the_gate, &numbers[0]);
    host_run();
    start(&waiting, add_one, &numbers[1]);
    start(&last, add_one, &numbers[2]);
    host_run();
    ck_assert_int_eq(read(begun[0], &byte, 1), 1);
    pt_cancel(&waiting.task, PT_ECANCELED);
    pt_cancel(&running.task, PT_ECANCELED);
    host_run();
    ck_assert(!pt_task_alive(&waiting.task));
    ck_assert(pt_task_alive(&running.task));
    host.patient = true;
    host_put(gate[1], "x");
    host_run();
    ck_assert_int_eq(pt_task_status(&running.task), PT_ECANCELED);
    ck_assert_int_eq(numbers[0], 1);
    ck_assert_int_eq(numbers[1], 0);
    ck_assert_int_eq(numbers[2], 1);
    close_workers();
}
END_TEST

static sigjmp_buf before_the_fault;

static void leave_the_fault(int number)
{
    (void)number;
    siglongjmp(before_the_fault, 1);
}

static void touch(void *page)
{
    if (!sigsetjmp(before_the_fault, 1))
        *(volatile char *)page = 1;
}

START_TEST(a_fault_in_a_call_reaches_the_handler_of_the_program)
{
    static call faulty;
    void *page = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct sigaction action, before[2];

    memset(&action, 0, sizeof action);
    action.sa_handler = leave_the_fault;
    sigaction(SIGSEGV, &action, &before[0]);
    sigaction(SIGBUS, &action, &before[1]);
    open_workers(_i, 1);
    start(&faulty, touch, page);
    host_run();
    ck_assert_int_eq(pt_task_status(&faulty.task), PT_OK);
    close_workers();
    sigaction(SIGSEGV, &before[0], NULL);
    sigaction(SIGBUS, &before[1], NULL);
    munmap(page, 1);
}
END_TEST

static void get_mask(void *mask)
{
    pthread_sigmask(SIG_BLOCK, NULL, mask);
}

START_TEST(a_worker_blocks_all_signals_but_those_of_its_own_faults)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    static const int others[] = {SIGTERM, SIGINT, SIGCHLD, SIGALRM, SIGUSR1, SIGHUP, SIGQUIT};
    static call asker;
    sigset_t mask;

    open_workers(_i, 1);
    ck_assert_int_eq(PT_START(&host.loop, &asker, pt_blocking, .workers = &workers,
                              .work = get_mask, .argument = &mask),
                     PT_OK);
    host_run();
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        ck_assert_int_eq(sigismember(&mask, faults[i]), 0);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        ck_assert_int_eq(sigismember(&mask, others[i]), 1);
    close_workers();
}
END_TEST

/* Also in its cleanup, where a wake that is for something else does not end the wait. */
START_TEST(a_task_in_a_call_is_shown_to_wait_for_foreign_code)
{
    static call task;
    struct pt_trace_event events[64];
    struct pt_trace trace;
    int number = 0, told = 0;
    char byte;

    open_workers(_i, 1);
    host.patient = false;
    pt_trace_start(&trace, &host.loop, events, 64);
    start(&task, wait_at_the_gate, &number);
    host_run();
    ck_assert_str_eq(pt_task_doing(&task.task), "waits for foreign code");
    ck_assert_int_eq(read(begun[0], &byte, 1), 1);
    pt_cancel(&task.task, PT_ECANCELED);
    pt_wake(&task.task);
    host_run();
    ck_assert_str_eq(pt_task_doing(&task.task), "waits for foreign code");
    pt_trace_stop(&trace);
    for (int i = 0; i < 64; i++)
        told += events[i].kind == PT_TRACE_SUSPEND &&
                (events[i].what & ~PT_TRACE_MORE_) == PT_TRACE_WAITS_ + (int)PT_WHY_FOREIGN;
    ck_assert_int_eq(told, 2);
    host.patient = true;
    host_put(gate[1], "x");
    host_run();
    ck_assert_int_eq(number, 1);
    ck_assert_int_eq(pt_task_status(&task.task), PT_ECANCELED);
    close_workers();
}
END_TEST

START_TEST(failing_to_start_workers_returns_the_reason)
{
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_workers_open(&workers, &host.system, 0), PT_EINVAL);
    host_fail(HOST_calloc, 0, 1, ENOMEM);
    ck_assert_int_eq(pt_workers_open(&workers, &host.system, 2), PT_ENOMEM);
    host_fail(HOST_pthread_create, 1, 1, EAGAIN);
    ck_assert_int_eq(pt_workers_open(&workers, &host.system, 2), PT_EIO);
    ck_assert_int_eq(errno, EAGAIN);
    ck_assert_uint_eq(workers.count, 0); /* the one that had started has ended */
    host_close();
}
END_TEST

/* --- calls that a task can leave ------------------------------------------------------------- */

typedef PT_TASK(pt_detached) detached_call;

static void start_detached(detached_call *task, void (*work)(void *))
{
    int *ended = malloc(sizeof *ended); /* the call's own */

    *ended = begun[1];
    ck_assert_int_eq(PT_START(&host.loop, task, pt_detached, .work = work, .argument = ended),
                     PT_OK);
}

static void tell_the_end(void *ended)
{
    ck_assert_int_eq(write(*(int *)ended, "e", 1), 1);
    free(ended);
}

static void wait_and_tell(void *ended)
{
    char byte = 'b';

    if (write(*(int *)ended, &byte, 1) == 1 && read(gate[0], &byte, 1) == 1)
        tell_the_end(ended);
}

static char heard(void)
{
    char byte;

    ck_assert_int_eq(read(begun[0], &byte, 1), 1);
    return byte;
}

START_TEST(a_detached_call_that_returns_ends_its_task)
{
    static detached_call task;

    open_workers(_i, 1);
    start_detached(&task, tell_the_end);
    host_run();
    ck_assert_int_eq(pt_task_status(&task.task), PT_OK);
    ck_assert(task.frame.begun);
    ck_assert_int_eq(heard(), 'e');
    close_workers();
}
END_TEST

START_TEST(a_task_that_is_canceled_leaves_its_detached_call_which_goes_on)
{
    static detached_call task;

    open_workers(_i, 1);
    host.patient = false;
    start_detached(&task, wait_and_tell);
    host_run();
    ck_assert_int_eq(heard(), 'b');
    pt_cancel(&task.task, PT_ECANCELED);
    host_run();
    ck_assert(!pt_task_alive(&task.task));
    ck_assert_int_eq(pt_task_status(&task.task), PT_ECANCELED);
    pt_workers_close(&workers);
    host_close(); /* it outlives the loop */
    host_put(gate[1], "x");
    ck_assert_int_eq(heard(), 'e');
}
END_TEST

START_TEST(a_detached_call_is_made_once_whenever_its_task_leaves)
{
    static detached_call tasks[100];

    open_workers(_i, 1);
    for (int i = 0; i < 100; i++) {
        host.patient = i % 2;
        start_detached(&tasks[i], tell_the_end);
        if (i % 3)
            host_run();
        pt_cancel(&tasks[i].task, PT_ECANCELED);
    }
    host_run();
    for (int i = 0; i < 100; i++) {
        ck_assert(!pt_task_alive(&tasks[i].task));
        ck_assert(tasks[i].frame.begun);
        ck_assert_int_eq(heard(), 'e');
    }
    close_workers();
}
END_TEST

START_TEST(without_a_thread_a_detached_call_is_not_made)
{
    static detached_call task;

    open_workers(_i, 1);
    host_fail(HOST_pthread_create, 0, 1, EAGAIN);
    start_detached(&task, tell_the_end);
    host_run();
    ck_assert_int_eq(pt_task_status(&task.task), PT_EIO);
    ck_assert_int_eq(task.frame.error, EAGAIN);
    ck_assert(!task.frame.begun);
    free(task.frame.argument);
    host_fail(HOST_calloc, 0, 1, ENOMEM);
    start_detached(&task, tell_the_end);
    host_run();
    ck_assert_int_eq(pt_task_status(&task.task), PT_ENOMEM);
    free(task.frame.argument);
    close_workers();
}
END_TEST

Suite *host_suite_blocking(void)
{
    Suite *suite = suite_create("blocking");

    host_test(suite, a_hundred_calls_in_four_threads_all_return);
    host_test(suite, the_loop_runs_while_a_call_blocks);
    host_test(suite, a_task_in_a_call_is_shown_to_wait_for_foreign_code);
    host_test(suite, a_canceled_call_is_withdrawn_if_it_has_not_begun_and_else_waited_for);
    host_test(suite, a_fault_in_a_call_reaches_the_handler_of_the_program);
    host_test(suite, a_worker_blocks_all_signals_but_those_of_its_own_faults);
    host_test(suite, failing_to_start_workers_returns_the_reason);
    host_test(suite, a_detached_call_that_returns_ends_its_task);
    host_test(suite, a_task_that_is_canceled_leaves_its_detached_call_which_goes_on);
    host_test(suite, a_detached_call_is_made_once_whenever_its_task_leaves);
    host_test(suite, without_a_thread_a_detached_call_is_not_made);
    return suite;
}
