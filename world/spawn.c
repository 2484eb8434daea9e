/* spawn.c - programs that a program starts: posix_spawn
 * SPDX-License-Identifier: MIT
 *
 * The program NAME, or any path that ends so, is NAME.so beside the image of the machine. A child is a copy of its own,
 * which begins at main. It has the descriptors that its parent gives it, and its machine's disk, address and clock. */
#include "threads.h"

#include "calls.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

/* --- what a child does to its descriptors ---------------------------------------------------- */

struct step {
    enum { OPEN, DUP, CLOSE, CLOSE_FROM } what;
    int fd, from, flags;
    char *path;
};

/* What a posix_spawn_file_actions_t is here. */
struct steps {
    size_t count;
    struct step *all;
};

_Static_assert(sizeof(struct steps) <= sizeof(posix_spawn_file_actions_t), "it has room for steps");

int call_posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions)
{
    memset(actions, 0, sizeof *actions);
    return 0;
}

int call_posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions)
{
    struct steps *steps = (struct steps *)(void *)actions;

    for (size_t i = 0; i < steps->count; i++)
        call_free(steps->all[i].path);
    call_free(steps->all);
    return 0;
}

static int add(posix_spawn_file_actions_t *actions, struct step step)
{
    struct steps *steps = (struct steps *)(void *)actions;
    struct step *all = call_realloc(steps->all, (steps->count + 1) * sizeof *all);

    if (!all)
        return ENOMEM;
    all[steps->count++] = step;
    steps->all = all;
    return step.fd < 0 ? EBADF : 0;
}

int call_posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *actions, int fd,
                                          const char *path, int flags, mode_t mode)
{
    return add(actions, (struct step){OPEN, fd, 0, flags, call_strdup(path)});
}

int call_posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int from, int to)
{
    return add(actions, (struct step){DUP, to, from, 0, NULL});
}

int call_posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *actions, int fd)
{
    return add(actions, (struct step){CLOSE, fd, 0, 0, NULL});
}

int call_posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from)
{
    return add(actions, (struct step){CLOSE_FROM, from, 0, 0, NULL});
}

/* The child does it: 0 or -1. */
static int take(const struct step *step)
{
    int fd, done;

    switch (step->what) {
    case OPEN:
        fd = call_open(step->path, step->flags, 0600);
        done = call_dup2(fd, step->fd);
        if (fd >= 0 && fd != step->fd)
            call_close(fd);
        return done < 0 ? -1 : 0;
    case DUP:
        if (call_dup2(step->from, step->fd) < 0)
            return -1;
        running->closes[step->fd] = false; /* also if both are one */
        return 0;
    case CLOSE: call_close(step->fd); return 0;
    default:
        for (fd = step->fd; fd < running->descriptors; fd++)
            if (running->files[fd])
                call_close(fd);
        return 0;
    }
}

/* The child takes what its parent has, all steps, and leaves what a program that is started does not have. Returns 0 or
 * an errno. */
static int inherit(struct process *child, const posix_spawn_file_actions_t *actions)
{
    const struct steps *steps = (const struct steps *)(const void *)actions;
    struct process *parent = running;
    int error = 0, done = 0;

    running = child;
    for (int fd = 0; fd < parent->descriptors; fd++)
        if (parent->files[fd]) {
            file_put(fd, parent->files[fd]);
            child->files[fd]->users++;
            child->closes[fd] = parent->closes[fd];
        }
    for (size_t i = 0; steps && i < steps->count && !done; i++)
        done = take(&steps->all[i]);
    error = done ? errno : 0;
    for (int fd = 0; fd < child->descriptors; fd++)
        if (child->files[fd] && child->closes[fd])
            call_close(fd);
    running = parent;
    return error;
}

/* --- the start ------------------------------------------------------------------------------- */

/* A handler of the parent is none of the child; what it ignores, the child ignores. */
static void inherit_signals(struct process *child, const posix_spawnattr_t *attributes)
{
    const short known = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP;
    struct process *parent = running;
    short flags = 0;
    sigset_t set;
    pid_t group = 0;

    child->group = parent->group;
    child->limit = parent->limit;
    child->threads->mask = parent->thread->mask;
    for (int i = 0; i < SIGNALS; i++)
        if (!(parent->actions[i].sa_flags & SA_SIGINFO) && parent->actions[i].sa_handler == SIG_IGN)
            child->actions[i].sa_handler = SIG_IGN;
    if (!attributes)
        return;
    posix_spawnattr_getflags(attributes, &flags);
    if (flags & ~known)
        world_unknown("posix_spawn with flags %#x", (unsigned)flags);
    if (flags & POSIX_SPAWN_SETSIGMASK) {
        posix_spawnattr_getsigmask(attributes, &set);
        child->threads->mask = signals_of(&set);
    }
    posix_spawnattr_getsigdefault(attributes, &set);
    for (int i = 1; flags & POSIX_SPAWN_SETSIGDEF && i < SIGNALS; i++)
        if (sigismember(&set, i))
            child->actions[i].sa_handler = SIG_DFL;
    posix_spawnattr_getpgroup(attributes, &group);
    if (flags & POSIX_SPAWN_SETPGROUP)
        child->group = group ? group : child->number;
}

/* The image of a program: PATH has room for it. Whether there is one. */
static bool find(char path[PATH_MAX], const char *program)
{
    const char *folder_end = strrchr(here->image, '/'), *name = strrchr(program, '/');
    int folder = folder_end ? (int)(folder_end + 1 - here->image) : 0;
    struct stat about;

    name = name ? name + 1 : program;
    return snprintf(path, PATH_MAX, "%.*s%s.so", folder, here->image, name) < PATH_MAX &&
           !stat(path, &about);
}

int call_posix_spawn(pid_t *number, const char *program, const posix_spawn_file_actions_t *actions,
                     const posix_spawnattr_t *attributes, char *const *words,
                     char *const *environment)
{
    char image[PATH_MAX];
    struct process *child;
    int error;

    machine_calls();
    if (!find(image, program)) {
        trace(here, "has no program %s", program);
        return ENOENT;
    }
    child = process_new(here, image, words, environment);
    error = inherit(child, actions);
    if (error) {
        child->clear(child, true);
        return error;
    }
    child->parent = running;
    inherit_signals(child, attributes);
    *number = child->number;
    trace(here, "starts its process %d: %s", (int)child->number, program);
    thread_wake(child->threads);
    return 0;
}

int call_posix_spawnp(pid_t *number, const char *program, const posix_spawn_file_actions_t *actions,
                      const posix_spawnattr_t *attributes, char *const *words,
                      char *const *environment)
{
    return call_posix_spawn(number, program, actions, attributes, words, environment);
}
