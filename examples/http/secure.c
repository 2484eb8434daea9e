/* secure.c - a page by HTTPS, to standard output: the client of libpt-http over libpt-tls
 * SPDX-License-Identifier: MIT
 *
 *     cc secure.c $(pkg-config --cflags --libs pt-http pt-tls) -o secure
 *     ./secure https://example.org/
 *     ./secure https://127.0.0.1:8443/ example.test ca.pem
 *
 *   - libpt-http is not linked to a library of TLS: the hook that makes a connection secure is here.
 *   - The certificate must be that of the host in the URL, or of the NAME that is given. */
#include <pt/host.h>
#include <pt/http_client.h>
#include <pt/tls.h>

#include <stdio.h>

static struct pt_system sys;
static struct pt_tls_context web;
static const char *name; /* whose certificate is wanted; NULL: that of the link's host */

/* --- a connection that is secure -------------------------------------------------------------- */

static struct pt_http_link links[1];

struct secure {
    struct pt pt;
    struct pt_http_link *link;
    struct pt_tls tls;
};

static struct secure secures[1]; /* one for each link */

static PT_ASYNC(secure, self)
{
    self->pt.status =
        pt_tls_open(&self->tls, &web, &self->link->io, name ? name : self->link->host);
    if (self->pt.status != PT_OK)
        PT_RETURN(self->pt.status);
    PT_TLS_HANDSHAKE(&self->tls);
    self->link->why = pt_tls_error_text(&self->tls, self->pt.status);
    self->link->stream = pt_tls_stream(&self->tls);
    PT_RETURN(self->pt.status);
}
PT_END

static struct pt *make_secure(struct pt_http_link *link)
{
    struct secure *it = &secures[link - links];

    PT_INIT(it, secure, .link = link);
    return &it->pt;
}

static void closing(struct pt_http_link *link)
{
    pt_tls_close(&secures[link - links].tls);
}

static struct pt_http_client client = {
    .system = &sys, .links = links, .count = 1, .secure = make_secure, .closing = closing};

/* --- the page -------------------------------------------------------------------------------- */

struct page {
    struct pt pt;
    const char *url;
    struct pt_scope limit;
    struct pt_http_call call;
    char in[16384], out[1024];
};

static PT_ASYNC(page, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(30))
        PT_TRY(&self->call, pt_http_call, .client = &client, .url = self->url, .redirects = 5,
               .in = self->in, .in_size = sizeof self->in, .out = self->out,
               .out_size = sizeof self->out);
    if (pt_timed_out(&self->limit))
        PT_RETURN(PT_ETIMEDOUT);
    fwrite(self->call.body, 1, self->call.length, stdout);
    if (self->call.status != 200)
        PT_RETURN(PT_EFAILED);
    PT_FINALLY
    if (self->pt.result != PT_OK)
        fprintf(stderr, "secure: %s: %s\n", self->url,
                self->call.why ? self->call.why : pt_status_text(self->pt.result));
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(page) task;
    struct pt_loop loop;

    if (argc < 2 || argc > 4)
        return puts("usage: secure URL [NAME [CERTIFICATES]]"), 2;
    name = argc > 2 ? argv[2] : NULL;
    web.trusted = argc > 3 ? argv[3] : NULL;
    if (pt_tls_load(&web) != PT_OK)
        return puts(web.error), 1;
    if (pt_system_open(&sys, &loop, NULL) != PT_OK)
        return perror("secure"), 1;
    PT_START(&loop, &task, page, .url = argv[1]);
    pt_loop_run(&loop);
    pt_http_client_close(&client);
    pt_system_close(&sys);
    pt_tls_unload(&web);
    return pt_task_status(&task.task) != PT_OK;
}
