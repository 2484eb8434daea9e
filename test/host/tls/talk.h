/* talk.h - two sides of a connection that talk by TLS, as letters tell them
 * SPDX-License-Identifier: MIT
 *
 *     talk_open(_i);
 *     talk(&client, "hwrf");
 *     talk(&server, "hrwf");
 *     host_run();
 *     ck_assert_told(client, "h w:5 r:world f ");
 *     talk_close();
 *
 * The certificates are in the directory TLS_CERTIFICATES (certificates). */
#ifndef PT_TLS_TEST_H
#define PT_TLS_TEST_H

#include "../host.h"

#include <pt/tls.h>

enum { BLOCK = 20000 }; /* more than a record */

/* Executes a string of letters: h shakes hands, w writes its text, r reads; p prints a line and l
 * reads one, b writes a block and B reads one, by a writer and a reader; f finishes, c closes. It
 * ends at the first failure. */
struct talker {
    struct pt pt;
    struct pt_tls *tls;
    const char *steps, *text;
    bool closes; /* the connection, when it ends or is ended */
    struct pt_reader in;
    struct pt_writer out;
    struct pt_read_line line;
    struct pt_flush flush;
    struct pt_write_all write;
    struct pt_read_exactly read;
    struct pt_tls_finish finish;
    size_t moved;
    char data[32], room[32], lines[32], told[256], block[BLOCK];
};

PT_DECLARE(talker);
typedef PT_TASK(talker) talker_task;

/* One side of the connection. */
extern struct side {
    struct pt_tls_context context;
    struct pt_io io;
    struct pt_tls tls;
    talker_task task;
    const char *host; /* whom it expects: the client example.test */
} client, server;

/* The path of a file of the certificates: valid for the next 16 calls. */
const char *talk_file(const char *name);

/* The certificate of NAME. */
struct pt_tls_certificate talk_certificate(const char *name);

/* Open the system, load the contexts, and connect both sides by Unix sockets: the server has
 * example, and the client trusts ca. Close all that. */
void talk_open(int poller);
void talk_close(void);

/* Load the contexts alone: the server has the certificate NAME. */
void talk_load(const char *name);

/* Connect alone, by Unix sockets or by TCP, and end that. */
void talk_connect(bool tcp);
void talk_hang_up(void);

/* Start the talker of a side; or another one, which closes the connection at its end. */
void talk(struct side *side, const char *steps);
void talk_and_close(talker_task *task, struct side *side, const char *steps);

/* What the talker of a side has told. */
#define ck_assert_told(side, expected) ck_assert_str_eq((side).task.frame.told, expected)

/* Let both sides shake hands. */
void talk_agree(void);

#endif
