/* supervisor.c - runs a program, and runs it again when it fails, after ever longer delays
 * SPDX-License-Identifier: MIT
 *
 * It forwards SIGINT and SIGTERM to the program, and ends when the program has ended. It kills a
 * program that does not end within five seconds, or at a second signal. */
#include <pt/host.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pt_system sys;
static struct pt_loop loop;
static struct pt_signals signals;

/* Runs the program until it succeeds, at most LEFT times. */
struct run {
    struct pt pt;
    struct pt_process child;
    int left;
    pt_time delay;
    struct pt_wait_process end;
    char text[80];
};

static PT_ASYNC(run, self)
{
    for (self->delay = PT_MS(10); self->left > 0; self->left--, self->delay *= 2) {
        if (pt_process_start(&self->child, &sys) != PT_OK) {
            fprintf(stderr, "%s: %s\n", self->child.words[0], strerror(self->child.error));
            PT_RETURN(PT_EIO);
        }
        PT_WAIT_COMPLETE(&self->end, pt_wait_process, .system = &sys, .pid = self->child.pid);
        self->child.pid = 0;
        puts(pt_process_error_text(&self->end, self->pt.status, self->text, sizeof self->text));
        fflush(stdout);
        if (self->pt.status != PT_EFAILED)
            PT_RETURN(self->pt.status);
        PT_WAIT(self->delay);
    }
    PT_RETURN(PT_ECANCELED);
}
PT_END

static PT_TASK(run) runs;

/* Forwards signals while the program runs. */
struct end {
    struct pt pt;
    int number;
    PT_SELECTION(3) next;
    bool asked;
};

static PT_ASYNC(end, self)
{
    do {
        PT_SELECT(&self->next, PT_CASE_JOIN(&runs.task), PT_CASE_READABLE(&signals.io),
                  PT_CASE_AFTER(self->asked ? PT_SEC(5) : PT_DELAY_MAX));
        if (PT_SELECTED(&self->next) == 0)
            break;
        if (PT_SELECTED(&self->next) == 1)
            PT_WAIT_SIGNAL(&signals, &self->number);
        runs.frame.left = 0;
        if (runs.frame.child.pid)
            kill(runs.frame.child.pid, self->asked ? SIGKILL : self->number);
        else
            pt_cancel(&runs.task, PT_ECANCELED);
        self->asked = true;
    } while (pt_task_alive(&runs.task));
}
PT_END

static int usage(FILE *to, int code)
{
    fputs("usage: supervisor TIMES PROGRAM [WORD]...\n\n"
          "Runs PROGRAM until it succeeds, at most TIMES times (1 to 1000).\n",
          to);
    return code;
}

int main(int argc, char **argv)
{
    static PT_TASK(end) ends;
    char *rest = "";
    long times = argc < 3 ? 0 : strtol(argv[1], &rest, 10);

    if (argc == 2 && !strcmp(argv[1], "--help"))
        return usage(stdout, 0);
    if (times < 1 || times > 1000 || *rest)
        return usage(stderr, 2);
    if (pt_system_open(&sys, &loop, NULL) != PT_OK || pt_signals_open(&signals, &sys) != PT_OK ||
        pt_signals_watch(&signals, SIGINT) != PT_OK ||
        pt_signals_watch(&signals, SIGTERM) != PT_OK) {
        fputs("supervisor: cannot wait for signals\n", stderr);
        return 1;
    }
    PT_START(&loop, &runs, run, .child.words = (const char **)&argv[2], .left = (int)times);
    PT_START(&loop, &ends, end);
    pt_loop_run(&loop);
    pt_signals_close(&signals);
    pt_system_close(&sys);
    return pt_task_status(&runs.task) != PT_OK;
}
