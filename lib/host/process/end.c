/* end.c - wait for the ends of child processes, by a pidfd where there is one
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../../sites.h"

#include "../../needs.h"
#include "../io/descriptor.h"
#include "start.h"

#include <pt/host/process.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* How often to look whether a child without a pidfd has ended. */
#define ASK_EVERY PT_MS(20)

/* Open a pidfd, which becomes readable when the child ends, if the system has one. */
static void watch(struct pt_wait_process *self)
{
    int fd = -1;

    self->io.system = NULL;
    self->code = -1;
    self->signal = self->error = 0;
    pt_keep_codes_();
#if defined(SYS_pidfd_open) && !defined(PT_PLAIN_UNIX)
    fd = (int)syscall(SYS_pidfd_open, self->pid, 0);
#endif
    if (fd >= 0 && pt_io_adopt_(&self->io, self->system, fd, PT_IO_OTHER_) != PT_OK)
        close(fd);
}

/* Ask for the end of CHILD, as waitpid(2). There, a number below 1 stands for any child. */
static pid_t ask(pid_t child, int *status)
{
    pid_t pid;

    if (child <= 0) {
        errno = ECHILD;
        return -1;
    }
    do
        pid = waitpid(child, status, WNOHANG);
    while (pid < 0 && errno == EINTR);
    return pid;
}

/* The same without taking the end: until that is taken, the child's group has its number. */
static pid_t peek(pid_t child)
{
    siginfo_t about;

    about.si_pid = 0;
    while (waitid(P_PID, (id_t)child, &about, WEXITED | WNOHANG | WNOWAIT))
        if (errno != EINTR)
            return -1;
    return about.si_pid;
}

static bool knows_the_end(const struct pt_wait_process *self)
{
    return self->code >= 0 || self->signal || self->error;
}

/* Whether it has ended, or cannot be waited for. */
static bool has_ended(struct pt_wait_process *self)
{
    pid_t pid = self->kill ? peek(self->pid) : -1;
    int status = 0;

    if (knows_the_end(self))
        return true;
    if (!pid)
        return false;
    if (pid > 0)
        kill(-pid, SIGKILL); /* what it has left */
    pid = ask(self->pid, &status);
    if (pid < 0)
        self->error = errno;
    else if (pid && WIFEXITED(status))
        self->code = WEXITSTATUS(status);
    else if (pid)
        self->signal = WTERMSIG(status);
    return pid != 0;
}

/* Kill a child that is to be killed; not another process that has its number by now. Its group is
 * killed when it has ended, and it may have left that. */
static void kill_child(const struct pt_wait_process *self)
{
    if (self->kill && !knows_the_end(self) && peek(self->pid) >= 0)
        kill(self->pid, SIGKILL);
}

static pt_status outcome(const struct pt_wait_process *self)
{
    return self->error ? PT_EIO : self->code ? PT_EFAILED : PT_OK;
}

/* Wait until it makes sense to ask again. */
#define WAIT_FOR_NEWS(self)                \
    do {                                   \
        if ((self)->io.system)             \
            PT_WAIT_READABLE(&(self)->io); \
        else                               \
            PT_WAIT(ASK_EVERY);            \
    } while (0)

PT_ASYNC(pt_wait_process, self)
{
    PT_NEEDS_FIELD_(self, system, "pt_wait_process");
    watch(self);
    while (!has_ended(self))
        WAIT_FOR_NEWS(self);
    PT_RETURN(outcome(self));
    PT_FINALLY
    kill_child(self);
    while (self->kill && !has_ended(self))
        WAIT_FOR_NEWS(self);
    pt_io_close(&self->io);
}
PT_END

const char *pt_process_error_text(const struct pt_wait_process *end, pt_status status, char *text,
                                  size_t size)
{
    if (status == PT_EFAILED && end->signal)
        snprintf(text, size, "ended by signal %d (%s)", end->signal, strsignal(end->signal));
    else if (status == PT_EFAILED)
        snprintf(text, size, "ended with code %d", end->code);
    else
        snprintf(text, size, "%s",
                 status == PT_EIO && end->error ? strerror(end->error) : pt_status_text(status));
    return text;
}

/* --- a whole run ----------------------------------------------------------------------------- */

/* What the frame does not say about the process. */
static void prepare(struct pt_run_process *self)
{
    struct pt_process *process = &self->process;

    self->length = self->errors_length = self->put = 0;
    self->end.system = self->system;
    self->end.io.system = NULL;
    self->end.kill = true;
    self->end.code = -1;
    self->end.signal = self->end.error = 0;
    process->pid = 0;
    process->error = 0;
    process->group = true;
    if (!process->in)
        process->in = self->input ? PT_PROCESS_PIPE : PT_PROCESS_NULL;
    if (!process->out && self->output)
        process->out = PT_PROCESS_PIPE;
    if (!process->err && self->errors)
        process->err = PT_PROCESS_PIPE;
}

