/* blocking.h - what would make the loop wait: files, and any function, in worker threads
 * SPDX-License-Identifier: MIT
 *
 *     static void load(void *argument) { ... getpwnam(...) ... }
 *
 *     pt_workers_open(&workers, &sys, 4);
 *     PT_WAIT_COMPLETE(&self->call, pt_blocking, .workers = &workers, .work = load,
 *                      .argument = self);
 *
 *     PT_TRY(&self->load, pt_file_load, .workers = &workers, .path = "page.html",
 *            .data = self->page, .size = sizeof self->page);
 *     PT_TRY(&self->replace, pt_file_replace, .workers = &workers, .path = "count",
 *            .data = self->text, .size = self->length);
 *
 *     PT_TRY(&self->open, pt_file_open, .workers = &workers, .path = "image", .flags = O_RDONLY);
 *     self->fd = self->open.fd;
 *     PT_TRY(&self->send, pt_send_file, .io = &self->io, .fd = self->fd, .size = self->length);
 *
 * For files, third-party libraries and long computations. A few threads take the calls in the order
 * in which they came. Cancel, timeout: a call that has not begun never begins. A call that has
 * begun runs to its end, and the task waits for it, because the call uses ARGUMENT, or the data. */
#ifndef PT_BLOCKING_H
#define PT_BLOCKING_H

#include "io.h"

#include <pthread.h>

/* A pool of threads. It must not move while it is open. Only the functions write its fields. */
struct pt_workers {
    struct pt_system *system;  /* of the tasks that call */
    pthread_mutex_t lock;      /* guards the fields below */
    pthread_cond_t changed;    /* signaled for a new call and for the end */
    struct pt_blocking *first; /* the queue of calls that wait for a thread */
    struct pt_blocking *last;
    pthread_t *threads;
    unsigned count;
    unsigned forks; /* the count of forks at the opening */
    bool closing;
};

/* The frame of pt_blocking: call WORK with ARGUMENT in a thread, and wait until it returns. */
struct pt_blocking {
    struct pt pt;
    struct pt_workers *workers;   /* the caller sets this and the next two */
    void (*work)(void *argument); /* must not touch the loop */
    void *argument;
    struct pt_blocking *next; /* in the queue of the workers */
    struct pt_foreign call;   /* done when WORK has returned, or will never begin */
};

PT_EXPORT PT_DECLARE(pt_blocking);

/* pt_workers_open - start COUNT threads for the tasks of a system
 * They block all signals but those of their own faults (SIGSEGV and so on). A process that a call
 * forks inherits that, as the programs of system(3) and popen(3) do: nothing but SIGKILL ends one.
 * What pt_process_start starts blocks no signal. PT_OK; PT_EINVAL if COUNT is 0, PT_ENOMEM, or
 * PT_EIO with errno: then no thread is left. */
PT_EXPORT pt_status pt_workers_open(struct pt_workers *workers, struct pt_system *system,
                                    unsigned count);

/* pt_workers_close - end the threads and wait for their ends; no task may be in pt_blocking
 * No effect if they have ended, or if pt_workers_open failed. A process forked since has no copy of
 * the threads, and may close its copy of the rest at any time. */
PT_EXPORT void pt_workers_close(struct pt_workers *workers);

/* --- a call that a task can leave ------------------------------------------------------------ */

/* The frame of pt_detached: call WORK with ARGUMENT in a thread of its own, and wait until it
 * returns. Cancel, timeout: the task leaves at once, and the call goes on as long as it lasts, also
 * when the loop has ended; the end of the process ends it. So ARGUMENT belongs to WORK, which frees
 * it, and both touch nothing of the task:
 *
 *     PT_WITH_TIMEOUT(&self->limit, PT_SEC(1))
 *         PT_WAIT_COMPLETE(&self->call, pt_detached, .work = send_cancel, .argument = request);
 *     if (!self->call.begun)
 *         free_request(self->call.argument);
 *
 * For calls that can hang, and whose result can be done without: PQcancel of libpq, a file on a
 * network. PT_OK; PT_ENOMEM, or PT_EIO with the errno in ERROR: no thread, WORK is not called. Each
 * call that hangs keeps a thread: give up what it is about instead of calling again and again.
 * Signals as in pt_workers_open. */
struct pt_detached {
    struct pt pt;
    void (*work)(void *argument); /* must not touch the loop; the caller sets this and the next */
    void *argument;
    bool begun; /* WORK is called, and has ARGUMENT; the function writes this and the rest */
    int error;
    struct pt_away_ *away; /* what the thread has; private, as is the next one */
    struct pt_foreign call;
};

PT_EXPORT PT_DECLARE(pt_detached);

/* --- files ----------------------------------------------------------------------------------- */

/* Codes of these: PT_OK; PT_ENOMEM or PT_EIO, with the errno in `error` of the frame; PT_ERANGE. No
 * poller knows when a file is ready, so a thread reads and writes it. DONE tells whether the file
 * has changed, also after a cancel, a timeout or a failure. What has no function here (stat, a
 * directory) is a call of pt_blocking; close(2) a descriptor in the cleanup. So is an append to a
 * file that other processes append to, such as a log: open it with O_APPEND, and call write(2).
 * By POSIX pwrite(2), which pt_file_write calls, obeys its offset all the same. */

