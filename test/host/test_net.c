/* test_net.c - addresses as texts, servers that listen at one, and the words for what fails
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/stat.h>

static struct pt_io io;
static char path[64];

/* An unused path of a Unix socket, and its text. */
static const char *unix_text(void)
{
    static char text[80];

    snprintf(path, sizeof path, "/tmp/pt-net-%d", (int)getpid());
    unlink(path);
    snprintf(text, sizeof text, "unix:%s", path);
    return text;
}

static const char *text_of(const struct pt_address *address)
{
    static char text[PT_ADDRESS_TEXT];

    return pt_address_text(address, text, sizeof text);
}

START_TEST(an_address_and_its_text_become_each_other)
{
    static const char *const texts[] = {
        "127.0.0.1:7007",    "0.0.0.0:0",       "255.255.255.255:65535", "[::1]:80", "[::]:80",
        "[2001:db8::1]:443", "[fe80::1%lo]:80", "unix:/run/x",           "unix:x",   "unix:@x"};
    char longest[128] = "unix:";
    struct pt_address address;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ck_assert_ptr_null(pt_address_parse(&address, texts[i]));
        ck_assert_str_eq(text_of(&address), texts[i]);
        ck_assert_int_eq(address.family, address.name.ss_family);
    }
    memset(longest + 5, 'x', 107);
    ck_assert_ptr_null(pt_address_parse(&address, longest));
    ck_assert_str_eq(text_of(&address), longest);
}
END_TEST

START_TEST(a_text_can_name_an_address_in_other_words)
{
    static const char *const texts[][2] = {{":80", "[::]:80"},
                                           {"localhost:080", "127.0.0.1:80"},
                                           {"[0:0:0:0:0:0:0:1]:1", "[::1]:1"},
                                           {"[fe80::1%1]:80", "[fe80::1%lo]:80"}};
    struct pt_address address;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ck_assert_ptr_null(pt_address_parse(&address, texts[i][0]));
        ck_assert_str_eq(text_of(&address), texts[i][1]);
    }
}
END_TEST

START_TEST(a_text_that_is_no_address_is_refused_in_words)
{
    static const char *const wrong[][2] = {
        {"", "no port"},
        {"127.0.0.1", "no port"},
        {"[::1]", "no port"},
        {"127.0.0.1:", "the port"},
        {"127.0.0.1:65536", "the port"},
        {"127.0.0.1:-1", "the port"},
        {"127.0.0.1: 80", "the port"},
        {"127.0.0.1:80 ", "the port"},
        {"127.0.0.1:000080", "the port"},
        {"127.0.0.1:http", "the port"},
        {"::1:80", "in brackets"},
        {"example.org:80", "in digits"},
        {"127.1:80", "in digits"},
        {"256.0.0.1:80", "in digits"},
        {"[127.0.0.1]:80", "in digits"},
        {"[localhost]:80", "in digits"},
        {"[]:80", "in digits"},
        {"]:80", "in digits"},
        {"127.0.0.1%lo:80", "in digits"},
        {"127.0.0.1%:80", "in digits"},
        {"%:80", "in digits"},
        {"%lo:80", "in digits"},
        {"localhost%:80", "in digits"},
        {"[fe80::1%nosuch]:80", "interface"},
        {"[fe80::1%]:80", "interface"},
        {"unix:", "the path"},
        {"unix:"
         "/long/long/long/long/long/long/long/long/long/long/long/long/long/long/long/long/long"
         "/long/long/long/long/long",
         "the path"}};
    char host_of_300[320];
    struct pt_address address;

    host_open(host_pollers[_i]);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const char *words = pt_address_parse(&address, wrong[i][0]);

        ck_assert_msg(words && strstr(words, wrong[i][1]), "%s: %s", wrong[i][0], words);
        ck_assert_int_eq(pt_listen_at(&io, &host.system, wrong[i][0]), PT_EINVAL);
        ck_assert_str_eq(pt_io_error_text(&io, PT_EINVAL), words);
        ck_assert_ptr_null(io.system);
    }
    memset(host_of_300, 'x', 300);
    strcpy(host_of_300 + 300, ":80");
    ck_assert_ptr_nonnull(pt_address_parse(&address, host_of_300));
    ck_assert_int_eq(host.calls[HOST_socket], 0);
    host_close();
}
END_TEST

/* --- listening ------------------------------------------------------------------------------- */

