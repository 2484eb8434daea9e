/* test_tls_programs.c - with real programs: openssl s_client and s_server; and in native tasks
 * SPDX-License-Identifier: MIT */
#include "talk.h"

#include <pt/native_tls.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>

static const char *const versions[] = {"-tls1_2", "-tls1_3"};

/* --- a dialog with a program ----------------------------------------------------------------- */

/* Runs a program: for each of its lines, waits until the program has said the first text, and then
 * writes the second one. At the end it closes the input, or kills it. */
struct dialog {
    struct pt pt;
    const char *const *words;
    const char *const (*lines)[2];
    bool kills;
    struct pt_process child;
    struct pt_wait_process end;
    size_t moved, length;
    char said[16384];
};

static PT_ASYNC(dialog, self)
{
    self->child.words = self->words;
    self->child.in = self->child.out = PT_PROCESS_PIPE;
    self->child.err = PT_PROCESS_OUTPUT;
    ck_assert_int_eq(pt_process_start(&self->child, &host.system), PT_OK);
    for (; self->lines && (*self->lines)[0]; self->lines++) {
        while (!strstr(self->said, (*self->lines)[0])) {
            PT_READ(&self->child.output, self->said + self->length,
                    sizeof self->said - 1 - self->length, &self->moved);
            ck_assert_msg(self->pt.status == PT_OK, "%s", self->said);
            self->length += self->moved;
        }
        PT_WRITE(&self->child.input, (*self->lines)[1], strlen((*self->lines)[1]), &self->moved);
    }
    if (self->kills)
        kill(self->child.pid, SIGKILL);
    else if (self->lines)
        pt_io_close(&self->child.input);
    do {
        PT_READ(&self->child.output, self->said + self->length,
                sizeof self->said - 1 - self->length, &self->moved);
        self->length += self->moved;
    } while (self->pt.status == PT_OK);
    PT_FINALLY
    pt_io_close(&self->child.input);
    pt_io_close(&self->child.output);
    PT_WAIT_COMPLETE(&self->end, pt_wait_process, .system = &host.system, .pid = self->child.pid,
                     .kill = true);
}
PT_END

static PT_TASK(dialog) program;

/* --- openssl s_client ------------------------------------------------------------------------ */

/* Serves one client: says each line back, until the end. */
struct echo {
    struct pt pt;
    struct pt_io *listener;
    struct pt_reader in;
    struct pt_writer out;
    struct pt_read_line line;
    struct pt_flush flush;
    struct pt_tls_finish finish;
    char room[256], text[256];
};

static PT_ASYNC(echo, self)
{
    PT_ACCEPT(self->listener, &server.io);
    ck_assert_int_eq(pt_tls_open(&server.tls, &server.context, &server.io, NULL), PT_OK);
    pt_reader_init(&self->in, pt_tls_stream(&server.tls), self->room, sizeof self->room);
    pt_writer_init(&self->out, pt_tls_stream(&server.tls), self->text, sizeof self->text);
    for (;;) {
        PT_WAIT_COMPLETE(&self->line, pt_read_line, .reader = &self->in);
        if (self->pt.status != PT_OK)
            break;
        PT_PRINTF(&self->out, "said %s\n", self->line.text);
        PT_TRY(&self->flush, pt_flush, .writer = &self->out);
    }
    trace_add("%s ", pt_status_name(self->pt.status) + 3);
    PT_WAIT_COMPLETE(&self->finish, pt_tls_finish, .tls = &server.tls);
    trace_add("%s ", pt_status_name(self->pt.status) + 3);
    PT_FINALLY
    pt_tls_close(&server.tls);
}
PT_END

/* Serve openssl s_client, of a version, which says LINES. */
static void serve_client(int poller, const char *version, const char *const (*lines)[2], bool kills)
{
    static PT_TASK(echo) task;
    static struct pt_io listener;
    struct pt_address address;
    char at[PT_ADDRESS_TEXT];

    talk_open(poller);
    talk_hang_up();
    host.patient = true;
    ck_assert_int_eq(pt_listen_at(&listener, &host.system, "127.0.0.1:0"), PT_OK);
    ck_assert_int_eq(pt_io_local(&listener, &address), PT_OK);
    pt_address_text(&address, at, sizeof at);
    {
        const char *const words[] = {"openssl",
                                     "s_client",
                                     version,
                                     "-connect",
                                     at,
                                     "-servername",
                                     "example.test",
                                     "-verify_hostname",
                                     "example.test",
                                     "-verify_return_error",
                                     "-CAfile",
                                     talk_file("ca.pem"),
                                     NULL};

        PT_START(&host.loop, &task, echo, .listener = &listener);
        PT_START(&host.loop, &program, dialog, .words = words, .lines = lines, .kills = kills);
        host_run();
    }
    pt_io_close(&listener);
    talk_close();
}

