/* http.c - a program that needs libpt-http: a server that has had no request tells so
 * SPDX-License-Identifier: MIT */
#include <pt/http.h>

#include <string.h>

int main(void)
{
    static struct pt_http_server server;
    static char text[4096];
    struct pt_writer writer;

    pt_writer_init_memory(&writer, text, sizeof text);
    return pt_http_metrics(&server, &writer) != PT_OK || !strstr(text, "pt_http_requests_total 0");
}
