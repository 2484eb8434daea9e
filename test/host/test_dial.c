/* test_dial.c - connects to names and addresses: the race of the addresses, failures, cancels
 * SPDX-License-Identifier: MIT */
#include "names.h"

#include <limits.h>
#include <netinet/in.h>
#include <pt/net/native_net.h>
#include <stdlib.h>

/* What fails when the addresses of both families are known. */
static struct host_fault planned;

static void answered(const struct names *server)
{
    host.calls[HOST_connect] = 0; /* those of the lookup */
    if (server->answers == 2 && planned.times)
        host_fail(planned.call, planned.after, planned.times, planned.error);
}

/* --- the other side -------------------------------------------------------------------------- */

/* What is at the addresses 127.0.0.1 and so on, all at one port. */
enum { ADDRESSES = 10 };
static int listeners[ADDRESSES], full[ADDRESSES][4], port;

static struct sockaddr_in address(int last)
{
    struct sockaddr_in name;

    memset(&name, 0, sizeof name);
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + (unsigned)last);
    name.sin_port = htons((uint16_t)port);
    return name;
}

/* A server at 127.0.0.LAST that accepts nothing: a connect succeeds, since its queue has room. */
static void listen_on(int last)
{
    struct sockaddr_in name = address(last);
    socklen_t length = sizeof name;

    listeners[last] = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(listeners[last], (struct sockaddr *)(void *)&name, length), 0);
    ck_assert_int_eq(listen(listeners[last], 64), 0);
    ck_assert_int_eq(getsockname(listeners[last], (struct sockaddr *)(void *)&name, &length), 0);
    port = ntohs(name.sin_port);
}

