/* test_kinds.c - descriptors of every kind: datagrams, terminals, files, pipes; vectors of buffers
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "host.h"

#include <stdlib.h>
#include <sys/wait.h>

static actor_task a, b;
static struct pt_io io, other;
static int ends[2];

START_TEST(datagrams_are_read_one_by_one_however_short)
{
    host_open(host_pollers[_i]);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    host_start(&a, 'A', &io, "rrr");
    host_run();
    host_put(ends[1], "1");
    host_put(ends[1], "2");
    host_put(ends[1], "3");
    host_run();
    ck_assert_trace("Ar:1@0 Ar:2@0 Ar:3@0 ");
    pt_io_close(&io);
    host_close();
    close(ends[1]);
}
END_TEST

START_TEST(an_empty_datagram_is_not_the_end)
{
    host_open(host_pollers[_i]);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    host_start(&a, 'A', &io, "rr");
    host_put(ends[1], "");
    host_put(ends[1], "more");
    host_run();
    ck_assert_trace("Ar:@0 Ar:more@0 ");
    pt_io_close(&io);
    host_close();
    close(ends[1]);
}
END_TEST

START_TEST(messages_of_a_connection_can_be_empty_until_it_ends)
{
    host_open(host_pollers[_i]);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    host_start(&a, 'A', &io, "rrrrr");
    host_put(ends[1], "");
    host_run();
    ck_assert_trace("Ar:@0 "); /* the other side is there */
    host_put(ends[1], "");
    host_put(ends[1], "more");
    ck_assert_int_eq(shutdown(ends[1], SHUT_WR), 0);
    host_run();
    ck_assert_trace("Ar:@0 Ar:more@0 Ar:ECLOSED@0 ");
    pt_io_close(&io);
    host_close();
    close(ends[1]);
}
END_TEST

struct letter {
    struct pt pt;
    size_t got;
    struct sockaddr_storage from;
    char data[4];
};

static PT_ASYNC(letter, self)
{
    while (self->pt.status != PT_ECLOSED) {
        PT_RECVFROM(&io, self->data, sizeof self->data, &self->got, &self->from);
        trace_add("%.*s:%s ", (int)self->got, self->data, pt_status_name(self->pt.status) + 3);
    }
}
PT_END

START_TEST(a_datagram_that_is_longer_than_the_buffer_is_reported)
{
    static PT_TASK(letter) task;

    host_open(host_pollers[_i]);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    PT_START(&host.loop, &task, letter);
    host_put(ends[1], "four");
    host_put(ends[1], "longer");
    host_put(ends[1], "end");
    host_run();
    ck_assert_trace("four:OK long:ERANGE end:OK ");
    pt_io_close(&io);
    host_run();
    ck_assert_trace(":ECLOSED ");
    host_close();
    close(ends[1]);
}
END_TEST

START_TEST(receiving_finds_the_end_of_a_connection)
{
    static const int types[] = {SOCK_SEQPACKET, SOCK_STREAM};
    static PT_TASK(letter) task;

    for (int i = 0; i < 2; i++) {
        host_open(host_pollers[_i]);
        ck_assert_int_eq(socketpair(AF_UNIX, types[i], 0, ends), 0);
        ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
        PT_START(&host.loop, &task, letter);
        host_put(ends[1], "end");
        close(ends[1]);
        host_turns(100);
        ck_assert_trace("end:OK :ECLOSED ");
        pt_io_close(&io);
        host_close();
    }
}
END_TEST

/* Receives datagrams, and tells who sent them. */
struct guest_book {
    struct pt pt;
    size_t got;
    struct sockaddr_storage from, none;
    char data[4];
};

static PT_ASYNC(guest_book, self)
{
    memset(&self->none, 0, sizeof self->none);
    do {
        memset(&self->from, 0xff, sizeof self->from);
        PT_RECVFROM(&io, self->data, sizeof self->data, &self->got, &self->from);
        trace_add("%.*s:%s ", (int)self->got, self->data,
                  !memcmp(&self->from, &self->none, sizeof self->from) ? "nobody"
                  : self->from.ss_family == AF_UNIX
                      ? ((struct sockaddr_un *)&self->from)->sun_path + 1
                      : "wrong");
    } while (self->pt.status == PT_OK);
}
PT_END

/* An abstract Unix address, of this process. */
static struct sockaddr_un unix_address(const char *name)
{
    struct sockaddr_un it;

    memset(&it, 0, sizeof it);
    it.sun_family = AF_UNIX;
    snprintf(it.sun_path + 1, sizeof it.sun_path - 1, "%s%d", name, (int)getpid());
    return it;
}

