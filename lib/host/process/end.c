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

/* Whether it has ended, or cannot be waited for. */
static bool has_ended(struct pt_wait_process *self)
{
    int status = 0;
    pid_t pid = ask(self->pid, &status);

    if (pid < 0)
        self->error = errno;
    else if (pid && WIFEXITED(status))
        self->code = WEXITSTATUS(status);
    else if (pid)
        self->signal = WTERMSIG(status);
    return pid != 0;
}

PT_ASYNC(pt_wait_process, self)
{
    PT_NEEDS_FIELD_(self, system, "pt_wait_process");
    watch(self);
    while (!has_ended(self)) {
        if (self->io.system)
            PT_WAIT_READABLE(&self->io);
        else
            PT_WAIT(ASK_EVERY);
    }
    PT_RETURN(self->error ? PT_EIO : PT_OK);
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

/* --- a whole run ----------------------------------------------------------------------------- */

/* What the frame does not say about the process. */
static void prepare(struct pt_run_process *self)
{
    struct pt_process *process = &self->process;

    self->length = self->put = 0;
    self->code = -1;
    self->signal = self->error = 0;
    self->end.io.system = NULL;
    process->group = true;
    if (!process->in)
        process->in = self->input ? PT_PROCESS_PIPE : PT_PROCESS_NULL;
    if (!process->out && self->output)
        process->out = PT_PROCESS_PIPE;
}

static pt_status begin(struct pt_run_process *self)
{
    pt_status status = PT_EINVAL;

    prepare(self);
    if (self->process.err != PT_PROCESS_PIPE)
        status = pt_process_start(&self->process, self->system);
    self->error = self->process.error;
    if (status != PT_OK)
        return status;
    self->end.system = self->system;
    self->end.pid = self->process.pid;
    watch(&self->end);
    return PT_OK;
}

/* Whether an attempt on IO that moved nothing is the last one. If it is not, the select waits. */
static bool is_last(struct pt_io *io)
{
    return io->system && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR;
}

/* Write some input, and close the pipe at its end. The program may read less. */
static void feed(struct pt_run_process *self)
{
    struct pt_io *io = &self->process.input;
    size_t left = self->input_size - self->put;
    ssize_t put = io->system && left ? write(io->fd, self->input + self->put, left) : 0;

    if (put > 0)
        self->put += (size_t)put;
    if (self->put == self->input_size || (put < 0 && is_last(io)))
        pt_io_close(io);
}

/* Read some output: whether there may be more now. Without room left, a byte is PT_ERANGE. */
static bool collect(struct pt_run_process *self)
{
    struct pt_io *io = &self->process.output;
    size_t room = self->output_size - self->length;
    char beyond;
    ssize_t got;

    if (!io->system)
        return false;
    got = read(io->fd, room ? self->output + self->length : &beyond, room ? room : 1);
    if (got > 0 && room)
        self->length += (size_t)got;
    else if (got > 0)
        self->pt.status = PT_ERANGE;
    else if (!got || is_last(io))
        pt_io_close(io);
    return got > 0 && room;
}

/* Whether the program has ended. It is not waited for yet: until then its group has its number. */
static bool is_over(struct pt_run_process *self)
{
    siginfo_t about;

    about.si_pid = 0;
    if (!waitid(P_PID, (id_t)self->process.pid, &about, WEXITED | WNOHANG | WNOWAIT))
        return about.si_pid != 0;
    if (errno == EINTR)
        return false;
    self->process.pid = 0; /* somebody else has waited for it */
    self->error = errno;
    self->pt.status = PT_EIO;
    return true;
}

PT_ASYNC(pt_run_process, self)
{
    PT_NEEDS_FIELD_(self, system, "pt_run_process");
    self->pt.status = begin(self);
    while (self->pt.status == PT_OK && !is_over(self)) {
        PT_SELECT(
            &self->next, PT_CASE_IF(self->end.io.system != NULL, PT_CASE_READABLE(&self->end.io)),
            PT_CASE_IF(self->process.input.system != NULL, PT_CASE_WRITABLE(&self->process.input)),
            PT_CASE_IF(self->process.output.system != NULL,
                       PT_CASE_READABLE(&self->process.output)),
            PT_CASE_AFTER(self->end.io.system ? PT_DELAY_MAX : ASK_EVERY));
        feed(self);
        collect(self);
        if (self->pt.status == PT_OK)
            PT_YIELD(); /* a program that never stops writing does not stop the others */
    }
    while (self->pt.status == PT_OK && collect(self)) {
    }
    PT_RETURN(self->pt.status);
    PT_FINALLY
    pt_io_close(&self->process.input);
    pt_io_close(&self->process.output);
    pt_io_close(&self->end.io);
    if (self->process.pid > 0) {
        kill(-self->process.pid, SIGKILL);
        kill(self->process.pid, SIGKILL); /* it may have left its group */
        PT_WAIT_COMPLETE(&self->end, pt_wait_process, .system = self->system,
                         .pid = self->process.pid);
        self->code = self->end.code;
        self->signal = self->end.signal;
    }
}
PT_END