/* Accepts one connection, and prints the two addresses. */
struct taker {
    struct pt pt;
    struct pt_io *from, peer;
};

static PT_ASYNC(taker, self)
{
    struct pt_address address;

    PT_ACCEPT(self->from, &self->peer);
    ck_assert_int_eq(self->pt.status, PT_OK);
    ck_assert_int_eq(pt_io_local(&self->peer, &address), PT_OK);
    trace_add("%.5s ", text_of(&address));
    ck_assert_int_eq(pt_io_peer(&self->peer, &address), PT_OK);
    trace_add("%.5s ", text_of(&address));
    pt_io_close(&self->peer);
}
PT_END

/* Connect to TEXT, and let a task of the test accept that from IO. */
static void reach(const char *text)
{
    static PT_TASK(taker) taker;
    struct pt_address address;
    int fd;

    ck_assert_ptr_null(pt_address_parse(&address, text));
    fd = socket(address.family, SOCK_STREAM, 0);
    ck_assert_int_eq(connect(fd, (struct sockaddr *)&address.name, address.length), 0);
    PT_START(&host.loop, &taker, taker, .from = &io);
    host_run();
    ck_assert(!pt_task_alive(&taker.task));
    close(fd);
}

/* The same, at the port on which IO listens. */
static void reach_port(const char *of)
{
    struct pt_address address;
    char text[PT_ADDRESS_TEXT];

    ck_assert_int_eq(pt_io_local(&io, &address), PT_OK);
    snprintf(text, sizeof text, "%s%s", of, strrchr(text_of(&address), ':'));
    reach(text);
}

START_TEST(a_server_listens_at_each_kind_of_text)
{
    const char *by_path = unix_text();
    int before = host_descriptors();
    char abstract[64];

    snprintf(abstract, sizeof abstract, "unix:@pt-net-%d", (int)getpid());
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_listen_at(&io, &host.system, "127.0.0.1:0"), PT_OK);
    reach_port("127.0.0.1");
    ck_assert_trace("127.0 127.0 ");
    pt_io_close(&io);
    ck_assert_int_eq(pt_listen_at(&io, &host.system, "localhost:0"), PT_OK);
    reach_port("127.0.0.1");
    ck_assert_trace("127.0 127.0 ");
    pt_io_close(&io);
    ck_assert_int_eq(pt_listen_at(&io, &host.system, by_path), PT_OK);
    reach(by_path);
    ck_assert_trace("unix: unix: ");
    pt_io_close(&io);
    ck_assert_int_eq(pt_listen_at(&io, &host.system, abstract), PT_OK);
    reach(abstract);
    ck_assert_trace("unix: unix: ");
    pt_io_close(&io);
    unlink(path);
    host_close();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

/* Whether this machine has IPv6. */
static bool has_ipv6(void)
{
    struct pt_address address;
    int fd = socket(AF_INET6, SOCK_STREAM, 0);
    bool has;

    ck_assert_ptr_null(pt_address_parse(&address, "[::1]:0"));
    has = fd >= 0 && !bind(fd, (struct sockaddr *)&address.name, address.length);
    close(fd);
    return has;
}

START_TEST(a_port_without_a_host_is_that_of_every_address_of_either_family)
{
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_listen_at(&io, &host.system, ":0"), PT_OK);
    reach_port("127.0.0.1");
    if (has_ipv6()) {
        ck_assert_trace("[::ff [::ff ");
        reach_port("[::1]");
        ck_assert_trace("[::1] [::1] ");
    }
    trace_take();
    pt_io_close(&io);
    host_close();
}
END_TEST

START_TEST(a_machine_without_ipv6_listens_on_every_address_of_ipv4)
{
    static const struct host_fault without[] = {{HOST_socket, 0, 1, EAFNOSUPPORT, 0},
                                                {HOST_bind, 0, 1, EADDRNOTAVAIL, 0}};
    struct pt_address address;
    int before = host_descriptors();

    for (int i = 0; i < 2; i++) {
        host_open(host_pollers[_i]);
        host_fail(without[i].call, 0, 1, without[i].error);
        ck_assert_int_eq(pt_listen_at(&io, &host.system, ":0"), PT_OK);
        ck_assert_int_eq(pt_io_local(&io, &address), PT_OK);
        ck_assert_int_eq(strncmp(text_of(&address), "0.0.0.0:", 8), 0);
        reach_port("127.0.0.1");
        ck_assert_trace("127.0 127.0 ");
        pt_io_close(&io);
        host_close();
        ck_assert_int_eq(host_descriptors(), before);
    }
}
END_TEST

