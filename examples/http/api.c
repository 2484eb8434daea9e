/* api.c - a service of JSON by TLS, which asks Redis, PostgreSQL and another service at once
 * SPDX-License-Identifier: MIT
 *
 *     api CHAIN KEY ADDRESS REDIS_PORT DATABASE PRICES
 *     api chain.pem key.pem 127.0.0.1:8443 6379 'host=/run/postgresql' http://127.0.0.1:8000
 *     curl -k https://127.0.0.1:8443/item?1
 *     {"item":{"id":1,"name":"tea"},"price":4.5,"views":17}
 *
 *   - A request has half a second. What is not there by then is canceled, and the reply is 504; it
 *     is 502 if the database or the service fails. Without Redis the views are null.
 *   - A client that goes cancels all three: the query at the server, too.
 *   - hiredis cannot cancel a command: one that takes too long ends the connection, and a new one
 *     begins. So does the database's, if it breaks.
 *   - At SIGTERM each request that runs gets its reply. */
#include "../../adapters/pt_curl.h"
#include "../../adapters/pt_postgres.h"
#include "../../adapters/pt_redis.h"

#include <pt/http.h>
#include <pt/tls.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pt_system sys;
static struct pt_loop loop;
static struct pt_workers workers;
static struct pt_tls_certificate certificate;
static struct pt_tls_context context = {.certificates = &certificate, .count = 1};
static PT_TASK(pt_curl) curl;
static PT_TASK(pt_redis) redis;
static struct pt_postgres db = {.system = &sys, .workers = &workers};
static struct pt_event broken; /* set while the database has no connection */
static const char *database, *prices;
static int redis_port;
static struct pt_io listener;

/* --- the three that are asked ---------------------------------------------------------------- */

struct views {
    struct pt pt;
    const char *id, *words[4];
    char text[24];
    struct pt_redis_command command;
};

static void keep_views(void *user, const redisReply *reply)
{
    if (reply->type == REDIS_REPLY_INTEGER)
        snprintf((char *)user, sizeof((struct views *)0)->text, "%lld", reply->integer);
}

static PT_ASYNC(views, self)
{
    strcpy(self->text, "null");
    self->words[0] = "HINCRBY", self->words[1] = "views", self->words[2] = self->id;
    self->words[3] = "1";
    PT_TRY(&self->command, pt_redis_command, .redis = &redis.frame, .argc = 4, .argv = self->words,
           .take = keep_views, .user = self->text);
}
PT_END

struct row {
    struct pt pt;
    const char *id;
    struct pt_postgres_query query;
};

static PT_ASYNC(row, self)
{
    if (broken.set)
        PT_RETURN(PT_ECLOSED);
    PT_TRY(&self->query, pt_postgres_query, .db = &db, .count = 1, .values = &self->id,
           .text = "select to_json(items) from items where id = $1::int");
    PT_FINALLY
    if (self->pt.result == PT_ECLOSED)
        pt_event_set(&broken);
}
PT_END

struct price {
    struct pt pt;
    const char *id;
    CURL *easy;
    struct pt_curl_transfer transfer;
    char url[256], text[32], *end;
};

static size_t keep_price(char *data, size_t size, size_t count, void *user)
{
    struct price *self = (struct price *)user;

    if (strlen(self->text) + count >= sizeof self->text)
        return 0;
    strncat(self->text, data, count);
    return size * count;
}

static PT_ASYNC(price, self)
{
    snprintf(self->url, sizeof self->url, "%s/%s", prices, self->id);
    self->easy = curl_easy_init();
    curl_easy_setopt(self->easy, CURLOPT_URL, self->url);
    curl_easy_setopt(self->easy, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(self->easy, CURLOPT_WRITEFUNCTION, keep_price);
    curl_easy_setopt(self->easy, CURLOPT_WRITEDATA, self);
    PT_TRY(&self->transfer, pt_curl_transfer, .curl = &curl.frame, .easy = self->easy);
    strtod(self->text, &self->end);
    PT_RETURN(self->transfer.result || self->end == self->text || *self->end ? PT_EFAILED : PT_OK);
    PT_FINALLY
    curl_easy_cleanup(self->easy);
}
PT_END

/* --- a request ------------------------------------------------------------------------------- */

struct item {
    struct pt pt;
    struct pt_http_request *request;
    struct pt_scope limit;
    struct pt_group all;
    PT_TASK(views) views;
    PT_TASK(row) row;
    PT_TASK(price) price;
    PT_SELECTION(2) next;
    struct pt_http_reply reply;
    int status;
    char text[512];
};

static PT_ASYNC(item, self)
{
    self->status = 504;
    PT_WITH_TIMEOUT(&self->limit, PT_MS(500)) {
        PT_WITH_GROUP(&self->all, PT_GROUP_ALL) {
            PT_SPAWN_IN(&self->all, &self->views, views, .id = self->request->query);
            PT_SPAWN_IN(&self->all, &self->row, row, .id = self->request->query);
            PT_SPAWN_IN(&self->all, &self->price, price, .id = self->request->query);
            PT_SELECT(&self->next, PT_CASE_JOIN(&self->views.task), PT_CASE_AFTER(PT_MS(100)));
            if (PT_SELECTED(&self->next) == 1)
                pt_cancel(&redis.task, PT_ECANCELED); /* ends its commands */
        }
        self->status = pt_task_status(&self->row.task) || pt_task_status(&self->price.task) ? 502
                       : PQntuples(self->row.frame.query.result) == 0                       ? 404
                                                                                            : 200;
    }
    if (self->status != 200)
        snprintf(self->text, sizeof self->text, "{\"error\":%d}\n", self->status);
    else if (snprintf(self->text, sizeof self->text, "{\"item\":%s,\"price\":%s,\"views\":%s}\n",
                      PQgetvalue(self->row.frame.query.result, 0, 0), self->price.frame.text,
                      self->views.frame.text) >= (int)sizeof self->text)
        PT_RETURN(PT_ERANGE);
    PT_TRY(&self->reply, pt_http_reply, .request = self->request, .status = self->status,
           .type = "application/json", .data = self->text, .size = strlen(self->text));
    PT_FINALLY
    PQclear(self->row.frame.query.result);
}
PT_END

static struct pt *choose(struct pt_http_request *request)
{
    struct item *item = (struct item *)request->room;
    const char *id = request->query;

    if (strcmp(request->path, "/item") || !id || !*id || id[strspn(id, "0123456789")] ||
        strlen(id) > 9)
        return NULL;
    PT_INIT(item, item, .request = request);
    return &item->pt;
}

static PT_TASK(pt_serve) serve;
static struct pt_http_server server = {.choose = choose, .ending = &serve.frame.ending};

/* --- connections ----------------------------------------------------------------------------- */

struct client {
    struct pt pt;
    struct pt_io io;
    struct pt_tls tls;
    struct pt_scope limit;
    struct pt_http_serve http;
    struct item item;
    char in[4096], out[1024];
};

static PT_ASYNC(client, self)
{
    if (pt_tls_open(&self->tls, &context, &self->io, NULL) != PT_OK)
        PT_RETURN(PT_ENOMEM);
    self->pt.status = PT_ETIMEDOUT;
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(5))
        PT_TLS_HANDSHAKE(&self->tls);
    if (self->pt.status != PT_OK)
        PT_RETURN(self->pt.status);
    PT_TRY(&self->http, pt_http_serve, .server = &server, .io = &self->io,
           .stream = pt_tls_stream(&self->tls), .room = &self->item, .in = self->in,
           .in_size = sizeof self->in, .out = self->out, .out_size = sizeof self->out);
    PT_FINALLY
    pt_tls_close(&self->tls);
    pt_io_close(&self->io);
}
PT_END

