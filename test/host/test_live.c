/* test_live.c - what a snapshot says; how it is served: sockets, clients, faults, the end
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "host.h"

#include "../../lib/live/server.h"

#include <poll.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static struct pt_live_piece_ piece;
static struct pt_steps_table_ steps;

/* --- snapshots, on the virtual clock --------------------------------------------------------- */

struct inner {
    struct pt pt;
};

static PT_ASYNC(inner, self)
{
    PT_PARK();
}
PT_END

struct outer {
    struct pt pt;
    struct pt_scope limit;
    struct inner inner;
};

static PT_ASYNC(outer, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(20))
        PT_WAIT_COMPLETE(&self->inner, inner);
}
PT_END

struct family {
    struct pt pt;
    struct pt_group group;
    PT_TASK(outer) member;
};

static PT_ASYNC(family, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->member, outer);
        pt_task_rename(&self->member.task, "a \"name\"\n");
    }
}
PT_END

struct joiner {
    struct pt pt;
    struct pt_task *task;
};

static PT_ASYNC(joiner, self)
{
    PT_JOIN(self->task);
}
PT_END

/* The whole snapshot, without lines of sources, and with T0, T1 and so on for the addresses of
 * tasks, in the order of FIRST. */
static const char *snapshot(const struct pt_gauge *gauges, struct pt_task *const *first)
{
    static char text[4 * PT_LIVE_PIECE_];
    unsigned from = 0;
    size_t used = 0;
    char address[32], *at;

    do {
        from = pt_snapshot_(&piece, &host.system, from, gauges, &steps);
        memcpy(text + used, piece.text, piece.used);
        used += piece.used;
    } while (from);
    text[used] = '\0';
    while ((at = strstr(text, ",\"function\":"))) /* with PT_SITES */
        memmove(at, strchr(at, '}'), strlen(strchr(at, '}')) + 1);
    for (int i = 0; first && first[i]; i++) {
        int length =
            snprintf(address, sizeof address, "0x%llx", (unsigned long long)(uintptr_t)first[i]);

        while ((at = strstr(text, address))) {
            at[0] = 'T';
            at[1] = (char)('0' + i);
            memmove(at + 2, at + length, strlen(at + length) + 1);
        }
    }
    return text;
}

static PT_TASK(family) parents;
static PT_TASK(joiner) waits;
static actor_task sleeper, reader;