/* --- the path of a Unix socket --------------------------------------------------------------- */

START_TEST(a_socket_that_a_dead_server_has_left_is_replaced)
{
    const char *text = unix_text();

    host_open(host_pollers[_i]);
    for (int i = 0; i < 3; i++) { /* each close leaves the file */
        ck_assert_int_eq(pt_listen_at(&io, &host.system, text), PT_OK);
        reach(text);
        ck_assert_trace("unix: unix: ");
        pt_io_close(&io);
    }
    unlink(path);
    host_close();
}
END_TEST

START_TEST(a_server_that_lives_keeps_its_path)
{
    const char *text = unix_text();
    int before = host_descriptors();
    struct pt_io second;

    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_listen_at(&io, &host.system, text), PT_OK);
    ck_assert_int_eq(pt_listen_at(&second, &host.system, text), PT_EIO);
    ck_assert_int_eq(second.error, EADDRINUSE);
    ck_assert_str_eq(pt_io_error_text(&second, PT_EIO), strerror(EADDRINUSE));
    ck_assert_ptr_null(second.system);
    pt_io_close(&io);
    unlink(path);
    host_close();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(a_file_that_is_no_socket_stays)
{
    const char *text = unix_text();
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    struct stat about;

    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_listen_at(&io, &host.system, text), PT_EIO);
    ck_assert_int_eq(io.error, EADDRINUSE);
    ck_assert_int_eq(stat(path, &about), 0);
    close(fd);
    unlink(path);
    host_close();
}
END_TEST

START_TEST(a_path_of_which_nothing_is_known_stays)
{
    const char *text = unix_text();
    int before = host_descriptors();
    struct stat about;

    for (int i = 0; i < 2; i++) {
        host_open(host_pollers[_i]);
        ck_assert_int_eq(pt_listen_at(&io, &host.system, text), PT_OK);
        pt_io_close(&io);
        host_fail(i ? HOST_connect : HOST_socket, i ? 0 : 1, 1, i ? EAGAIN : EMFILE);
        ck_assert_int_eq(pt_listen_at(&io, &host.system, text), PT_EIO);
        ck_assert_int_eq(io.error, EADDRINUSE);
        ck_assert_int_eq(stat(path, &about), 0);
        host_close();
        ck_assert_int_eq(host_descriptors(), before);
    }
    unlink(path);
}
END_TEST

/* --- a socket that was handed over ----------------------------------------------------------- */

/* Hand over sockets up to descriptor FD, to PROCESS, with these names. */
static void hand_over(int fd, int process, const char *names)
{
    char text[16];

    snprintf(text, sizeof text, "%d", fd - 2);
    setenv("LISTEN_FDS", text, 1);
    snprintf(text, sizeof text, "%d", process);
    setenv("LISTEN_PID", text, 1);
    if (names)
        setenv("LISTEN_FDNAMES", names, 1);
    else
        unsetenv("LISTEN_FDNAMES");
}

/* A socket that listens, as another program makes it; its text in WHERE. */
static int listener(char where[PT_ADDRESS_TEXT])
{
    struct pt_address address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    ck_assert_ptr_null(pt_address_parse(&address, "127.0.0.1:0"));
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&address.name, address.length), 0);
    ck_assert_int_eq(listen(fd, 5), 0);
    ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&address.name, &address.length), 0);
    pt_address_text(&address, where, PT_ADDRESS_TEXT);
    return fd;
}

START_TEST(a_socket_that_was_handed_over_does_not_block_other_processes_after_its_close)
{
    char text[32], where[PT_ADDRESS_TEXT];
    int fd = listener(where), theirs = dup(fd);

    hand_over(fd, (int)getpid(), NULL);
    snprintf(text, sizeof text, "fd:%d", fd);
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_listen_at(&io, &host.system, text), PT_OK);
    pt_io_close(&io);
    ck_assert_int_ne(fcntl(theirs, F_GETFL) & O_NONBLOCK, 0);
    close(theirs);
    host_close();
}
END_TEST

