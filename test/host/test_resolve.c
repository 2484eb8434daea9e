/* test_resolve.c - looking up names at a server inside the test
 * SPDX-License-Identifier: MIT */
#include "names.h"

#include <pt/host/resolve.h>

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>

enum { MANY = 120 };

static names_task server;
static PT_TASK(pt_resolve) query;
static char servers[4096];

/* Start a server, and put it at the end of the list. */
static void start_server(names_task *task, bool mute, bool broken)
{
    size_t used = strlen(servers);

    if (used)
        servers[used++] = ',';
    names_start(task, servers + used, sizeof servers - used);
    task->frame.mute = mute;
    task->frame.broken = broken;
}

static void open_server(int poller, bool mute)
{
    host_open(host_pollers[poller]);
    servers[0] = '\0';
    start_server(&server, mute, false);
}

static void ask(const char *host_name, int family)
{
    ck_assert_int_eq(PT_START(&host.loop, &query, pt_resolve, .system = &host.system,
                              .host = host_name, .service = "80", .servers = servers,
                              .family = family),
                     PT_OK);
    host.awaited = &query.task;
    host_run();
    host.awaited = NULL;
}

static void close_server(void)
{
    pt_cancel(&server.task, PT_ECANCELED);
    host_run();
    host_close();
}

START_TEST(a_name_is_looked_up_at_the_server)
{
    const struct pt_address *address = &query.frame.addresses[0];
    const struct sockaddr_in *found = (const void *)&address->name;
    int before = host_descriptors();

    open_server(_i, false);
    host.patient = true;
    ask("3.example", AF_INET);
    ck_assert_int_eq(pt_task_status(&query.task), PT_OK);
    ck_assert_int_eq(query.frame.count, 1);
    ck_assert_int_eq(query.frame.addresses[0].family, AF_INET);
    ck_assert_str_eq(inet_ntoa(found->sin_addr), "127.0.0.3");
    ck_assert_int_eq(ntohs(found->sin_port), 80);
    ask("3.example", AF_UNSPEC);
    ck_assert_int_eq(pt_task_status(&query.task), PT_OK);
    ck_assert_int_eq(query.frame.count, 1);
    ck_assert_int_ge(server.frame.answers, 3);
    ck_assert_int_le(query.frame.count, PT_RESOLVE_MOST);
    close_server();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(an_unknown_name_returns_its_error)
{
    open_server(_i, false);
    host.patient = true;
    ask("nobody.example.", AF_INET);
    ck_assert_int_eq(pt_task_status(&query.task), PT_EINVAL);
    ck_assert_int_eq(query.frame.count, 0);
    ck_assert_ptr_nonnull(query.frame.reason);
    close_server();
}
END_TEST

/* Some of these c-ares takes for something else, or does not survive. */
START_TEST(a_wrong_argument_is_no_matter_of_the_servers)
{
    static const struct {
        const char *host_name, *service, *servers;
        int family;
    } wrong[] = {{NULL, "80", servers, AF_INET},
                 {"127.0.0.1", "no such service", servers, AF_INET},
                 {"127.0.0.1", "65616", servers, AF_INET}, /* 80, in 16 bits */
                 {"127.0.0.1", "80abc", servers, AF_INET},
                 {"127.0.0.1", "80 ", servers, AF_INET},
                 {"127.0.0.1", " 80", servers, AF_INET},
                 {"127.0.0.1", "+80", servers, AF_INET},
                 {"127.0.0.1", "0x50", servers, AF_INET},
                 {"3.example", "80", "no address", AF_INET},
                 {"3.example", "80", servers, AF_UNIX}};

    open_server(_i, false);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        PT_START(&host.loop, &query, pt_resolve, .system = &host.system, .host = wrong[i].host_name,
                 .service = wrong[i].service, .servers = wrong[i].servers,
                 .family = wrong[i].family);
        host_run();
        ck_assert_int_eq(pt_task_status(&query.task), PT_EINVAL);
        ck_assert_int_eq(query.frame.error, wrong[i].servers == servers ? 0 : EINVAL);
        ck_assert_ptr_nonnull(query.frame.reason);
        ck_assert_str_ne(query.frame.reason, "unknown");
    }
    ck_assert_int_eq(server.frame.answers, 0);
    close_server();
}
END_TEST

START_TEST(a_numeric_address_asks_no_server)
{
    open_server(_i, false);
    ask("127.4.5.6", AF_INET);
    ck_assert_int_eq(pt_task_status(&query.task), PT_OK);
    ck_assert_int_eq(query.frame.count, 1);
    ck_assert_int_eq(server.frame.answers, 0);
    close_server();
}
END_TEST

START_TEST(an_address_with_a_zone_asks_no_server_and_keeps_its_zone)
{
    static const char *const wrong[] = {"fe80::1%nosuchzone", "fe80::1%", "127.0.0.1%lo", "pt%lo"};
    const struct sockaddr_in6 *found = (const void *)&query.frame.addresses[0].name;

    open_server(_i, false);
    ask("fe80::1%lo", AF_UNSPEC);
    ck_assert_int_eq(pt_task_status(&query.task), PT_OK);
    ck_assert_int_eq(query.frame.count, 1);
    ck_assert_int_eq(query.frame.addresses[0].family, AF_INET6);
    ck_assert_uint_eq(query.frame.addresses[0].length, sizeof *found);
    ck_assert_uint_eq(found->sin6_scope_id, if_nametoindex("lo"));
    ck_assert_int_eq(ntohs(found->sin6_port), 80);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ask(wrong[i], AF_UNSPEC);
        ck_assert_int_eq(pt_task_status(&query.task), PT_EINVAL);
        ck_assert_ptr_nonnull(query.frame.reason);
    }
    ck_assert_int_eq(server.frame.answers, 0);
    close_server();
}
END_TEST