START_TEST(a_snapshot_has_each_task_with_what_it_waits_for_and_each_gauge)
{
    static unsigned level = 7;
    struct pt_gauge gauge = {"le\\vel", &level, NULL};
    struct pt_task *const tasks[] = {
        &parents.task, &parents.frame.member.task, &waits.task, &sleeper.task, &reader.task, NULL};
    struct pt_io io;
    struct rlimit limit;
    char expected[4096];
    int ends[2];

    host_open(host_pollers[_i]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    PT_START(&host.loop, &parents, family);
    PT_START(&host.loop, &waits, joiner, .task = &parents.task);
    host_start(&sleeper, 'S', NULL, "s");
    host_start(&reader, 'R', &io, "r");
    host_turns(2);
    pt_pause(&sleeper.task);
    host.system.refused = 3;
    ck_assert(!getrlimit(RLIMIT_NOFILE, &limit));
    snprintf(
        expected, sizeof expected,
        "{\"tasks\":5,\"ready\":0,\"descriptors\":1,\"descriptor_limit\":%llu,\"refused\":3}\n"
        "{\"task\":\"T0\",\"depth\":0,\"name\":\"family\",\"state\":\"WAITING\","
        "\"doing\":\"waits for its group\",\"frames\":[{\"label\":%u}]}\n"
        "{\"task\":\"T1\",\"parent\":\"T0\",\"depth\":1,"
        "\"name\":\"a \\u0022name\\u0022\\u000a\",\"state\":\"PARKED\",\"doing\":\"is parked\","
        "\"limit_ms\":20,\"since_ms\":0,\"frames\":[{\"label\":1},{\"label\":%u}]}\n"
        "{\"task\":\"T2\",\"depth\":0,\"name\":\"joiner\",\"state\":\"WAITING\","
        "\"doing\":\"joins a task\",\"joins\":\"T0\",\"frames\":[{\"label\":1}]}\n"
        "{\"task\":\"T3\",\"depth\":0,\"name\":\"actor\",\"state\":\"SLEEPING\","
        "\"doing\":\"sleeps\",\"sleeps_ms\":5,\"paused\":1,\"frames\":[{\"label\":%u}]}\n"
        "{\"task\":\"T4\",\"depth\":0,\"name\":\"actor\",\"state\":\"WAITING\","
        "\"doing\":\"waits for a descriptor\",\"fd\":%d,\"frames\":[{\"label\":%u}]}\n"
        "{\"gauge\":\"le\\u005cvel\",\"value\":7}\n"
        "{\"end_ns\":%llu}\n",
        (unsigned long long)limit.rlim_cur, parents.frame.pt.label,
        parents.frame.member.frame.pt.label, sleeper.frame.pt.label, ends[0], reader.frame.pt.label,
        (unsigned long long)host.now);
    ck_assert_str_eq(snapshot(&gauge, tasks), expected);

    pt_resume(&sleeper.task);
    pt_io_close(&io);
    pt_loop_cancel(&host.loop, PT_ECANCELED);
    host_run();
    host_close();
    close(ends[1]);
}
END_TEST

/* The name of a gauge in a snapshot has this LENGTH; 0: there is no such gauge. */
static size_t length_shown(const char *name)
{
    static unsigned level;
    struct pt_gauge gauge = {name, &level, NULL};
    const char *text = strstr(snapshot(&gauge, NULL), "{\"gauge\":\"");

    return text ? strcspn(text + 10, "\"") : 0;
}

START_TEST(a_text_is_cut_off_at_128_bytes_between_two_letters)
{
    char name[140];

    memset(name, 'x', sizeof name);
    name[139] = '\0';
    host_open(host_pollers[_i]);
    ck_assert_uint_eq(length_shown(name), 128);
    memcpy(name + 126, "\303\251", 2);
    ck_assert_uint_eq(length_shown(name), 128);
    memcpy(name + 126, "x\303\251", 3);
    ck_assert_uint_eq(length_shown(name), 127);
    memcpy(name + 125, "\360\237\232\200", 4);
    ck_assert_uint_eq(length_shown(name), 125);
    host_close();
}
END_TEST

enum { MANY = 1000 };
static actor_task many[PT_SNAPSHOT_TASKS_ + 5];

/* How many lines of tasks the piece has. */
static unsigned lines_of_tasks(void)
{
    unsigned count = 0;

    for (size_t i = 0; i < piece.used; i++)
        count += !strncmp(piece.text + i, "{\"task\"", 7);
    return count;
}

START_TEST(a_piece_ends_when_its_time_is_over_and_the_next_one_goes_on_there)
{
    unsigned from = 0, seen = 0, pieces = 0;

    host_open(host_pollers[_i]);
    for (int i = 0; i < MANY; i++)
        host_start(&many[i], 'M', NULL, "s");
    host_turns(1);
    host.tick = PT_US(100); /* the fourth reading of the clock, after 48 tasks, is too late */
    do {
        unsigned next = pt_snapshot_(&piece, &host.system, from, NULL, &steps);

        ck_assert_uint_le(lines_of_tasks(), 48);
        seen += lines_of_tasks();
        ck_assert_uint_eq(seen, next && next < PT_SNAPSHOT_TASKS_ ? next : MANY);
        from = next;
        pieces++;
    } while (from);
    ck_assert_uint_ge(pieces, MANY / 48);
    host.tick = 0;
    host_run();
    host_close();
}
END_TEST

START_TEST(a_snapshot_counts_all_tasks_and_lists_the_first_ten_thousand)
{
    unsigned from = 0, seen = 0;

    host_open(host_pollers[_i]);
    for (size_t i = 0; i < sizeof many / sizeof *many; i++)
        host_start(&many[i], 'M', NULL, "s");
    host_turns(1);
    do {
        bool first = !from;

        from = pt_snapshot_(&piece, &host.system, from, NULL, &steps);
        ck_assert(!first || !strncmp(piece.text, "{\"tasks\":10005,", 15));
        seen += lines_of_tasks();
    } while (from);
    ck_assert_uint_eq(seen, PT_SNAPSHOT_TASKS_);
    pt_loop_cancel(&host.loop, PT_ECANCELED);
    host_run();
    host_close();
}
END_TEST

/* Awaits itself LEFT times. */
struct deep {
    struct pt pt;
    struct deep *frames;
    int left;
};

static PT_ASYNC(deep, self)
{
    if (self->left)
        PT_WAIT_COMPLETE(self->frames, deep, .frames = self->frames + 1, .left = self->left - 1);
    else
        PT_PARK();
}
PT_END

START_TEST(a_line_that_does_not_fit_begins_the_next_piece_and_a_deep_task_has_its_inner_frames)
{
    static PT_TASK(deep) deeps[200];
    static struct deep frames[200][40];
    char name[200];
    unsigned from = 0, pieces = 0, seen = 0;

    memset(name, '\n', sizeof name); /* six bytes each, of which 128 count */
    name[sizeof name - 1] = '\0';
    host_open(host_pollers[_i]);
    for (int i = 0; i < 200; i++) {
        PT_START(&host.loop, &deeps[i], deep, .frames = frames[i], .left = 40);
        pt_task_rename(&deeps[i].task, name);
    }
    host_turns(1);
    do {
        from = pt_snapshot_(&piece, &host.system, from, NULL, &steps);
        ck_assert_int_eq(piece.text[piece.used - 1], '\n');
        ck_assert_int_eq(piece.text[0], '{');
        seen += lines_of_tasks();
        pieces++;
    } while (from);
    ck_assert_uint_eq(seen, 200);
    ck_assert_uint_gt(pieces, 3);
    pt_loop_cancel(&host.loop, PT_ECANCELED);
    host_run();
    host_close();
}
END_TEST

START_TEST(steps_are_counted_by_the_names_of_tasks)
{
    host_open(host_pollers[_i]);
    host.tick = PT_US(1);
    memset(&steps, 0, sizeof steps);
    pt_steps_start_(&steps, &host.loop);
    host_start(&many[0], 'A', NULL, "sss");
    host_start(&many[1], 'B', NULL, "s");
    pt_task_rename(&many[1].task, "other");
    host_run();
    ck_assert_uint_eq(steps.count, 2);
    ck_assert_str_eq(steps.rows[0].name, "actor");
    ck_assert_uint_eq(steps.rows[0].count, 4);
    ck_assert_uint_ge(steps.rows[0].ticks, 4 * steps.rows[1].longest / 2);
    ck_assert_str_eq(steps.rows[1].name, "other");
    ck_assert_uint_eq(steps.rows[1].count, 2);
    ck_assert_ptr_nonnull(strstr(snapshot(NULL, NULL), "{\"steps_of\":\"other\",\"steps\":2,"));
    for (int i = 0; i < 2 * PT_STEPS_NAMES_; i++) {
        char name[16];

        snprintf(name, sizeof name, "n%d", i);
        host_start(&many[i], 'C', NULL, "s");
        pt_task_rename(&many[i].task, name);
        host_run();
    }
    ck_assert_uint_eq(steps.count, PT_STEPS_NAMES_);
    ck_assert_str_eq(steps.rows[PT_STEPS_NAMES_].name, "(other names)");
    ck_assert_uint_eq(steps.rows[PT_STEPS_NAMES_].count, 2 * (PT_STEPS_NAMES_ + 2));
    pt_steps_stop_(&steps);
    ck_assert_ptr_null(host.loop.observer);
    host.tick = 0;
    host_close();
}
END_TEST

/* --- serving: real time, but nothing depends on it ------------------------------------------- */

static struct pt_live live;
static char path[64];
static actor_task stays; /* keeps the loop alive */
static int before;

static void open_live(int which)
{
    before = host_descriptors();
    snprintf(path, sizeof path, "live.%d", (int)getpid());
    host_open(host_pollers[which]);
    host.real = true;
    ck_assert_int_eq(pt_live_open(&live, &host.system, path), PT_OK);
    host_start(&stays, 'S', NULL, "ssssssssssss");
}

static void close_live(void)
{
    pt_live_close(&live);
    ck_assert_int_eq(access(path, F_OK), -1);
    pt_loop_cancel(&host.loop, PT_ECANCELED);
    host_run();
    host_close();
    ck_assert_int_eq(host_descriptors(), before);
}

static struct sockaddr_un address(const char *name)
{
    struct sockaddr_un found;

    memset(&found, 0, sizeof found);
    found.sun_family = AF_UNIX;
    strcpy(found.sun_path, name);
    return found;
}

static int client(const char *request)
{
    struct sockaddr_un to = address(path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    ck_assert_int_eq(connect(fd, (struct sockaddr *)(void *)&to, sizeof to), 0);
    if (request)
        host_put(fd, request);
    return fd;
}

/* Run turns until the client has got WORDS, or the end if that is NULL. What it got. */
static const char *await(int fd, const char *words)
{
    static char text[1 << 20];
    size_t used = 0;

    for (;;) {
        ssize_t got = recv(fd, text + used, sizeof text - 1 - used, MSG_DONTWAIT);

        ck_assert_uint_lt(used, sizeof text - 1);
        used += got > 0 ? (size_t)got : 0;
        text[used] = '\0';
        if (words ? strstr(text, words) != NULL : !got || (got < 0 && errno == ECONNRESET))
            return text;
        ck_assert_int_ne((int)got, 0);
        if (got < 0 && !pt_task_alive(&stays.task))
            host_start(&stays, 'S', NULL, "ssssssssssss");
        if (got < 0)
            host_turns(1);
        trace_take();
    }
}

START_TEST(a_client_gets_one_snapshot_and_the_end)
{
    static unsigned values[] = {1, 2};
    static struct pt_gauge gauges[2];
    const char *said;
    char greeting[64];
    int fd;

    open_live(_i);
    pt_live_gauge(&live, &gauges[0], "first", &values[0]);
    pt_live_gauge(&live, &gauges[1], "second", &values[1]);
    fd = client("once\n");
    snprintf(greeting, sizeof greeting, "{\"pt-live\":1,\"pid\":%d}\n", (int)getpid());
    said = await(fd, NULL);
    ck_assert_ptr_eq(strstr(said, greeting), said);
    ck_assert_ptr_null(host.loop.observer);
    ck_assert_ptr_nonnull(strstr(said, "{\"gauge\":\"first\",\"value\":1}\n"
                                       "{\"gauge\":\"second\",\"value\":2}\n{\"end_ns\":"));
    close(fd);
    close_live();
}
END_TEST

START_TEST(snapshots_come_again_and_again_and_steps_are_counted_until_the_client_goes)
{
    int fd;

    open_live(_i);
    ck_assert_ptr_null(host.loop.observer);
    fd = client("every 1\n");
    await(fd, "{\"steps_of\":\"actor\"");
    await(fd, "{\"end_ns\":");
    await(fd, "{\"end_ns\":");
    ck_assert_ptr_nonnull(host.loop.observer);
    close(fd);
    while (host.loop.observer) {
        if (!pt_task_alive(&stays.task))
            host_start(&stays, 'S', NULL, "ssssssssssss");
        host_turns(1);
        trace_take();
    }
    close_live();
}
END_TEST

START_TEST(a_client_that_reads_nothing_holds_up_neither_the_loop_nor_another_client)
{
    static PT_TASK(inner) parked[MANY]; /* a snapshot is longer than what a socket holds */
    int lazy, good;

    open_live(_i);
    for (int i = 0; i < MANY; i++)
        PT_START(&host.loop, &parked[i], inner);
    lazy = client("every 1\n");
    good = client("every 1\n");
    for (int i = 0; i < 5; i++)
        await(good, "{\"end_ns\":");
    close(lazy);
    close(good);
    close_live();
}
END_TEST

START_TEST(the_fifth_client_and_a_request_that_is_none_are_refused)
{
    static const char *const wrong[] = {
        "twice\n",
        "every 0\n",
        "every -1\n",
        "every 5x\n",
        "\n",
        "every 99999999\n",
        "one that is longer than the buffer in which a client's request has to fit\n"};
    int fds[4], fifth;

    open_live(_i);
    for (int i = 0; i < 4; i++) {
        fds[i] = client(NULL);
        await(fds[i], "}\n");
    }
    fifth = client(NULL);
    ck_assert_ptr_nonnull(strstr(await(fifth, NULL), "has four clients already"));
    close(fifth);
    for (int i = 0; i < 4; i++)
        close(fds[i]);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *said;
        int fd;

        do {
            fd = client(wrong[i]);
            said = await(fd, NULL);
            close(fd);
        } while (strstr(said, "four clients")); /* the server has not seen yet that the four left */
        ck_assert_ptr_nonnull(strstr(said, "a request is: once, or: every MILLISECONDS"));
    }
    close_live();
}
END_TEST

START_TEST(a_close_ends_clients_in_any_state_and_removes_the_socket)
{
    int idle, asks, reads;

    open_live(_i);
    idle = client(NULL);
    reads = client("every 1\n");
    await(reads, "{\"end_ns\":");
    asks = client("once\n"); /* no turn runs: its question is not answered */
    pt_live_close(&live);
    pt_live_close(&live);
    await(idle, NULL);
    await(asks, NULL);
    await(reads, NULL);
    close(idle);
    close(asks);
    close(reads);
    close_live();
}
END_TEST

/* Read until the client has got WORDS; no turn runs. */
static void await_silently(int fd, const char *words)
{
    char text[4096];
    size_t used = 0;

    for (text[0] = '\0'; !strstr(text, words); text[used] = '\0') {
        ssize_t got = recv(fd, text + used, sizeof text - 1 - used, 0);

        ck_assert_int_gt((int)got, 0);
        used += (size_t)got;
    }
}

START_TEST(clients_are_told_that_the_loop_is_silent_and_one_that_goes_then_keeps_nobody_waiting)
{
    int gone, other;

    open_live(_i);
    gone = client("once\n");
    await_silently(gone, "{\"silent_ms\":1000}\n");
    close(gone);
    other = client("once\n");
    await_silently(other, "{\"silent_ms\":2000}\n");
    ck_assert_ptr_nonnull(strstr(await(other, NULL), "{\"end_ns\":"));
    close(other);
    close_live();
}
END_TEST

/* The loop runs no turn from the end of the first client to that of the second: so it learns of
 * both ends at once, before the question of the second one. */
START_TEST(steps_are_not_counted_for_a_client_that_has_gone_before_the_loop_runs)
{
    struct pollfd second = {-1, 0, 0};
    int first, third;

    open_live(_i);
    first = client("every 86400000\n");
    await(first, "{\"end_ns\":");
    close(first);
    while (!pt_loop_posted(&host.loop))
        sched_yield();
    second.fd = client(NULL);
    await_silently(second.fd, "}\n");
    shutdown(second.fd, SHUT_RD); /* the server cannot tell it that the loop is silent: its end */
    host_put(second.fd, "every 1\n");
    while (!(second.revents & POLLHUP))
        poll(&second, 1, -1);
    third = client("once\n");
    await(third, NULL);
    ck_assert_ptr_null(host.loop.observer);
    close(third);
    close(second.fd);
    close_live();
}
END_TEST

START_TEST(a_loop_ends_and_closes_although_its_tasks_are_served)
{
    int fd;

    open_live(_i);
    fd = client("every 1\n");
    await(fd, "{\"end_ns\":");
    pt_loop_cancel(&host.loop, PT_ECANCELED);
    ck_assert_int_eq(pt_loop_run(&host.loop), PT_OK);
    close(fd);
    close_live();
}
END_TEST

/* The accepting task is canceled before its first step, which it makes all the same: in it, it
 * accepts the clients that wait already. */
START_TEST(a_close_before_the_thread_runs_ends_the_clients_that_wait_already)
{
    static struct pt_live_server_ server;
    int fds[2];

    snprintf(path, sizeof path, "live.%d", (int)getpid());
    memset(&server, 0, sizeof server);
    server.path = path;
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_system_open(&server.system, &server.loop, host_one_of_many(_i)), PT_OK);
    ck_assert_int_eq(pt_live_listen_(&server), PT_OK);
    pt_semaphore_init(&server.turn, 1, 1);
    PT_START(&server.loop, &server.acceptor, pt_live_accept_, .server = &server);
    for (int i = 0; i < 2; i++)
        fds[i] = client(NULL);
    pt_loop_cancel(&server.loop, PT_ECANCELED);
    ck_assert_int_eq(pt_loop_run(&server.loop), PT_OK);
    ck_assert_int_eq(host_ms(host.now), 0);
    pt_live_remove_(&server);
    pt_system_close(&server.system);
    host_close();
    for (int i = 0; i < 2; i++)
        close(fds[i]);
}
END_TEST

