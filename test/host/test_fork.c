/* test_fork.c - a forked process closes what its parent has open, and opens its own
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include "../../lib/fork.h"

#include <pt/host/pollset.h>
#include <pt/host/process.h>
#include <pt/ports/threads.h>

#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>

/* Run ACT in a child process; returns its exit status. */
static int in_a_child(void (*act)(void))
{
    pid_t pid = fork();
    int status;

    if (!pid) {
        host.on_write = NULL;
        host.alone = true;
        act();
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return status;
}

/* --- the loop of the parent ------------------------------------------------------------------ */

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

static void dispatch_it(void)
{
    close(2);
    pt_system_dispatch(&host.system, 1);
}

START_TEST(a_forked_process_that_dispatches_its_parents_loop_is_stopped_before_it_takes_an_event)
{
    host_open(host_pollers[_i]);
    host_pair(pair);
    ck_assert_int_eq(pt_io_open(&io, &host.system, pair[0]), PT_OK);
    host_start(&a, 'A', &io, "r");
    pt_system_dispatch(&host.system, 9);
    host_put(pair[1], "mine");
    ck_assert(WIFSIGNALED(in_a_child(dispatch_it)));
    pt_system_dispatch(&host.system, 9);
    ck_assert_trace("Ar:mine@0 ");
    pt_io_close(&io);
    close(pair[1]);
    host_close();
}
END_TEST

static struct pt_pollset set;

static void set_it(void)
{
    if (pt_pollset_set(&set, pair[0], POLLIN | POLLOUT) != PT_EPERM)
        _exit(1);
    pt_pollset_close(&set);
}

START_TEST(a_forked_process_does_not_change_what_its_parent_polls)
{
    host_open(host_pollers[_i]);
    host_pair(pair);
    pt_pollset_open(&set, &host.system);
    ck_assert_int_eq(pt_pollset_set(&set, pair[0], POLLIN), PT_OK);
    ck_assert_int_eq(in_a_child(set_it), 0);
    pt_pollset_close(&set);
    close(pair[0]);
    close(pair[1]);
    host_close();
}
END_TEST

static void use_it(void)
{
    int fd = pair[1];

    if (pt_io_open(&io, &host.system, fd) != PT_EPERM)
        _exit(1);
    pt_io_close(&host.system.places[pair[0]].io[0]); /* no effect on the parent */
    if (pt_system_open(&host.system, &host.loop, NULL) != PT_OK)
        _exit(2);
    host_start(&b, 'B', NULL, "");
    host_run();
    host_close();
}

START_TEST(a_forked_process_leaves_its_parents_descriptors_alone_and_opens_its_own_loop)
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

static struct pt_system own_system;
static struct pt_loop own_loop;
static const char *poller;

static void open_before_the_close(void)
{
    if (pt_system_open(&own_system, &own_loop, poller) != PT_OK ||
        pt_io_open(&io, &own_system, pair[1]) != PT_OK)
        _exit(1);
    pt_system_close(&host.system);
    PT_START(&own_loop, &b, actor, .name = 'B', .steps = "r", .io = &io, .size = 0);
    host_put(pair[0], "mine");
    if (pt_loop_run(&own_loop) != PT_OK || strcmp(trace_take(), "Br:mine@0 ") != 0 ||
        fcntl(own_system.wakeup[0], F_GETFD) < 0)
        _exit(2);
    pt_io_close(&io);
    pt_system_close(&own_system);
}

/* A queue of kqueue is not inherited, so that its number is free in the child. */
START_TEST(a_forked_process_that_opens_its_loop_first_loses_none_of_it_to_the_close_of_the_other)
{
    poller = host_pollers[_i];
    host_open(poller);
    host_pair(pair);
    ck_assert_int_eq(in_a_child(open_before_the_close), 0);
    close(pair[0]);
    close(pair[1]);
    host_close();
}
END_TEST

static void act(struct pt_remote *self, unsigned times)
{
    (void)self;
    trace_add("post:%u ", times);
}

static void close_it(void)
{
    pt_system_close(&host.system);
    if (*trace_take())
        _exit(1);
}

START_TEST(a_forked_process_acts_on_no_post_of_its_parent)
{
    struct pt_remote remote;

    host_open(host_pollers[_i]);
    pt_remote_open(&remote, &host.loop, act, NULL);
    ck_assert_int_eq(pt_remote_post(&remote), PT_OK);
    ck_assert_int_eq(in_a_child(close_it), 0);
    host_start(&a, 'A', NULL, "");
    host_run();
    ck_assert_trace("post:1 ");
    host_close();
}
END_TEST

/* --- everything at once ------------------------------------------------------------------------ */

static struct pt_signals signals;
static struct pt_workers workers;
static struct pt_watchdog dog;
static struct pt_team team;
static struct pt_shared shared;
static struct pt_loop shared_loop;
static PT_TASK(pt_blocking) running, waiting;
static PT_TASK(pt_wait_process) end;

struct parked {
    struct pt pt;
};

static PT_ASYNC(parked, self)
{
    PT_PARK();
    trace_add("woken ");
}
PT_END

static PT_TASK(parked) sleeper;
static sem_t begun, gate;
static int called;

static void stay(void *argument)
{
    (void)argument;
    sem_post(&begun);
    while (sem_wait(&gate)) {
    }
    called++;
}

static void *run_shared(void *argument)
{
    ck_assert_int_eq(pt_shared_run(&shared), PT_OK);
    return argument;
}

static void *enter_shared(void *argument)
{
    pt_shared_enter(&shared);
    sem_post(&begun);
    while (sem_wait(&gate)) {
    }
    pt_wake(&sleeper.task);
    pt_shared_leave(&shared);
    return argument;
}

static void close_signals(void)
{
    pt_signals_close(&signals);
}

static void close_workers(void)
{
    pt_workers_close(&workers);
}

static void stop_the_dog(void)
{
    pt_watchdog_stop(&dog);
}

static void close_io(void)
{
    pt_io_close(&io);
    pt_io_close(&end.frame.io);
}

static void close_system(void)
{
    pt_system_close(&host.system);
}

static void close_shared(void)
{
    pt_shared_close(&shared);
}

static void close_team(void)
{
    pt_team_close(&team);
}

static void (*const closes[])(void) = {close_signals, close_workers, stop_the_dog, close_io,
                                       close_system,  close_shared,  close_team};
enum { CLOSES = sizeof closes / sizeof closes[0] };

static int descriptors; /* before anything was open */

static void finish_child(void)
{
    struct sigaction now;

    sigaction(SIGUSR1, NULL, &now);
    if (host_descriptors() != descriptors || now.sa_handler != SIG_DFL)
        _exit(1);
    sigaction(SIGUSR2, NULL, &now);
    if (now.sa_handler != SIG_DFL)
        _exit(2);
    if (pt_system_open(&own_system, &own_loop, poller) != PT_OK ||
        pt_signals_open(&signals, &own_system) != PT_OK ||
        pt_signals_watch(&signals, SIGUSR1) != PT_OK ||
        pt_dump_on_signal(&own_system, SIGUSR2) != PT_OK ||
        pt_watchdog_start(&dog, &own_loop, PT_SEC(1000)) != PT_OK ||
        pt_workers_open(&workers, &own_system, 1) != PT_OK)
        _exit(3);
    host.alone = false;
    pt_workers_close(&workers);
    pt_watchdog_stop(&dog);
    pt_signals_close(&signals);
    pt_system_close(&own_system);
}

static void close_forward(void)
{
    for (int i = 0; i < CLOSES; i++)
        closes[i]();
    finish_child();
}

static void close_backward(void)
{
    for (int i = CLOSES; i-- > 0;)
        closes[i]();
    finish_child();
}

struct forker {
    struct pt pt;
    void (*act)(void);
    int status;
};

static PT_ASYNC(forker, self)
{
    self->status = in_a_child(self->act);
}
PT_END

START_TEST(a_forked_process_closes_all_that_its_parent_has_open_and_the_parent_goes_on)
{
    static const char *const sleep_for_ever[] = {"sh", "-c", "kill -STOP $$", NULL};
    static PT_TASK(forker) forkers[2];
    pthread_t runner, visitor;
    struct pt_process child = {.words = sleep_for_ever};

    poller = host_one_of_many(_i);
    descriptors = host_descriptors() + 1; /* pair[1] */
    host_open(poller);
    host.apart = true;
    host_pair(pair);
    ck_assert_int_eq(pt_io_open(&io, &host.system, pair[0]), PT_OK);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_OK);
    ck_assert_int_eq(pt_dump_on_signal(&host.system, SIGUSR2), PT_OK);
    ck_assert_int_eq(pt_watchdog_start(&dog, &host.loop, PT_SEC(1000)), PT_OK);
    ck_assert_int_eq(pt_workers_open(&workers, &host.system, 1), PT_OK);
    ck_assert_int_eq(pt_team_open(&team, 2, poller), PT_OK);
    ck_assert_int_eq(pt_shared_open(&shared, &shared_loop), PT_OK);
    ck_assert(!sem_init(&begun, 0, 0) && !sem_init(&gate, 0, 0));
    ck_assert_int_eq(pt_process_start(&child, &host.system), PT_OK);

    host_start(&a, 'A', &io, "r");
    PT_START(&host.loop, &end, pt_wait_process, .system = &host.system, .pid = child.pid);
    PT_START(&host.loop, &running, pt_blocking, .workers = &workers, .work = stay);
    PT_START(&host.loop, &waiting, pt_blocking, .workers = &workers, .work = stay);
    PT_START(&shared_loop, &sleeper, parked);
    host_turns(2);
    ck_assert(!pthread_create(&visitor, NULL, enter_shared, NULL));
    ck_assert(!sem_wait(&begun) && !sem_wait(&begun));
    ck_assert(!pthread_create(&runner, NULL, run_shared, NULL));

    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(in_a_child(i ? close_forward : close_backward), 0);
        PT_START(&host.loop, &forkers[i], forker, .act = i ? close_forward : close_backward);
        host_turns(1);
        ck_assert_int_eq(forkers[i].frame.status, 0);
    }

    sem_post(&gate);
    sem_post(&gate);
    sem_post(&gate);
    ck_assert(!pthread_join(visitor, NULL) && !pthread_join(runner, NULL));
    pt_shared_close(&shared);
    kill(child.pid, SIGKILL);
    host_put(pair[1], "mine");
    host.patient = true;
    host_run();
    ck_assert(!strncmp(trace_take(), "woken Ar:mine@", 14)); /* without a pidfd, time passes */
    ck_assert_int_eq(called, 2);
    ck_assert_int_eq(end.frame.signal, SIGKILL);
    close_team();
    close_workers();
    stop_the_dog();
    close_signals();
    close_io();
    host_close();
}
END_TEST

