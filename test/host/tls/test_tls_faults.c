/* test_tls_faults.c - cancels at every turn, writes ended midway, garbage, no memory, new keys
 * SPDX-License-Identifier: MIT */
#include "talk.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>

#pragma GCC diagnostic ignored "-Wunused-parameter" /* of callbacks of OpenSSL */

enum { RECORD = 16384 };

/* Give the sockets little room, so that a write of a record waits. */
static void narrow(void)
{
    struct side *sides[] = {&client, &server};
    int few = 1;

    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(setsockopt(sides[i]->io.fd, SOL_SOCKET, SO_SNDBUF, &few, sizeof few), 0);
}

/* --- the memory of OpenSSL ------------------------------------------------------------------- */

static struct {
    long live;  /* blocks */
    long made;  /* allocations */
    long fails; /* the one that fails; 0: none */
} memory;

static void *count_new(void *block)
{
    memory.live += block != NULL;
    return block;
}

static bool fails(void)
{
    return ++memory.made == memory.fails;
}

static void *take(size_t size, const char *file, int line)
{
    return fails() ? NULL : count_new(malloc(size));
}

static void *take_again(void *block, size_t size, const char *file, int line)
{
    if (!block)
        return take(size, file, line);
    return fails() ? NULL : realloc(block, size);
}

static void give(void *block, const char *file, int line)
{
    memory.live -= block != NULL;
    free(block);
}

/* Before the first use of OpenSSL. */
static void watch_memory(void)
{
    ck_assert_int_eq(CRYPTO_set_mem_functions(take, take_again, give), 1);
}

/* --- cancel ---------------------------------------------------------------------------------- */

/* Passes on what the sides say, a few bytes in each turn. */
struct relay {
    struct pt pt;
    int ends[2];
    size_t held[2];
    bool over[2];
    char bytes[2][400];
};

/* Pass on from one end to the other. */
static void pass(struct relay *self, int from)
{
    char *bytes = self->bytes[from];
    ssize_t count;

    if (!self->held[from]) {
        count = recv(self->ends[from], bytes, sizeof self->bytes[0], MSG_DONTWAIT);
        self->held[from] = count > 0 ? (size_t)count : 0;
        self->over[from] = count == 0 || (count < 0 && errno != EAGAIN);
    }
    count = self->held[from]
                ? send(self->ends[!from], bytes, self->held[from], MSG_DONTWAIT | MSG_NOSIGNAL)
                : 0;
    if (count < 0 && errno != EAGAIN)
        self->over[from] = true;
    if (count > 0) {
        self->held[from] -= (size_t)count;
        memmove(bytes, bytes + count, self->held[from]);
    }
    if (self->over[from])
        shutdown(self->ends[!from], SHUT_WR);
}

static PT_ASYNC(relay, self)
{
    while (!self->over[0] || !self->over[1]) {
        for (int i = 0; i < 2; i++)
            if (!self->over[i])
                pass(self, i);
        PT_YIELD();
    }
    PT_FINALLY
    close(self->ends[0]);
    close(self->ends[1]);
}
PT_END

/* Connect both sides by a relay. */
static void connect_by_relay(void)
{
    static PT_TASK(relay) task;
    struct side *sides[] = {&client, &server};
    int ends[2][2];

    for (int i = 0; i < 2; i++) {
        host_pair(ends[i]);
        ck_assert_int_eq(pt_io_open(&sides[i]->io, &host.system, ends[i][0]), PT_OK);
    }
    narrow();
    PT_START(&host.loop, &task, relay, .ends[0] = ends[0][1], .ends[1] = ends[1][1]);
}

/* Cancels a talker in its turn TURNS. */
struct canceler {
    struct pt pt;
    struct pt_task *task;
    int turns;
};

static PT_ASYNC(canceler, self)
{
    while (self->turns-- > 0)
        PT_YIELD();
    if (pt_task_alive(self->task))
        pt_cancel(self->task, PT_ECANCELED);
}
PT_END

