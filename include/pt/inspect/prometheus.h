/* prometheus.h - metrics of loops as a page of text for Prometheus
 * SPDX-License-Identifier: MIT
 *
 *     pt_metrics_write(&metrics, "main", send_text, io);
 *
 *     # TYPE pt_turns_total counter
 *     pt_turns_total{loop="main"} 5032
 *
 * A page of several loops, each with its metrics:
 *
 *     const struct pt_named_metrics loops[] = {{&server, "server"}, {&jobs, "jobs"}};
 *
 *     pt_metrics_write_all(loops, 2, send_text, io); */
#ifndef PT_PROMETHEUS_H
#define PT_PROMETHEUS_H

#include "../base/compiler.h"
PT_QUIET_OPEN_
#include "dump.h"
#include "metrics.h"

#if PT_TRACE && PT_HAS_TIMERS_

/* pt_metrics_write - print the metrics as Prometheus reads them, with the label loop="NAME"
 * Three histograms, in seconds; counters; how many tasks are alive and
 * ready. In pieces, by PRINT. */
PT_API void pt_metrics_write(const struct pt_metrics *metrics, const char *name, pt_print *print,
                             void *context);

/* The metrics of a loop, and its name. */
struct pt_named_metrics {
    const struct pt_metrics *metrics;
    const char *name;
};

/* pt_metrics_write_all - as pt_metrics_write, for COUNT loops of this thread on one page
 * Prometheus wants all lines of a metric together, behind one line with its type: the texts of
 * pt_metrics_write, one after the other, are no such page. */
PT_API void pt_metrics_write_all(const struct pt_named_metrics *loops, unsigned count,
                                 pt_print *print, void *context);

/* --- implementation ------------------------------------------------------------------------ */

/* Where the text goes, and the name of the loop. */
struct pt_metrics_text_ {
    pt_print *print;
    void *context;
    const char *name;
};

PT_API void pt_metrics_put_(const struct pt_metrics_text_ *text, const char *words)
{
    text->print(text->context, words);
}

PT_API void pt_metrics_number_(const struct pt_metrics_text_ *text, uint64_t number)
{
    pt_print_number_(text->print, text->context, number);
}

/* Ticks as seconds, with nine digits behind the point. */
PT_API void pt_metrics_seconds_(const struct pt_metrics_text_ *text, uint64_t ticks)
{
    const uint64_t second = PT_TICKS_PER_SEC;
    uint64_t rest = ticks % second;
    char digits[11];

    digits[0] = '.';
    for (int i = 1; i < 10; i++, rest = rest * 10 % second)
        digits[i] = (char)('0' + rest * 10 / second);
    digits[10] = '\0';
    pt_metrics_number_(text, ticks / second);
    pt_metrics_put_(text, digits);
}

/* The label of the loop. What would end it is escaped. */
PT_API void pt_metrics_label_(const struct pt_metrics_text_ *text)
{
    char letter[3] = {'\\', 0, 0};

    pt_metrics_put_(text, "{loop=\"");
    for (const char *at = text->name; *at; at++) {
        letter[1] = *at == '\n' ? 'n' : *at;
        pt_metrics_put_(text, *at == '"' || *at == '\\' || *at == '\n' ? letter : letter + 1);
    }
    pt_metrics_put_(text, "\"");
}

/* A line of METRIC: its name with TAIL, and the label, which is left open for another one. */
PT_API void pt_metrics_line_(const struct pt_metrics_text_ *text, const char *metric,
                             const char *tail)
{
    pt_metrics_put_(text, "pt_");
    pt_metrics_put_(text, metric);
    pt_metrics_put_(text, tail);
    pt_metrics_label_(text);
}

/* The end of a line: of the labels, and a number. */
PT_API void pt_metrics_value_(const struct pt_metrics_text_ *text, uint64_t number)
{
    pt_metrics_put_(text, "} ");
    pt_metrics_number_(text, number);
    pt_metrics_put_(text, "\n");
}

/* The buckets that end at powers of two, from a microsecond or a tick to a minute. Returns how many
 * durations there are in all buckets: so no line says more than the one of them all. */
PT_API uint64_t pt_metrics_buckets_(const struct pt_metrics_text_ *text, const char *metric,
                                    const struct pt_histogram *histogram)
{
    const unsigned buckets = sizeof histogram->buckets / sizeof histogram->buckets[0];
    const uint64_t second = PT_TICKS_PER_SEC;
    uint64_t seen = 0;

    for (unsigned i = 0; i < buckets; i++) {
        uint64_t end = pt_histogram_end_(i);

        seen += histogram->buckets[i];
        if ((end & (end - 1)) || end < second / 1000000 || end > second * 64)
            continue;
        pt_metrics_line_(text, metric, "_bucket");
        pt_metrics_put_(text, ",le=\"");
        pt_metrics_seconds_(text, end);
        pt_metrics_put_(text, "\"");
        pt_metrics_value_(text, seen);
    }
    return seen;
}

