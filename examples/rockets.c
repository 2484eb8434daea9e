/* rockets.c - ten thousand rockets, each a task: wait, count down, launch
 * SPDX-License-Identifier: MIT
 *
 *     cc -O2 -Iinclude examples/rockets.c -o rockets
 *     ./rockets             nine seconds: a rocket waits up to five and counts from up to four
 *     ./rockets --virtual   the same transcript at once, from a clock that jumps
 *
 * Every deadline is counted from the last one and not from the clock, so delays do not add up. The
 * same seed gives the same transcript in real time, too.
 *
 * New after lesson 08: a struct pt_random holds a seed, and pt_random_below draws a number from it;
 * pt_loop_live counts the tasks that are left; PT_TICKS_PER_SEC is the resolution of the clock, and
 * PT_VERSION the version of pt. */
#include <pt/posix.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define COUNT_MAX 1000000000u

/* The unit in which getrusage counts memory. */
#ifdef __APPLE__
#define PEAK_UNITS_PER_MIB 1048576.0
#else
#define PEAK_UNITS_PER_MIB 1024.0
#endif

static struct {
    bool virtual_time, quiet;
    uint64_t count, seed;
} options = {false, false, 10000, 1};

static uint64_t launched, wakes;

/* --- the tasks --- */

struct rocket {
    struct pt pt;
    unsigned number;
    int countdown;
    pt_time delay; /* on the pad */
    pt_time due;   /* when its next step is */
};

static PT_ASYNC(rocket, self)
{
    self->due = PT_NOW() + self->delay;
    PT_WAIT_DEADLINE(self->due);
    wakes++;
    for (; self->countdown > 0; self->countdown--) {
        if (!options.quiet)
            printf("Artemis-%u: %d...\n", self->number, self->countdown);
        PT_WAIT_DEADLINE(self->due += PT_SEC(1));
        wakes++;
    }
    if (!options.quiet)
        printf("Rocket Artemis-%u is launched\n", self->number);
    launched++;
}
PT_END

struct progress {
    struct pt pt;
    int seconds;
};

static PT_ASYNC(progress, self)
{
    while (launched < options.count) {
        fprintf(stderr, "%d s: %" PRIu64 " of %" PRIu64 " launched\n", self->seconds++, launched,
                options.count);
        PT_WAIT(PT_SEC(1));
    }
}
PT_END

/* Put all rockets on their pads. The loop owns their storage, and frees it when they are
 * launched. */
static pt_status start(struct pt_loop *loop)
{
    struct pt_random chance = {options.seed};
    pt_status status = PT_OK;

    for (unsigned i = 0; i < options.count && status == PT_OK; i++) {
        pt_time delay = pt_random_below(&chance, PT_SEC(5));
        int countdown = (int)pt_random_below(&chance, 5);

        status = PT_START_NEW(loop, rocket, .number = i, .delay = delay, .countdown = countdown);
    }
    if (status == PT_OK && isatty(STDERR_FILENO))
        status = PT_START_NEW(loop, progress);
    return status;
}

/* --- the command line --- */

static const char usage[] = "usage: rockets [options]\n"
                            "  --count N   launch N rockets (default 10000)\n"
                            "  --seed S    draw delays and countdowns from seed S (default 1)\n"
                            "  --virtual   do not wait: let the clock jump\n"
                            "  --quiet     no line for each rocket\n"
                            "  --help      print this text\n"
                            "  --version   print the version of pt\n";

/* MAX must be below UINT64_MAX, which strtoull returns for any larger number. */
static uint64_t number(const char *option, const char *text, uint64_t max)
{
    char *end;
    unsigned long long value;

    value = text ? strtoull(text, &end, 10) : 0;
    if (!text || *text < '0' || *text > '9' || *end || value > max) {
        fprintf(stderr, "rockets: %s %s: not a number from 0 to %" PRIu64 "\n", option,
                text ? text : "(nothing)", max);
        exit(2);
    }
    return value;
}

static void parse(char **argument)
{
    for (; *argument; argument++) {
        if (!strcmp(*argument, "--count")) {
            options.count = number("--count", argument[1], COUNT_MAX);
            argument += 1;
        } else if (!strcmp(*argument, "--seed")) {
            options.seed = number("--seed", argument[1], UINT64_MAX - 1);
            argument += 1;
        } else if (!strcmp(*argument, "--virtual")) {
            options.virtual_time = true;
        } else if (!strcmp(*argument, "--quiet")) {
            options.quiet = true;
        } else if (!strcmp(*argument, "--help")) {
            fputs(usage, stdout);
            exit(0);
        } else if (!strcmp(*argument, "--version")) {
            puts("rockets, pt " PT_VERSION);
            exit(0);
        } else {
            fprintf(stderr, "rockets: %s: no such option\n%s", *argument, usage);
            exit(2);
        }
    }
}

/* On stderr, so that the transcript stays clean. */
static void summary(double wall)
{
    struct rusage used;
    double cpu, peak;

    getrusage(RUSAGE_SELF, &used);
    cpu = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
          (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
    peak = (double)used.ru_maxrss / PEAK_UNITS_PER_MIB;
    fprintf(stderr,
            "launched %" PRIu64 ", wakes %" PRIu64 ", seed %" PRIu64
            ", wall %.3f s, CPU %.3f s, peak memory %.1f MiB\n",
            launched, wakes, options.seed, wall, cpu, peak);
}

int main(int argc, char **argv)
{
    pt_time began = pt_posix.now(NULL);
    struct pt_virtual world;
    struct pt_loop loop;
    pt_status status;

    (void)argc;
    parse(argv + 1);
    pt_virtual_init(&world, options.seed, &pt_posix);
    pt_loop_open(&loop, options.virtual_time ? &world.port : &pt_posix);
    status = start(&loop);
    if (status == PT_OK)
        status = pt_loop_run(&loop);
    if (status != PT_OK) {
        fprintf(stderr, "rockets: with %u tasks: %s\n", pt_loop_live(&loop),
                pt_status_text(status));
        return 1;
    }
    pt_loop_close(&loop);
    if (fflush(stdout) || ferror(stdout)) {
        perror("rockets: cannot write the transcript");
        return 1;
    }
    summary((double)(pt_posix.now(NULL) - began) / (PT_TICKS_PER_SEC));
    return 0;
}