static talker_task tasks[2];

/* A whole conversation in which the side WHICH is canceled in turn TURNS; whether it was over. */
static bool conversation(int which, int turns)
{
    static PT_TASK(canceler) end;
    bool over;

    connect_by_relay();
    if (pt_tls_open(&client.tls, &client.context, &client.io, client.host) != PT_OK)
        pt_io_close(&client.io);
    if (pt_tls_open(&server.tls, &server.context, &server.io, NULL) != PT_OK)
        pt_io_close(&server.io);
    host.tick = PT_US(60); /* so that the poller is asked while tasks are ready */
    talk_and_close(&tasks[0], &client, "hwrbplf");
    talk_and_close(&tasks[1], &server, "hrwBlpf");
    PT_START(&host.loop, &end, canceler, .task = &tasks[which].task, .turns = turns);
    host_run();
    host.tick = 0;
    over = pt_task_status(&tasks[which].task) != PT_ECANCELED;
    ck_assert(!pt_task_alive(&tasks[0].task) && !pt_task_alive(&tasks[1].task));
    ck_assert_ptr_null(client.tls.ssl);
    ck_assert_ptr_null(server.tls.ssl);
    ck_assert(!ERR_peek_error());
    if (over && !memory.fails) {
        ck_assert_str_eq(tasks[0].frame.told, "h w:5 r:world b p l:world f ");
        ck_assert_str_eq(tasks[1].frame.told, "h r:hello w:5 B l:hello p f ");
    }
    return over;
}

enum {
    ALL = 1000,               /* more turns than a conversation has */
    STEP = PT_DEBUG ? 10 : 1, /* of a sweep: sanitizers take their time */
    KEPT = 8                  /* blocks that the queue of errors keeps for the next ones */
};

START_TEST(a_cancel_at_any_turn_leaves_no_memory_and_no_descriptor)
{
    int descriptors, turns;
    long before;

    watch_memory();
    talk_open(_i);
    talk_hang_up();
    descriptors = host_descriptors();
    for (int version = TLS1_2_VERSION; version <= TLS1_3_VERSION; version++) {
        SSL_CTX_set_max_proto_version(client.context.ssl, version);
        ck_assert(conversation(0, ALL));
        before = memory.live;
        for (int which = 0; which < 2; which++) {
            for (turns = 0; !conversation(which, turns); turns += _i ? 13 : STEP)
                ck_assert_int_le(memory.live, before + KEPT);
            ck_assert_int_ge(turns, 50);
        }
    }
    ck_assert_int_eq(host_descriptors(), descriptors);
    talk_close();
}
END_TEST

START_TEST(twenty_connections_take_as_much_memory_as_one)
{
    long before = 0;

    watch_memory();
    talk_open(_i);
    talk_hang_up();
    for (int i = 0; i < 20; i++) {
        ck_assert(conversation(0, ALL));
        if (i == 1)
            before = memory.live;
    }
    ck_assert_int_eq(memory.live, before);
    talk_close();
}
END_TEST

START_TEST(an_allocation_that_fails_ends_the_connection_and_nothing_else)
{
    bool told = false;
    long before, last;

    watch_memory();
    talk_open(_i);
    talk_hang_up();
    conversation(0, ALL);
    memory.made = 0;
    conversation(0, ALL);
    last = memory.made;
    before = memory.live;
    for (long n = 1; n < last; n += STEP + n / 30) {
        memory.made = 0;
        memory.fails = n;
        conversation(0, ALL);
        told |= strstr(tasks[0].frame.told, "ENOMEM") || strstr(tasks[1].frame.told, "ENOMEM");
    }
    memory.fails = 0;
    ck_assert(told);
    ck_assert(conversation(0, ALL));
    ck_assert_int_le(memory.live, before + 64); /* what OpenSSL itself does not free then */
    talk_close();
}
END_TEST

/* --- a write that is ended midway ------------------------------------------------------------ */