/* --- what another thread is doing at the fork -------------------------------------------------- */

static pthread_t beside;

/* In a write of the other thread: stay in it until the parent has forked. */
static void wait_for_the_fork(void)
{
    if (!pthread_equal(pthread_self(), beside))
        return;
    sem_post(&begun);
    while (sem_wait(&gate)) {
    }
}

static void *raise_one(void *number)
{
    beside = pthread_self();
    raise(*(int *)number);
    return NULL;
}

/* Fork while another thread is in the handler of signal NUMBER; the status of the child. */
static int fork_in_a_handler(int number, void (*child)(void))
{
    pthread_t thread;
    int status;

    ck_assert(!sem_init(&begun, 0, 0) && !sem_init(&gate, 0, 0));
    host.on_write = wait_for_the_fork;
    ck_assert(!pthread_create(&thread, NULL, raise_one, &number));
    while (sem_wait(&begun)) {
    }
    status = in_a_child(child);
    sem_post(&gate);
    ck_assert(!pthread_join(thread, NULL));
    host.on_write = NULL;
    return status;
}

static void open_and_close_its_own(void)
{
    if (pt_system_open(&own_system, &own_loop, poller) != PT_OK ||
        pt_signals_open(&signals, &own_system) != PT_OK ||
        pt_signals_watch(&signals, SIGHUP) != PT_OK ||
        pt_dump_on_signal(&own_system, SIGALRM) != PT_OK)
        _exit(1);
    raise(SIGHUP);
    pt_signals_close(&signals);
    pt_system_close(&own_system);
}