/* --- the socket ------------------------------------------------------------------------------ */

START_TEST(only_its_user_may_connect)
{
    struct stat found;

    open_live(_i);
    ck_assert(!lstat(path, &found));
    ck_assert_int_eq((int)(found.st_mode & 07777), 0600);
    close_live();
}
END_TEST

START_TEST(a_socket_that_nobody_serves_is_replaced_and_what_is_used_stays)
{
    struct sockaddr_un left;
    struct pt_live second;
    int fd, file;

    open_live(_i);
    ck_assert_int_eq(pt_live_open(&second, &host.system, path), PT_EIO);
    ck_assert_int_eq(second.error, EADDRINUSE);
    pt_live_close(&second);
    ck_assert(!access(path, F_OK));
    close_live();

    left = address(path);
    fd = socket(AF_UNIX, SOCK_STREAM, 0);
    ck_assert(!bind(fd, (struct sockaddr *)(void *)&left, sizeof left));
    close(fd);
    open_live(_i);
    close_live();

    file = open(path, O_CREAT | O_WRONLY, 0644);
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_live_open(&live, &host.system, path), PT_EIO);
    ck_assert_int_eq(live.error, EADDRINUSE);
    ck_assert(!access(path, F_OK));
    host_close();
    close(file);
    unlink(path);
}
END_TEST