static PT_POOL(client, 1000) clients;

static struct pt_task *start(struct pt_loop *of, struct pt_io *peer, void *unused)
{
    pt_status status = PT_START_FROM(of, &clients, client, .io = pt_io_take(peer));

    (void)unused;
    return status == PT_OK ? &clients.taken->task : NULL;
}

/* Connects to Redis, again and again. */
struct keep_redis {
    struct pt pt;
};

static PT_ASYNC(keep_redis, self)
{
    for (;;) {
        PT_SPAWN(&redis, pt_redis, .system = &sys,
                 .context = redisAsyncConnect("127.0.0.1", redis_port));
        PT_JOIN(&redis.task);
        PT_WAIT(PT_MS(100));
    }
    PT_FINALLY
    pt_cancel(&redis.task, PT_ECANCELED);
}
PT_END

/* Connects to the database again each time that its connection breaks. */
struct keep_db {
    struct pt pt;
    struct pt_scope limit;
    struct pt_postgres_connect connect;
};

static PT_ASYNC(keep_db, self)
{
    for (;;) {
        pt_event_set(&broken);
        PT_WITH_TIMEOUT(&self->limit, PT_SEC(2)) {
            PT_WAIT_COMPLETE(&self->connect, pt_postgres_connect, .db = &db, .info = database);
            if (self->pt.status == PT_OK)
                pt_event_clear(&broken);
        }
        PT_WAIT_EVENT(&broken);
        PT_LOCK(&db.lock); /* queries end first: those that wait find no connection */
        pt_postgres_close(&db);
        PT_UNLOCK(&db.lock);
        PT_WAIT(PT_MS(100));
    }
    PT_FINALLY
    pt_postgres_close(&db);
}
PT_END

/* What is asked outlives those who ask. */
struct service {
    struct pt pt;
    struct pt_group asked;
    PT_TASK(keep_redis) keep_redis;
    PT_TASK(keep_db) keep_db;
};

static PT_ASYNC(service, self)
{
    PT_WITH_GROUP(&self->asked, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->asked, &curl, pt_curl, .system = &sys);
        PT_SPAWN_IN(&self->asked, &self->keep_redis, keep_redis);
        PT_SPAWN_IN(&self->asked, &self->keep_db, keep_db);
        PT_SPAWN(&serve, pt_serve, .listener = &listener, .start = start, .pool = &clients.pool,
                 .grace = PT_SEC(5));
        PT_JOIN(&serve.task);
        break;
    }
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(service) service;
    struct pt_address address;
    char text[PT_ADDRESS_TEXT];

    if (argc != 7)
        return puts("usage: api CHAIN KEY ADDRESS REDIS_PORT DATABASE PRICES"), 2;
    certificate = (struct pt_tls_certificate){argv[1], argv[2]};
    redis_port = atoi(argv[4]), database = argv[5], prices = argv[6];
    curl_global_init(CURL_GLOBAL_DEFAULT);
    if (pt_tls_load(&context) != PT_OK)
        return puts(context.error), 1;
    if (pt_system_open(&sys, &loop, NULL) != PT_OK || pt_workers_open(&workers, &sys, 2) != PT_OK ||
        pt_listen_at(&listener, &sys, argv[3]) != PT_OK)
        return puts("the address or the system is not usable"), 1;
    pt_io_local(&listener, &address);
    printf("listening at %s\n", pt_address_text(&address, text, sizeof text));
    fflush(stdout);
    PT_START(&loop, &service, service);
    pt_run_until_signal(&sys, &serve.task);
    pt_workers_close(&workers);
    pt_system_close(&sys);
    pt_tls_unload(&context);
    curl_global_cleanup();
    return 0;
}
