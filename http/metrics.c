/* metrics.c - the counts of a server as a text
 * SPDX-License-Identifier: MIT */
#include "connection.h"

/* A counter or a gauge, with the line that tells its type. */
static void count(struct pt_writer *writer, const char *type, const char *name, uint64_t value)
{
    pt_printf(writer, "# TYPE pt_http_%s %s\npt_http_%s %llu\n", name, type, name,
              (unsigned long long)value);
}

pt_status pt_http_metrics(const struct pt_http_server *server, struct pt_writer *writer)
{
    static const char *const bounds[] = {"0.001", "0.01", "0.1", "1", "10", "+Inf"};
    unsigned long long within = 0;

    count(writer, "counter", "connections_total", server->connections);
    count(writer, "gauge", "connections_open", server->open);
    count(writer, "counter", "requests_total", server->requests);
    count(writer, "counter", "requests_refused_total", server->refused);
    count(writer, "counter", "requests_gone_total", server->gone);
    count(writer, "counter", "received_bytes_total", server->received);
    count(writer, "counter", "sent_bytes_total", server->sent);
    pt_printf(writer, "# TYPE pt_http_replies_total counter\n");
    for (int i = 2; i < 6; i++)
        pt_printf(writer, "pt_http_replies_total{status=\"%dxx\"} %llu\n", i,
                  (unsigned long long)server->statuses[i]);
    pt_printf(writer, "# TYPE pt_http_seconds histogram\n");
    for (int i = 0; i < 6; i++) {
        within += server->within[i];
        pt_printf(writer, "pt_http_seconds_bucket{le=\"%s\"} %llu\n", bounds[i], within);
    }
    pt_printf(writer, "pt_http_seconds_sum %llu.%03llu\n",
              (unsigned long long)(server->took / PT_SEC(1)),
              (unsigned long long)(server->took % PT_SEC(1) / PT_MS(1)));
    return pt_printf(writer, "pt_http_seconds_count %llu\n", within);
}
