/* process.c - what a program asks about itself, and its end
 * SPDX-License-Identifier: MIT */
#include "threads.h"

#include "calls.h"

#include <errno.h>

void process_ends(struct process *process, int status, int signal)
{
    struct world_machine *machine = process->machine;

    process->ended = true;
    process->status = status;
    process->signal = signal;
    if (process != machine->first) {
        trace(machine, "its process %d ends with status %d", (int)process->number, status);
        return;
    }
    printed_end(machine);
    machine->state = ENDED;
    machine->status = status;
    trace(machine, "ends with status %d", status);
}

void machine_end(int status, int signal)
{
    struct process *self = running;

    process_ends(self, status, signal);
    pt_fiber_switch(&self->thread->fiber, &self->machine->world->root);
    abort(); /* nothing switches back */
}

void call_exit(int status)
{
    machine_end(status & 255, 0);
}

void call__exit(int status)
{
    machine_end(status & 255, 0);
}

void call_abort(void)
{
    machine_end(128 + SIGABRT, SIGABRT);
}

pid_t call_getpid(void)
{
    return running->number;
}

pid_t call_getppid(void)
{
    return running->parent ? running->parent->number : 1;
}

char **call_environ; /* of the process that runs */

char *call_getenv(const char *name)
{
    size_t length = strlen(name);

    for (char **each = call_environ; each && *each; each++)
        if (!strncmp(*each, name, length) && (*each)[length] == '=')
            return *each + length + 1;
    return NULL;
}

long call_sysconf(int what)
{
    switch (what) {
    case _SC_NPROCESSORS_ONLN: return 1;
    case _SC_OPEN_MAX: return DESCRIPTORS;
    case _SC_PAGESIZE: return 4096;
    case _SC_IOV_MAX: return 1024;
    default: world_unknown("sysconf of %d", what);
    }
}

ssize_t call_getrandom(void *data, size_t size, unsigned flags)
{
    unsigned char *bytes = data;

    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)world_chance(here->world, 256);
    return (ssize_t)size;
}

/* Computing takes no time, and memory is not counted. */
int call_getrusage(__rusage_who_t who, struct rusage *usage)
{
    memset(usage, 0, sizeof *usage);
    return 0;
}

/* A trace of addresses would be another one in each process. */
int call_backtrace(void **calls, int room)
{
    return 0;
}

void call_backtrace_symbols_fd(void *const *calls, int count, int fd)
{
}

/* No program forks. */
int call_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    return 0;
}
