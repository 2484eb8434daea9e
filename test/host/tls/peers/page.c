/* page.c - a server of one page by TLS, for the real clients of test/host/tls/run: page CHAIN KEY
 * SPDX-License-Identifier: MIT */
#include "../../../../adapters/pt_https.h"

#include <stdio.h>
#include <string.h>

static char text[200000]; /* more than a write of TLS takes */

struct page {
    struct pt pt;
    struct pt_http_request *request;
    struct pt_http_reply reply;
};

static PT_ASYNC(page, self)
{
    PT_TRY(&self->reply, pt_http_reply, .request = self->request, .status = 200,
           .type = "text/plain", .data = text, .size = sizeof text);
}
PT_END

static struct pt *choose(struct pt_http_request *request)
{
    struct page *page = (struct page *)request->room;

    PT_INIT(page, page, .request = request);
    return &page->pt;
}

int main(int argc, char **argv)
{
    static PT_TASK(pt_serve) serve;
    static struct pt_system sys;
    static struct pt_loop loop;
    static struct pt_tls_certificate certificate;
    static struct pt_tls_context context = {.certificates = &certificate, .count = 1};
    static struct pt_http_server server = {.choose = choose, .ending = &serve.frame.ending};
    static struct pt_https https = {
        .server = &server, .tls = &context, .room = sizeof(struct page)};
    struct pt_io listener;
    struct pt_address address;
    char at[PT_ADDRESS_TEXT];

    if (argc < 3)
        return 2;
    certificate.chain = argv[1];
    certificate.key = argv[2];
    if (pt_tls_load(&context) != PT_OK)
        return puts(context.error), 1;
    memset(text, 'x', sizeof text);
    pt_system_open(&sys, &loop, NULL);
    if (pt_listen_at(&listener, &sys, "127.0.0.1:0") != PT_OK ||
        pt_io_local(&listener, &address) != PT_OK)
        return 1;
    printf("listening at %s\n", pt_address_text(&address, at, sizeof at));
    fflush(stdout);
    PT_START(&loop, &serve, pt_serve, .listener = &listener, .start = pt_https_start,
             .context = &https, .grace = PT_SEC(5));
    pt_run_until_signal(&sys, &serve.task);
    pt_tls_unload(&context);
    pt_system_close(&sys);
    return 0;
}
