/* main.c - the model test: pt and a naive reference must leave the same trace of the same script
 * SPDX-License-Identifier: MIT
 *
 * The seeds run in a process of their own, so that a crash is a failure like any other. */
#include "script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static const char usage[] =
    "usage: model [--seeds N] [--first S] [--verbose]\n"
    "Runs scripts by chance, with the seeds S (1) to S + N - 1 (10000), in pt and in a reference,\n"
    "and compares their traces. What fails is made small and printed; then the status is 1.\n"
    "  --verbose     the scripts, and the traces as the reference has them\n"
    "  PT_SEED=S     in the environment: only this seed\n";

/* What the process that runs the seeds tells the process that waits for it. */
static struct {
    uint64_t seed; /* the current one */
    uint64_t events;
} * shared;

static struct script script;
static struct trace wanted, got;
static bool verbose;

/* Run the script on both sides; returns the first event in which they differ, or -1. */
static int compare(const struct script *candidate)
{
    const struct itimerval patience = {{0, 0}, {2, 0}}; /* of CPU time: a loop that does not end */

    setitimer(ITIMER_VIRTUAL, &patience, NULL);
    reference_run(candidate, &wanted);
    subject_run(candidate, &got);
    return trace_difference(&wanted, &got);
}

/* Run WORK in a process of its own; returns whether it fails. QUIET: drop its output. */
static bool dies(void (*work)(const void *), const void *argument, bool quiet)
{
    int status;
    pid_t pid;

    fflush(stdout);
    pid = fork();
    if (pid < 0) {
        perror("model: fork");
        exit(2);
    }
    if (!pid) {
        if (quiet && !freopen("/dev/null", "w", stderr))
            _exit(2);
        work(argument);
        fflush(stdout);
        _exit(0);
    }
    while (waitpid(pid, &status, 0) != pid) {
    }
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

static void run_once(const void *candidate)
{
    if (compare((const struct script *)candidate) >= 0)
        _exit(1);
}

static bool script_fails(const struct script *candidate)
{
    return dies(run_once, candidate, true);
}

static void print_trace(const struct trace *trace, int count)
{
    for (int i = 0; i < count && i < trace->count; i++)
        event_print(&trace->events[i]);
}

/* Print both traces, up to the first difference; if pt crashes, its trace is missing. */
static void explain(const void *candidate)
{
    int difference;

    script_print((const struct script *)candidate);
    fflush(stdout);
    difference = compare((const struct script *)candidate);
    printf("--- the reference\n");
    print_trace(&wanted, difference + 1);
    printf("--- pt\n");
    print_trace(&got, difference + 1);
}

static void run_seeds(const void *range)
{
    const uint64_t *seeds = (const uint64_t *)range;

    for (uint64_t i = 0; i < seeds[1]; i++) {
        shared->seed = seeds[0] + i;
        script_generate(&script, shared->seed);
        run_once(&script);
        shared->events += (uint64_t)wanted.count;
        if (verbose) {
            printf("seed %llu\n", (unsigned long long)shared->seed);
            script_print(&script);
            print_trace(&wanted, wanted.count);
        }
    }
}

static int report(void)
{
    script_generate(&script, shared->seed);
    if (!script_fails(&script)) {
        printf("seed %llu fails only behind others\n", (unsigned long long)shared->seed);
    } else {
        shrink(&script, script_fails);
        if (dies(explain, &script, false))
            printf("--- pt did not come to an end\n");
    }
    printf("PT_SEED=%llu\n", (unsigned long long)shared->seed);
    printf("FAIL pt_and_the_reference_leave_the_same_trace\n0 passed, 1 failed\n");
    return 1;
}

/* Parse an option's value as a number. */
static bool number(const char *text, uint64_t *value)
{
    char *end = NULL;

    if (!text || *text < '0' || *text > '9')
        return false;
    *value = strtoull(text, &end, 10);
    return *end == '\0';
}

int main(int argc, char **argv)
{
    uint64_t seeds[2] = {1, 10000};
    const char *seed = getenv("PT_SEED");

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help"))
            return fputs(usage, stdout) == EOF;
        if (!strcmp(argv[i], "--verbose")) {
            verbose = true;
        } else if ((strcmp(argv[i], "--first") || !number(argv[++i], &seeds[0])) &&
                   (strcmp(argv[i], "--seeds") || !number(argv[++i], &seeds[1]))) {
            fputs(usage, stderr);
            return 2;
        }
    }
    if (seed && *seed) {
        if (!number(seed, &seeds[0])) {
            fputs("model: PT_SEED is not a number\n", stderr);
            return 2;
        }
        seeds[1] = 1;
    }
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        perror("model: mmap");
        return 2;
    }
    if (dies(run_seeds, seeds, false))
        return report();
    printf("%llu seeds, %llu events\n", (unsigned long long)seeds[1],
           (unsigned long long)shared->events);
    printf("ok pt_and_the_reference_leave_the_same_trace\n1 passed, 0 failed\n");
    return 0;
}