PT_API void pt_metrics_histogram_(const struct pt_metrics_text_ *text, const char *metric,
                                  const struct pt_histogram *histogram)
{
    uint64_t all = pt_metrics_buckets_(text, metric, histogram);

    pt_metrics_line_(text, metric, "_bucket");
    pt_metrics_put_(text, ",le=\"+Inf\"");
    pt_metrics_value_(text, all);
    pt_metrics_line_(text, metric, "_sum");
    pt_metrics_put_(text, "} ");
    pt_metrics_seconds_(text, histogram->sum);
    pt_metrics_put_(text, "\n");
    pt_metrics_line_(text, metric, "_count");
    pt_metrics_value_(text, all);
}

/* The metrics, in the order of the page: histograms, counters, gauges. */
enum { PT_METRICS_HISTOGRAMS_ = 3, PT_METRICS_GAUGES_ = 10, PT_METRICS_END_ = 12 };

PT_API const char *pt_metrics_name_(unsigned metric)
{
    static const char *const names[PT_METRICS_END_] = {"turn_seconds",
                                                       "queue_delay_seconds",
                                                       "timer_lateness_seconds",
                                                       "turns_total",
                                                       "steps_total",
                                                       "wakes_total",
                                                       "spawns_total",
                                                       "ends_total",
                                                       "timers_total",
                                                       "posts_total",
                                                       "tasks",
                                                       "tasks_ready"};

    return names[metric];
}

PT_API const struct pt_histogram *pt_metrics_histogram_of_(const struct pt_metrics *metrics,
                                                           unsigned metric)
{
    if (metric == 0)
        return &metrics->turn;
    return metric == 1 ? &metrics->delay : &metrics->late;
}

PT_API uint64_t pt_metrics_number_of_(const struct pt_metrics *metrics, unsigned metric)
{
    const pt_tally_ counts[] = {metrics->turns, metrics->steps,  metrics->wakes, metrics->spawns,
                                metrics->ends,  metrics->timers, metrics->posts};

    if (metric < PT_METRICS_GAUGES_)
        return counts[metric - PT_METRICS_HISTOGRAMS_];
    return metric == PT_METRICS_GAUGES_ ? pt_loop_live(metrics->loop)
                                        : pt_loop_ready(metrics->loop);
}

/* The line with the type of a metric. */
PT_API void pt_metrics_type_(const struct pt_metrics_text_ *text, unsigned metric)
{
    pt_metrics_put_(text, "# TYPE pt_");
    pt_metrics_put_(text, pt_metrics_name_(metric));
    if (metric < PT_METRICS_HISTOGRAMS_)
        pt_metrics_put_(text, " histogram\n");
    else
        pt_metrics_put_(text, metric < PT_METRICS_GAUGES_ ? " counter\n" : " gauge\n");
}

/* The lines of a metric of one loop. */
PT_API void pt_metrics_lines_(const struct pt_metrics_text_ *text, unsigned metric,
                              const struct pt_metrics *metrics)
{
    const char *name = pt_metrics_name_(metric);

    if (metric < PT_METRICS_HISTOGRAMS_) {
        pt_metrics_histogram_(text, name, pt_metrics_histogram_of_(metrics, metric));
    } else {
        pt_metrics_line_(text, name, "");
        pt_metrics_value_(text, pt_metrics_number_of_(metrics, metric));
    }
}

PT_API void pt_metrics_write_all(const struct pt_named_metrics *loops, unsigned count,
                                 pt_print *print, void *context)
{
    struct pt_metrics_text_ text = {print, context, NULL};

    for (unsigned metric = 0; metric < PT_METRICS_END_; metric++) {
        pt_metrics_type_(&text, metric);
        for (unsigned i = 0; i < count; i++) {
            text.name = loops[i].name;
            pt_metrics_lines_(&text, metric, loops[i].metrics);
        }
    }
}

PT_API void pt_metrics_write(const struct pt_metrics *metrics, const char *name, pt_print *print,
                             void *context)
{
    const struct pt_named_metrics loop = {metrics, name};

    pt_metrics_write_all(&loop, 1, print, context);
}

#endif

PT_QUIET_CLOSE_

#endif
