/* log.h - what a server must not forget: its term, its vote, the entries; in memory, and in a file
 * SPDX-License-Identifier: MIT
 *
 * The file only grows. Each line is a checksum and a record: `vote TERM FOR`, or `put INDEX TERM COMMAND`, an entry
 * that replaces the one at its index and all behind it. A crash can tear the last lines; they were not synced, so no
 * other server has heard of them, and log_open cuts them off. */
#ifndef LOG_H
#define LOG_H

#include <stdbool.h>
#include <sys/types.h>

enum { KEY = 16, LINE = 160 };

/* What a client asks for, and its name and number: with them each command is carried out once. It is an entry of the
 * log once a leader has given it its term. */
struct command {
    char what[4]; /* "get", "put", "cas": NEW if the value is OLD; "nop", of a new leader */
    char key[KEY];
    long old, new;
    char client[KEY];
    long number, term;
};

struct log {
    int file;
    off_t end;
    long term;
    int voted;               /* for which server in this term; 0: none */
    struct command *entries; /* from 1; the one before them has term 0 */
    long last, room;
};

/* All from a file of the current folder, which is made if there is none. A failure ends the program. */
void log_open(struct log *log, const char *name);

/* Safe when it returns. */
void log_vote(struct log *log, long term, int voted);

/* Entries are safe after log_sync. */
void log_put(struct log *log, long index, const struct command *entry);
void log_sync(struct log *log);

/* A line, without its end, of less than LINE bytes, until the next call. The one of a client can do without the term. */
const char *command_text(const struct command *command);
bool command_scan(struct command *command, const char *text);

#endif
