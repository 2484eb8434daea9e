/* handlers.c - one handler of a signal, which calls all that were added for it
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "handlers.h"

#include "faults.h"
#include "fork.h"

#include <errno.h>
#include <string.h>

/* Those of each signal: written under the lock, read by the handler. */
static struct pt_handler_ *lists[PT_SIGNAL_COUNT_];

/* The count of forks for which the lists are. A forked process has those of its parent, and empties
 * them at its first change: a copy may be cleared, or gone, before it is removed. */
static unsigned forks;

/* Whether the handler is there, and the action that it has replaced. */
static bool installed[PT_SIGNAL_COUNT_];
static struct sigaction before[PT_SIGNAL_COUNT_];

static void handle(int number)
{
    struct pt_handler_ *handler = NULL;
    int error = errno;

    pt_handler_begins_();
    if (!pt_forked_since_(__atomic_load_n(&forks, __ATOMIC_SEQ_CST)))
        handler = __atomic_load_n(&lists[number], __ATOMIC_SEQ_CST);
    for (; handler; handler = __atomic_load_n(&handler->next, __ATOMIC_SEQ_CST))
        handler->run(handler);
    pt_handler_ends_();
    errno = error;
}

/* Before a change of the lists. */
static void lock(void)
{
    pt_mutex_lock_(PT_MUTEX_PROCESS_);
    if (pt_forked_since_(forks))
        memset(lists, 0, sizeof lists);
    __atomic_store_n(&forks, pt_forks_(), __ATOMIC_SEQ_CST);
}

/* The place that leads to HANDLER, or the end of the list. */
static struct pt_handler_ **find(const struct pt_handler_ *handler, int number)
{
    struct pt_handler_ **link = &lists[number];

    while (*link && *link != handler)
        link = &(*link)->next;
    return link;
}

bool pt_handlers_within_(const void *start, size_t size)
{
    bool found = false;

    lock();
    for (int i = 0; i < PT_SIGNAL_COUNT_; i++)
        for (struct pt_handler_ *each = lists[i]; each; each = each->next)
            found |= (uintptr_t)each - (uintptr_t)start < size;
    pt_mutex_unlock_(PT_MUTEX_PROCESS_);
    return found;
}

/* Whether the handler is there now. */
static bool install(int number)
{
    struct sigaction action;

    if (installed[number])
        return true;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    pt_all_but_faults_(&action.sa_mask);
    installed[number] = !sigaction(number, &action, &before[number]);
    return installed[number];
}

pt_status pt_handler_add_(struct pt_handler_ *handler, int number,
                          void (*run)(struct pt_handler_ *self))
{
    pt_status status = PT_OK;

    if (number <= 0 || number >= PT_SIGNAL_COUNT_ || pt_is_fault_(number))
        return PT_EINVAL;
    if (handler->number)
        return PT_OK;
    lock();
    handler->run = run;
    handler->next = lists[number];
    handler->number = number;
    __atomic_store_n(&lists[number], handler, __ATOMIC_SEQ_CST);
    if (!install(number)) {
        __atomic_store_n(&lists[number], NULL, __ATOMIC_SEQ_CST);
        handler->number = 0;
        status = PT_EINVAL;
    }
    pt_mutex_unlock_(PT_MUTEX_PROCESS_);
    return status;
}

void pt_handler_remove_(struct pt_handler_ *handler)
{
    struct pt_handler_ **link;
    int number = handler->number;

    if (!number)
        return;
    lock();
    link = find(handler, number);
    if (*link)
        __atomic_store_n(link, handler->next, __ATOMIC_SEQ_CST);
    if (!lists[number] && installed[number]) {
        sigaction(number, &before[number], NULL);
        installed[number] = false;
    }
    pt_mutex_unlock_(PT_MUTEX_PROCESS_);
    pt_handlers_wait_();
    handler->number = 0;
}
