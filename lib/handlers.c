/* handlers.c - one handler of a signal, for all in the process that want it
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "handlers.h"

#include "faults.h"
#include "fork.h"

#include <errno.h>
#include <string.h>

/* Those of each signal: written under the lock, read by the handler. */
static struct pt_handler_ *lists[PT_SIGNAL_COUNT_];

/* The actions that the first of each has replaced. */
static struct sigaction before[PT_SIGNAL_COUNT_];

static void handle(int number)
{
    struct pt_handler_ *handler;
    int error = errno;

    pt_handler_begins_();
    handler = __atomic_load_n(&lists[number], __ATOMIC_SEQ_CST);
    for (; handler; handler = __atomic_load_n(&handler->next, __ATOMIC_SEQ_CST))
        if (!pt_forked_since_(handler->forks))
            handler->run(handler);
    pt_handler_ends_();
    errno = error;
}

static pt_status install(int number)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    pt_all_but_faults_(&action.sa_mask);
    return sigaction(number, &action, &before[number]) ? PT_EINVAL : PT_OK;
}

pt_status pt_handler_add_(struct pt_handler_ *handler, int number,
                          void (*run)(struct pt_handler_ *self))
{
    struct pt_handler_ *others;
    pt_status status = PT_OK;

    if (number <= 0 || number >= PT_SIGNAL_COUNT_ || pt_is_fault_(number))
        return PT_EINVAL;
    if (handler->number)
        return PT_OK;
    pt_mutex_lock_(PT_MUTEX_PROCESS_);
    others = lists[number];
    handler->run = run;
    handler->next = others;
    handler->forks = pt_forks_();
    handler->number = number;
    __atomic_store_n(&lists[number], handler, __ATOMIC_SEQ_CST);
    if (!others)
        status = install(number);
    if (status != PT_OK) {
        __atomic_store_n(&lists[number], NULL, __ATOMIC_SEQ_CST);
        handler->number = 0;
    }
    pt_mutex_unlock_(PT_MUTEX_PROCESS_);
    return status;
}

void pt_handler_remove_(struct pt_handler_ *handler)
{
    struct pt_handler_ **link = &lists[handler->number];

    if (!handler->number)
        return;
    pt_mutex_lock_(PT_MUTEX_PROCESS_);
    while (*link != handler)
        link = &(*link)->next;
    __atomic_store_n(link, handler->next, __ATOMIC_SEQ_CST);
    if (!lists[handler->number])
        sigaction(handler->number, &before[handler->number], NULL);
    pt_mutex_unlock_(PT_MUTEX_PROCESS_);
    pt_handlers_wait_();
    handler->number = 0;
}
