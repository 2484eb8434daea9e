/* start.c - start child processes
 * SPDX-License-Identifier: MIT
 *
 * posix_spawn(3) copies no memory, is safe beside threads, and returns what fails in the child. It
 * takes a list of steps for the child: what it gets at 0, 1 and 2, its directory, the close of all
 * other descriptors. */
#define _GNU_SOURCE
#include "../../needs.h"
#include "../../socket.h"
#include "../io/descriptor.h"
#include "environment.h"
#include "start.h"

#include <pt/host/process.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Steps that POSIX.1-2008 does not have. PT_PLAIN_UNIX builds and tests the other way on Linux. */
#if defined(__FreeBSD__)
#include <sys/param.h>
#define HAS_CHDIR (__FreeBSD_version >= 1301000)
#define HAS_CLOSEFROM HAS_CHDIR
#elif defined(__GLIBC__)
#define HAS_CHDIR __GLIBC_PREREQ(2, 29)
#define HAS_CLOSEFROM __GLIBC_PREREQ(2, 34)
#elif defined(__linux__) || defined(__APPLE__)
#define HAS_CHDIR 1
#define HAS_CLOSEFROM 0
#else
#define HAS_CHDIR 0
#define HAS_CLOSEFROM 0
#endif

/* A start: what it makes for the child, and ends when the child has it. */
struct start {
    struct pt_process *process;
    struct pt_system *system;
    posix_spawn_file_actions_t steps;
    int first; /* what the child does not have from here on */
    int *made; /* descriptors: at most a pipe and a copy for each that it has */
    int count;
};

static pt_status fail(struct start *start, int error)
{
    start->process->error = error;
    return error == ENOMEM ? PT_ENOMEM : error ? PT_EIO : PT_OK;
}

/* --- what the child has ---------------------------------------------------------------------- */

/* A descriptor of the start, or -1 with errno. */
static int keep(struct start *start, int fd)
{
    if (fd >= 0)
        start->made[start->count++] = fd;
    return fd;
}

/* The child gets a copy of FD at WHICH. One that an earlier step of the child can replace is copied
 * first. */
static pt_status give(struct start *start, int which, int fd)
{
    if (fd < start->first)
        fd = keep(start, fcntl(fd, F_DUPFD_CLOEXEC, start->first));
    if (fd < 0)
        return fail(start, errno);
    return fail(start, posix_spawn_file_actions_adddup2(&start->steps, fd, which));
}

/* The child gets an end of a pipe at WHICH, and IO the other one. */
static pt_status give_pipe(struct start *start, int which, struct pt_io *io)
{
    int ends[2], theirs, mine;
    pt_status status;

    if (pt_pipe_make_(ends))
        return fail(start, errno);
    mine = ends[which == 0];
    theirs = keep(start, ends[which != 0]);
    status = pt_io_adopt_(io, start->system, mine, PT_IO_OTHER_);
    if (status != PT_OK) {
        close(mine);
        start->process->error = io->error;
        return status;
    }
    if (fcntl(theirs, F_SETFL, 0)) /* it blocks there */
        return fail(start, errno);
    return give(start, which, theirs);
}

/* The child gets at WHICH what KIND says. */
static pt_status lay(struct start *start, int which, int kind, struct pt_io *io)
{
    switch (kind) {
    case 0: return PT_OK;
    case PT_PROCESS_PIPE: return give_pipe(start, which, io);
    case PT_PROCESS_NULL:
        return fail(start,
                    posix_spawn_file_actions_addopen(&start->steps, which, "/dev/null", O_RDWR, 0));
    case PT_PROCESS_OUTPUT:
        return fail(start, posix_spawn_file_actions_adddup2(&start->steps, 1, which));
    default: return give(start, which, kind);
    }
}

/* Whether KIND, at WHICH, is one of its values; before a pipe can get the number of a descriptor
 * that is closed. */
static pt_status check(struct start *start, int which, int kind)
{
    if (kind < PT_PROCESS_OUTPUT || (kind == PT_PROCESS_OUTPUT && which != 2))
        return PT_EINVAL;
    if (kind == PT_PROCESS_OUTPUT && !start->process->out)
        kind = 1;
    return fail(start, kind > 0 && fcntl(kind, F_GETFD) < 0 ? errno : 0);
}

static pt_status lay_all(struct start *start)
{
    struct pt_process *process = start->process;
    const int kinds[] = {process->in, process->out, process->err};
    struct pt_io *ends[] = {&process->input, &process->output, &process->errors};
    pt_status status = PT_OK;

    for (int i = 0; i < 3 && status == PT_OK; i++)
        status = check(start, i, kinds[i]);
    for (int i = 3; i < start->first && status == PT_OK; i++)
        status = fail(start, fcntl(process->handed[i - 3], F_GETFD) < 0 ? errno : 0);
    for (int i = 0; i < 3 && status == PT_OK; i++)
        status = lay(start, i, kinds[i], ends[i]);
    for (int i = 3; i < start->first && status == PT_OK; i++)
        status = give(start, i, process->handed[i - 3]);
    return status;
}

