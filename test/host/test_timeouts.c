/* test_timeouts.c - a timeout and a cancel end every operation, and leave no task in a queue
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "host.h"

#include <pt/host/process.h>
#include <pt/host/resolve.h>
#include <pt/host/signals.h>
#include <pt/host/stream.h>

#include <netinet/in.h>
#include <sys/wait.h>

/* Descriptors on which nothing ever arrives, and to which nothing more can be written. */
static struct pt_io mute, full, listener, fresh;
static struct sockaddr_un busy; /* a Unix socket with a full queue */
static int mute_end, full_end, busy_ends[2], silent;
static struct pt_signals signals;
static struct pt_process child;

enum step {
    READ,
    READV,
    WRITE,
    WRITEV,
    ACCEPT,
    CONNECT,
    RECVFROM,
    WAIT_READABLE,
    WAIT_WRITABLE,
    READ_EXACTLY,
    READ_LINE,
    READ_UNTIL,
    PEEK,
    PRINTF,
    FLUSH,
    WRITE_ALL,
    FINISH,
    SIGNAL,
    PROCESS,
#ifdef PT_HAVE_CARES
    RESOLVE,
#endif
    STEPS
};

/* Tries one of the operations, for 20 ms at most, or forever. */
struct patient {
    struct pt pt;
    enum step step;
    bool limited, cleaned;
    struct pt_scope limit;
    struct pt_reader in;
    struct pt_writer out;
    struct pt_read_exactly exactly;
    struct pt_read_line line;
    struct pt_read_until until;
    struct pt_peek peek;
    struct pt_flush flush;
    struct pt_write_all all;
    struct pt_finish finish;
    struct pt_wait_process process;
    struct pt_resolve resolve;
    struct sockaddr_storage from;
    struct iovec part;
    struct pt_io peer;
    size_t moved;
    int number;
    char data[4096], text[16], servers[32];
};

static PT_ASYNC(patient, self)
{
    self->part.iov_base = self->data, self->part.iov_len = sizeof self->data;
    pt_reader_init(&self->in, pt_io_stream(&mute), self->data, sizeof self->data);
    pt_writer_init(&self->out, pt_io_stream(&full), self->text, sizeof self->text);
    PT_WITH_TIMEOUT(&self->limit, self->limited ? PT_MS(20) : PT_DELAY_MAX) {
        if (self->step == READ)
            PT_READ(&mute, self->data, sizeof self->data, &self->moved);
        else if (self->step == READV)
            PT_READV(&mute, &self->part, 1, &self->moved);
        else if (self->step == WRITE)
            PT_WRITE(&full, self->data, sizeof self->data, &self->moved);
        else if (self->step == WRITEV)
            PT_WRITEV(&full, &self->part, 1, &self->moved);
        else if (self->step == ACCEPT)
            PT_ACCEPT(&listener, &self->peer);
        else if (self->step == CONNECT)
            PT_CONNECT(&fresh, (struct sockaddr *)(void *)&busy, sizeof busy);
        else if (self->step == RECVFROM)
            PT_RECVFROM(&mute, self->data, sizeof self->data, &self->moved, &self->from);
        else if (self->step == WAIT_READABLE)
            PT_WAIT_READABLE(&mute);
        else if (self->step == WAIT_WRITABLE)
            PT_WAIT_WRITABLE(&full);
        else if (self->step == READ_EXACTLY)
            PT_WAIT_COMPLETE(&self->exactly, pt_read_exactly, .reader = &self->in,
                             .data = self->text, .size = 2);
        else if (self->step == READ_LINE)
            PT_WAIT_COMPLETE(&self->line, pt_read_line, .reader = &self->in);
        else if (self->step == READ_UNTIL)
            PT_WAIT_COMPLETE(&self->until, pt_read_until, .reader = &self->in, .delimiter = "::");
        else if (self->step == PEEK)
            PT_WAIT_COMPLETE(&self->peek, pt_peek, .reader = &self->in, .size = 1);
        else if (self->step == PRINTF)
            PT_PRINTF(&self->out, "%s", "more than half");
        else if (self->step == FLUSH && pt_printf(&self->out, "text") == PT_OK)
            PT_WAIT_COMPLETE(&self->flush, pt_flush, .writer = &self->out);
        else if (self->step == WRITE_ALL)
            PT_WAIT_COMPLETE(&self->all, pt_write_all, .writer = &self->out, .data = self->data,
                             .size = 2);
        else if (self->step == FINISH)
            PT_WAIT_COMPLETE(&self->finish, pt_finish, .io = &mute);
        else if (self->step == SIGNAL)
            PT_WAIT_SIGNAL(&signals, &self->number);
        else if (self->step == PROCESS)
            PT_WAIT_COMPLETE(&self->process, pt_wait_process, .system = &host.system,
                             .pid = child.pid);
        else
            PT_WAIT_COMPLETE(&self->resolve, pt_resolve, .system = &host.system,
                             .host = "pt.example", .service = "80", .servers = self->servers,
                             .family = AF_INET);
    }
    trace_add("%d@%d ", pt_timed_out(&self->limit), host_ms(PT_NOW()));
    PT_FINALLY
    self->cleaned = true;
}
PT_END