static struct pt_signals copied, copied_too;

/* Opens the copies again without a close; the second one is closed behind its successor. */
static void open_copies_again(void)
{
    struct sigaction now;

    if (pt_signals_watch(&copied, SIGUSR2) != PT_EPERM ||
        pt_dump_on_signal(&host.system, SIGUSR2) != PT_EPERM)
        _exit(5);
    if (pt_system_open(&own_system, &own_loop, poller) != PT_OK ||
        pt_signals_open(&copied, &own_system) != PT_OK ||
        pt_signals_watch(&copied, SIGUSR1) != PT_OK)
        _exit(1);
    raise(SIGUSR1);
    if (!copied.pending[SIGUSR1] || copied_too.pending[SIGUSR1])
        _exit(2);
    pt_signals_close(&copied_too);
    copied.pending[SIGUSR1] = 0;
    raise(SIGUSR1);
    if (!copied.pending[SIGUSR1])
        _exit(3);
    pt_signals_close(&copied);
    sigaction(SIGUSR1, NULL, &now);
    if (now.sa_handler != SIG_IGN)
        _exit(4);
    pt_system_close(&own_system);
}

START_TEST(a_forked_process_opens_a_copy_of_a_set_of_signals_again)
{
    signal(SIGUSR1, SIG_IGN);
    poller = host_pollers[_i];
    host_open(poller);
    ck_assert_int_eq(pt_signals_open(&copied, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&copied, SIGUSR1), PT_OK);
    ck_assert_int_eq(pt_signals_open(&copied_too, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&copied_too, SIGUSR1), PT_OK);
    ck_assert_int_eq(in_a_child(open_copies_again), 0);
    raise(SIGUSR1);
    ck_assert(copied.pending[SIGUSR1] && copied_too.pending[SIGUSR1]);
    pt_signals_close(&copied);
    pt_signals_close(&copied_too);
    host_close();
    ck_assert(signal(SIGUSR1, SIG_DFL) == SIG_IGN);
}
END_TEST

