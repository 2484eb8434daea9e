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
 *   - A connection that ends, or whose server is silent for too long, begins again.
 *   - At SIGTERM each request that runs gets its reply. */
#include "../../adapters/pt_https.h"
#include "../../adapters/pt_postgres.h"
#include "../../adapters/pt_redis.h"

#include <pt/http_client.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pt_system sys;

/* --- the three that are asked ---------------------------------------------------------------- */

static struct pt_redis redis;
static PT_TASK(pt_postgres) db;
static struct pt_http_link links[16];
static struct pt_http_client web = {.system = &sys, .links = links, .count = 16};
static const char *prices;
static int redis_port;

/* Connects to Redis, again and again. */
struct keep_redis {
    struct pt pt;
};

static PT_ASYNC(keep_redis, self)
{
    for (;;) {
        PT_WAIT_COMPLETE(&redis, pt_redis, .system = &sys, .patience = PT_MS(100),
                         .context = redisAsyncConnect("127.0.0.1", redis_port));
        PT_WAIT(PT_MS(100));
    }
}
PT_END

/* --- a request ------------------------------------------------------------------------------- */

struct item {
    struct pt pt;
    struct pt_http_request *request;
    struct pt_scope limit;
    struct pt_group all;
    PT_TASK(pt_redis_command) views;
    PT_TASK(pt_postgres_query) row;
    PT_TASK(pt_http_call) price;
    struct pt_http_reply reply;
    const char *words[4];
    char url[256], in[1024], out[1024], text[1024];
};

/* The price, or NAN if the service has told none. */
static double price_of(const struct item *self)
{
    const struct pt_http_call *call = &self->price.frame;
    char *end;
    double price;

    if (pt_task_status(&self->price.task) != PT_OK || call->status != 200)
        return NAN;
    price = strtod(call->body, &end);
    return end == call->body || *end ? NAN : price;
}

/* Write the reply into TEXT, and return its status. */
static int compose(struct item *self)
{
    const PGresult *row = self->row.frame.result;
    double price = price_of(self);
    char views[24] = "null";
    int status = 200, length;

    if (pt_timed_out(&self->limit))
        status = 504;
    else if (PQresultStatus(row) != PGRES_TUPLES_OK || !isfinite(price))
        status = 502;
    else if (PQntuples(row) == 0)
        status = 404;
    if (status != 200) {
        snprintf(self->text, sizeof self->text, "{\"error\":%d}\n", status);
        return status;
    }
    if (self->views.frame.type == REDIS_REPLY_INTEGER)
        snprintf(views, sizeof views, "%lld", self->views.frame.integer);
    length = snprintf(self->text, sizeof self->text, "{\"item\":%s,\"price\":%.15g,\"views\":%s}\n",
                      PQgetvalue(row, 0, 0), price, views);
    return length < (int)sizeof self->text ? status : 0;
}

static PT_ASYNC(item, self)
{
    self->words[0] = "HINCRBY", self->words[1] = "views", self->words[3] = "1";
    self->words[2] = self->request->query;
    snprintf(self->url, sizeof self->url, "%s/%s", prices, self->request->query);
    PT_WITH_TIMEOUT(&self->limit, PT_MS(500)) {
        PT_WITH_GROUP(&self->all, PT_GROUP_ALL) {
            PT_SPAWN_IN(&self->all, &self->views, pt_redis_command, .redis = &redis, .argc = 4,
                        .argv = self->words);
            PT_SPAWN_IN(&self->all, &self->row, pt_postgres_query, .db = &db.frame, .count = 1,
                        .text = "select to_json(items) from items where id = $1::int",
                        .values = &self->request->query);
            PT_SPAWN_IN(&self->all, &self->price, pt_http_call, .client = &web, .url = self->url,
                        .in = self->in, .in_size = sizeof self->in, .out = self->out,
                        .out_size = sizeof self->out);
        }
    }
    PT_TRY(&self->reply, pt_http_reply, .request = self->request, .status = compose(self),
           .type = "application/json", .data = self->text, .size = strlen(self->text));
    PT_FINALLY
    PQclear(self->row.frame.result);
}
PT_END

static struct pt *choose(struct pt_http_request *request)
{
    struct item *item = (struct item *)request->room;
    const char *id = request->query;

    if (strcmp(request->path, "/item") || !id || !*id || id[strspn(id, "0123456789")])
        return NULL;
    PT_INIT(item, item, .request = request);
    return &item->pt;
}

/* --- the server ------------------------------------------------------------------------------ */

static struct pt_io listener;
static struct pt_serve serve;
static struct pt_tls_certificate certificate;
static struct pt_tls_context tls = {.certificates = &certificate, .count = 1};
static struct pt_http_server server = {.choose = choose, .ending = &serve.ending};
static struct pt_https https = {
    .server = &server, .tls = &tls, .room = sizeof(struct item), .out = 8192}; /* most items fit */

/* What is asked outlives those who ask. */
struct service {
    struct pt pt;
    struct pt_group asked;
    PT_TASK(keep_redis) redis;
    const char *database;
};

static PT_ASYNC(service, self)
{
    PT_WITH_GROUP(&self->asked, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->asked, &self->redis, keep_redis);
        PT_SPAWN_IN(&self->asked, &db, pt_postgres, .system = &sys, .info = self->database,
                    .patience = PT_SEC(1));
        PT_WAIT_COMPLETE(&serve, pt_serve, .listener = &listener, .start = pt_https_start,
                         .context = &https, .grace = PT_SEC(5));
        break;
    }
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(service) service;
    struct pt_loop loop;
    struct pt_address address;
    char text[PT_ADDRESS_TEXT];
    pt_status status;

    if (argc != 7)
        return puts("usage: api CHAIN KEY ADDRESS REDIS_PORT DATABASE PRICES"), 2;
    certificate = (struct pt_tls_certificate){argv[1], argv[2]};
    redis_port = atoi(argv[4]), prices = argv[6];
    if (pt_tls_load(&tls) != PT_OK)
        return puts(tls.error), 1;
    pt_system_open(&sys, &loop, NULL);
    status = pt_listen_at(&listener, &sys, argv[3]);
    if (status != PT_OK)
        return puts(pt_io_error_text(&listener, status)), 1;
    pt_io_local(&listener, &address);
    printf("listening at %s\n", pt_address_text(&address, text, sizeof text));
    fflush(stdout);
    PT_START(&loop, &service, service, .database = argv[5]);
    pt_run_until_signal(&sys, &service.task);
    pt_http_client_close(&web);
    pt_system_close(&sys);
    pt_tls_unload(&tls);
    return 0;
}
