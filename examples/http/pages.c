/* pages.c - a client of HTTP: asks for many pages at once, over a few connections that it keeps
 * SPDX-License-Identifier: MIT
 *
 *     cc pages.c $(pkg-config --cflags --libs pt-http) -o pages
 *     ./pages http://127.0.0.1:8080/hello http://127.0.0.1:8080/file
 *
 *   - Each page is a task; 4 connections in all, 2 to one server: the others wait for their turn.
 *   - A page is read as a stream: of 100 MB it has 4 KB in memory.
 *   - Each has 10 seconds, with the time that it waits for a connection. */
#include <pt/host.h>
#include <pt/http_client.h>

#include <stdio.h>
#include <stdlib.h>

static struct pt_system sys;
static struct pt_http_link links[4];
static struct pt_http_client client = {
    .system = &sys, .links = links, .count = 4, .per_host = 2, .idle = PT_SEC(20)};
static int failed;

struct page {
    struct pt pt;
    const char *url;
    struct pt_scope limit;
    struct pt_http_call call;
    struct pt_reader body;
    struct pt_read_exactly part;
    size_t size;
    unsigned sum; /* of its bytes */
    char in[2048], out[1024], data[1024];
};

static void add(struct page *self)
{
    for (size_t i = 0; i < self->part.got; i++)
        self->sum = self->sum * 31 + (unsigned char)self->data[i];
    self->size += self->part.got;
}

/* What has become of the page. */
static void tell(const struct page *self, pt_status status)
{
    const char *type = pt_http_call_field(&self->call, "Content-Type");

    failed += status != PT_OK || self->call.status >= 400;
    if (status == PT_OK)
        printf("%s: %d, %s, %zu bytes, sum %08x\n", self->url, self->call.status,
               type ? type : "no type", self->size, self->sum);
    else
        printf("%s: %s\n", self->url, self->call.why ? self->call.why : pt_status_text(status));
}

static PT_ASYNC(page, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(10)) {
        PT_TRY(&self->call, pt_http_call, .client = &client, .url = self->url, .streams = true,
               .redirects = 5, .in = self->in, .in_size = sizeof self->in, .out = self->out,
               .out_size = sizeof self->out);
        pt_reader_init(&self->body, pt_http_call_body(&self->call), NULL, 0);
        do {
            PT_WAIT_COMPLETE(&self->part, pt_read_exactly, .reader = &self->body,
                             .data = self->data, .size = sizeof self->data);
            add(self);
        } while (self->pt.status == PT_OK);
        if (self->pt.status != PT_ECLOSED) /* that is the end of the page */
            PT_RETURN(self->pt.status);
        self->pt.status = PT_OK;
    }
    PT_RETURN(pt_timed_out(&self->limit) ? (pt_status)PT_ETIMEDOUT : self->pt.status);
    PT_FINALLY
    tell(self, self->pt.result);
    pt_http_call_end(&self->call);
}
PT_END

int main(int argc, char **argv)
{
    struct pt_loop loop;
    PT_TASK(page) * pages;

    if (argc < 2)
        return puts("usage: pages URL..."), 2;
    if (pt_system_open(&sys, &loop, NULL) != PT_OK ||
        (pages = calloc((size_t)argc, sizeof *pages)) == NULL)
        return perror("pages"), 1;
    for (int i = 1; i < argc; i++)
        PT_START(&loop, &pages[i], page, .url = argv[i]);
    pt_loop_run(&loop);
    pt_http_client_close(&client);
    pt_system_close(&sys);
    free(pages);
    return failed > 0;
}