START_TEST(a_fork_while_a_handler_runs_in_another_thread_leaves_no_handler_to_wait_for)
{
    static struct pt_signals of_the_parent;

    poller = host_pollers[_i];
    host_open(poller);
    ck_assert_int_eq(pt_signals_open(&of_the_parent, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&of_the_parent, SIGUSR1), PT_OK);
    ck_assert_int_eq(pt_dump_on_signal(&host.system, SIGUSR2), PT_OK);
    ck_assert_int_eq(fork_in_a_handler(SIGUSR1, open_and_close_its_own), 0);
    ck_assert(pt_loop_may_sleep_(&host.loop)); /* now a post writes to the wakeup */
    ck_assert_int_eq(fork_in_a_handler(SIGUSR2, open_and_close_its_own), 0);
    pt_loop_announce_(&host.loop, NULL);
    pt_signals_close(&of_the_parent);
    host_close();
}
END_TEST

static void *print_tasks(void *argument)
{
    beside = pthread_self();
    raise(SIGUSR2);
    host_turns(1);
    return argument;
}

static void print_its_own(void)
{
    if (pt_system_open(&own_system, &own_loop, poller) != PT_OK ||
        pt_dump_on_signal(&own_system, SIGUSR1) != PT_OK)
        _exit(1);
    raise(SIGUSR1);
    PT_START(&own_loop, &b, actor, .name = 'B', .steps = "", .size = 0);
    if (pt_loop_run(&own_loop) != PT_OK)
        _exit(2);
    pt_system_close(&own_system);
    pt_system_close(&host.system);
}

START_TEST(a_fork_while_another_thread_prints_its_tasks_does_not_keep_the_child_from_printing)
{
    int before = dup(STDERR_FILENO), ends[2];
    pthread_t thread;

    poller = host_pollers[_i];
    host_open(poller);
    ck_assert_int_eq(pt_dump_on_signal(&host.system, SIGUSR2), PT_OK);
    host_start(&a, 'A', NULL, "ss");
    ck_assert(!sem_init(&begun, 0, 0) && !sem_init(&gate, 0, 0) && !pipe(ends));
    dup2(ends[1], STDERR_FILENO);
    host.on_write = wait_for_the_fork;
    ck_assert(!pthread_create(&thread, NULL, print_tasks, NULL));
    while (sem_wait(&begun)) {
    }
    ck_assert_int_eq(in_a_child(print_its_own), 0);
    sem_post(&gate);
    ck_assert(!pthread_join(thread, NULL));
    host.on_write = NULL;
    dup2(before, STDERR_FILENO);
    close(before);
    host_run();
    host_close();
    close(ends[0]);
    close(ends[1]);
}
END_TEST

static void *hold_the_lock(void *argument)
{
    pt_mutex_lock_(PT_MUTEX_PROCESS_);
    sem_post(&begun);
    while (sem_wait(&gate)) {
    }
    pt_mutex_unlock_(PT_MUTEX_PROCESS_);
    return argument;
}

