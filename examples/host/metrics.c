/* metrics.c - metrics of a loop: how long turns take, and how long tasks wait for their turn
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - pt_metrics_start adds an observer. Nothing is allocated: a histogram has a fixed size.
 *   - A task that is ready waits for the steps before its own: its queue delay.
 *   - A timer is late if a step was in its way.
 *   - pt_metrics_write gives Prometheus its text, in pieces; here only the counters are printed.
 *     pt_metrics_write_all does so for several loops: the lines of a metric are together.
 *   - A histogram is of use for anything that is counted: here, the lengths of words. */
#include <pt/inspect.h>
#include <pt/inspect/prometheus.h>
#include <pt/posix.h>

#include <stdio.h>
#include <string.h>

static struct pt_virtual world;

struct worker {
    struct pt pt;
    int rounds;
    pt_time takes;
};

static PT_ASYNC(worker, self)
{
    for (; self->rounds > 0; self->rounds--) {
        world.now += self->takes; /* in virtual time, work takes what we say */
        PT_WAIT(PT_MS(5));
    }
}
PT_END

/* Where a line is put together, and what the lines have that are printed. */
struct page {
    const char *wanted;
    char line[256];
};

static void print(void *context, const char *text)
{
    struct page *page = (struct page *)context;

    strcat(page->line, text);
    if (strchr(text, '\n')) {
        if (strstr(page->line, page->wanted))
            fputs(page->line, stdout);
        page->line[0] = '\0';
    }
}

static void print_histogram(const char *name, const struct pt_histogram *histogram)
{
    printf("%s: %u, half of them up to %.1f ms, all up to %.1f ms\n", name,
           (unsigned)histogram->count, (double)pt_histogram_quantile(histogram, 50) / PT_MS(1),
           (double)histogram->most / PT_MS(1));
}

/* Runs two workers in a loop, and measures it. */
static void measure(struct pt_loop *loop, struct pt_metrics *metrics, int rounds)
{
    static PT_TASK(worker) quick, slow;

    pt_loop_open(loop, &world.port);
    pt_metrics_start(metrics, loop, NULL);
    PT_START(loop, &slow, worker, .rounds = rounds, .takes = PT_MS(8));
    PT_START(loop, &quick, worker, .rounds = 2 * rounds, .takes = PT_MS(1));
    pt_loop_run(loop);
    pt_metrics_stop(metrics);
}

int main(void)
{
    static struct pt_loop loops[2];
    static struct pt_metrics day, night;
    const struct pt_named_metrics both[] = {{&day, "day"}, {&night, "night"}};
    struct pt_histogram lengths = {{0}, 0, 0, 0};
    struct page page = {"_total{", ""};

    pt_virtual_init(&world, 1, &pt_posix);
    measure(&loops[0], &day, 3);
    measure(&loops[1], &night, 1);
    print_histogram("turns", &day.turn);
    print_histogram("queue delays", &day.delay);
    print_histogram("late timers", &day.late);
    pt_metrics_write(&day, "day", print, &page);
    page.wanted = "pt_turns_total";
    pt_metrics_write_all(both, 2, print, &page);
    pt_loop_close(&loops[0]);
    pt_loop_close(&loops[1]);

    pt_histogram_add(&lengths, 5);
    pt_histogram_add(&lengths, 8);
    printf("words of up to %d letters\n", (int)pt_histogram_quantile(&lengths, 100));
    return 0;
}