/* --- the directory; all other descriptors ---------------------------------------------------- */

static int change_directory(posix_spawn_file_actions_t *steps, const char *directory)
{
    if (!directory)
        return 0;
#if HAS_CHDIR
    return posix_spawn_file_actions_addchdir_np(steps, directory);
#else
    (void)steps;
    return ENOSYS;
#endif
}

#if HAS_CLOSEFROM && !defined(PT_PLAIN_UNIX)

static int close_others(struct start *start)
{
    return posix_spawn_file_actions_addclosefrom_np(&start->steps, start->first);
}

#else

/* Close what is open now. What another thread opens meanwhile, and does not close on exec, is
 * inherited. EBADF: a descriptor is above the limit of the process, which was lowered since. */
static int close_others(struct start *start)
{
    DIR *open = opendir("/dev/fd");
    const struct dirent *entry;
    int error = open ? 0 : errno, fd;

    while (!error && (entry = readdir(open)) != NULL) {
        fd = atoi(entry->d_name);
        if (fd >= start->first && fd != dirfd(open))
            error = posix_spawn_file_actions_addclose(&start->steps, fd);
    }
    if (open)
        closedir(open);
    return error;
}

#endif

/* --- the start ------------------------------------------------------------------------------- */

/* No signal is blocked. SIGPIPE, which pt_system_open ignores, has its default action. */
static void set_attributes(posix_spawnattr_t *attributes, bool group)
{
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    sigset_t signals;

    sigemptyset(&signals);
    posix_spawnattr_setsigmask(attributes, &signals);
    sigaddset(&signals, SIGPIPE);
    posix_spawnattr_setsigdefault(attributes, &signals);
    posix_spawnattr_setpgroup(attributes, 0);
    posix_spawnattr_setflags(attributes, (short)(group ? flags | POSIX_SPAWN_SETPGROUP : flags));
}

void pt_keep_codes_(void)
{
    struct sigaction action;

    if (sigaction(SIGCHLD, NULL, &action))
        return;
    if (!(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_IGN)
        action.sa_handler = SIG_DFL;
    else if (!(action.sa_flags & SA_NOCLDWAIT))
        return;
    action.sa_flags &= ~SA_NOCLDWAIT;
    sigaction(SIGCHLD, &action, NULL);
}

/* Run the program, when all that it gets is in the steps. */
static pt_status spawn(struct start *start)
{
    struct pt_process *process = start->process;
    const char *const *base = pt_environment_base_(process->environment);
    const char **all = process->variables ? pt_environment_(base, process->variables) : NULL;
    posix_spawnattr_t attributes;
    int error;

    if (process->variables && !all)
        return fail(start, ENOMEM);
    posix_spawnattr_init(&attributes);
    set_attributes(&attributes, process->group);
    error = posix_spawnp(&process->pid, process->words[0], &start->steps, &attributes,
                         (char *const *)(uintptr_t)process->words,
                         (char *const *)(uintptr_t)(all ? all : base));
    posix_spawnattr_destroy(&attributes);
    free(all);
    return fail(start, error);
}

static void close_ends(struct pt_process *process)
{
    pt_io_close(&process->input);
    pt_io_close(&process->output);
    pt_io_close(&process->errors);
}

/* Nothing is open, and there is no child. */
static void clear(struct pt_process *process)
{
    close_ends(process);
    pt_io_clear_(&process->input);
    pt_io_clear_(&process->output);
    pt_io_clear_(&process->errors);
    process->pid = 0;
}

/* Make what a start needs; false without memory. */
static bool prepare(struct start *start)
{
    const int *handed = start->process->handed;

    start->first = 3;
    while (handed && handed[start->first - 3] >= 0)
        start->first++;
    posix_spawn_file_actions_init(&start->steps);
    start->made = malloc(2 * (size_t)start->first * sizeof *start->made);
    return start->made != NULL;
}

static void end(struct start *start)
{
    posix_spawn_file_actions_destroy(&start->steps);
    while (start->count)
        close(start->made[--start->count]);
    free(start->made);
}

pt_status pt_process_start(struct pt_process *process, struct pt_system *system)
{
    struct start start = {.process = process, .system = system, .count = 0};
    pt_status status;

    PT_NEEDS_(process->words, ".words is not set", "pt_process_start");
    PT_NEEDS_(process->words[0], ".words is empty: its first is the program", "pt_process_start");
    clear(process);
    pt_keep_codes_();
    status = prepare(&start) ? lay_all(&start) : fail(&start, ENOMEM);
    if (status == PT_OK)
        status = fail(&start, change_directory(&start.steps, process->directory));
    if (status == PT_OK)
        status = fail(&start, close_others(&start));
    if (status == PT_OK)
        status = spawn(&start);
    end(&start);
    if (status != PT_OK)
        clear(process);
    return status;
}
