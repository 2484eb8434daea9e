/* test_chat.c - which members the chat of examples/ closes
 * SPDX-License-Identifier: MIT */
#include "host.h"

int chat_main(int argc, char **argv);
#define main chat_main
#include "../../examples/servers/chat.c"
#undef main

#include "any_turn.h"

/* A member with a full buffer. waits() sets the number of bytes that were sent to it. */
static struct member member;

static bool waits(size_t bytes, int ms)
{
    member.writer.frame.put.put = bytes;
    return crowded(NULL, HOST_START + PT_MS((pt_time)ms));
}

START_TEST(a_slow_chat_member_stays_and_one_that_reads_nothing_for_a_second_is_closed)
{
    int ends[2];

    host_open(host_pollers[_i]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&member.client.io, &host.system, ends[0]), PT_OK);
    members = &member;
    member.waiting = sizeof member.store;
    member.since = HOST_START;
    ck_assert(waits(0, 900));
    ck_assert(waits(1, 1800));
    ck_assert(waits(2, 2700));
    ck_assert(waits(2, 3600));
    ck_assert_ptr_nonnull(member.client.io.system);
    ck_assert(!waits(2, 3700));
    ck_assert_ptr_null(member.client.io.system);
    members = NULL;
    close(ends[1]);
    host_close();
}
END_TEST

START_TEST(chat_that_is_canceled_in_any_turn_closes_all_connections)
{
    any_turn_of_it(_i, HOST_accept, 0);
}
END_TEST

Suite *host_suite_chat(void)
{
    Suite *suite = suite_create("chat");

    host_test(suite, a_slow_chat_member_stays_and_one_that_reads_nothing_for_a_second_is_closed);
    host_test(suite, chat_that_is_canceled_in_any_turn_closes_all_connections);
    return suite;
}