static pt_status begin(struct pt_run_process *self)
{
    pt_status status = PT_EINVAL;

    prepare(self);
    if (self->process.err != PT_PROCESS_PIPE || self->errors)
        status = pt_process_start(&self->process, self->system);
    self->end.pid = self->process.pid;
    if (status == PT_OK)
        watch(&self->end);
    return status;
}

/* After an attempt on a pipe that moved nothing: unless it only has to wait, close the pipe. Any
 * failure but that the program has closed its end fails the run: what is lost is not silent. */
static void give_up(struct pt_run_process *self, struct pt_io *io, int error)
{
    if (error == EAGAIN || error == EWOULDBLOCK)
        return;
    pt_io_close(io);
    if (!error || error == EPIPE || self->pt.status != PT_OK)
        return;
    self->pt.status = PT_EIO;
    self->process.error = error;
}

/* Write some input, and close the pipe at its end. The program may read less. */
static void feed(struct pt_run_process *self)
{
    struct pt_io *io = &self->process.input;
    size_t left = self->input_size - self->put;
    ssize_t put = 0;

    if (!io->system)
        return;
    while (left && (put = write(io->fd, self->input + self->put, left)) < 0 && errno == EINTR) {
    }
    if (put > 0)
        self->put += (size_t)put;
    if (put < 0 || self->put == self->input_size)
        give_up(self, io, put < 0 ? errno : 0);
}

/* Read some bytes that the program has written, behind the LENGTH bytes at DATA; without room there
 * they are counted and dropped. Whether there may be more now. */
static bool collect(struct pt_run_process *self, struct pt_io *io, char *data, size_t size,
                    size_t *length)
{
    char dropped[4096];
    size_t room = *length < size ? size - *length : 0;
    ssize_t got;

    if (!io->system)
        return false;
    do
        got = read(io->fd, room ? data + *length : dropped, room ? room : sizeof dropped);
    while (got < 0 && errno == EINTR);
    if (got > 0)
        *length += (size_t)got;
    else
        give_up(self, io, got < 0 ? errno : 0);
    return got > 0;
}

/* The same at 1, where nothing may be dropped, and at 2; there, nothing more is worth a read when
 * some was dropped, because a daemon can write for ever. */
static bool collect_all(struct pt_run_process *self)
{
    struct pt_process *process = &self->process;
    bool output = collect(self, &process->output, self->output, self->output_size, &self->length);
    bool errors =
        collect(self, &process->errors, self->errors, self->errors_size, &self->errors_length);

    if (self->length > self->output_size) {
        self->length = self->output_size;
        self->pt.status = PT_ERANGE;
    }
    return output || (errors && self->errors_length <= self->errors_size);
}

PT_ASYNC(pt_run_process, self)
{
    PT_NEEDS_FIELD_(self, system, "pt_run_process");
    self->pt.status = begin(self);
    while (self->pt.status == PT_OK && !has_ended(&self->end)) {
        PT_SELECT(
            &self->next, PT_CASE_IF(self->end.io.system != NULL, PT_CASE_READABLE(&self->end.io)),
            PT_CASE_IF(self->process.input.system != NULL, PT_CASE_WRITABLE(&self->process.input)),
            PT_CASE_IF(self->process.output.system != NULL,
                       PT_CASE_READABLE(&self->process.output)),
            PT_CASE_IF(self->process.errors.system != NULL,
                       PT_CASE_READABLE(&self->process.errors)),
            PT_CASE_AFTER(self->end.io.system ? PT_DELAY_MAX : ASK_EVERY));
        feed(self);
        collect_all(self);
        if (self->pt.status == PT_OK)
            PT_YIELD(); /* a program that never stops writing does not stop the others */
    }
    while (self->pt.status == PT_OK && collect_all(self)) {
    }
    PT_RETURN(self->pt.status == PT_OK ? outcome(&self->end) : self->pt.status);
    PT_FINALLY
    pt_io_close(&self->process.input);
    pt_io_close(&self->process.output);
    pt_io_close(&self->process.errors);
    if (self->process.pid) {
        kill_child(&self->end);
        while (!has_ended(&self->end))
            WAIT_FOR_NEWS(&self->end);
    }
    if (self->process.error)
        self->end.error = self->process.error;
    pt_io_close(&self->end.io);
}
PT_END
