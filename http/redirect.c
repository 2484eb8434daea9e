/* redirect.c - where a reply sends a call, and with which method
 * SPDX-License-Identifier: MIT */
#include "client.h"

static bool is_redirect(int status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

/* Whether the method that follows is another one: GET, without a body. */
static bool becomes_get(const struct pt_http_call *call)
{
    if (call->status == 303)
        return !pt_http_has_method_(call, "GET") && !pt_http_has_method_(call, "HEAD");
    return (call->status == 301 || call->status == 302) && pt_http_has_method_(call, "POST");
}

bool pt_http_is_redirected_(struct pt_http_call *call)
{
    const char *location = pt_http_call_field(call, "Location");
    bool get = becomes_get(call), bodyless = get || call->no_body;

    if (!is_redirect(call->status) || call->redirected == call->redirects || !location)
        return false;
    if ((call->source.ops && !bodyless) || pt_http_aim_again_(call, location) != PT_OK)
        return false;
    if (get)
        call->method = "GET";
    call->no_body = bodyless;
    if (pt_http_compose_(call) == PT_OK)
        return true;
    pt_http_stop_sending_(call); /* it does not fit in OUT */
    call->why = NULL;
    return false;
}
