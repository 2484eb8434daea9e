/* metrics.c - metrics of a loop: how long turns take, and how long tasks wait for their turn
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - pt_metrics_start adds an observer. Nothing is allocated: a histogram has a fixed size.
 *   - A task that is ready waits for the steps before its own: its queue delay.
 *   - A timer is late if a step was in its way.
 *   - pt_metrics_write gives Prometheus its text, in pieces; here only the counters are printed.
 *   - A histogram is of use for anything that is counted: here, the lengths of words. */
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

/* Prints the lines of counters; CONTEXT is where a line is put together. */
static void print(void *context, const char *text)
{
    char *line = (char *)context;

    strcat(line, text);
    if (strchr(text, '\n')) {
        if (strstr(line, "_total{"))
            fputs(line, stdout);
        *line = '\0';
    }
}

static void print_histogram(const char *name, const struct pt_histogram *histogram)
{
    printf("%s: %u, half of them up to %.1f ms, all up to %.1f ms\n", name,
           (unsigned)histogram->count, (double)pt_histogram_quantile(histogram, 50) / PT_MS(1),
           (double)histogram->most / PT_MS(1));
}

int main(void)
{
    static PT_TASK(worker) quick, slow;
    static struct pt_metrics metrics;
    struct pt_histogram lengths = {{0}, 0, 0, 0};
    struct pt_loop loop;
    char line[256] = "";

    pt_virtual_init(&world, 1, &pt_posix);
    pt_loop_open(&loop, &world.port);
    pt_metrics_start(&metrics, &loop, NULL);
    PT_START(&loop, &slow, worker, .rounds = 3, .takes = PT_MS(8));
    PT_START(&loop, &quick, worker, .rounds = 6, .takes = PT_MS(1));
    pt_loop_run(&loop);
    pt_metrics_stop(&metrics);
    print_histogram("turns", &metrics.turn);
    print_histogram("queue delays", &metrics.delay);
    print_histogram("late timers", &metrics.late);
    pt_metrics_write(&metrics, "example", print, line);
    pt_loop_close(&loop);

    pt_histogram_add(&lengths, 5);
    pt_histogram_add(&lengths, 8);
    printf("words of up to %d letters\n", (int)pt_histogram_quantile(&lengths, 100));
    return 0;
}