static char sent[2 * RECORD], got[2 * RECORD];
static PT_TASK(pt_write_all) writer;
static PT_TASK(pt_read_exactly) reader;
static struct pt_writer out;
static struct pt_reader in;

static void write_bytes(const void *data, size_t size)
{
    PT_START(&host.loop, &writer, pt_write_all, .writer = &out, .data = data, .size = size);
}

static void read_bytes(size_t size)
{
    PT_START(&host.loop, &reader, pt_read_exactly, .reader = &in, .data = got, .size = size);
}

/* The client writes half of a record, and is canceled. */
static void end_midway(int poller)
{
    for (int i = 0; i < 2 * RECORD; i++)
        sent[i] = (char)(i * 7 + i / 256);
    talk_open(poller);
    talk_agree();
    narrow();
    pt_writer_init(&out, pt_tls_stream(&client.tls), NULL, 0);
    pt_reader_init(&in, pt_tls_stream(&server.tls), NULL, 0);
    write_bytes(sent, RECORD);
    host_run();
    ck_assert(pt_task_alive(&writer.task));
    pt_cancel(&writer.task, PT_ECANCELED);
    host_run();
    ck_assert_uint_eq(writer.frame.put, 0);
}

START_TEST(a_write_that_was_ended_midway_can_be_repeated)
{
    char copy[2 * RECORD];

    end_midway(_i);
    memcpy(copy, sent, sizeof copy); /* the bytes count, not their place */
    write_bytes(copy, 2 * RECORD);
    read_bytes(2 * RECORD);
    host_run();
    ck_assert_int_eq(pt_task_status(&writer.task), PT_OK);
    ck_assert_int_eq(pt_task_status(&reader.task), PT_OK);
    ck_assert(!memcmp(got, sent, sizeof got));
    talk(&client, "w");
    talk(&server, "r");
    host_run();
    ck_assert_told(server, "r:hello ");
    talk_close();
}
END_TEST

START_TEST(other_bytes_after_a_write_that_was_ended_midway_are_refused)
{
    char other[RECORD];

    for (int shorter = 0; shorter < 2; shorter++) {
        end_midway(_i);
        memcpy(other, sent, sizeof other);
        other[RECORD - 1] ^= !shorter;
        talk(&client, "r");
        read_bytes(RECORD);
        write_bytes(other, (size_t)(RECORD - shorter));
        host_run();
        ck_assert_int_eq(pt_task_status(&writer.task), PT_ECANCELED);
        ck_assert_str_eq(pt_tls_error_text(&client.tls, PT_ECANCELED),
                         "an earlier write was ended midway, and other bytes followed");
        ck_assert_told(client, "r:ECANCELED ");
        ck_assert_int_eq(pt_task_status(&reader.task), PT_EIO);
        ck_assert_uint_eq(reader.frame.got, 0);
        talk_close();
    }
}
END_TEST

START_TEST(a_finish_after_a_write_that_was_ended_midway_only_closes)
{
    end_midway(_i);
    talk(&client, "f");
    read_bytes(RECORD);
    host_run();
    ck_assert_told(client, "f:ECANCELED ");
    ck_assert_ptr_null(client.tls.io);
    ck_assert_int_eq(pt_task_status(&reader.task), PT_EIO);
    talk_close();
}
END_TEST

START_TEST(a_flush_that_was_ended_goes_on_where_it_was)
{
    static PT_TASK(pt_flush) flush;
    static char lines[RECORD];

    end_midway(_i);
    pt_tls_close(&client.tls);
    pt_tls_close(&server.tls);
    talk_connect(false);
    talk_agree();
    narrow();
    pt_writer_init(&out, pt_tls_stream(&client.tls), lines, sizeof lines);
    for (int i = 0; i < 1000; i++)
        ck_assert_int_eq(pt_printf(&out, "line %d\n", i), PT_OK);
    for (int i = 0; i < 3; i++) {
        PT_START(&host.loop, &flush, pt_flush, .writer = &out);
        host_run();
        pt_cancel(&flush.task, PT_ECANCELED);
        host_run();
        ck_assert_int_eq(pt_printf(&out, "more %d\n", i), PT_OK);
    }
    PT_START(&host.loop, &flush, pt_flush, .writer = &out);
    read_bytes(8890 + 21);
    host_run();
    ck_assert_int_eq(pt_task_status(&flush.task), PT_OK);
    ck_assert_int_eq(pt_task_status(&reader.task), PT_OK);
    ck_assert(!memcmp(got + 8890 - 9, "line 999\nmore 0\nmore 1\nmore 2\n", 30));
    talk_close();
}
END_TEST

