/* url.c - URLs, and those relative to them: what a client would ask for is well formed
 * SPDX-License-Identifier: MIT
 *
 * The input: how large OUT is, a URL up to a newline, then what a redirect could say. */
#include "target.h"

#include "../../http/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct pt_http_call *seen;

static void demand(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s: %s\n", what, seen->out);
    abort();
}

/* OUT begins with a server as pt_dial takes it, and a target. */
static void look_at(const struct pt_http_call *call)
{
    const char *port = strrchr(call->out, ':'), *target = call->out + strlen(call->out) + 1;
    long number = port ? strtol(port + 1, NULL, 10) : 0;

    seen = call;
    demand(number > 0 && number < 65536, "a port that is none");
    demand(strspn(call->out, "abcdefghijklmnopqrstuvwxyz0123456789.-_[]:") == strlen(call->out),
           "a server with other characters");
    demand(strlen(call->out) < sizeof call->link->to && port - call->out < 256,
           "a link has no room for the server");
    demand(*target == '/' || *target == '?', "a target without a slash");
    for (const char *it = target; *it; it++)
        demand(*it > ' ' && *it < 127 && *it != '#',
               "a target with a character that is not printed");
    demand(call->begin > (size_t)(target - call->out) + strlen(target),
           "the request begins in the target");
    demand(call->begin <= call->out_size, "OUT has no room");
}

/* A target that a redirect has led to has no dots that are parts of its path. */
static void look_for_dots(const struct pt_http_call *call)
{
    const char *part = call->out + strlen(call->out) + 1;

    while (*part == '/') {
        size_t length = strcspn(part + 1, "/?");

        demand(!(length == 1 && part[1] == '.') &&
                   !(length == 2 && part[1] == '.' && part[2] == '.'),
               "dots in a path");
        part += 1 + length;
    }
}

static struct pt *secure(struct pt_http_link *link)
{
    (void)link;
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char url[2000], location[2000], again[2000];
    struct pt_http_client client;
    struct pt_http_call call;
    size_t length, out_size = size ? 512 + (data[0] & 15) * 64u : 0;
    char *out = malloc(out_size);

    memset(&client, 0, sizeof client);
    memset(&call, 0, sizeof call);
    if (size > 1 && size < sizeof url && !memchr(data + 1, 0, size - 1)) {
        memcpy(url, data + 1, size - 1);
        url[size - 1] = '\0';
        length = strcspn(url, "\n");
        strcpy(location, url + length + (url[length] != '\0'));
        url[length] = '\0';
        client.secure = secure;
        call.client = &client;
        call.url = url;
        call.out = out;
        call.out_size = out_size;
        if (pt_http_aim_(&call) == PT_OK) {
            look_at(&call);
            snprintf(again, sizeof again, "%s://%s%s", call.secure ? "https" : "http", out,
                     out + strlen(out) + 1);
            call.url = again;
            demand(pt_http_aim_(&call) == PT_OK, "what a URL becomes is no URL");
            look_at(&call);
            demand(!strncmp(again + (call.secure ? 8 : 7), out, strlen(out)),
                   "a URL leads elsewhere when read again");
            if (pt_http_aim_again_(&call, location) == PT_OK) {
                look_at(&call);
                look_for_dots(&call);
            }
        }
    }
    free(out);
    return 0;
}
