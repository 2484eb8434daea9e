/* detached.c - a call in a thread of its own, which a task can leave
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../sites.h"

#include "../faults.h"
#include "../needs.h"

#include <pt/host/blocking.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

/* The thread and the task share it. Whoever leaves last frees it. */
struct pt_away_ {
    void (*work)(void *argument);
    void *argument;
    struct pt_foreign *call; /* of the task, until that has left */
    bool left;               /* one of the two has left; atomic */
};

/* Leave; whether the other one has left before. */
static bool leave(struct pt_away_ *away)
{
    return __atomic_exchange_n(&away->left, true, __ATOMIC_ACQ_REL);
}

static void *work(void *argument)
{
    struct pt_away_ *away = argument;
    struct pt_foreign *call = away->call;

    away->work(away->argument);
    if (leave(away))
        free(away);
    else
        pt_foreign_done(call, PT_OK); /* then the task frees it */
    return NULL;
}

/* Start the thread, which leaves the signals of the program to others; 0 or an errno. */
static int begin(struct pt_away_ *away)
{
    sigset_t mask, before;
    pthread_t thread;
    int error;

    pt_all_but_faults_(&mask);
    pthread_sigmask(SIG_SETMASK, &mask, &before);
    error = pthread_create(&thread, NULL, work, away);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!error)
        pthread_detach(thread);
    return error;
}

static void submit(struct pt_foreign *call)
{
    struct pt_detached *self = call->argument;

    self->away = calloc(1, sizeof *self->away);
    if (self->away)
        *self->away = (struct pt_away_){self->work, self->argument, call, false};
    self->error = self->away ? begin(self->away) : ENOMEM;
    self->begun = self->error == 0;
    if (!self->begun)
        pt_foreign_done(call, self->error == ENOMEM ? PT_ENOMEM : PT_EIO);
}

/* The task leaves, unless the call has just ended: then its end is about to be told. */
static void withdraw(struct pt_foreign *call)
{
    struct pt_detached *self = call->argument;

    if (leave(self->away))
        return;
    self->away = NULL;
    pt_foreign_done(call, PT_ECANCELED);
}

PT_ASYNC(pt_detached, self)
{
    PT_NEEDS_FIELD_(self, work, "pt_detached");
    PT_WAIT_COMPLETE(&self->call, pt_foreign, .start = submit, .cancel = withdraw,
                     .argument = self);
    PT_RETURN(self->pt.status);
    PT_FINALLY
    free(self->away);
}
PT_END
