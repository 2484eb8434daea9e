/* kv_pt.c - the server of bench kv on pt: PING, GET and SET of RESP; kv_pt [CHAIN KEY]
 * SPDX-License-Identifier: MIT
 *
 * Commands that have come together get their replies together. A value is kept as the reply to a
 * GET, and lives while a reply is written. A command has up to 128 KB. */
#include "connection.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { BUCKETS = 1 << 16, WORDS = 3, ROOM = 128 << 10 };

/* --- the store ------------------------------------------------------------------------------- */

struct text {
    int users;
    size_t size;
    char data[];
};

struct entry {
    struct entry *next;
    struct text *value;
    size_t length;
    char key[];
};

static struct entry *table[BUCKETS];

struct word {
    const char *data;
    size_t length;
};

static void drop(struct text *text)
{
    if (text && --text->users == 0)
        free(text);
}

/* Where the entry of KEY is, or its place at the end of the chain. */
static struct entry **find(const struct word *key)
{
    uint32_t hash = UINT32_C(2166136261);
    struct entry **at;

    for (size_t i = 0; i < key->length; i++)
        hash = (hash ^ (unsigned char)key->data[i]) * UINT32_C(16777619);
    for (at = &table[hash % BUCKETS]; *at; at = &(*at)->next)
        if ((*at)->length == key->length && !memcmp((*at)->key, key->data, key->length))
            break;
    return at;
}

static bool set(const struct word *key, const struct word *value)
{
    struct entry **at = find(key), *entry = *at;
    struct text *text = malloc(sizeof *text + value->length + 32);
    size_t head;

    if (text && !entry && (entry = calloc(1, sizeof *entry + key->length)) != NULL) {
        entry->length = key->length;
        memcpy(entry->key, key->data, key->length);
        *at = entry;
    }
    if (!text || !entry)
        return free(text), false;
    head = (size_t)sprintf(text->data, "$%zu\r\n", value->length);
    memcpy(text->data + head, value->data, value->length);
    memcpy(text->data + head + value->length, "\r\n", 2);
    text->size = head + value->length + 2;
    text->users = 1;
    drop(entry->value);
    entry->value = text;
    return true;
}

/* --- commands -------------------------------------------------------------------------------- */

/* The number behind MARK at *AT, and CR LF: -1 if there is none yet, -2 if it is malformed. */
static long number(const char **at, const char *end, char mark)
{
    const char *digit = *at + 1;
    long value = 0;

    if (*at < end && **at != mark)
        return -2;
    for (; digit < end && *digit >= '0' && *digit <= '9' && value < ROOM; digit++)
        value = value * 10 + (*digit - '0');
    if (end - digit < 2)
        return -1;
    if (digit[0] != '\r' || digit[1] != '\n' || digit == *at + 1)
        return -2;
    *at = digit + 2;
    return value;
}

/* Split the command at *AT into WORDS: how many; -1 if it is not whole yet, -2 if malformed. */
static long split(const char **at, const char *end, struct word *words)
{
    const char *next = *at;
    long count = number(&next, end, '*'), length;

    if (count == 0 || count > WORDS)
        return -2;
    for (long i = 0; i < count; i++, next += length + 2) {
        if ((length = number(&next, end, '$')) < 0)
            return length;
        if (end - next < length + 2)
            return -1;
        words[i].data = next;
        words[i].length = (size_t)length;
    }
    if (count > 0)
        *at = next;
    return count;
}

static bool is(const struct word *word, const char *name)
{
    return word->length == strlen(name) && !strncasecmp(word->data, name, word->length);
}

/* Do a command, and prepare its reply, which can be a text that is then in use. */
static struct text *answer(const struct word *words, long count, struct word *reply)
{
    const char *text = "-ERR unknown command\r\n";

    if (count == 2 && is(words, "GET")) {
        struct entry *entry = *find(&words[1]);

        if (entry) {
            reply->data = entry->value->data;
            reply->length = entry->value->size;
            entry->value->users++;
            return entry->value;
        }
        text = "$-1\r\n";
    } else if (count == 3 && is(words, "SET")) {
        text = set(&words[1], &words[2]) ? "+OK\r\n" : "-OOM no memory\r\n";
    } else if (count == 1 && is(words, "PING")) {
        text = "+PONG\r\n";
    }
    reply->data = text;
    reply->length = strlen(text);
    return NULL;
}

/* --- a connection ---------------------------------------------------------------------------- */

struct client {
    struct pt pt;
    struct connection connection;
    struct pt_reader in;
    struct pt_writer out;
    struct pt_peek peek;
    struct pt_write_all put;
    struct pt_flush flush;
    struct text *used;
    struct word reply;
    bool whole;
    char room[ROOM], replies[4096];
};

/* The next command of those that have come: whether there is one, and its reply. */
static bool next(struct client *self)
{
    struct word words[WORDS];
    const char *at = self->in.data + self->in.first, *from = at;
    long count = split(&at, self->in.data + self->in.end, words);

    if (count == -1)
        return false;
    self->whole = count > 0;
    self->used = answer(words, count, &self->reply);
    pt_reader_take(&self->in, NULL, (size_t)(at - from));
    return true;
}

static PT_ASYNC(client, self)
{
    pt_reader_init(&self->in, connection_stream(&self->connection), self->room, ROOM);
    pt_writer_init(&self->out, self->in.stream, self->replies, sizeof self->replies);
    for (self->whole = true; self->whole;) {
        PT_TRY(&self->peek, pt_peek, .reader = &self->in,
               .size = self->in.end - self->in.first + 1);
        while (self->whole && next(self)) {
            PT_TRY(&self->put, pt_write_all, .writer = &self->out, .data = self->reply.data,
                   .size = self->reply.length, .more = true);
            drop(self->used);
            self->used = NULL;
        }
        PT_TRY(&self->flush, pt_flush, .writer = &self->out);
    }
    PT_FINALLY
    drop(self->used);
    connection_close(&self->connection);
}
PT_END

static struct pt_task *start(struct pt_loop *loop, struct pt_io *peer, void *unused)
{
    (void)unused;
    if (PT_START_NEW(loop, client, .connection.io = pt_io_take(peer)) != PT_OK)
        return NULL;
    return loop->taken;
}

int main(int argc, char **argv)
{
    return serve(argc, argv, start, NULL);
}