START_TEST(a_new_version_takes_a_path_by_unlink_and_the_old_one_keeps_its_clients)
{
    struct pt_live second;
    int old, new;

    open_live(_i);
    old = client("every 1\n");
    await(old, "{\"end_ns\":");
    ck_assert(!unlink(path));
    ck_assert_int_eq(pt_live_open(&second, &host.system, path), PT_OK);
    new = client("once\n");
    await(new, NULL);
    await(old, "{\"end_ns\":");
    pt_live_close(&live);
    ck_assert(!access(path, F_OK));
    close(new);
    new = client("once\n");
    await(new, NULL);
    pt_live_close(&second);
    close(old), close(new);
    close_live();
}
END_TEST

START_TEST(a_close_leaves_a_socket_that_another_program_has_put_there)
{
    struct sockaddr_un other;
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    open_live(_i);
    unlink(path);
    other = address(path);
    ck_assert(!bind(fd, (struct sockaddr *)(void *)&other, sizeof other));
    pt_live_close(&live);
    ck_assert(!access(path, F_OK));
    unlink(path);
    close_live();
    close(fd);
}
END_TEST

START_TEST(an_opening_that_fails_says_why_and_leaves_nothing)
{
    static const struct {
        enum host_call call;
        int error;
        pt_status status;
    } faults[] = {{HOST_calloc, ENOMEM, PT_ENOMEM},    {HOST_malloc, ENOMEM, PT_ENOMEM},
                  {HOST_socket, EMFILE, PT_EIO},       {HOST_bind, EACCES, PT_EIO},
                  {HOST_listen, EOPNOTSUPP, PT_EIO},   {HOST_pthread_create, EAGAIN, PT_EIO},
                  {HOST_epoll_create1, ENFILE, PT_EIO}};
    char name[200];
    int open;

    host_open(host_pollers[_i]);
    open = host_descriptors();
    snprintf(path, sizeof path, "live.%d", (int)getpid());
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        host_fail(faults[i].call, 0, 1, faults[i].error);
        ck_assert_int_eq(pt_live_open(&live, &host.system, path), faults[i].status);
        ck_assert_int_eq(live.error, faults[i].status == PT_EIO ? faults[i].error : 0);
        pt_live_close(&live);
        ck_assert_int_eq(access(path, F_OK), -1);
        ck_assert_int_eq(host_descriptors(), open);
    }
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    ck_assert_int_eq(pt_live_open(&live, &host.system, name), PT_EIO);
    ck_assert_int_eq(live.error, ENAMETOOLONG);
    ck_assert_int_eq(pt_live_open(&live, &host.system, "/no/such/folder"), PT_EIO);
    ck_assert_int_eq(live.error, ENOENT);
    host_close();
}
END_TEST