START_TEST(a_write_that_was_ended_before_the_handshake_leaves_nothing_behind)
{
    talk_open(_i);
    pt_writer_init(&out, pt_tls_stream(&client.tls), NULL, 0);
    write_bytes("one", 3);
    host_run();
    pt_cancel(&writer.task, PT_ECANCELED);
    host_run();
    talk(&client, "w");
    talk(&server, "r");
    host_run();
    ck_assert_told(client, "w:5 ");
    ck_assert_told(server, "r:hello ");
    talk_close();
}
END_TEST

START_TEST(a_handshake_that_does_not_fit_waits_until_the_other_side_has_read)
{
    bool waited;

    for (int i = 0; i < 2; i++) {
        talk_open(_i);
        talk_load("long");
        talk_hang_up();
        talk_connect(false);
        narrow();
        waited = false;
        talk(&client, "h");
        host_run();
        talk(&server, i ? "r" : "h");
        for (int turns = 0; turns < 50; turns++) {
            host_turns(1);
            waited |= server.tls.kept != NULL;
        }
        host_run();
        ck_assert(waited);
        ck_assert_told(client, "h ");
        talk(&client, "w");
        host_run();
        ck_assert_told(server, i ? "r:hello " : "h ");
        talk_close();
    }
}
END_TEST

/* --- new keys -------------------------------------------------------------------------------- */

enum { PIECE = 1000, PIECES = 200 };

/* Writes pieces, and after each third asks for new keys, of both sides. */
struct renewer {
    struct pt pt;
    struct side *side;
    struct pt_writer out;
    struct pt_write_all put;
    int i;
    char data[PIECE];
};

static PT_ASYNC(renewer, self)
{
    pt_writer_init(&self->out, pt_tls_stream(&self->side->tls), NULL, 0);
    for (self->i = 0; self->i < PIECES; self->i++) {
        memset(self->data, self->i, PIECE);
        if (self->i % 3 == 2)
            ck_assert_int_eq(SSL_key_update(self->side->tls.ssl, SSL_KEY_UPDATE_REQUESTED), 1);
        PT_TRY(&self->put, pt_write_all, .writer = &self->out, .data = self->data, .size = PIECE);
    }
}
PT_END

struct checker {
    struct pt pt;
    struct side *side;
    struct pt_reader in;
    struct pt_read_exactly get;
    int i;
    char data[PIECE];
};

static PT_ASYNC(checker, self)
{
    pt_reader_init(&self->in, pt_tls_stream(&self->side->tls), NULL, 0);
    for (self->i = 0; self->i < PIECES; self->i++) {
        PT_TRY(&self->get, pt_read_exactly, .reader = &self->in, .data = self->data, .size = PIECE);
        for (int k = 0; k < PIECE; k++)
            if (self->data[k] != (char)self->i)
                PT_RETURN(PT_EFAILED);
    }
}
PT_END

START_TEST(readers_and_writers_of_both_sides_live_through_new_keys)
{
    static PT_TASK(renewer) writers[2];
    static PT_TASK(checker) readers[2];
    struct side *sides[] = {&client, &server};

    talk_open(_i);
    talk_agree();
    narrow();
    for (int i = 0; i < 2; i++) {
        PT_START(&host.loop, &writers[i], renewer, .side = sides[i]);
        PT_START(&host.loop, &readers[i], checker, .side = sides[i]);
    }
    host_run();
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pt_task_status(&writers[i].task), PT_OK);
        ck_assert_int_eq(pt_task_status(&readers[i].task), PT_OK);
    }
    talk_close();
}
END_TEST