static void open_the_gate(void)
{
    sem_post(&gate);
}

/* The handler that was registered last is called first. */
START_TEST(a_fork_waits_for_the_thread_that_holds_the_lock_of_the_process)
{
    pthread_t thread;

    poller = host_pollers[_i];
    ck_assert(!sem_init(&begun, 0, 0) && !sem_init(&gate, 0, 0));
    ck_assert(!pthread_atfork(open_the_gate, NULL, NULL));
    ck_assert(!pthread_create(&thread, NULL, hold_the_lock, NULL));
    while (sem_wait(&begun)) {
    }
    ck_assert_int_eq(in_a_child(open_and_close_its_own), 0);
    ck_assert(!pthread_join(thread, NULL));
    open_and_close_its_own(); /* the lock of the parent is free, too */
}
END_TEST

static volatile sig_atomic_t forked;

static void fork_and_count(int number)
{
    pid_t child = fork();

    (void)number;
    if (!child)
        _exit(0);
    forked += child > 0 && waitpid(child, NULL, 0) == child;
}

START_TEST(a_handler_that_forks_does_not_wait_for_the_holder_that_it_has_interrupted)
{
    struct sigaction action = {0}, before;

    forked = 0;
    action.sa_handler = fork_and_count;
    ck_assert(!sigaction(SIGUSR1, &action, &before));
    pt_mutex_lock_(PT_MUTEX_PROCESS_);
    raise(SIGUSR1);
    ck_assert_int_eq(forked, 0);
    pt_mutex_unlock_(PT_MUTEX_PROCESS_);
    ck_assert_int_eq(forked, 1);
    raise(SIGUSR1);
    ck_assert_int_eq(forked, 2);
    ck_assert(!sigaction(SIGUSR1, &before, NULL));
}
END_TEST

/* --- signals in the child ---------------------------------------------------------------------- */

static void raise_those_of_the_parent(void)
{
    raise(SIGUSR1);
    raise(SIGUSR2);
}

START_TEST(a_signal_of_a_forked_process_does_not_reach_the_loop_of_its_parent)
{
    struct pollfd wakeup;
    char byte;

    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_OK);
    ck_assert_int_eq(pt_dump_on_signal(&host.system, SIGUSR2), PT_OK);
    ck_assert(pt_loop_may_sleep_(&host.loop));
    ck_assert_int_eq(in_a_child(raise_those_of_the_parent), 0);
    ck_assert_int_eq(read(signals.io.fd, &byte, 1), -1);
    wakeup.fd = host.system.wakeup[0];
    wakeup.events = POLLIN;
    ck_assert_int_eq(poll(&wakeup, 1, 0), 0);
    pt_signals_close(&signals);
    host_close();
}
END_TEST

Suite *host_suite_fork(void)
{
    Suite *suite = suite_create("fork");

    host_test(suite, a_forked_process_that_runs_the_loop_of_its_parent_is_stopped);
    host_test(
        suite,
        a_forked_process_that_dispatches_its_parents_loop_is_stopped_before_it_takes_an_event);
    host_test(suite, a_forked_process_does_not_change_what_its_parent_polls);
    host_test(suite, a_forked_process_leaves_its_parents_descriptors_alone_and_opens_its_own_loop);
    host_test(
        suite,
        a_forked_process_that_opens_its_loop_first_loses_none_of_it_to_the_close_of_the_other);
    host_test(suite, a_forked_process_acts_on_no_post_of_its_parent);
    host_test(suite, a_forked_process_closes_all_that_its_parent_has_open_and_the_parent_goes_on);
    host_test(suite, a_forked_process_opens_a_copy_of_a_set_of_signals_again);
    host_test(suite, a_fork_while_a_handler_runs_in_another_thread_leaves_no_handler_to_wait_for);
    host_test(suite,
              a_fork_while_another_thread_prints_its_tasks_does_not_keep_the_child_from_printing);
    host_test(suite, a_fork_waits_for_the_thread_that_holds_the_lock_of_the_process);
    host_test(suite, a_handler_that_forks_does_not_wait_for_the_holder_that_it_has_interrupted);
    host_test(suite, a_signal_of_a_forked_process_does_not_reach_the_loop_of_its_parent);
    return suite;
}
