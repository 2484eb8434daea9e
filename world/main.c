/* main.c - runs world_test under seeds, for pt-sim: each in a process of its own, some at the same time
 * SPDX-License-Identifier: MIT
 *
 *     TEST --seeds 1..100 --jobs 2     a line `failed SEED TEXT` for the first that fails, then the tallies
 *     TEST --seeds 3,17 --all          a line for each that fails
 *     TEST --seed 17 --story FILE      this one, in this process; the last line is its hash
 *     --faults 2,5                     only these faults of world_disturb
 *     --sooner K                       they begin 2^K times sooner
 *     --shorter K                      they are 2^K times shorter
 *     --most N                         no load is above N */
#include "kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS = 64, TEXT = 600, PATIENCE = 20 /* seconds of processor time, of a run */ };

/* What a run leaves to the process that started it. */
struct job {
    pid_t pid; /* 0: free */
    uint64_t seed;
    char text[TEXT];
};

static struct shared {
    struct tallies tallies;
    struct job jobs[JOBS];
} * shared;

static struct job *mine;
static const char *story;
static FILE *told;

/* --- one run --------------------------------------------------------------------------------- */

static void verdict(const char *text)
{
    snprintf(mine->text, sizeof mine->text, "%s", text);
    if (told)
        fprintf(told, "failed\t%s\n", text);
}

static void die(int number)
{
    char text[TEXT];
    const char *name = here ? here->name : "the test";

    if (number == SIGXCPU)
        snprintf(text, sizeof text, "%s: the run has computed for %d s and has no end", name,
                 PATIENCE);
    else
        snprintf(text, sizeof text, "%s: %s", name, strsignal(number));
    verdict(text);
    raise(number); /* the handler was for once */
}

/* A program that crashes is named; its stack can be full. */
static void catch_crashes(void)
{
    static char stack[65536];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = die,
                               .sa_flags = (int)SA_RESETHAND | SA_ONSTACK | SA_NODEFER};
    const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU};

    sigaltstack(&other, NULL);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        sigaction(fatal[i], &action, NULL);
}

__attribute__((noreturn)) static void run(uint64_t seed)
{
    const struct rlimit patience = {PATIENCE, PATIENCE + 1};
    struct world *world = world_open(seed);

    setrlimit(RLIMIT_CPU, &patience);
    catch_crashes();
    if (story && !(told = fopen(story, "w")))
        world_failed(2, "%s: %s", story, strerror(errno));
    if (told)
        setvbuf(told, NULL, _IOLBF, 0); /* whole lines, also if a program crashes */
    world_tell(world, told);
    world_verdict = verdict;
    world_test(world);
    printf("passed %016llx\n", (unsigned long long)world_hash(world));
    exit(0); /* which is quicker than world_close */
}

/* --- many ------------------------------------------------------------------------------------ */

/* The next of `1..100` or `3,17`; false behind the last one. TEXT moves on. */
static bool next_seed(const char **text, uint64_t *seed, uint64_t *last)
{
    char *end;

    if (*seed < *last) {
        ++*seed;
        return true;
    }
    if (!**text)
        return false;
    *seed = *last = strtoull(*text, &end, 10);
    if (!strncmp(end, "..", 2))
        *last = strtoull(end + 2, &end, 10);
    if (end == *text || (*end && *end != ',') || *last < *seed)
        world_failed(2, "seeds are 1..100 or 3,17: %s", *text);
    *text = *end ? end + 1 : end;
    return true;
}

static void start(struct job *job, uint64_t seed)
{
    pid_t pid, parent = getpid();

    job->seed = seed;
    job->text[0] = '\0';
    fflush(stdout);
    pid = fork();
    if (pid < 0)
        world_failed(2, "fork: %s", strerror(errno));
    if (pid) {
        job->pid = pid;
        return;
    }
    mine = job;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(2); /* it had ended before */
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
        world_failed(2, "/dev/null: %s", strerror(errno));
    run(seed);
}

/* Wait for a run to end; the job, which has a text if it has failed. */
static struct job *reap(void)
{
    int status;
    pid_t pid = wait(&status);
    struct job *job = shared->jobs;

    while (job->pid != pid)
        job++;
    job->pid = 0;
    if (WIFSIGNALED(status) && !job->text[0])
        snprintf(job->text, sizeof job->text, "the run was ended by signal %d", WTERMSIG(status));
    else if (status && !job->text[0])
        snprintf(job->text, sizeof job->text, "the run ended with status %d", WEXITSTATUS(status));
    return job;
}

static void report(uint64_t count)
{
    for (int i = 0; i < TALLY_COUNT; i++)
        printf("tried\t%s\t%llu\t%llu\n", tally_name((enum tally)i),
               (unsigned long long)shared->tallies.tried[i],
               (unsigned long long)shared->tallies.effective[i]);
    printf("seeds\t%llu\n", (unsigned long long)count);
}

/* Without ALL the runs stop behind the first that fails. */
static int run_all(const char *seeds, int jobs, bool all)
{
    uint64_t seed = 1, last = 0, count = 0, lowest = NEVER;
    struct job failed = {0};
    int begun = 0;
    bool more = true;

    while (more || begun) {
        struct job *job = shared->jobs;

        while (more && begun < jobs &&
               (more = (all || lowest == NEVER) && next_seed(&seeds, &seed, &last))) {
            for (job = shared->jobs; job->pid;)
                job++;
            start(job, seed);
            begun++;
            count++;
        }
        if (!begun)
            break;
        job = reap();
        begun--;
        if (!job->text[0])
            continue;
        if (all)
            printf("failed\t%llu\t%s\n", (unsigned long long)job->seed, job->text);
        if (job->seed < lowest)
            failed = *job;
        lowest = failed.seed;
    }
    if (!all && lowest != NEVER)
        printf("failed\t%llu\t%s\n", (unsigned long long)failed.seed, failed.text);
    report(count);
    return lowest != NEVER;
}

int main(int argc, char **argv)
{
    const char *seeds = NULL, *one = NULL;
    int jobs = 1;
    bool all = false;

    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";

        if (!strcmp(argv[i], "--all")) {
            all = true;
            continue;
        }
        i++;
        if (!strcmp(argv[i - 1], "--seeds"))
            seeds = value;
        else if (!strcmp(argv[i - 1], "--seed"))
            one = value;
        else if (!strcmp(argv[i - 1], "--jobs"))
            jobs = atoi(value);
        else if (!strcmp(argv[i - 1], "--most"))
            world_load_most = atoi(value);
        else if (!strcmp(argv[i - 1], "--faults"))
            world_faults_kept = value;
        else if (!strcmp(argv[i - 1], "--sooner"))
            world_faults_sooner = atoi(value) & 63;
        else if (!strcmp(argv[i - 1], "--shorter"))
            world_faults_shorter = atoi(value) & 63;
        else if (!strcmp(argv[i - 1], "--story"))
            story = value;
        else
            world_failed(2, "unknown option %s", argv[i - 1]);
    }
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || (!seeds && !one) || jobs < 1 || jobs > JOBS || world_load_most < 1)
        world_failed(2,
                     "usage: %s --seeds 1..100 [--jobs 1..64] [--all] or --seed N [--story FILE]",
                     argv[0]);
    world_tallies = &shared->tallies;
    mine = shared->jobs;
    if (seeds)
        return run_all(seeds, jobs, all);
    run(strtoull(one, NULL, 10));
}