START_TEST(a_port_with_zeros_before_it_is_decimal)
{
    open_server(_i, false);
    PT_START(&host.loop, &query, pt_resolve, .system = &host.system, .host = "127.4.5.6",
             .service = "0080", .servers = servers, .family = AF_INET);
    host_run();
    ck_assert_int_eq(pt_task_status(&query.task), PT_OK);
    ck_assert_int_eq(
        ntohs(((const struct sockaddr_in *)(const void *)&query.frame.addresses[0].name)->sin_port),
        80);
    close_server();
}
END_TEST

START_TEST(a_cancel_ends_an_unanswered_query_and_leaks_nothing)
{
    enum { FEW = 64 };
    bool there[FEW];
    int before = host_descriptors();

    for (int fd = 0; fd < FEW; fd++)
        there[fd] = fcntl(fd, F_GETFD) >= 0;
    open_server(_i, true);
    PT_START(&host.loop, &query, pt_resolve, .system = &host.system, .host = "3.example",
             .service = "80", .servers = servers, .family = AF_INET);
    host_turns(3);
    ck_assert(pt_task_alive(&query.task));
    for (int fd = 0; fd < FEW; fd++)
        ck_assert(there[fd] || fcntl(fd, F_GETFD) < 0 || fcntl(fd, F_GETFD) & FD_CLOEXEC);
    pt_cancel(&query.task, PT_ECANCELED);
    close_server();
    ck_assert_int_eq(pt_task_status(&query.task), PT_ECANCELED);
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(a_query_without_descriptors_fails_at_once)
{
    static const int errors[] = {EMFILE, ENFILE};
    int before = host_descriptors();

    for (int i = 0; i < 2; i++) {
        open_server(_i, false);
        host_fail(HOST_socket, 0, -1,
                  errors[i]); /* pt makes the sockets, so that no child inherits one */
        ask("3.example", AF_INET);
        host.fault.times = 0;
        ck_assert_int_eq(pt_task_status(&query.task), PT_EIO);
        ck_assert_int_eq(query.frame.error, errors[i]);
        ck_assert_int_eq(server.frame.answers, 0);
        close_server();
        ck_assert_int_eq(host_descriptors(), before);
    }
}
END_TEST

START_TEST(a_query_that_once_gets_no_socket_tries_again)
{
    open_server(_i, false);
    host.patient = true;
    host_fail(HOST_socket, 0, 1, EMFILE);
    ask("3.example", AF_INET);
    ck_assert_int_eq(pt_task_status(&query.task), PT_OK);
    ck_assert_int_eq(query.frame.error, 0);
    close_server();
}
END_TEST

/* Ask COUNT broken servers, and then one that answers. */
static void ask_many(int poller, int count)
{
    static names_task broken[MANY];

    host_open(host_pollers[poller]);
    host.patient = true;
    servers[0] = '\0';
    for (int i = 0; i < count; i++)
        start_server(&broken[i], false, true);
    start_server(&server, false, false);
    ask("3.example", AF_INET);
    for (int i = 0; i < count; i++)
        pt_cancel(&broken[i].task, PT_ECANCELED);
    close_server();
}

START_TEST(a_query_asks_as_many_servers_as_it_needs)
{
    int before = host_descriptors();

    ask_many(_i, MANY);
    ck_assert_int_eq(pt_task_status(&query.task), PT_OK);
    ck_assert_int_eq(query.frame.count, 1);
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(a_query_without_memory_fails_and_leaks_nothing)
{
    static const enum host_call kinds[] = {HOST_ares_init_options, HOST_calloc}; /* for a socket */
    int before = host_descriptors();

    for (int i = 0; i < 2; i++) {
        open_server(_i, false);
        host_fail(kinds[i], 0, -1, ENOMEM);
        ask("3.example", AF_INET);
        host.fault.times = 0;
        ck_assert_int_eq(pt_task_status(&query.task), PT_ENOMEM);
        close_server();
        ck_assert_int_eq(host_descriptors(), before);
    }
}
END_TEST

Suite *host_suite_resolve(void)
{
    Suite *suite = suite_create("resolve");

    host_test(suite, a_name_is_looked_up_at_the_server);
    host_test(suite, an_unknown_name_returns_its_error);
    host_test(suite, a_wrong_argument_is_no_matter_of_the_servers);
    host_test(suite, a_numeric_address_asks_no_server);
    host_test(suite, an_address_with_a_zone_asks_no_server_and_keeps_its_zone);
    host_test(suite, a_port_with_zeros_before_it_is_decimal);
    host_test(suite, a_cancel_ends_an_unanswered_query_and_leaks_nothing);
    host_test(suite, a_query_without_descriptors_fails_at_once);
    host_test(suite, a_query_that_once_gets_no_socket_tries_again);
    host_test(suite, a_query_asks_as_many_servers_as_it_needs);
    host_test(suite, a_query_without_memory_fails_and_leaks_nothing);
    return suite;
}
