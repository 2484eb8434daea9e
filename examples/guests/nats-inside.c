/* nats-inside.c - NATS as a guest in pt: tasks await messages, and replies to requests
 * SPDX-License-Identifier: MIT
 *
 *     nats-inside URL      "nats://127.0.0.1:4222", for example
 *
 * What to notice:
 *   - A message wakes the task that waits for its subscription: adapters/pt_nats_message.h.
 *   - To publish is a call of the library, which does not wait.
 *   - A request has a timeout like anything else; if nobody listens, it fails at once. */
#include "../../adapters/pt_nats_message.h"

#include <stdio.h>

static struct pt_system sys;
static struct pt_loop loop;
static struct pt_workers workers;
static PT_TASK(pt_nats) nats;

/* Reply to each request with its text. */
struct echo {
    struct pt pt;
    natsSubscription *requests;
    struct pt_nats_next next;
};

static PT_ASYNC(echo, self)
{
    for (;;) {
        PT_TRY(&self->next, pt_nats_next, .nats = &nats.frame, .subscription = self->requests);
        natsConnection_Publish(nats.frame.connection, natsMsg_GetReply(self->next.message),
                               natsMsg_GetData(self->next.message),
                               natsMsg_GetDataLength(self->next.message));
        natsMsg_Destroy(self->next.message);
    }
    PT_FINALLY
    natsSubscription_Destroy(self->requests);
}
PT_END

struct client {
    struct pt pt;
    natsSubscription *words;
    int i;
    struct pt_nats_next next;
    struct pt_nats_request ask;
    struct pt_scope limit;
};

static PT_TASK(echo) echo;

static PT_ASYNC(client, self)
{
    PT_WAIT_EVENT(&nats.frame.begun);
    if (!nats.frame.connection)
        PT_RETURN(PT_ECLOSED);
    natsConnection_SubscribeSync(&self->words, nats.frame.connection, "words.*");
    natsConnection_PublishString(nats.frame.connection, "words.first", "hello");
    natsConnection_PublishString(nats.frame.connection, "words.second", "again");
    for (self->i = 0; self->i < 2; self->i++) {
        PT_TRY(&self->next, pt_nats_next, .nats = &nats.frame, .subscription = self->words);
        printf("%s: %s\n", natsMsg_GetSubject(self->next.message),
               natsMsg_GetData(self->next.message));
        natsMsg_Destroy(self->next.message);
    }

    PT_START(&loop, &echo, echo);
    natsConnection_SubscribeSync(&echo.frame.requests, nats.frame.connection, "echo");
    PT_TRY(&self->ask, pt_nats_request, .nats = &nats.frame, .subject = "echo", .data = "who",
           .size = 3);
    printf("echo: %s\n", natsMsg_GetData(self->ask.next.message));
    natsMsg_Destroy(self->ask.next.message);

    PT_WAIT_COMPLETE(&self->ask, pt_nats_request, .nats = &nats.frame, .subject = "nobody");
    printf("nobody: %s\n", natsStatus_GetText(self->ask.next.result));
    PT_WITH_TIMEOUT(&self->limit, PT_MS(20)) {
        PT_WAIT_COMPLETE(&self->ask, pt_nats_request, .nats = &nats.frame,
                         .subject = "words.third");
    }
    printf("words.third: %s\n", pt_timed_out(&self->limit) ? "no reply" : "a reply");
    PT_FINALLY
    natsSubscription_Destroy(self->words);
    pt_cancel(&echo.task, PT_ECANCELED);
    pt_cancel(&nats.task, PT_ECANCELED);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(client) client;
    natsOptions *options;

    if (argc < 2 || pt_system_open(&sys, &loop, NULL) != PT_OK ||
        pt_workers_open(&workers, &sys, 1) != PT_OK || natsOptions_Create(&options) != NATS_OK)
        return 1;
    natsOptions_SetURL(options, argv[1]);
    PT_START(&loop, &nats, pt_nats, .system = &sys, .workers = &workers, .options = options);
    PT_START(&loop, &client, client);
    pt_loop_run(&loop);
    pt_workers_close(&workers);
    pt_system_close(&sys);
    natsOptions_Destroy(options);
    nats_CloseAndWait(0);
    printf("status: %s\n", pt_status_text(pt_task_status(&client.task)));
    return 0;
}
