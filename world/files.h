/* files.h - descriptors, and what each can stand for: a kind of file is a table of functions
 * SPDX-License-Identifier: MIT */
#ifndef WORLD_FILES_H
#define WORLD_FILES_H

#include "kernel.h"

/* Results below zero are -errno; -EAGAIN: the call waits, unless the file must not block. */
struct file_kind {
    mode_t mode;
    unsigned (*events)(struct file *file); /* EPOLLIN and so on: what is so now */
    ssize_t (*read)(struct file *file, void *data, size_t size);
    ssize_t (*write)(struct file *file, const void *data, size_t size);
    void (*close)(struct file *file, bool crash); /* CRASH: no peer is told */
};

struct file {
    const struct file_kind *kind;
    struct world_machine *machine;
    int users; /* descriptors, and calls that wait */
    bool nonblocking;
    int flags; /* the access mode, and O_APPEND */
    struct watch *watches;
};

/* Whom a file tells that something has happened to it, and that it goes: a member of its list. */
struct watch {
    struct watch *next;
    struct file *file;
    void (*changed)(struct watch *watch, unsigned events);
    void (*gone)(struct watch *watch);
};

void file_watch(struct file *file, struct watch *watch);
void file_unwatch(struct watch *watch);

/* The next one of the files that the programs of a machine have open; NULL: there is no more. */
struct files {
    struct process *process;
    int fd;
};
struct file *files_next(struct files *files);

/* The file of a descriptor, or NULL with errno. A call begins with it: another thread can go on first. */
struct file *file_at(int fd);

/* The same within a call. */
struct file *file_of(int fd);

/* FILE is at FD of the process that runs, from now on. */
void file_put(int fd, struct file *file);

/* The lowest free descriptor from LEAST on, for FILE: -1 with errno, and a new file is closed. CLOSES: a program that
 * is started does not have it. */
int file_install(struct file *file, int least, bool closes);
void file_drop(struct file *file, bool crash);

/* Drop all files of a program that has ended, also those in whose calls its threads wait. */
void files_drop(struct process *process, bool crash);

/* Something has happened to a file, such as these EVENTS: who watches it is told, and its program looks. */
void file_became(struct file *file, unsigned events);

/* The same of any event. */
void file_changed(struct file *file);

/* The descriptors of the process that runs are below this: RLIMIT_NOFILE. */
int files_limit(void);

/* A call that waits keeps its file, also if another thread, or a handler, closes the descriptor. A member of the list
 * of its thread, on its stack. */
struct hold {
    struct hold *next;
    struct file *file;
};

void file_hold(struct hold *hold, struct file *file);
void file_release(struct hold *hold);

/* The result of OPERATION at FILE; until that is not -EAGAIN, a call that may block waits. A handler ends the wait,
 * unless it lets the call go on. */
#define AFTER_WAIT(file, nonblocking, operation)                    \
    __extension__({                                                 \
        struct hold hold_;                                          \
        ssize_t value_;                                             \
        file_hold(&hold_, file);                                    \
        while ((value_ = (operation)) == -EAGAIN && !(nonblocking)) \
            if (!machine_wait(NEVER) && !signals_restart()) {       \
                value_ = -EINTR;                                    \
                break;                                              \
            }                                                       \
        file_release(&hold_);                                       \
        result(value_);                                             \
    })

/* Write all, if it may block: how much was written before an error or a handler, or -1 with errno. */
ssize_t file_write(struct file *file, bool nonblocking, const void *data, size_t size);

/* What opens /dev/null, and whether a file is that. */
int null_open(int flags);
bool is_null(const struct file *file);

#endif