/* --- a client that sends new keys, and hardly anything else ----------------------------------- */

/* The client sends ROUNDS times UPDATES new keys, to each of which the server has to reply, and a
 * text. It reads nothing. It notes how much the server keeps at most. */
struct flooder {
    struct pt pt;
    int rounds, updates, i;
    size_t put, most;
};

static PT_ASYNC(flooder, self)
{
    while (self->rounds-- > 0) {
        for (self->i = 0; self->i < self->updates; self->i++) {
            ck_assert_int_eq(SSL_key_update(client.tls.ssl, SSL_KEY_UPDATE_REQUESTED), 1);
            PT_TLS_HANDSHAKE(&client.tls);
            if (self->pt.status != PT_OK)
                PT_RETURN(self->pt.status);
            if (server.tls.kept_size > self->most)
                self->most = server.tls.kept_size;
        }
        PT_TLS_WRITE(&client.tls, "hello", 5, &self->put);
    }
}
PT_END

static PT_TASK(flooder) flooder;

static void flood(int rounds, int updates)
{
    PT_START(&host.loop, &flooder, flooder, .rounds = rounds, .updates = updates);
    host_run();
}

START_TEST(a_client_that_sends_a_record_of_data_for_sixty_without_is_served)
{
    talk_open(_i);
    talk_agree();
    talk(&server, "rrr");
    flood(3, 60);
    ck_assert_told(server, "r:hello r:hello r:hello ");
    talk_close();
}
END_TEST

START_TEST(a_client_that_sends_more_records_without_data_than_that_is_refused)
{
    talk_open(_i);
    for (int early = 0; early < 2; early++) { /* the read begins before the flood, or behind it */
        talk_hang_up();
        talk_connect(true);
        talk_agree();
        if (early)
            talk(&server, "r");
        flood(1, 1500);
        if (!early)
            talk(&server, "r");
        host_run();
        ck_assert_told(server, "r:EFAILED ");
        ck_assert_str_eq(pt_tls_error_text(&server.tls, PT_EFAILED),
                         "too many records without data");
        ck_assert_uint_lt(BIO_number_read(SSL_get_rbio(server.tls.ssl)), 20000); /* of 40000 */
    }
    talk_close();
}
END_TEST

START_TEST(data_behind_too_many_records_without_data_is_refused_too)
{
    talk_open(_i);
    talk_agree();
    flood(1, 100);
    talk(&server, "r");
    host_run();
    ck_assert_told(server, "r:EFAILED ");
    talk_close();
}
END_TEST

START_TEST(a_read_whose_reply_does_not_fit_goes_on_reading)
{
    talk_open(_i);
    talk_agree();
    narrow();
    talk(&server, "rrrrr");
    flood(5, 20);
    ck_assert_ptr_nonnull(server.tls.kept);
    ck_assert_told(server, "r:hello r:hello r:hello r:hello r:hello ");
    talk_close();
}
END_TEST

START_TEST(what_is_kept_for_a_client_that_does_not_read_has_a_limit)
{
    talk_open(_i);
    talk_agree();
    narrow();
    talk(&server, "B");
    flood(60, 50);
    ck_assert(pt_task_alive(&server.task.task));
    ck_assert(pt_task_alive(&flooder.task));
    ck_assert_uint_ge(flooder.frame.most, 64 << 10);
    ck_assert_uint_lt(flooder.frame.most, (64 << 10) + 2000);
    pt_cancel(&flooder.task, PT_ECANCELED);
    talk_close();
}
END_TEST

/* --- the other side is no TLS ---------------------------------------------------------------- */

static void put_raw(const void *data, size_t size)
{
    ck_assert_int_eq(write(client.io.fd, data, size), (ssize_t)size);
}

