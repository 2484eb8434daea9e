/* snapshot.h - what the tasks of a loop do, as lines of JSON, in pieces
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_SNAPSHOT_H
#define PT_LIB_SNAPSHOT_H

#include <pt/host/live.h>
#include <pt/inspect/watch.h>

/* A piece of text. A line that does not fit is left out as a whole. */
enum { PT_LIVE_PIECE_ = 65536 };
struct pt_live_piece_ {
    size_t used;
    bool over; /* the line that is written now does not fit */
    char text[PT_LIVE_PIECE_];
};

/* How long the steps of the tasks of one name took. */
struct pt_steps_ {
    char name[48]; /* cut off */
    uint64_t count;
    pt_time ticks;   /* of all of them */
    pt_time longest; /* of one */
};

/* The steps of a loop, by the names of their tasks. */
enum { PT_STEPS_NAMES_ = 64 };
struct pt_steps_table_ {
    struct pt_watch watch; /* its first member */
    bool on;
    unsigned count;
    struct pt_steps_ rows[PT_STEPS_NAMES_ + 1]; /* the last one: all other names */
};

/* Count the steps of a loop from now on; stop. In the loop's thread. */
void pt_steps_start_(struct pt_steps_table_ *table, struct pt_loop *loop);
void pt_steps_stop_(struct pt_steps_table_ *table);

/* Add to a line: text as it stands, a pt_print; a member of an object, KEY with a number or a text,
 * which is escaped, and cut off after 128 bytes, or before a letter that is longer. */
void pt_live_put_(void *piece, const char *text);
void pt_live_number_(struct pt_live_piece_ *piece, const char *key, uint64_t number);
void pt_live_text_(struct pt_live_piece_ *piece, const char *key, const char *text);

/* The tasks that a snapshot lists, at most. */
enum { PT_SNAPSHOT_TASKS_ = 10000 };

/* Write the piece of a snapshot that begins with the task number FROM; the piece of 0 begins with
 * the numbers of the loop. Returns the number from which the next piece goes on, or 0: it was the
 * last. */
unsigned pt_snapshot_(struct pt_live_piece_ *piece, const struct pt_system *system, unsigned from,
                      const struct pt_gauge *gauges, const struct pt_steps_table_ *steps);

#endif