static PT_TASK(patient) task;

static void fill(int fd)
{
    char block[4096] = {0};

    while (write(fd, block, sizeof block) > 0) {
    }
}

/* Make a Unix socket with a queue that one connection fills. */
static void make_busy(void)
{
    memset(&busy, 0, sizeof busy);
    busy.sun_family = AF_UNIX;
    snprintf(busy.sun_path + 1, sizeof busy.sun_path - 1, "pt-busy-%d", (int)getpid());
    for (int i = 0; i < 2; i++)
        busy_ends[i] = socket(AF_UNIX, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(busy_ends[0], (struct sockaddr *)(void *)&busy, sizeof busy), 0);
    ck_assert_int_eq(listen(busy_ends[0], 0), 0);
    ck_assert_int_eq(connect(busy_ends[1], (struct sockaddr *)(void *)&busy, sizeof busy), 0);
}

/* Make a name server that never answers. */
static void make_silent(void)
{
    struct sockaddr_in name;
    socklen_t length = sizeof name;

    memset(&name, 0, sizeof name);
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    silent = socket(AF_INET, SOCK_DGRAM, 0);
    ck_assert_int_eq(bind(silent, (struct sockaddr *)(void *)&name, length), 0);
    ck_assert_int_eq(getsockname(silent, (struct sockaddr *)(void *)&name, &length), 0);
    snprintf(task.frame.servers, sizeof task.frame.servers, "127.0.0.1:%d", ntohs(name.sin_port));
}

static void open_all(int poller)
{
    static const char *const words[] = {"sh", "-c", "kill -STOP $$", NULL};
    int ends[2];

    host_open(host_pollers[poller]);
    host_pair(ends);
    mute_end = ends[1];
    ck_assert_int_eq(pt_io_open(&mute, &host.system, ends[0]), PT_OK);
    host_pair(ends);
    full_end = ends[1];
    fill(ends[0]);
    ck_assert_int_eq(pt_io_open(&full, &host.system, ends[0]), PT_OK);
    make_busy();
    make_silent();
    ck_assert_int_eq(pt_listen(&listener, &host.system, &(struct sockaddr){.sa_family = AF_UNIX},
                               sizeof(sa_family_t), false),
                     PT_OK);
    ck_assert_int_eq(pt_socket(&fresh, &host.system, AF_UNIX, SOCK_STREAM, 0), PT_OK);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    child.words = words;
    ck_assert_int_eq(pt_process_start(&child, &host.system), PT_OK);
}

static void close_all(void)
{
    ck_assert_ptr_null(mute.readers.first);
    ck_assert_ptr_null(full.writers.first);
    ck_assert_ptr_null(listener.readers.first);
    ck_assert_ptr_null(signals.io.readers.first);
    pt_io_close(&mute), pt_io_close(&full), pt_io_close(&listener), pt_io_close(&fresh);
    pt_signals_close(&signals);
    close(mute_end), close(full_end), close(busy_ends[0]), close(busy_ends[1]), close(silent);
    kill(child.pid, SIGKILL);
    waitpid(child.pid, NULL, 0);
    host_close();
}

START_TEST(a_timeout_ends_every_operation)
{
    int before = host_descriptors();

    for (int step = READ; step < STEPS; step++) {
        open_all(_i);
        PT_START(&host.loop, &task, patient, PT_KEEP, .step = (enum step)step, .limited = true,
                 .cleaned = false);
        host_run();
        ck_assert_msg(!strcmp(trace_take(), "1@20 "), "step %d", step);
        close_all();
        ck_assert_msg(host_descriptors() == before, "step %d", step);
    }
}
END_TEST

START_TEST(a_cancel_ends_every_operation)
{
    int before = host_descriptors();

    for (int step = READ; step < STEPS; step++) {
        open_all(_i);
        PT_START(&host.loop, &task, patient, PT_KEEP, .step = (enum step)step, .limited = false,
                 .cleaned = false);
        host_turns(2);
        ck_assert_msg(pt_task_alive(&task.task), "step %d", step);
        pt_cancel(&task.task, PT_ECANCELED);
        host_turns(4);
        ck_assert_msg(pt_task_status(&task.task) == PT_ECANCELED && task.frame.cleaned, "step %d",
                      step);
        close_all();
        ck_assert_msg(host_descriptors() == before, "step %d", step);
    }
}
END_TEST

Suite *host_suite_timeouts(void)
{
    Suite *suite = suite_create("timeouts");

    host_test(suite, a_timeout_ends_every_operation);
    host_test(suite, a_cancel_ends_every_operation);
    return suite;
}