START_TEST(a_server_that_gets_something_else_says_so_to_all_its_tasks)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *why;
    } inputs[] = {
        {"GET / HTTP/1.1\r\n\r\n", 18, "http request"},
        {"\0\0\0\0\0\0\0\0\0\0\0\0", 12, "wrong version number"},
        {"\x16\x03\x01\xff\xff nobody reads so much", 25, "packet length too long"},
        {"\x17\x03\x03\x00\x01xxxxxxxx", 13, "unexpected message"},
    };
    talker_task writer_task;

    talk_open(_i);
    for (unsigned i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        talk_hang_up();
        talk_connect(false);
        memset(&writer_task, 0, sizeof writer_task);
        talk(&server, "l");
        PT_START(&host.loop, &writer_task, talker, .tls = &server.tls, .steps = "p", .text = "x");
        put_raw(inputs[i].bytes, inputs[i].size);
        host_run();
        ck_assert_told(server, "l:EFAILED ");
        ck_assert_str_eq(writer_task.frame.told, "p:EFAILED ");
        ck_assert_str_eq(pt_tls_error_text(&server.tls, PT_EFAILED), inputs[i].why);
        ck_assert(!ERR_peek_error());
    }
    talk_close();
}
END_TEST

START_TEST(a_server_survives_random_bytes_before_and_after_the_handshake)
{
    unsigned seed = 1;
    char bytes[64];

    talk_open(_i);
    for (int i = 0; i < 200; i++) {
        talk_hang_up();
        talk_connect(false);
        if (i % 2)
            talk_agree();
        for (unsigned k = 0; k < sizeof bytes; k++) {
            seed = seed * 1664525 + 1013904223;
            bytes[k] = (char)(seed >> 24);
        }
        if (i % 4 < 2)
            memcpy(bytes, i % 2 ? "\x17\x03\x03\x00\x20" : "\x16\x03\x01\x00\x20\x01\x00\x00",
                   i % 2 ? 5 : 8);
        talk(&server, "rr");
        put_raw(bytes, sizeof bytes);
        pt_tls_close(&client.tls);
        host_run();
        ck_assert(!pt_task_alive(&server.task.task));
        ck_assert_msg(strstr(server.task.frame.told, "EFAILED") ||
                          strstr(server.task.frame.told, "EIO"),
                      "%s", server.task.frame.told);
    }
    talk_close();
}
END_TEST

/* A handshake with a limit, and a finish with another one. */
struct limited {
    struct pt pt;
    struct pt_scope limit;
    struct pt_tls_finish finish;
    char told[64];
};

static PT_ASYNC(limited, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(5)) {
        PT_TLS_HANDSHAKE(&server.tls);
    }
    trace_add("%s@%d ", pt_status_name(self->pt.status) + 3, host_ms(PT_NOW()));
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(1)) {
        PT_WAIT_COMPLETE(&self->finish, pt_tls_finish, .tls = &server.tls);
    }
    trace_add("%s@%d ", pt_status_name(self->pt.status) + 3, host_ms(PT_NOW()));
}
PT_END

START_TEST(a_client_that_stops_in_the_handshake_is_left_after_a_limit)
{
    static PT_TASK(limited) task;

    talk_open(_i);
    put_raw("\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03", 10);
    PT_START(&host.loop, &task, limited);
    host_run();
    ck_assert_trace("ETIMEDOUT@5000 ETIMEDOUT@6000 ");
    ck_assert_ptr_null(server.tls.io);
    ck_assert_int_eq(server.io.fd, -1);
    talk_close();
}
END_TEST

START_TEST(a_client_that_goes_in_the_handshake_has_cut_it)
{
    talk_open(_i);
    put_raw("\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03", 10);
    pt_tls_close(&client.tls);
    talk(&server, "h");
    host_run();
    ck_assert_told(server, "h:EIO ");
    talk_close();
}
END_TEST

/* --- the rest -------------------------------------------------------------------------------- */