START_TEST(a_forked_process_closes_its_copy_and_the_parent_goes_on)
{
    pid_t child;
    int fd, status;

    open_live(_i);
    fd = client("every 1\n");
    await(fd, "{\"end_ns\":");
    child = fork();
    if (!child) {
        struct pt_live second;
        bool refused = pt_live_open(&second, &host.system, path) == PT_EPERM;

        host.alone = true;
        pt_live_close(&live);
        pt_system_close(&host.system);
        _exit(refused && !access(path, F_OK) ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    await(fd, "{\"end_ns\":");
    close(fd);
    close_live();
}
END_TEST

Suite *host_suite_live(void)
{
    Suite *suite = suite_create("live");

    host_test(suite, a_snapshot_has_each_task_with_what_it_waits_for_and_each_gauge);
    host_test(suite, a_text_is_cut_off_at_128_bytes_between_two_letters);
    host_test(suite, a_piece_ends_when_its_time_is_over_and_the_next_one_goes_on_there);
    host_test(suite, a_snapshot_counts_all_tasks_and_lists_the_first_ten_thousand);
    host_test(suite,
              a_line_that_does_not_fit_begins_the_next_piece_and_a_deep_task_has_its_inner_frames);
    host_test(suite, steps_are_counted_by_the_names_of_tasks);
    host_test(suite, a_client_gets_one_snapshot_and_the_end);
    host_test(suite, snapshots_come_again_and_again_and_steps_are_counted_until_the_client_goes);
    host_test(suite, a_client_that_reads_nothing_holds_up_neither_the_loop_nor_another_client);
    host_test(suite, the_fifth_client_and_a_request_that_is_none_are_refused);
    host_test(suite, a_close_ends_clients_in_any_state_and_removes_the_socket);
    host_test(suite,
              clients_are_told_that_the_loop_is_silent_and_one_that_goes_then_keeps_nobody_waiting);
    host_test(suite, steps_are_not_counted_for_a_client_that_has_gone_before_the_loop_runs);
    host_test(suite, a_loop_ends_and_closes_although_its_tasks_are_served);
    host_test(suite, a_close_before_the_thread_runs_ends_the_clients_that_wait_already);
    host_test(suite, only_its_user_may_connect);
    host_test(suite, a_socket_that_nobody_serves_is_replaced_and_what_is_used_stays);
    host_test(suite, a_new_version_takes_a_path_by_unlink_and_the_old_one_keeps_its_clients);
    host_test(suite, a_close_leaves_a_socket_that_another_program_has_put_there);
    host_test(suite, an_opening_that_fails_says_why_and_leaves_nothing);
    host_test(suite, a_forked_process_closes_its_copy_and_the_parent_goes_on);
    return suite;
}
