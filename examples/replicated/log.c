/* log.c - what a server must not forget
 * SPDX-License-Identifier: MIT */
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((__noreturn__)) static void die(const char *what)
{
    perror(what);
    exit(1);
}

/* --- as text --------------------------------------------------------------------------------- */

const char *command_text(const struct command *command)
{
    static char text[LINE];

    snprintf(text, LINE, "%s %s %ld %ld %s %ld %ld", command->what, command->key, command->old,
             command->new, command->client, command->number, command->term);
    return text;
}

bool command_scan(struct command *command, const char *text)
{
    *command = (struct command){.term = 0};
    return sscanf(text, "%3s %15s %ld %ld %15s %ld %ld", command->what, command->key, &command->old,
                  &command->new, command->client, &command->number, &command->term) >= 6;
}

static unsigned checksum(const char *text)
{
    unsigned sum = 2166136261u;

    while (*text)
        sum = (sum ^ (unsigned char)*text++) * 16777619u;
    return sum;
}

/* --- in memory ------------------------------------------------------------------------------- */

static void keep(struct log *log, long index, const struct command *entry)
{
    if (index >= log->room) {
        log->room = 2 * index + 64;
        log->entries = realloc(log->entries, (size_t)log->room * sizeof *log->entries);
        if (!log->entries)
            die("memory");
    }
    log->entries[index] = *entry;
    log->last = index;
}

/* Whether a record is whole: then it is kept. */
static bool recall(struct log *log, const char *line)
{
    struct command entry;
    unsigned sum;
    long index;
    int rest;

    if (sscanf(line, "%x %n", &sum, &rest) != 1 || sum != checksum(line + rest))
        return false;
    line += rest;
    if (sscanf(line, "vote %ld %d", &log->term, &log->voted) == 2)
        return true;
    if (sscanf(line, "put %ld %n", &index, &rest) != 1 || index > log->last + 1 ||
        !command_scan(&entry, line + rest))
        return false;
    keep(log, index, &entry);
    return true;
}

/* --- in the file ----------------------------------------------------------------------------- */

/* Add a record. While the disk is full the whole server waits: to the others it is one that is slow. */
static void record(struct log *log, const char *text)
{
    char line[2 * LINE];
    ssize_t put, length = snprintf(line, sizeof line, "%08x %s\n", checksum(text), text);

    while ((put = pwrite(log->file, line, (size_t)length, log->end)) != length) {
        if (put < 0 && errno != ENOSPC)
            die("write");
        poll(NULL, 0, 100);
    }
    log->end += length;
}

void log_sync(struct log *log)
{
    if (fdatasync(log->file))
        die("sync"); /* whether a second try would mean anything, no system says */
}

void log_vote(struct log *log, long term, int voted)
{
    char text[LINE];

    log->term = term;
    log->voted = voted;
    snprintf(text, sizeof text, "vote %ld %d", term, voted);
    record(log, text);
    log_sync(log);
}

void log_put(struct log *log, long index, const struct command *entry)
{
    char text[2 * LINE];

    snprintf(text, sizeof text, "put %ld %s", index, command_text(entry));
    record(log, text);
    keep(log, index, entry);
}

void log_open(struct log *log, const char *name)
{
    int folder = open(".", O_RDONLY | O_DIRECTORY);
    char *text, *end;
    off_t size;

    memset(log, 0, sizeof *log);
    keep(log, 0, &(struct command){.term = 0});
    log->file = open(name, O_RDWR | O_CREAT, 0600);
    if (log->file < 0 || (size = lseek(log->file, 0, SEEK_END)) < 0 ||
        !(text = malloc((size_t)size + 1)) || pread(log->file, text, (size_t)size, 0) != size)
        die(name);
    text[size] = '\0';
    for (char *line = text; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        if (!recall(log, line))
            break;
        log->end = end + 1 - text;
    }
    free(text);
    /* What a killed server has left was perhaps not synced; from now on it counts. */
    if (ftruncate(log->file, log->end))
        die(name);
    log_sync(log);
    if (folder < 0 || fsync(folder))
        die("folder");
    close(folder);
}