START_TEST(openssl_s_client_trusts_the_server_and_gets_its_lines_back)
{
    static const char *const lines[][2] = {{"Verify return code: 0 (ok)", "hello\n"},
                                           {"said hello", "again\n"},
                                           {"said again", ""},
                                           {NULL, NULL}};

    for (int i = 0; i < 2; i++) {
        serve_client(_i, versions[i], lines, false);
        ck_assert_trace("ECLOSED OK ");
        ck_assert_int_eq(program.frame.end.code, 0);
    }
}
END_TEST

START_TEST(openssl_s_client_changes_the_keys_of_both_sides)
{
    static const char *const lines[][2] = {{"Verify return code: 0 (ok)", "hello\n"},
                                           {"said hello", "K\n"},
                                           {"KEYUPDATE", "again\n"},
                                           {"said again", "more\n"},
                                           {"said more", ""},
                                           {NULL, NULL}};

    serve_client(_i, versions[1], lines, false);
    ck_assert_trace("ECLOSED OK ");
}
END_TEST

START_TEST(openssl_s_client_that_is_killed_has_cut_the_connection)
{
    static const char *const lines[][2] = {
        {"Verify return code: 0 (ok)", "hello\n"}, {"said hello", ""}, {NULL, NULL}};

    serve_client(_i, versions[_i % 2], lines, true);
    ck_assert_trace("EIO EIO ");
}
END_TEST

/* --- openssl s_server ------------------------------------------------------------------------ */

/* Waits until the server says its port, and connects to it. */
struct dialer {
    struct pt pt;
    struct sockaddr_in to;
};

static PT_ASYNC(dialer, self)
{
    while (!strstr(program.frame.said, "ACCEPT") ||
           !strchr(strstr(program.frame.said, "ACCEPT"), '\n'))
        PT_WAIT(PT_MS(1));
    self->to.sin_family = AF_INET;
    self->to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    self->to.sin_port =
        htons((uint16_t)atoi(strrchr(strstr(program.frame.said, "ACCEPT"), ':') + 1));
    ck_assert_int_eq(pt_socket(&client.io, &host.system, AF_INET, SOCK_STREAM, 0), PT_OK);
    PT_CONNECT(&client.io, (struct sockaddr *)&self->to, sizeof self->to);
    ck_assert_int_eq(self->pt.status, PT_OK);
    ck_assert_int_eq(pt_tls_open(&client.tls, &client.context, &client.io, client.host), PT_OK);
    talk(&client, "hplf");
}
PT_END

/* Talk to openssl s_server, of a version, with the certificate NAME. It says lines backwards. */
static void ask_server(int poller, const char *version, const char *name, const char *told)
{
    static PT_TASK(dialer) task;
    struct pt_tls_certificate its = talk_certificate(name);
    const char *const words[] = {"openssl",  "s_server", version, "-accept", "127.0.0.1:0",
                                 "-naccept", "1",        "-rev",  "-cert",   its.chain,
                                 "-key",     its.key,    NULL};

    talk_open(poller);
    talk_hang_up();
    host.patient = true;
    PT_START(&host.loop, &program, dialog, .words = words);
    PT_START(&host.loop, &task, dialer);
    host_run();
    ck_assert_told(client, told);
    talk_close();
}

START_TEST(openssl_s_server_says_a_line_backwards_and_finishes)
{
    for (int i = 0; i < 2; i++)
        ask_server(_i, versions[i], "example", "h p l:olleh f ");
}
END_TEST

START_TEST(openssl_s_server_with_the_certificate_of_a_stranger_is_refused)
{
    ask_server(_i, versions[_i % 2], "unknown", "h:EFAILED ");
}
END_TEST

/* --- native tasks ---------------------------------------------------------------------------- */

static pt_status native_server(struct pt_native *self)
{
    struct pt_tls *tls = &server.tls;
    struct pt_reader in;
    size_t length;
    char room[64], *line;

    pt_reader_init(&in, pt_tls_stream(tls), room, sizeof room);
    ck_assert_int_eq(pt_native_tls_handshake(self, tls), PT_OK);
    while (pt_native_read_line(self, &in, &line, &length) == PT_OK)
        ck_assert_int_eq(pt_native_tls_write(self, tls, line, length, &length), PT_OK);
    return pt_native_tls_finish(self, tls);
}

static pt_status native_client(struct pt_native *self)
{
    struct pt_tls *tls = &client.tls;
    char data[64];
    size_t moved;

    for (int i = 0; i < 100; i++) {
        ck_assert_int_eq(pt_native_tls_write(self, tls, "hello\n", 6, &moved), PT_OK);
        ck_assert_int_eq(pt_native_tls_read(self, tls, data, sizeof data, &moved), PT_OK);
        ck_assert_uint_eq(moved, 5);
        ck_assert(!memcmp(data, "hello", 5));
    }
    return pt_native_tls_finish(self, tls);
}

START_TEST(native_tasks_talk_in_straight_lines)
{
    struct pt_stacks stacks;
    struct pt_task *tasks[2];

    talk_open(_i);
    pt_stacks_init(&stacks, 128 << 10, PT_STACKS_PACKED);
    tasks[0] = pt_native_start(&host.loop, &stacks, native_client, NULL);
    tasks[1] = pt_native_start(&host.loop, &stacks, native_server, NULL);
    host_run();
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(pt_task_status(tasks[i]), PT_OK);
    ck_assert_ptr_null(client.tls.ssl);
    talk_close();
    pt_stacks_close(&stacks);
}
END_TEST