START_TEST(a_socket_that_was_handed_over_is_taken_by_its_number_or_its_name)
{
    int before = host_descriptors();

    for (int named = 0; named < 2; named++) {
        char text[32], names[256] = "", where[PT_ADDRESS_TEXT];
        int fd = listener(where);

        for (int i = 3; i < fd; i++)
            strcat(names, "x:");
        strcat(names, "web");
        hand_over(fd, (int)getpid(), named ? names : NULL);
        snprintf(text, sizeof text, named ? "fd:web" : "fd:%d", fd);
        host_open(host_pollers[_i]);
        ck_assert_int_eq(pt_listen_at(&io, &host.system, text), PT_OK);
        ck_assert_int_eq(io.fd, fd);
        ck_assert_int_ne(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
        reach(where);
        ck_assert_trace("127.0 127.0 ");
        pt_io_close(&io);
        host_close();
    }
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

static void refused(const char *text, const char *words)
{
    ck_assert_int_eq(pt_listen_at(&io, &host.system, text), PT_EINVAL);
    ck_assert_msg(strstr(pt_io_error_text(&io, PT_EINVAL), words), "%s: %s", text,
                  pt_io_error_text(&io, PT_EINVAL));
}

START_TEST(what_was_not_handed_over_to_this_process_is_not_taken)
{
    char where[PT_ADDRESS_TEXT], text[32];
    int fd, plain;

    host_open(host_pollers[_i]);
    plain = socket(AF_INET, SOCK_STREAM, 0);
    fd = listener(where);
    snprintf(text, sizeof text, "fd:%d", fd);
    unsetenv("LISTEN_FDS");
    refused(text, "handed over to this process");
    hand_over(fd, (int)getpid() + 1, NULL);
    refused(text, "handed over to this process");
    hand_over(fd - 1, (int)getpid(), "web");
    refused(text, "this number or name");
    refused("fd:2", "this number or name");
    refused("fd:", "this number or name");
    refused("fd:we", "this number or name");
    refused("fd:webs", "this number or name");
    refused("fd:-3", "this number or name");
    hand_over(fd, (int)getpid(), NULL);
    refused("fd:web", "this number or name");
    snprintf(text, sizeof text, "fd:%d", plain);
    refused(text, "listens");
    ck_assert_int_eq(fcntl(plain, F_GETFD) & FD_CLOEXEC, 0);
    close(plain);
    close(fd);
    host_close();
}
END_TEST

/* --- failures -------------------------------------------------------------------------------- */

START_TEST(a_listen_whose_system_call_fails_leaves_nothing)
{
    static const struct host_fault faults[] = {{HOST_socket, 0, 1, EMFILE, 0},
                                               {HOST_setsockopt, 0, 1, ENOMEM, 0},
                                               {HOST_bind, 0, 1, EACCES, 0},
                                               {HOST_listen, 0, 1, EADDRINUSE, 0},
                                               {HOST_realloc, 0, 1, ENOMEM, 0}};
    int before = host_descriptors();

    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        pt_status expected = faults[i].error == ENOMEM ? PT_ENOMEM : PT_EIO;

        host_open(host_pollers[_i]);
        host_fail(faults[i].call, 0, 1, faults[i].error);
        ck_assert_int_eq(pt_listen_at(&io, &host.system, "127.0.0.1:0"),
                         faults[i].call == HOST_realloc && host.fault.times ? PT_OK : expected);
        if (io.system)
            pt_io_close(&io);
        else
            ck_assert_str_eq(pt_io_error_text(&io, expected), expected == PT_EIO
                                                                  ? strerror(faults[i].error)
                                                                  : pt_status_text(PT_ENOMEM));
        host.fault.times = 0;
        host_close();
        ck_assert_int_eq(host_descriptors(), before);
    }
}
END_TEST

START_TEST(a_closed_or_unconnected_socket_has_no_peer)
{
    struct pt_address address;

    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_listen_at(&io, &host.system, "127.0.0.1:0"), PT_OK);
    ck_assert_int_eq(pt_io_peer(&io, &address), PT_EIO);
    ck_assert_int_eq(io.error, ENOTCONN);
    ck_assert_str_eq(pt_io_error_text(&io, PT_EIO), strerror(ENOTCONN));
    pt_io_close(&io);
    ck_assert_int_eq(pt_io_peer(&io, &address), PT_ECLOSED);
    ck_assert_int_eq(pt_io_local(&io, &address), PT_ECLOSED);
    ck_assert_int_eq(pt_tcp_tune(&io, true, 0), PT_ECLOSED);
    ck_assert_str_eq(pt_io_error_text(&io, PT_ECLOSED), pt_status_text(PT_ECLOSED));
    host_close();
}
END_TEST

