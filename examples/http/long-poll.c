/* long-poll.c - a server that keeps ten thousand requests waiting until something happens
 * SPDX-License-Identifier: MIT
 *
 *     curl localhost:N/wait       waits
 *     curl localhost:N/trigger    ends all these waits; replies how many
 *
 * All requests wait for one event. The wait, which is hard to write with threads, is one PT_SELECT:
 * it also ends after half of --idle, when the client must ask again. If the client hangs up, the
 * library ends it, and the cleanup runs. */
#include "../servers/serve.h"

#include <pt/http.h>

static struct pt_event news;
static int waiting, released;

struct wait {
    struct pt pt;
    struct pt_http_request *request;
    PT_SELECTION(2) next;
    struct pt_http_reply reply;
};

static PT_ASYNC(wait, self)
{
    waiting++;
    PT_SELECT(&self->next, PT_CASE_EVENT(&news), PT_CASE_AFTER(serve_idle / 2));
    released += PT_SELECTED(&self->next) == 0;
    if (PT_SELECTED(&self->next) == 0)
        PT_TRY(&self->reply, pt_http_reply, .request = self->request, .status = 200,
               .type = "text/plain", .data = "it has happened\n", .size = 16);
    else
        PT_TRY(&self->reply, pt_http_reply, .request = self->request, .status = 200,
               .type = "text/plain", .data = "nothing yet: ask again\n", .size = 23);
    PT_FINALLY
    waiting--;
}
PT_END

/* Counts, and triggers. */
struct look {
    struct pt pt;
    struct pt_http_request *request;
    struct pt_http_reply reply;
    char text[32];
};

static PT_ASYNC(look, self)
{
    if (!strcmp(self->request->path, "/trigger")) {
        snprintf(self->text, sizeof self->text, "%d\n", waiting);
        pt_event_trigger(&news);
    } else {
        snprintf(self->text, sizeof self->text, "%d wait, %d went\n", waiting, released);
    }
    PT_TRY(&self->reply, pt_http_reply, .request = self->request, .status = 200,
           .type = "text/plain", .data = self->text, .size = strlen(self->text));
}
PT_END

struct room {
    union {
        struct wait wait;
        struct look look;
    } handler;
};

static struct pt *prepare(struct room *room, struct pt_http_request *request)
{
    if (!strcmp(request->path, "/wait"))
        PT_INIT(&room->handler.wait, wait, .request = request);
    else
        PT_INIT(&room->handler.look, look, .request = request);
    return &room->handler.wait.pt; /* both begin with it */
}

#include "connections.h"

int main(int argc, char **argv)
{
    serve_open(argc, argv,
               "usage: long-poll [--port N] [--idle SECONDS]\n\n"
               "GET /wait waits until somebody asks for /trigger.\n",
               NULL, 0);
    serve_http();
    return serve_close();
}