START_TEST(a_write_to_a_side_that_is_gone_raises_no_signal)
{
    signal(SIGPIPE, SIG_DFL);
    talk_open(_i);
    talk_agree();
    pt_tls_close(&client.tls);
    talk(&server, "ww");
    host_run();
    ck_assert_told(server, "w:ECLOSED ");
    talk_close();
}
END_TEST

START_TEST(a_close_wakes_the_tasks_that_wait)
{
    talker_task writer_task;

    talk_open(_i);
    memset(&writer_task, 0, sizeof writer_task);
    talk(&server, "l");
    PT_START(&host.loop, &writer_task, talker, .tls = &server.tls, .steps = "p", .text = "x");
    host_run();
    pt_tls_close(&server.tls);
    host_run();
    ck_assert_told(server, "l:ECLOSED ");
    ck_assert_str_eq(writer_task.frame.told, "p:ECLOSED ");
    talk(&server, "r");
    host_run();
    ck_assert_told(server, "r:ECLOSED ");
    talk_close();
}
END_TEST

START_TEST(an_error_that_another_library_has_left_is_not_taken_for_ones_own)
{
    talk_open(_i);
    talk_agree();
    ERR_raise(ERR_LIB_USER, 1);
    talk(&client, "w");
    talk(&server, "rr");
    host_run();
    ck_assert_told(server, "r:hello ");
    ck_assert(pt_task_alive(&server.task.task));
    talk_close();
}
END_TEST

static void read_from_it(void)
{
    const struct pt_stream stream = pt_tls_stream(&client.tls);
    char letter;
    size_t size;

    stream.ops->try_read(stream.object, &letter, 1, &size);
}

START_TEST(a_task_that_reads_what_was_never_opened_stops_the_program)
{
    talk_open(_i);
    talk_hang_up();
    memset(&client.tls, 0, sizeof client.tls);
    host_stops(read_from_it, "the pt_tls was never opened: call pt_tls_open");
    talk_close();
}
END_TEST

Suite *host_suite_tls_faults(void)
{
    Suite *suite = suite_create("tls_faults");

    host_test(suite, a_cancel_at_any_turn_leaves_no_memory_and_no_descriptor);
    host_test(suite, twenty_connections_take_as_much_memory_as_one);
    host_test_once(suite, an_allocation_that_fails_ends_the_connection_and_nothing_else);
    host_test(suite, a_write_that_was_ended_midway_can_be_repeated);
    host_test(suite, other_bytes_after_a_write_that_was_ended_midway_are_refused);
    host_test(suite, a_finish_after_a_write_that_was_ended_midway_only_closes);
    host_test(suite, a_flush_that_was_ended_goes_on_where_it_was);
    host_test(suite, a_write_that_was_ended_before_the_handshake_leaves_nothing_behind);
    host_test(suite, a_handshake_that_does_not_fit_waits_until_the_other_side_has_read);
    host_test(suite, readers_and_writers_of_both_sides_live_through_new_keys);
    host_test(suite, a_client_that_sends_a_record_of_data_for_sixty_without_is_served);
    host_test(suite, a_client_that_sends_more_records_without_data_than_that_is_refused);
    host_test(suite, data_behind_too_many_records_without_data_is_refused_too);
    host_test(suite, a_read_whose_reply_does_not_fit_goes_on_reading);
    host_test_once(suite, what_is_kept_for_a_client_that_does_not_read_has_a_limit);
    host_test(suite, a_server_that_gets_something_else_says_so_to_all_its_tasks);
    host_test_once(suite, a_server_survives_random_bytes_before_and_after_the_handshake);
    host_test(suite, a_client_that_stops_in_the_handshake_is_left_after_a_limit);
    host_test(suite, a_client_that_goes_in_the_handshake_has_cut_it);
    host_test(suite, a_write_to_a_side_that_is_gone_raises_no_signal);
    host_test(suite, a_close_wakes_the_tasks_that_wait);
    host_test(suite, an_error_that_another_library_has_left_is_not_taken_for_ones_own);
    host_test(suite, a_task_that_reads_what_was_never_opened_stops_the_program);
    return suite;
}