/* Shakes hands, moves a block in each direction and finishes, in its limit of time. */
static struct hurry {
    struct side *side;
    pt_time limit;
    pt_status status;
    bool over;
} hurries[2];

/* Move a block: 1 writes it, 0 reads it. */
static pt_status move(struct pt_native *self, struct pt_tls *tls, bool writes)
{
    char block[BLOCK];
    pt_status status = PT_OK;
    size_t sum, moved;

    memset(block, 'x', sizeof block);
    for (sum = 0; status == PT_OK && sum < sizeof block; sum += moved)
        status = writes ? pt_native_tls_write(self, tls, block + sum, sizeof block - sum, &moved)
                        : pt_native_tls_read(self, tls, block, sizeof block - sum, &moved);
    return status;
}

static pt_status native_hurry(struct pt_native *self)
{
    struct hurry *hurry = self->argument;
    struct pt_tls *tls = &hurry->side->tls;
    struct pt_scope limit;

    ck_assert_int_eq(pt_native_timeout(self, &limit, hurry->limit), PT_OK);
    hurry->status = pt_native_tls_handshake(self, tls);
    for (int i = 0; i < 2 && hurry->status == PT_OK; i++)
        hurry->status = move(self, tls, (hurry == hurries) == i);
    if (hurry->status == PT_OK)
        hurry->status = pt_native_tls_finish(self, tls);
    if (pt_native_timeout_end(self, &limit))
        hurry->status = PT_ETIMEDOUT;
    pt_tls_close(tls);
    hurry->over = true;
    return hurry->status;
}

/* Both sides hurry, and side N of them, if it is not -1, is ended after TURNS turns, or US. */
static void hurry(struct pt_stacks *stacks, int n, int turns, int us)
{
    struct pt_task *tasks[2];
    int few = 1;

    talk_hang_up();
    talk_connect(false);
    for (int i = 0; i < 2; i++) {
        struct hurry it = {i ? &client : &server, n == i && us ? PT_US(us) : PT_SEC(100), PT_OK,
                           false};

        hurries[i] = it;
        setsockopt(it.side->io.fd, SOL_SOCKET, SO_SNDBUF, &few, sizeof few);
        tasks[i] = pt_native_start(&host.loop, stacks, native_hurry, &hurries[i]);
        ck_assert_ptr_nonnull(tasks[i]);
    }
    host.tick = PT_US(60); /* time passes, and the poller is asked */
    if (turns)
        host_turns(turns);
    if (turns && !hurries[n].over)
        pt_cancel(tasks[n], PT_ECANCELED);
    host_run();
    host.tick = 0;
    ck_assert(hurries[0].over && hurries[1].over);
    ck_assert(!ERR_peek_error());
}

START_TEST(a_cancel_and_a_limit_of_time_end_a_native_task_at_each_of_its_waits)
{
    static const pt_status ends[] = {PT_ECANCELED, PT_ETIMEDOUT};
    struct pt_stacks stacks;
    int descriptors;

    talk_open(_i);
    pt_stacks_init(&stacks, 128 << 10, PT_STACKS_PACKED);
    hurry(&stacks, 0, 0, 0);
    ck_assert(hurries[0].status == PT_OK && hurries[1].status == PT_OK);
    descriptors = host_descriptors();
    for (int n = 0; n < 2; n++)
        for (int kind = 0; kind < 2; kind++) {
            int ended = 0;

            hurries[n].status = ends[kind];
            for (int i = 1; hurries[n].status != PT_OK; i += _i ? 5 : 1) {
                hurry(&stacks, n, kind ? 0 : i, kind ? 60 * i : 0);
                ck_assert(hurries[n].status == PT_OK || hurries[n].status == ends[kind]);
                ended += hurries[n].status == ends[kind];
                ck_assert_int_eq(host_descriptors(), descriptors);
            }
            ck_assert_int_ge(ended, _i ? 4 : 20);
        }
    talk_close();
    pt_stacks_close(&stacks);
}
END_TEST

Suite *host_suite_tls_programs(void)
{
    Suite *suite = suite_create("tls_programs");

    host_test(suite, openssl_s_client_trusts_the_server_and_gets_its_lines_back);
    host_test(suite, openssl_s_client_changes_the_keys_of_both_sides);
    host_test(suite, openssl_s_client_that_is_killed_has_cut_the_connection);
    host_test(suite, openssl_s_server_says_a_line_backwards_and_finishes);
    host_test(suite, openssl_s_server_with_the_certificate_of_a_stranger_is_refused);
    host_test(suite, native_tasks_talk_in_straight_lines);
    host_test(suite, a_cancel_and_a_limit_of_time_end_a_native_task_at_each_of_its_waits);
    return suite;
}