static int option(int level, int name)
{
    int value = -1;
    socklen_t length = sizeof value;

    ck_assert_int_eq(getsockopt(io.fd, level, name, &value, &length), 0);
    return value;
}

START_TEST(a_connection_is_tuned_by_one_call)
{
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_socket(&io, &host.system, AF_INET, SOCK_STREAM, 0), PT_OK);
    ck_assert_int_eq(pt_tcp_tune(&io, true, PT_SEC(60)), PT_OK);
    ck_assert_int_eq(option(IPPROTO_TCP, TCP_NODELAY), 1);
    ck_assert_int_eq(option(SOL_SOCKET, SO_KEEPALIVE), 1);
    ck_assert_int_eq(option(IPPROTO_TCP, TCP_KEEPIDLE) +
                         option(IPPROTO_TCP, TCP_KEEPINTVL) * option(IPPROTO_TCP, TCP_KEEPCNT),
                     60);
#ifdef TCP_USER_TIMEOUT
    ck_assert_int_eq(option(IPPROTO_TCP, TCP_USER_TIMEOUT), 60000);
#endif
    ck_assert_int_eq(pt_tcp_tune(&io, false, 0), PT_OK);
    ck_assert_int_eq(option(IPPROTO_TCP, TCP_NODELAY), 0);
    ck_assert_int_eq(option(SOL_SOCKET, SO_KEEPALIVE), 0);
#ifdef TCP_USER_TIMEOUT
    ck_assert_int_eq(option(IPPROTO_TCP, TCP_USER_TIMEOUT), 0);
#endif
    ck_assert_int_eq(pt_tcp_tune(&io, false, PT_MS(1)), PT_OK);
    ck_assert_int_eq(option(IPPROTO_TCP, TCP_KEEPIDLE), 3);
    for (pt_time silence = PT_SEC(20 * 3600); silence > PT_SEC(1); silence *= 2) {
        ck_assert_int_eq(pt_tcp_tune(&io, false, silence), PT_OK);
        ck_assert_int_eq(option(IPPROTO_TCP, TCP_KEEPIDLE), 9 * 3600);
    }
    ck_assert_int_eq(pt_tcp_tune(&io, false, PT_DELAY_NEVER), PT_OK);
    ck_assert_int_eq(option(IPPROTO_TCP, TCP_KEEPIDLE), 9 * 3600);
    host_fail(HOST_setsockopt, 1, 1, EINVAL);
    ck_assert_int_eq(pt_tcp_tune(&io, true, 0), PT_EIO);
    ck_assert_int_eq(io.error, EINVAL);
    pt_io_close(&io);
    ck_assert_int_eq(pt_socket(&io, &host.system, AF_UNIX, SOCK_STREAM, 0), PT_OK);
    ck_assert_int_eq(pt_tcp_tune(&io, true, PT_SEC(60)), PT_OK);
    pt_io_close(&io);
    host_close();
}
END_TEST

Suite *host_suite_net(void)
{
    Suite *suite = suite_create("net");

    host_test(suite, an_address_and_its_text_become_each_other);
    host_test(suite, a_text_can_name_an_address_in_other_words);
    host_test(suite, a_text_that_is_no_address_is_refused_in_words);
    host_test(suite, a_server_listens_at_each_kind_of_text);
    host_test(suite, a_port_without_a_host_is_that_of_every_address_of_either_family);
    host_test(suite, a_machine_without_ipv6_listens_on_every_address_of_ipv4);
    host_test(suite, a_socket_that_a_dead_server_has_left_is_replaced);
    host_test(suite, a_server_that_lives_keeps_its_path);
    host_test(suite, a_file_that_is_no_socket_stays);
    host_test(suite, a_path_of_which_nothing_is_known_stays);
    host_test(suite, a_socket_that_was_handed_over_is_taken_by_its_number_or_its_name);
    host_test(suite, a_socket_that_was_handed_over_does_not_block_other_processes_after_its_close);
    host_test(suite, what_was_not_handed_over_to_this_process_is_not_taken);
    host_test(suite, a_listen_whose_system_call_fails_leaves_nothing);
    host_test(suite, a_closed_or_unconnected_socket_has_no_peer);
    host_test(suite, a_connection_is_tuned_by_one_call);
    return suite;
}
