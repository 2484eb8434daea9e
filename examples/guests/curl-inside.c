/* curl-inside.c - libcurl as a guest in pt: tasks await its transfers
 * SPDX-License-Identifier: MIT
 *
 *     curl-inside http://127.0.0.1:N      with the server long-poll at port N
 *
 * What to notice:
 *   - Any number of transfers, one task that drives them: adapters/pt_curl.h.
 *   - A transfer has the timeout of a block. A cancel ends it at once: the server sees the end.
 *   - What libcurl reports of a transfer is in its frame. */
#include "../../adapters/pt_curl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pt_system sys;
static struct pt_loop loop;
static PT_TASK(pt_curl) curl;
static const char *server;

/* Get a page, and keep its beginning. */
struct get {
    struct pt pt;
    const char *at, *path;
    CURL *easy;
    struct pt_curl_transfer transfer;
    char url[128], text[64];
};

static size_t keep(char *data, size_t size, size_t count, void *text)
{
    strncat((char *)text, data, count < 40 ? count : 40);
    return size * count;
}

static PT_ASYNC(get, self)
{
    self->easy = curl_easy_init();
    snprintf(self->url, sizeof self->url, "%s%s", self->at ? self->at : server, self->path);
    curl_easy_setopt(self->easy, CURLOPT_URL, self->url);
    curl_easy_setopt(self->easy, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(self->easy, CURLOPT_WRITEDATA, self->text);
    PT_TRY(&self->transfer, pt_curl_transfer, .curl = &curl.frame, .easy = self->easy);
    if (self->transfer.result != CURLE_OK)
        snprintf(self->text, sizeof self->text, "%s\n", curl_easy_strerror(self->transfer.result));
    PT_FINALLY
    curl_easy_cleanup(self->easy);
}
PT_END

/* Get /: "N wait, ..." tells how many requests wait, until there are COUNT. */
struct until_waiting {
    struct pt pt;
    int count;
    struct get get;
};

static PT_ASYNC(until_waiting, self)
{
    do {
        PT_TRY(&self->get, get, .path = "/");
    } while (atoi(self->get.text) != self->count);
}
PT_END

struct client {
    struct pt pt;
    struct pt_scope limit;
    struct get get;
    struct until_waiting until;
};

static PT_TASK(get) first, second;

static PT_ASYNC(client, self)
{
    PT_START(&loop, &first, get, .path = "/wait");
    PT_START(&loop, &second, get, .path = "/wait");
    PT_TRY(&self->until, until_waiting, .count = 2);
    PT_TRY(&self->get, get, .path = "/trigger");
    PT_JOIN(&first.task);
    PT_JOIN(&second.task);
    printf("two at once: %s             %s", first.frame.text, second.frame.text);

    PT_WITH_TIMEOUT(&self->limit, PT_MS(20)) {
        PT_TRY(&self->get, get, .path = "/wait");
    }
    printf("a timeout:   %s\n", pt_timed_out(&self->limit) ? "the server was slow" : "none");

    PT_TRY(&self->get, get, .at = "http://127.0.0.1:1", .path = "/");
    printf("refused:     %s", self->get.text);

    PT_START(&loop, &first, get, .path = "/wait");
    PT_TRY(&self->until, until_waiting, .count = 1);
    pt_cancel(&first.task, PT_ECANCELED);
    PT_JOIN(&first.task);
    printf("canceled:    %s\n", pt_status_text(pt_task_status(&first.task)));
    PT_TRY(&self->until, until_waiting, .count = 0);
    PT_FINALLY
    pt_cancel(&curl.task, PT_ECANCELED);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(client) client;

    if (argc < 2 || pt_system_open(&sys, &loop, NULL) != PT_OK)
        return 1;
    server = argv[1];
    curl_global_init(CURL_GLOBAL_DEFAULT);
    PT_START(&loop, &curl, pt_curl, .system = &sys);
    PT_START(&loop, &client, client);
    pt_loop_run(&loop);
    pt_system_close(&sys);
    curl_global_cleanup();
    return pt_task_status(&client.task) != PT_OK;
}
