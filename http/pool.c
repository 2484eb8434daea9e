/* pool.c - the connections of a client: who has one, which are kept, who comes next
 * SPDX-License-Identifier: MIT
 *
 * Whenever a place becomes free, the first call in the queue that it fits gets it, before it runs
 * again. So those in the queue fit nowhere, and a new call that does overtakes none. */
#include "client.h"

#include <string.h>

/* --- links ----------------------------------------------------------------------------------- */

/* A link is unused if it has no host; else a call has it, or it is idle. */
static bool is_unused(const struct pt_http_link *link)
{
    return !*link->host;
}

static bool is_idle(const struct pt_http_link *link)
{
    return !link->call && !is_unused(link);
}

void pt_http_close_(const struct pt_http_client *client, struct pt_http_link *link)
{
    if (link->secure && client->closing && link->io.system)
        client->closing(link);
    pt_io_close(&link->io);
    link->stream.ops = NULL;
}

static void drop(const struct pt_http_client *client, struct pt_http_link *link)
{
    pt_http_close_(client, link);
    *link->host = '\0';
}

void pt_http_client_close(struct pt_http_client *client)
{
    for (size_t i = 0; i < client->count; i++)
        if (is_idle(&client->links[i]))
            drop(client, &client->links[i]);
}

/* Whether a link leads to the server of the call. */
static bool leads_there(const struct pt_http_link *link, const struct pt_http_call *call)
{
    return link->secure == call->secure && !strcmp(link->to, call->out);
}

/* The link becomes one to the server of the call. */
static void aim(struct pt_http_link *link, const struct pt_http_call *call)
{
    const char *colon = strrchr(call->out, ':'), *name = call->out;
    size_t length = (size_t)(colon - name);

    strcpy(link->to, call->out);
    if (*name == '[') { /* digits of IPv6 */
        name++;
        length -= 2;
    }
    memcpy(link->host, name, length);
    link->host[length] = '\0';
    link->secure = call->secure;
}

/* --- who gets one ---------------------------------------------------------------------------- */

/* What the pool has for a call: links to its server; of these the one that is idle since the
 * shortest time; an unused one; of all idle ones the oldest. */
struct offer {
    size_t same;
    struct pt_http_link *idle, *unused, *oldest;
};

static void look_at(struct offer *offer, struct pt_http_link *link, const struct pt_http_call *call,
                    pt_time now)
{
    if (is_unused(link)) {
        offer->unused = link;
        return;
    }
    if (leads_there(link, call)) {
        offer->same++;
        if (!link->call && (!offer->idle || now - link->since < now - offer->idle->since))
            offer->idle = link;
    }
    if (!link->call && (!offer->oldest || now - link->since > now - offer->oldest->since))
        offer->oldest = link;
}

/* Close what was idle for too long. */
static void expire(struct pt_http_client *client, pt_time now)
{
    const pt_time limit = client->idle ? client->idle : PT_SEC(30);

    for (size_t i = 0; i < client->count; i++)
        if (is_idle(&client->links[i]) && now - client->links[i].since >= limit)
            drop(client, &client->links[i]);
}

/* Give the call a link, if there is one for it. */
static bool find(struct pt_http_call *call, pt_time now)
{
    struct pt_http_client *client = call->client;
    struct offer offer = {0, NULL, NULL, NULL};

    expire(client, now);
    for (size_t i = 0; i < client->count; i++)
        look_at(&offer, &client->links[i], call, now);
    call->link = NULL;
    if (offer.idle) {
        call->link = offer.idle;
    } else if (!client->per_host || offer.same < client->per_host) {
        call->link = offer.unused ? offer.unused : offer.oldest;
        if (call->link) {
            drop(client, call->link);
            aim(call->link, call);
        }
    }
    call->reused = offer.idle != NULL;
    if (call->link)
        call->link->call = call;
    return call->link != NULL;
}

/* --- the queue ------------------------------------------------------------------------------- */

static void enter(struct pt_http_call *call)
{
    struct pt_http_client *client = call->client;

    call->waits = true;
    call->next = NULL;
    *(client->last ? &client->last->next : &client->first) = call;
    client->last = call;
}

static void leave(struct pt_http_call *call)
{
    struct pt_http_client *client = call->client;
    struct pt_http_call *before = NULL, *it = client->first;

    for (; it != call; it = it->next)
        before = it;
    *(before ? &before->next : &client->first) = call->next;
    if (client->last == call)
        client->last = before;
    call->waits = false;
}

bool pt_http_take_(struct pt_http_call *call, pt_time now)
{
    pt_event_clear(&call->given);
    if (find(call, now))
        return true;
    enter(call);
    return false;
}

void pt_http_give_(struct pt_http_call *call, bool keep)
{
    struct pt_http_client *client = call->client;
    struct pt_http_link *link = call->link;
    const pt_time now = pt_loop_now_(client->system->loop);

    if (call->waits)
        leave(call);
    if (!link)
        return;
    call->link = NULL;
    link->call = NULL;
    link->since = now;
    if (!keep)
        drop(client, link);
    for (struct pt_http_call *it = client->first; it; it = it->next)
        if (find(it, now)) {
            leave(it);
            pt_event_set(&it->given);
            break;
        }
}