START_TEST(the_address_of_a_sender_is_its_own_or_empty)
{
    static PT_TASK(guest_book) task;
    struct sockaddr_un to = unix_address("to"), from = unix_address("from");
    int named = socket(AF_UNIX, SOCK_DGRAM, 0), unnamed = socket(AF_UNIX, SOCK_DGRAM, 0);
    char told[64];

    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_socket(&io, &host.system, AF_UNIX, SOCK_DGRAM, 0), PT_OK);
    ck_assert_int_eq(bind(io.fd, (struct sockaddr *)(void *)&to, sizeof to), 0);
    ck_assert_int_eq(bind(named, (struct sockaddr *)(void *)&from, sizeof from), 0);
    PT_START(&host.loop, &task, guest_book);
    ck_assert_int_eq(sendto(named, "1", 1, 0, (struct sockaddr *)(void *)&to, sizeof to), 1);
    ck_assert_int_eq(sendto(unnamed, "2", 1, 0, (struct sockaddr *)(void *)&to, sizeof to), 1);
    host_run();
    pt_io_close(&io);
    host_run();
    snprintf(told, sizeof told, "1:from%d 2:nobody :nobody ", (int)getpid());
    ck_assert_trace(told);
    close(named), close(unnamed);
    host_close();
}
END_TEST

/* Sends one datagram to an address. */
struct sender {
    struct pt pt;
    struct sockaddr_un to;
};

static PT_ASYNC(sender, self)
{
    PT_SENDTO(&other, "x", 1, (struct sockaddr *)&self->to, sizeof self->to);
    trace_add("sent:%s ", pt_status_name(self->pt.status) + 3);
}
PT_END

START_TEST(a_sender_waits_while_others_have_filled_a_unix_socket)
{
    static PT_TASK(sender) task;
    struct sockaddr_un *to = &task.frame.to;
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0), filler = socket(AF_UNIX, SOCK_DGRAM, 0);
    char byte;

    memset(&task, 0, sizeof task);
    to->sun_family = AF_UNIX;
    snprintf(to->sun_path + 1, sizeof to->sun_path - 1, "pt-kinds-%d", (int)getpid());
    ck_assert_int_eq(bind(fd, (struct sockaddr *)(void *)to, sizeof *to), 0);
    while (sendto(filler, "x", 1, MSG_DONTWAIT, (struct sockaddr *)(void *)to, sizeof *to) == 1) {
    }
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_socket(&other, &host.system, AF_UNIX, SOCK_DGRAM, 0), PT_OK);
    PT_START(&host.loop, &task, sender, PT_KEEP);
    host_turns(6);
    ck_assert_trace("");
    ck_assert_int_ge(host_ms(host.now), 20); /* it did not spin */
    ck_assert_int_eq(read(fd, &byte, 1), 1);
    host_turns(2);
    ck_assert_trace("sent:OK ");
    close(fd), close(filler);
    pt_io_close(&other);
    host_close();
}
END_TEST

START_TEST(a_terminal_is_read_line_by_line)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY), slave;

    host_open(host_pollers[_i]);
    ck_assert(master >= 0 && !grantpt(master) && !unlockpt(master));
    slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    ck_assert_int_eq(pt_io_open(&io, &host.system, slave), PT_OK);
    host_start(&a, 'A', &io, "rr");
    host_run();
    host.patient = true;
    host_put(master, "x\ny\n");
    host_run();
    ck_assert_trace("Ar:x\n@0 Ar:y\n@0 ");
    pt_io_close(&io);
    close(master);
    host_close();
}
END_TEST

START_TEST(a_file_and_the_null_device_are_always_ready)
{
    char path[] = "/tmp/pt-host-XXXXXX";
    int file = mkstemp(path);

    host_open(host_pollers[_i]);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(pt_io_open(&io, &host.system, file), PT_OK);
    ck_assert_int_eq(pt_io_open(&other, &host.system, open("/dev/null", O_RDWR)), PT_OK);
    host_start(&a, 'A', &io, "WwRr");
    host_start(&b, 'B', &other, "wWRr");
    host_run();
    ck_assert_trace("AW@0 Aw:5@0 AR@0 Ar:ECLOSED@0 Bw:5@0 BW@0 BR@0 Br:ECLOSED@0 ");
    ck_assert_int_eq(host.waits, 0);
    pt_io_close(&io);
    pt_io_close(&other);
    host_close();
    unlink(path);
}
END_TEST

START_TEST(a_pipe_is_read_and_written)
{
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    ck_assert_int_eq(pt_io_open(&other, &host.system, ends[1]), PT_OK);
    host_start(&a, 'A', &io, "rr");
    host_start(&b, 'B', &other, "wsc");
    host_run();
    ck_assert_trace("Bw:5@0 Ar:hello@0 Bs@5 Bc@5 Ar:ECLOSED@5 ");
    ck_assert_int_eq(host.calls[HOST_sendmsg], 0); /* only for sockets */
    pt_io_close(&io);
    host_close();
}
END_TEST