/* Fill its queue: from now on a connect is not answered. */
static void fill(int last)
{
    struct sockaddr_in name = address(last);

    ck_assert_int_eq(listen(listeners[last], 0), 0);
    for (int i = 0; i < 4; i++) {
        full[last][i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        connect(full[last][i], (struct sockaddr *)(void *)&name, sizeof name);
    }
}

static void close_all(void)
{
    for (int i = 0; i < ADDRESSES; i++) {
        if (listeners[i])
            close(listeners[i]);
        for (int k = 0; k < 4; k++)
            if (full[i][k])
                close(full[i][k]);
    }
    memset(listeners, 0, sizeof listeners);
    memset(full, 0, sizeof full);
}

/* --- the dial -------------------------------------------------------------------------------- */

static names_task server;
static PT_TASK(pt_dial) call;
static struct pt_io io;
static char servers[32], text[128];

static void open_names(int poller)
{
    host_open(host_pollers[poller]);
    host.patient = true;
    names_start(&server, servers, sizeof servers);
    server.frame.answered = answered;
}

static void close_names(void)
{
    pt_cancel(&server.task, PT_ECANCELED);
    host.patient = false;
    host_run();
    host_close();
}

static void start(const char *to)
{
    ck_assert_int_eq(PT_START(&host.loop, &call, pt_dial, .io = &io, .system = &host.system,
                              .to = to, .servers = servers),
                     PT_OK);
}

/* Run at most so many turns, until the dial has ended. */
static void run(int turns)
{
    host.awaited = &call.task;
    host_turns(turns);
    host.awaited = NULL;
}

/* Dial HOST at the port of the servers: the code, with the words for it in the trace. */
static pt_status dial(const char *to)
{
    struct pt_address peer;
    char words[PT_ADDRESS_TEXT];
    pt_status status;

    snprintf(text, sizeof text, "%s:%d", to, port);
    start(text);
    if (planned.times && !servers[0]) /* nothing is looked up */
        host_fail(planned.call, planned.after, planned.times, planned.error);
    run(INT_MAX);
    host.fault.times = planned.times = 0;
    ck_assert(!pt_task_alive(&call.task));
    status = pt_task_status(&call.task);
    ck_assert_int_eq(status == PT_OK, io.system != NULL);
    if (status != PT_OK) {
        trace_add("%s@%d ", pt_io_error_text(&io, status), host_ms(host.loop.now));
        return status;
    }
    ck_assert_int_eq(pt_io_peer(&io, &peer), PT_OK);
    pt_address_text(&peer, words, sizeof words);
    *strrchr(words, ':') = '\0';
    trace_add("%s@%d ", words, host_ms(host.loop.now));
    pt_io_close(&io);
    return status;
}

START_TEST(an_address_in_digits_asks_no_name_server)
{
    int before = host_descriptors();

    listen_on(1);
    host_open(host_pollers[_i]);
    host.patient = true;
    servers[0] = '\0';
    ck_assert_int_eq(dial("127.0.0.1"), PT_OK);
    ck_assert_trace("127.0.0.1@0 ");
    ck_assert_int_eq(host.calls[HOST_socket], 1);
    ck_assert_int_le(host.calls[HOST_connect], 2);
    host_close();
    close_all();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(a_unix_socket_is_dialed_by_its_path)
{
    struct sockaddr_un name;
    int before = host_descriptors(), listener = socket(AF_UNIX, SOCK_STREAM, 0);

    memset(&name, 0, sizeof name);
    name.sun_family = AF_UNIX;
    snprintf(name.sun_path, sizeof name.sun_path, "/tmp/pt-dial-%d", (int)getpid());
    unlink(name.sun_path);
    ck_assert_int_eq(bind(listener, (struct sockaddr *)(void *)&name, sizeof name), 0);
    ck_assert_int_eq(listen(listener, 1), 0);
    snprintf(text, sizeof text, "unix:%s", name.sun_path);
    host_open(host_pollers[_i]);
    start(text);
    host_run();
    ck_assert_int_eq(pt_task_status(&call.task), PT_OK);
    pt_io_close(&io);
    close(listener);
    start(text);
    host_run();
    ck_assert_int_eq(pt_task_status(&call.task), PT_EIO);
    ck_assert_int_eq(io.error, ECONNREFUSED);
    unlink(name.sun_path);
    host_close();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(after_a_refusal_the_next_address_is_tried_at_once)
{
    int before = host_descriptors();

    listen_on(3);
    open_names(_i);
    ck_assert_int_eq(dial("123.example"), PT_OK);
    ck_assert_trace("127.0.0.3@0 ");
    close_names();
    close_all();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(an_address_that_does_not_answer_holds_up_the_next_for_250_ms)
{
    int before = host_descriptors();

    listen_on(2);
    listen_on(1);
    fill(1);
    open_names(_i);
    ck_assert_int_eq(dial("132.example"), PT_OK);
    ck_assert_trace("127.0.0.2@250 "); /* 3 refuses at once */
    close_names();
    close_all();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(families_take_turns)
{
    open_names(_i);
    listen_on(4);
    snprintf(text, sizeof text, "[::1]");
    if (dial(text) == PT_EIO && io.error == ECONNREFUSED) { /* there is IPv6 */
        trace_take();
        ck_assert_int_eq(dial("sss4.example"), PT_OK);
        ck_assert_trace("127.0.0.4@0 ");
        ck_assert_int_le(host.calls[HOST_connect], 4); /* of two addresses */
    }
    trace_take();
    close_names();
    close_all();
}
END_TEST

START_TEST(when_all_addresses_fail_the_most_telling_failure_is_reported)
{
    int before = host_descriptors();

    for (int last = 0; last < 2; last++) { /* one of three is refused, the first or the last */
        listen_on(1);
        close_all();
        open_names(_i);
        planned = (struct host_fault){HOST_connect, !last, 2, ENETUNREACH, 0};
        ck_assert_int_eq(dial("123.example"), PT_EIO);
        ck_assert_int_eq(io.error, ECONNREFUSED);
        ck_assert_str_eq(pt_io_error_text(&io, PT_EIO), strerror(ECONNREFUSED));
        ck_assert_int_eq(host.calls[HOST_connect] >= 3, 1);
        trace_take();
        close_names();
        ck_assert_int_eq(host_descriptors(), before);
    }
}
END_TEST

START_TEST(a_text_that_names_nothing_is_refused_in_words)
{
    static const char *const wrong[][2] = {{"example.org", "no port"},
                                           {":80", "no host"},
                                           {"example.org:x", "the port"},
                                           {"::1:80", "brackets"},
                                           {"[example.org]:80", "digits"},
                                           {"name%lo:80", "digits"},
                                           {"unix:", "path"}};

    port = 80;
    open_names(_i);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        start(wrong[i][0]);
        run(4);
        ck_assert_int_eq(pt_task_status(&call.task), PT_EINVAL);
        ck_assert_msg(strstr(pt_io_error_text(&io, PT_EINVAL), wrong[i][1]), "%s: %s", wrong[i][0],
                      pt_io_error_text(&io, PT_EINVAL));
    }
    start("123.example:80");
    call.frame.servers = "no address";
    run(4);
    ck_assert_int_eq(pt_task_status(&call.task), PT_EINVAL);
    ck_assert_ptr_nonnull(strstr(pt_io_error_text(&io, PT_EINVAL), "the name servers"));
    ck_assert_int_eq(dial("nobody.example."), PT_EINVAL);
    ck_assert_trace("no host has this name@0 ");
    close_names();
}
END_TEST

START_TEST(a_cancel_or_a_timeout_at_any_point_leaves_nothing_open)
{
    int before = host_descriptors();

    listen_on(3);
    listen_on(2);
    fill(2);
    for (int turns = 0; turns < 16; turns++) {
        open_names(_i);
        snprintf(text, sizeof text, "123.example:%d", port);
        start(text);
        run(turns);
        pt_cancel(&call.task, PT_ECANCELED);
        run(INT_MAX);
        ck_assert(!pt_task_alive(&call.task));
        if (pt_task_status(&call.task) == PT_OK)
            pt_io_close(&io);
        ck_assert_ptr_null(io.system);
        close_names();
        ck_assert_int_eq(host_descriptors(), before + 6);
    }
    close_all();
}
END_TEST

START_TEST(a_dial_whose_system_call_fails_leaves_nothing_open)
{
    const enum host_call kinds[] = {HOST_socket,  HOST_connect,    HOST_calloc,
                                    HOST_realloc, HOST_getsockopt, host_adds_by(_i)};
    int before = host_descriptors();

    listen_on(2);
    for (int named = 0; named < 2; named++)
        for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
            for (int after = 0; after < (kind == 5 ? 1 : 3); after++) {
                open_names(_i);
                if (!named)
                    servers[0] = '\0';
                planned = (struct host_fault){kinds[kind], after, 1, ENOMEM, 0};
                dial(named ? "12.example" : "127.0.0.2");
                trace_take();
                close_names();
                ck_assert_int_eq(host_descriptors(), before + 1);
            }
    close_all();
}
END_TEST

/* --- native ---------------------------------------------------------------------------------- */

static pt_status dial_natively(struct pt_native *self)
{
    pt_status status;

    snprintf(text, sizeof text, "127.0.0.1:%d", port);
    status = pt_native_dial(self, &io, &host.system, text);
    trace_add("%s ", pt_status_name(status));
    pt_io_close(&io);
    status = pt_native_dial(self, &io, &host.system, "127.0.0.1");
    trace_add("%s", pt_io_error_text(&io, status));
    return status;
}

START_TEST(a_native_task_dials_by_one_call)
{
    static char stack[64 << 10];
    static PT_TASK(pt_native) task;

    listen_on(1);
    host_open(host_pollers[_i]);
    host.patient = true;
    PT_START(&host.loop, &task, pt_native, .function = dial_natively, .stack = stack,
             .bytes = sizeof stack);
    host_run();
    ck_assert_trace("PT_OK no port: write ADDRESS:PORT, or unix:PATH");
    host_close();
    close_all();
}
END_TEST

Suite *host_suite_dial(void)
{
    Suite *suite = suite_create("dial");

    host_test(suite, an_address_in_digits_asks_no_name_server);
    host_test(suite, a_unix_socket_is_dialed_by_its_path);
    host_test(suite, after_a_refusal_the_next_address_is_tried_at_once);
    host_test(suite, an_address_that_does_not_answer_holds_up_the_next_for_250_ms);
    host_test(suite, families_take_turns);
    host_test(suite, when_all_addresses_fail_the_most_telling_failure_is_reported);
    host_test(suite, a_text_that_names_nothing_is_refused_in_words);
    host_test(suite, a_cancel_or_a_timeout_at_any_point_leaves_nothing_open);
    host_test(suite, a_dial_whose_system_call_fails_leaves_nothing_open);
    host_test(suite, a_native_task_dials_by_one_call);
    return suite;
}
