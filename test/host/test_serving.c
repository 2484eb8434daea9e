/* test_serving.c - pt_serve: a task for each connection, a full pool, refusals, the end
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <pt/net/native_net.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/wait.h>

enum { MOST = 3 };

/* Sends back what it receives; holds each byte 's' for 100 ms. */
struct echo {
    struct pt pt;
    struct pt_io io;
    size_t got, put;
    char data[16];
};

static PT_ASYNC(echo, self)
{
    for (;;) {
        PT_READ(&self->io, self->data, sizeof self->data, &self->got);
        if (self->pt.status != PT_OK)
            break;
        if (self->data[0] == 's')
            PT_WAIT(PT_MS(100));
        PT_WRITE(&self->io, self->data, self->got, &self->put);
        if (self->pt.status != PT_OK)
            break;
    }
    PT_FINALLY
    trace_add("%s@%d ", self->pt.result == PT_ECANCELED ? "cut" : "end", host_ms(PT_NOW()));
    pt_io_close(&self->io);
}
PT_END

static PT_POOL(echo, MOST) clients;
static PT_TASK(pt_serve) server, successor;
static struct pt_io listener;

/* Whether CONTEXT welcomes anybody. */
static struct pt_task *meet(struct pt_loop *loop, struct pt_io *peer, void *context)
{
    if (context || PT_START_FROM(loop, &clients, echo, .io = pt_io_take(peer)) != PT_OK)
        return NULL;
    return &clients.taken->task;
}

static void open_server(int poller)
{
    host_open(host_pollers[poller]);
    ck_assert_int_eq(pt_listen_at(&listener, &host.system, "127.0.0.1:0"), PT_OK);
}

/* Run until nothing happens any more. The wait for time to pass is not real. */
static void settle(void)
{
    host_turns(200);
}

static int client(void)
{
    static struct pt_address at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    if (listener.system)
        ck_assert_int_eq(pt_io_local(&listener, &at), PT_OK);
    ck_assert_int_eq(connect(fd, (struct sockaddr *)&at.name, at.length), 0);
    return fd;
}

/* What has come on FD, or "-"; "." at its end; "!" after a reset. */
static const char *seen(int fd)
{
    static char data[64];
    ssize_t got = recv(fd, data, sizeof data - 1, MSG_DONTWAIT);

    if (got > 0)
        data[got] = '\0';
    else
        strcpy(data, got == 0 ? "." : errno == EAGAIN ? "-" : "!");
    return data;
}

/* Send TEXT, run, and expect an answer. */
static void expect(int fd, const char *text, const char *answer)
{
    if (*text)
        host_put(fd, text);
    for (int i = 0; i < 100; i++) { /* loopback can need more than a turn of the loop */
        char byte;

        host_turns(4);
        if (recv(fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK) >= 0)
            break;
    }
    ck_assert_str_eq(seen(fd), answer);
}

/* Does something each millisecond: so no turn takes longer. */
struct clock_of_ms {
    struct pt pt;
};

static PT_ASYNC(clock_of_ms, self)
{
    for (;;)
        PT_WAIT(PT_MS(1));
}
PT_END

static void keep_time(void)
{
    static PT_TASK(clock_of_ms) task;

    PT_START(&host.loop, &task, clock_of_ms);
}

static void end(void)
{
    pt_loop_cancel(&host.loop, PT_ECANCELED);
    host_run();
    ck_assert_uint_eq(pt_loop_live(&host.loop), 0);
    ck_assert_uint_eq(clients.pool.used, 0);
    ck_assert_ptr_null(listener.system);
    trace_take();
    host_close();
}