START_TEST(packets_of_a_pipe_are_read_one_by_one_even_if_only_the_writer_set_o_direct)
{
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    host_start(&a, 'A', &io, "rrr");
    host_run();
    ck_assert_int_eq(fcntl(ends[1], F_SETFL, O_DIRECT), 0);
    host_put(ends[1], "1");
    host_put(ends[1], "2");
    host_put(ends[1], "3");
    host_run();
    ck_assert_trace("Ar:1@0 Ar:2@0 Ar:3@0 ");
    pt_io_close(&io);
    host_close();
    close(ends[1]);
}
END_TEST

/* Send a text together with a descriptor. */
static void pass_descriptor(int fd, const char *text)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {(void *)(uintptr_t)text, strlen(text)};
    struct msghdr message;

    memset(&message, 0, sizeof message);
    memset(&control, 0, sizeof control);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
    ck_assert_int_eq(sendmsg(fd, &message, 0), (ssize_t)strlen(text));
}

START_TEST(data_after_a_passed_descriptor_is_read_too)
{
    int before = host_descriptors();

    host_open(host_pollers[_i]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    host_start(&a, 'A', &io, "rr");
    host_run();
    pass_descriptor(ends[1], "with");
    host_put(ends[1], "without");
    host_run();
    ck_assert_trace("Ar:with@0 Ar:without@0 ");
    pt_io_close(&io);
    host_close();
    close(ends[1]);
    ck_assert_int_eq(host_descriptors(), before); /* the read did not ask for the descriptor */
}
END_TEST

START_TEST(data_that_another_process_wrote_after_the_first_is_read_too)
{
    const int on = 1;
    int status;
    pid_t child;

    host_open(host_pollers[_i]);
    host_pair(ends);
    ck_assert_int_eq(setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on), 0);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    host_start(&a, 'A', &io, "rr");
    host_run();
    child = fork();
    if (!child)
        _exit(write(ends[1], "child", 5) != 5);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    host_put(ends[1], "parent");
    host_run();
    ck_assert_trace("Ar:child@0 Ar:parent@0 ");
    pt_io_close(&io);
    host_close();
    close(ends[1]);
}
END_TEST

struct parts {
    struct pt pt;
    struct iovec out[2], in[2];
    size_t put, got;
    char left[4], right[8];
};

static PT_ASYNC(parts, self)
{
    PT_WRITEV(&io, self->out, 2, &self->put);
    PT_READV(&other, self->in, 2, &self->got);
}
PT_END

START_TEST(vectors_of_buffers_are_written_and_read_as_one)
{
    static PT_TASK(parts) task;
    struct parts *self = &task.frame;
    char one[] = "abc", two[] = "defgh";

    host_open(host_pollers[_i]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    ck_assert_int_eq(pt_io_open(&other, &host.system, ends[1]), PT_OK);
    self->out[0].iov_base = one, self->out[0].iov_len = 3;
    self->out[1].iov_base = two, self->out[1].iov_len = 5;
    self->in[0].iov_base = self->left, self->in[0].iov_len = 4;
    self->in[1].iov_base = self->right, self->in[1].iov_len = 8;
    PT_START(&host.loop, &task, parts, PT_KEEP);
    host_run();
    ck_assert_uint_eq(self->put, 8);
    ck_assert_uint_eq(self->got, 8);
    ck_assert(!memcmp(self->left, "abcd", 4) && !memcmp(self->right, "efgh", 4));
    pt_io_close(&other);
    pt_io_close(&io);
    host_close();
}
END_TEST

Suite *host_suite_kinds(void)
{
    Suite *suite = suite_create("kinds");

    host_test(suite, datagrams_are_read_one_by_one_however_short);
    host_test(suite, an_empty_datagram_is_not_the_end);
    host_test(suite, messages_of_a_connection_can_be_empty_until_it_ends);
    host_test(suite, a_datagram_that_is_longer_than_the_buffer_is_reported);
    host_test(suite, receiving_finds_the_end_of_a_connection);
    host_test(suite, the_address_of_a_sender_is_its_own_or_empty);
    host_test(suite, a_sender_waits_while_others_have_filled_a_unix_socket);
    host_test(suite, a_terminal_is_read_line_by_line);
    host_test(suite, a_file_and_the_null_device_are_always_ready);
    host_test(suite, a_pipe_is_read_and_written);
    host_test(suite, packets_of_a_pipe_are_read_one_by_one_even_if_only_the_writer_set_o_direct);
    host_test(suite, data_after_a_passed_descriptor_is_read_too);
    host_test(suite, data_that_another_process_wrote_after_the_first_is_read_too);
    host_test(suite, vectors_of_buffers_are_written_and_read_as_one);
    return suite;
}
