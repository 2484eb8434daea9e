/* files.c - write, replace, read and send files, while the loop takes its turns
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - Worker threads make the calls: a slow disk stops no other task.
 *   - pt_file_replace leaves the old file or the new one, whatever happens; never a half.
 *   - `done` tells the cleanup how far the file has come.
 *   - The descriptor of a pt_file_open belongs to the task as soon as it is taken: its cleanup
 *     closes it. If a cancel comes before that, nothing is open.
 *   - pt_send_file sends a file without a copy in this program, to a socket whose other side may be
 *     slow: here to a pair of sockets. */
#include <pt/host.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct pt_system sys;
static struct pt_workers workers;

struct diary {
    struct pt pt;
    struct pt_file_replace replace;
    struct pt_file_load load;
    struct pt_file_open open;
    struct pt_file_read read;
    struct pt_file_write write;
    struct pt_send_file send;
    struct pt_file_rename rename;
    struct pt_file_remove remove;
    struct pt_io io;
    int fd, other;
    size_t got;
    char path[32], old[32], text[80];
};

static PT_ASYNC(diary, self)
{
    int ends[2];

    self->fd = self->other = -1;
    snprintf(self->path, sizeof self->path, "diary-%ld", (long)getpid());
    snprintf(self->old, sizeof self->old, "diary-%ld.1", (long)getpid());
    PT_TRY(&self->replace, pt_file_replace, .workers = &workers, .path = self->path,
           .data = "Monday: rain.\n", .size = 14);
    PT_TRY(&self->load, pt_file_load, .workers = &workers, .path = self->path, .data = self->text,
           .size = sizeof self->text);
    printf("%.*s", (int)self->load.length, self->text);

    PT_TRY(&self->open, pt_file_open, .workers = &workers, .path = self->path, .flags = O_RDWR);
    self->fd = self->open.fd;
    PT_TRY(&self->write, pt_file_write, .workers = &workers, .fd = self->fd, .data = "snow",
           .size = 4, .offset = 8, .sync = true);
    PT_TRY(&self->read, pt_file_read, .workers = &workers, .fd = self->fd, .data = self->text,
           .size = 4, .offset = 8);
    printf("No: %.*s\n", (int)self->read.got, self->text);

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        PT_RETURN(PT_EIO);
    self->other = ends[1];
    if (pt_io_open(&self->io, &sys, ends[0]) != PT_OK)
        PT_RETURN(PT_EIO);
    PT_TRY(&self->send, pt_send_file, .io = &self->io, .fd = self->fd, .size = 14);
    self->got = (size_t)read(self->other, self->text, sizeof self->text);
    printf("sent %.*s", (int)self->got, self->text);

    PT_TRY(&self->rename, pt_file_rename, .workers = &workers, .from = self->path, .to = self->old);
    PT_WAIT_COMPLETE(&self->load, pt_file_load, .workers = &workers, .path = self->path,
                     .data = self->text, .size = sizeof self->text);
    printf("today: %s\n", strerror(self->load.error));
    PT_TRY(&self->remove, pt_file_remove, .workers = &workers, .path = self->old);
    PT_FINALLY
    pt_io_close(&self->io);
    if (self->fd >= 0)
        close(self->fd);
    if (self->other >= 0)
        close(self->other);
    if (!self->remove.done)
        unlink(self->rename.done ? self->old : self->path);
}
PT_END

int main(void)
{
    static PT_TASK(diary) task;
    struct pt_loop loop;

    if (pt_system_open(&sys, &loop, NULL) != PT_OK || pt_workers_open(&workers, &sys, 2) != PT_OK)
        return 1;
    PT_START(&loop, &task, diary);
    pt_loop_run(&loop);
    pt_workers_close(&workers);
    pt_system_close(&sys);
    return pt_task_status(&task.task) != PT_OK;
}