START_TEST(each_connection_has_a_task_and_a_full_pool_holds_up_the_next)
{
    int before = host_descriptors(), fd[MOST + 2];

    open_server(_i);
    PT_START(&host.loop, &server, pt_serve, .listener = &listener, .start = meet,
             .pool = &clients.pool);
    for (int i = 0; i < MOST + 2; i++)
        fd[i] = client();
    for (int i = 0; i < MOST; i++)
        expect(fd[i], "hi", "hi");
    host_put(fd[MOST], "x");
    host_put(fd[MOST + 1], "y");
    settle();
    ck_assert_str_eq(seen(fd[MOST]), "-");
    close(fd[0]);
    expect(fd[MOST], "", "x");
    close(fd[1]);
    expect(fd[MOST + 1], "", "y");
    ck_assert_uint_eq(clients.pool.used, MOST);
    for (int i = 2; i < MOST + 2; i++)
        close(fd[i]);
    end();
    ck_assert_int_eq(pt_task_status(&server.task), PT_ECANCELED);
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(a_client_without_a_task_gets_the_refusal_and_then_the_end)
{
    int before = host_descriptors(), fd[MOST + 1];

    open_server(_i);
    PT_START(&host.loop, &server, pt_serve, .listener = &listener, .start = meet,
             .pool = &clients.pool, .refusal = "full");
    for (int i = 0; i < MOST + 1; i++)
        fd[i] = client();
    for (int i = 0; i < MOST; i++)
        expect(fd[i], "hi", "hi");
    expect(fd[MOST], "this is not read before the refusal", "full");
    expect(fd[MOST], "", "."); /* and no reset */
    close(fd[MOST]);
    settle();
    ck_assert_uint_eq(server.frame.refusing, 0);
    close(fd[0]);
    settle();
    fd[0] = client();
    expect(fd[0], "again", "again");
    for (int i = 0; i < MOST; i++)
        close(fd[i]);
    end();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(a_refused_client_that_stays_has_a_second)
{
    int before = host_descriptors(), fd;

    open_server(_i);
    PT_START(&host.loop, &server, pt_serve, .listener = &listener, .start = meet,
             .context = &server, .refusal = "no");
    fd = client();
    expect(fd, "", "no");
    settle();
    ck_assert_uint_eq(server.frame.refusing, 0);
    ck_assert_int_ge(host_ms(host.now), 1000);
    close(fd);
    end();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(of_many_refused_clients_only_some_get_the_text)
{
    enum { MANY = 24 };
    int before = host_descriptors(), fd[MANY], told = 0, cut = 0;

    open_server(_i);
    PT_START(&host.loop, &server, pt_serve, .listener = &listener, .start = meet,
             .context = &server, .refusal = "no");
    for (int i = 0; i < MANY; i++)
        fd[i] = client();
    settle();
    for (int i = 0; i < MANY; i++) {
        const char *now = seen(fd[i]);

        told += !strcmp(now, "no");
        cut += !strcmp(now, ".") || !strcmp(now, "!");
        close(fd[i]);
    }
    ck_assert_int_eq(told, 16);
    ck_assert_int_eq(cut, MANY - 16);
    end();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(without_a_pool_and_a_refusal_an_unwelcome_client_is_closed)
{
    int before = host_descriptors(), fd;

    open_server(_i);
    PT_START(&host.loop, &server, pt_serve, .listener = &listener, .start = meet,
             .context = &server);
    fd = client();
    expect(fd, "", ".");
    close(fd);
    end();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

/* Closes the first client, and welcomes the others. */
static struct pt_task *meet_the_others(struct pt_loop *loop, struct pt_io *peer, void *context)
{
    if (++*(int *)context > 1)
        return meet(loop, peer, NULL);
    pt_io_close(peer);
    return NULL;
}

START_TEST(a_client_that_start_closes_holds_up_nobody)
{
    int before = host_descriptors(), met = 0, first, second;

    open_server(_i);
    PT_START(&host.loop, &server, pt_serve, .listener = &listener, .start = meet_the_others,
             .context = &met, .pool = &clients.pool);
    first = client();
    expect(first, "", ".");
    second = client();
    host.now = HOST_START;
    expect(second, "hi", "hi");
    ck_assert_int_eq(met, 2);
    ck_assert_int_eq(host_ms(host.now), 0);
    close(first), close(second);
    end();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

/* --- the end --------------------------------------------------------------------------------- */

START_TEST(at_the_end_connections_have_the_grace_and_no_client_comes)
{
    int before = host_descriptors(), busy, idle;

    open_server(_i);
    PT_START(&host.loop, &server, pt_serve, .listener = &listener, .start = meet,
             .pool = &clients.pool, .grace = PT_MS(500));
    busy = client();
    idle = client();
    expect(busy, "hi", "hi");
    expect(idle, "hi", "hi");
    host.now = HOST_START;
    host_put(busy, "s");
    pt_cancel(&server.task, PT_ECANCELED);
    host_turns(2);
    ck_assert_ptr_null(listener.system);
    ck_assert(pt_task_alive(&server.task));
    host_run();
    ck_assert_str_eq(seen(busy), "s"); /* what it was doing was done */
    ck_assert_trace("cut@500 cut@500 ");
    ck_assert_int_eq(pt_task_status(&server.task), PT_ECANCELED);
    close(busy), close(idle);
    end();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

static int guests_asked;    /* for an answer to "s" */
static pt_time canceled_at; /* when the server was */

/* Sends back what it receives after 100 ms, until no more clients come. */
struct guest {
    struct pt pt;
    struct pt_io io;
    PT_SELECTION(2) next;
    size_t got, put;
    char data[16];
};

static PT_ASYNC(guest, self)
{
    for (;;) {
        PT_SELECT(&self->next, PT_CASE_READABLE(&self->io), PT_CASE_EVENT(&server.frame.ending));
        if (PT_SELECTED(&self->next) == 1)
            break;
        PT_READ(&self->io, self->data, sizeof self->data, &self->got);
        guests_asked += self->data[0] == 's';
        PT_WAIT(PT_MS(100));
        PT_WRITE(&self->io, self->data, self->got, &self->put);
    }
    PT_FINALLY
    trace_add("%s+%d ", pt_status_name(self->pt.result) + 3,
              (int)((PT_NOW() - canceled_at) / PT_MS(1)));
    pt_io_close(&self->io);
}
PT_END

static PT_POOL(guest, MOST) guests;

static struct pt_task *meet_guest(struct pt_loop *loop, struct pt_io *peer, void *context)
{
    (void)context;
    return PT_START_FROM(loop, &guests, guest, .io = pt_io_take(peer)) == PT_OK
               ? &guests.taken->task
               : NULL;
}

START_TEST(a_connection_that_waits_for_the_ending_ends_before_the_grace)
{
    int before = host_descriptors(), idle, busy;

    guests_asked = 0;
    open_server(_i);
    PT_START(&host.loop, &server, pt_serve, .listener = &listener, .start = meet_guest,
             .grace = PT_SEC(5));
    idle = client();
    busy = client();
    expect(idle, "hi", "hi");
    expect(busy, "hi", "hi");
    keep_time();
    host_put(busy, "s");
    while (!guests_asked)
        host_turns(1);
    canceled_at = host.loop.now;
    pt_cancel(&server.task, PT_ECANCELED);
    host.awaited = &server.task;
    host_run();
    host.awaited = NULL;
    ck_assert_trace("OK+1 OK+100 ");
    ck_assert_str_eq(seen(busy), "s");
    close(busy), close(idle);
    end();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(the_end_does_not_wait_longer_than_for_the_last_connection)
{
    int before = host_descriptors(), fd;

    open_server(_i);
    PT_START(&host.loop, &server, pt_serve, .listener = &listener, .start = meet,
             .pool = &clients.pool, .grace = PT_SEC(500));
    fd = client();
    expect(fd, "hi", "hi");
    pt_cancel(&server.task, PT_ECANCELED);
    close(fd);
    host.awaited = &server.task;
    host_run();
    host.awaited = NULL;
    ck_assert(!pt_task_alive(&server.task));
    ck_assert_int_lt(host_ms(host.now), 500000);
    end();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(a_loop_that_is_canceled_ends_the_grace)
{
    int before = host_descriptors(), fd;

    open_server(_i);
    PT_START(&host.loop, &server, pt_serve, .listener = &listener, .start = meet,
             .pool = &clients.pool, .grace = PT_SEC(500));
    keep_time();
    fd = client();
    expect(fd, "hi", "hi");
    pt_cancel(&server.task, PT_ECANCELED);
    host_turns(20);
    ck_assert(pt_task_alive(&server.task));
    end();
    ck_assert_int_lt(host_ms(host.now), 500000);
    close(fd);
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(a_server_without_grace_cuts_its_connections)
{
    int before = host_descriptors(), fd;

    open_server(_i);
    PT_START(&host.loop, &server, pt_serve, .listener = &listener, .start = meet,
             .pool = &clients.pool);
    fd = client();
    expect(fd, "hi", "hi");
    host.now = HOST_START;
    pt_io_close(&listener);
    host_run();
    ck_assert_trace("cut@0 ");
    ck_assert_int_eq(pt_task_status(&server.task), PT_ECLOSED);
    close(fd);
    end();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(a_server_that_is_canceled_in_any_turn_leaves_nothing)
{
    int before = host_descriptors(), fd[MOST + 2];

    for (int refuses = 0; refuses < 2; refuses++)
        for (int turns = 0; turns < 20; turns++) {
            open_server(_i);
            PT_START(&host.loop, &server, pt_serve, .listener = &listener, .start = meet,
                     .pool = &clients.pool, .refusal = refuses ? "full" : NULL,
                     .grace = PT_MS(turns % 2));
            for (int i = 0; i < MOST + 2; i++)
                fd[i] = client();
            host_put(fd[1], "s");
            host_turns(turns);
            pt_cancel(&server.task, PT_ECANCELED);
            host_run();
            ck_assert(!pt_task_alive(&server.task));
            for (int i = 0; i < MOST + 2; i++)
                close(fd[i]);
            end();
            ck_assert_int_eq(host_descriptors(), before);
        }
}
END_TEST

START_TEST(a_successor_takes_over_a_shared_listener_and_no_client_is_lost)
{
    struct pt_io second;
    int before = host_descriptors(), fd[4];

    open_server(_i);
    ck_assert_int_eq(pt_io_open(&second, &host.system, dup(listener.fd)), PT_OK);
    PT_START(&host.loop, &server, pt_serve, .listener = &listener, .start = meet,
             .pool = &clients.pool, .grace = PT_SEC(500));
    keep_time();
    fd[0] = client();
    expect(fd[0], "old", "old");
    fd[1] = client(); /* it waits in the queue while the server ends */
    pt_cancel(&server.task, PT_ECANCELED);
    host_turns(20);
    ck_assert_ptr_null(listener.system);
    PT_START(&host.loop, &successor, pt_serve, .listener = &second, .start = meet,
             .pool = &clients.pool);
    fd[2] = client();
    expect(fd[1], "queued", "queued");
    expect(fd[2], "new", "new");
    expect(fd[0], "still", "still"); /* in its grace */
    for (int i = 0; i < 3; i++)
        close(fd[i]);
    end();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

/* --- on a stack ------------------------------------------------------------------------------ */

static PT_POOL(pt_native_connection, 2) natives;
static struct pt_stacks stacks;

/* Sends back what it receives. */
static pt_status talk(struct pt_native *self)
{
    struct pt_io *io = (struct pt_io *)self->argument;
    size_t got, put;
    char data[16];
    pt_status status;

    while ((status = pt_native_read(self, io, data, sizeof data, &got)) == PT_OK)
        if ((status = pt_native_write(self, io, data, got, &put)) != PT_OK)
            break;
    trace_add("%s@%d ", pt_status_name(status) + 3, host_ms(pt_native_now(self)));
    return status;
}

static struct pt_task *meet_natively(struct pt_loop *loop, struct pt_io *peer, void *context)
{
    (void)context;
    if (PT_START_FROM(loop, &natives, pt_native_connection, .io = pt_io_take(peer),
                      .function = talk, .stacks = &stacks) != PT_OK)
        return NULL;
    return &natives.taken->task;
}

START_TEST(a_native_connection_has_a_place_in_the_pool_and_the_grace_of_its_server)
{
    int before = host_descriptors(), fd[3];

    open_server(_i);
    pt_stacks_init(&stacks, 32 << 10, PT_STACKS_GUARDED);
    PT_START(&host.loop, &server, pt_serve, .listener = &listener, .start = meet_natively,
             .pool = &natives.pool, .grace = PT_MS(300));
    for (int i = 0; i < 3; i++)
        fd[i] = client();
    expect(fd[0], "a", "a");
    expect(fd[1], "b", "b");
    expect(fd[2], "c", "-");
    close(fd[0]);
    expect(fd[2], "", "c");
    trace_take();
    host.now = HOST_START;
    pt_cancel(&server.task, PT_ECANCELED);
    expect(fd[1], "still", "still"); /* in its grace */
    host_run();
    ck_assert_trace("ECANCELED@300 ECANCELED@300 ");
    ck_assert_ptr_nonnull(stacks.returned);
    ck_assert_ptr_nonnull(stacks.returned->next);
    pt_stacks_close(&stacks);
    host_close();
    close(fd[1]);
    close(fd[2]);
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(a_native_connection_without_a_stack_closes_its_client)
{
    int before = host_descriptors(), fd;

    open_server(_i);
    memset(&stacks, 0, sizeof stacks);
    PT_START(&host.loop, &server, pt_serve, .listener = &listener, .start = meet_natively,
             .pool = &natives.pool);
    fd = client();
    expect(fd, "", ".");
    close(fd);
    end();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

/* --- until a signal -------------------------------------------------------------------------- */

/* Raises signals, 10 ms apart. */
struct raiser {
    struct pt pt;
    int times;
};

static PT_ASYNC(raiser, self)
{
    for (; self->times > 0; self->times--) {
        PT_WAIT(PT_MS(10));
        trace_add("signal@%d ", host_ms(PT_NOW()));
        raise(self->times % 2 ? SIGTERM : SIGINT);
    }
}
PT_END

/* Serve one client, with SIGNALS signals; the trace. */
static const char *serve_until(int poller, int signals)
{
    static PT_TASK(raiser) raiser;
    int fd;

    open_server(poller);
    PT_START(&host.loop, &server, pt_serve, .listener = &listener, .start = meet,
             .pool = &clients.pool, .grace = PT_MS(500));
    fd = client();
    expect(fd, "hi", "hi");
    host.now = HOST_START;
    PT_START(&host.loop, &raiser, raiser, .times = signals);
    ck_assert_int_eq(pt_run_until_signal(&host.system, &server.task), PT_OK);
    ck_assert_uint_eq(pt_loop_live(&host.loop), 0);
    ck_assert_ptr_null(listener.system);
    host_close();
    close(fd);
    return trace_take();
}

START_TEST(a_signal_begins_the_grace_and_a_second_one_ends_it)
{
    int before = host_descriptors();

    ck_assert_str_eq(serve_until(_i, 1), "signal@10 cut@510 ");
    ck_assert_str_eq(serve_until(_i, 2), "signal@10 signal@20 cut@20 ");
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(a_run_until_a_signal_ends_when_its_task_ends)
{
    static PT_TASK(raiser) task;
    struct sigaction earlier, after;
    int before = host_descriptors();

    ck_assert_int_eq(sigaction(SIGTERM, NULL, &earlier), 0);

    host_open(host_pollers[_i]);
    PT_START(&host.loop, &task, raiser, .times = 0);
    ck_assert_int_eq(pt_run_until_signal(&host.system, &task.task), PT_OK);
    ck_assert_int_eq(sigaction(SIGTERM, NULL, &after), 0);
    ck_assert(after.sa_handler == earlier.sa_handler);
    host_close();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

/* Lives for TIME; its cleanup adds NAME to the trace. */
struct rest {
    struct pt pt;
    const char *name;
    pt_time time;
};

static PT_ASYNC(rest, self)
{
    PT_WAIT(self->time);
    PT_FINALLY
    trace_add("%s@%d ", self->name, host_ms(PT_NOW()));
}
PT_END

/* Run until two signals, 10 ms apart, beside a task that lives for a second; one that lives for
 * FIRST ms is the one that a signal cancels. */
static const char *run_beside(int poller, int first)
{
    static PT_TASK(raiser) raiser;
    static PT_TASK(rest) task, beside;

    host_open(host_pollers[poller]);
    PT_START(&host.loop, &task, rest, .name = "task", .time = PT_MS(first));
    PT_START(&host.loop, &beside, rest, .name = "beside", .time = PT_SEC(1));
    PT_START(&host.loop, &raiser, raiser, .times = 2);
    ck_assert_int_eq(pt_run_until_signal(&host.system, &task.task), PT_OK);
    ck_assert_uint_eq(pt_loop_live(&host.loop), 0);
    host_close();
    return trace_take();
}

START_TEST(a_signal_after_the_end_of_its_task_cancels_all_others)
{
    ck_assert_str_eq(run_beside(_i, 100), "signal@10 task@10 signal@20 beside@20 ");
    ck_assert_str_eq(run_beside(_i, 5), "task@5 signal@10 beside@10 ");
}
END_TEST

/* Raises a signal in its last step. */
struct parting {
    struct pt pt;
};

static PT_ASYNC(parting, self)
{
    (void)self;
    PT_WAIT(PT_MS(5));
    raise(SIGTERM);
}
PT_END

/* The storage of the task is freed before the loop acts on the signal. */
START_TEST(a_signal_in_the_last_step_of_its_task_cancels_all_others)
{
    static PT_TASK(rest) beside;

    host_open(host_pollers[_i]);
    ck_assert_int_eq(PT_START_NEW(&host.loop, parting, .pt.status = PT_OK), PT_OK);
    PT_START(&host.loop, &beside, rest, .name = "beside", .time = PT_SEC(1));
    ck_assert_int_eq(pt_run_until_signal(&host.system, host.loop.taken), PT_OK);
    ck_assert_trace("beside@5 ");
    host_close();
}
END_TEST

static PT_POOL(raiser, 1) place;

/* Starts a raiser in the place, and lives for a second. */
struct successor {
    struct pt pt;
};

static PT_ASYNC(successor, self)
{
    PT_SPAWN_FROM(&place, raiser, .times = 2);
    PT_WAIT(PT_SEC(1));
    PT_FINALLY
    trace_add("successor@%d ", host_ms(PT_NOW()));
}
PT_END

START_TEST(a_task_that_ends_in_its_first_step_is_not_taken_for_the_next_one_in_its_storage)
{
    static PT_TASK(successor) beside;

    host_open(host_pollers[_i]);
    ck_assert_int_eq(PT_START_FROM(&host.loop, &place, raiser, .times = 0), PT_OK);
    PT_START(&host.loop, &beside, successor);
    ck_assert_int_eq(pt_run_until_signal(&host.system, &place.items[0].task), PT_OK);
    ck_assert_trace("signal@10 successor@10 ");
    host_close();
}
END_TEST

/* Its cleanup does not return to the loop before two more signals have come. */
struct hanger {
    struct pt pt;
};

static PT_ASYNC(hanger, self)
{
    (void)self;
    raise(SIGTERM);
    PT_WAIT(PT_SEC(1));
    PT_FINALLY
    raise(SIGINT);
    raise(SIGTERM);
    _exit(1);
}
PT_END

START_TEST(a_third_signal_ends_a_process_whose_cleanup_hangs)
{
    static PT_TASK(hanger) task;
    pid_t child = fork();
    int status = 0;

    if (!child) {
        host_open(host_pollers[_i]);
        PT_START(&host.loop, &task, hanger);
        _exit(pt_run_until_signal(&host.system, &task.task) == PT_OK ? 2 : 3);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}
END_TEST

Suite *host_suite_serving(void)
{
    Suite *suite = suite_create("serving");

    host_test(suite, each_connection_has_a_task_and_a_full_pool_holds_up_the_next);
    host_test(suite, a_client_without_a_task_gets_the_refusal_and_then_the_end);
    host_test(suite, a_refused_client_that_stays_has_a_second);
    host_test(suite, of_many_refused_clients_only_some_get_the_text);
    host_test(suite, without_a_pool_and_a_refusal_an_unwelcome_client_is_closed);
    host_test(suite, a_client_that_start_closes_holds_up_nobody);
    host_test(suite, at_the_end_connections_have_the_grace_and_no_client_comes);
    host_test(suite, a_connection_that_waits_for_the_ending_ends_before_the_grace);
    host_test(suite, the_end_does_not_wait_longer_than_for_the_last_connection);
    host_test(suite, a_loop_that_is_canceled_ends_the_grace);
    host_test(suite, a_server_without_grace_cuts_its_connections);
    host_test(suite, a_server_that_is_canceled_in_any_turn_leaves_nothing);
    host_test(suite, a_successor_takes_over_a_shared_listener_and_no_client_is_lost);
    host_test(suite, a_native_connection_has_a_place_in_the_pool_and_the_grace_of_its_server);
    host_test(suite, a_native_connection_without_a_stack_closes_its_client);
    host_test(suite, a_signal_begins_the_grace_and_a_second_one_ends_it);
    host_test(suite, a_run_until_a_signal_ends_when_its_task_ends);
    host_test(suite, a_signal_after_the_end_of_its_task_cancels_all_others);
    host_test(suite, a_signal_in_the_last_step_of_its_task_cancels_all_others);
    host_test(suite,
              a_task_that_ends_in_its_first_step_is_not_taken_for_the_next_one_in_its_storage);
    host_test(suite, a_third_signal_ends_a_process_whose_cleanup_hangs);
    return suite;
}
