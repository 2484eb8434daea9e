/* leader.c - a process whose first thread has ended: its loop runs in another one
 * SPDX-License-Identifier: MIT */
#include "attach.h"

#include <pt/posix.h>

#include <pthread.h>
#include <stdio.h>

struct follower {
    struct pt pt;
};

PT_ASYNC(follower, self)
{
    (void)self;
    puts("end");
    fflush(stdout);
    PT_WAIT(PT_SEC(1000));
}
PT_END

static struct pt_loop followed;
static PT_TASK(follower) task;

static void *run(void *unused)
{
    (void)unused;
    pt_loop_open(&followed, &pt_posix);
    (void)!PT_START(&followed, &task, follower);
    pt_loop_run(&followed);
    return NULL;
}

int main(void)
{
    pthread_t thread;

    let_attach();
    if (pthread_create(&thread, NULL, run, NULL))
        return 1;
    pthread_exit(NULL);
}