/* The frame of pt_file_open: open a file, as open(2); it closes on exec. The descriptor is the
 * caller's if the code is PT_OK; after a cancel or a timeout it is closed, and -1. A file that
 * O_CREAT has made by then stays: a cleanup that removes it must not depend on FD. */
struct pt_file_open {
    struct pt pt;
    struct pt_workers *workers; /* the caller sets this and the next three */
    const char *path;
    int flags;   /* O_RDONLY and so on */
    mode_t mode; /* of a new file, less the umask; 0: 0666 */
    int fd;      /* the descriptor, or -1; the function writes this and the rest */
    int error;
    struct pt_blocking call;
};

/* The frame of pt_file_read: read SIZE bytes of a file from OFFSET on, as pread(2). */
struct pt_file_read {
    struct pt pt;
    struct pt_workers *workers; /* the caller sets this and the next four */
    int fd;
    void *data;
    size_t size;
    off_t offset;
    size_t got; /* how many are read: less than SIZE at the end of the file; the rest is written
                 * by the function, too */
    int error;
    struct pt_blocking call;
};

/* The frame of pt_file_write: write SIZE bytes to a file from OFFSET on, as pwrite(2); with SYNC,
 * wait until they, and what was written before, are on the disk; also without a byte to write. */
struct pt_file_write {
    struct pt pt;
    struct pt_workers *workers; /* the caller sets this and the next five */
    int fd;
    const void *data;
    size_t size;
    off_t offset;
    bool sync;
    size_t put; /* how many are written; the function writes this and the rest */
    int error;
    struct pt_blocking call;
};

/* The frame of pt_file_load: read a whole file. PT_ERANGE if it has more than SIZE bytes; PT_EIO
 * with ESPIPE if it is a pipe, whose bytes nobody has to send. */
struct pt_file_load {
    struct pt pt;
    struct pt_workers *workers; /* the caller sets this and the next three */
    const char *path;
    void *data;
    size_t size;
    size_t length; /* how many bytes are read; the function writes this and the rest */
    int error;
    struct pt_blocking call;
};

/* The frame of pt_file_replace: make a file have these bytes, and no others, or leave it as it is.
 * Whoever reads it, and whatever happens, a loss of power too, finds the old bytes or the new ones.
 * They are written to a file beside it, PATH.N.tmp, which is then renamed; after a failure it is
 * removed. A name of more than 230 bytes leaves no room for ".N.tmp" in most file systems:
 * ENAMETOOLONG. PT_OK: the new bytes are on the disk. PT_EIO with DONE: only the directory could
 * not be written to the disk.
 * The file keeps its mode, owner and group. If this process may not give a file to that owner, the
 * new one is its own, and is not set-user-ID or set-group-ID. Others can read the bytes only when
 * the file has its mode. A symbolic link becomes a file; other names of the old file keep that. */
struct pt_file_replace {
    struct pt pt;
    struct pt_workers *workers; /* the caller sets this and the next four */
    const char *path;
    const void *data;
    size_t size;
    mode_t mode; /* of a new file, less the umask; 0: 0666 */
    bool done;   /* it has the new bytes; the function writes this and the rest */
    int error;
    struct pt_blocking call;
};

/* The frame of pt_file_rename: give a file another name, as rename(2); a file of that name goes.
 * PT_OK: the new name is on the disk. PT_EIO with DONE: only the directory could not be written.
 * A file in parts, such as a download: write it under another name, then a pt_file_write with SYNC
 * and no bytes, then this. */
struct pt_file_rename {
    struct pt pt;
    struct pt_workers *workers; /* the caller sets this and the next two */
    const char *from;
    const char *to;
    bool done; /* it has the new name; the function writes this and the rest */
    int error;
    struct pt_blocking call;
};

/* The frame of pt_file_remove: remove a file, as unlink(2), which takes long for a large one. */
struct pt_file_remove {
    struct pt pt;
    struct pt_workers *workers; /* the caller sets this and the next */
    const char *path;
    bool done; /* it is removed; the function writes this and the rest */
    int error; /* ENOENT: there was none */
    struct pt_blocking call;
};

/* The frame of pt_send_file: send SIZE bytes of file FD from OFFSET on to a socket or a pipe.
 * sendfile(2) does it where it can, without a copy through this program; elsewhere a read and a
 * write. It needs no thread, and the loop waits for the disk if the bytes are not in memory: where
 * that takes long, use pt_file_read. Codes as PT_WRITE, with io->error, also of the file; PT_ERANGE
 * if the file has fewer bytes. Cancel, timeout: put tells how many are sent. */
struct pt_send_file {
    struct pt pt;
    struct pt_io *io; /* the caller sets this and the next three */
    int fd;           /* its own offset does not move */
    off_t offset;
    size_t size;
    size_t put;  /* how many are sent; the function writes this and the rest */
    size_t step; /* how many the last attempt has sent */
    bool copies; /* sendfile(2) cannot do it */
};

PT_EXPORT PT_DECLARE(pt_file_open);
PT_EXPORT PT_DECLARE(pt_file_read);
PT_EXPORT PT_DECLARE(pt_file_write);
PT_EXPORT PT_DECLARE(pt_file_load);
PT_EXPORT PT_DECLARE(pt_file_replace);
PT_EXPORT PT_DECLARE(pt_file_rename);
PT_EXPORT PT_DECLARE(pt_file_remove);
PT_EXPORT PT_DECLARE(pt_send_file);

#endif
