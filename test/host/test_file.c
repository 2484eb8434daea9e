/* test_file.c - files in worker threads; files sent to sockets
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "host.h"

#include <pt/host/blocking.h>

#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/stat.h>

static struct pt_workers workers;
static char directory[] = "/tmp/pt-file-XXXXXX", path[64], output[1 << 20];
static int before; /* descriptors */

static void open_all(int poller)
{
    strcpy(directory, "/tmp/pt-file-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/page", directory);
    host_open(host_pollers[poller]);
    host.patient = true;
    ck_assert_int_eq(pt_workers_open(&workers, &host.system, 1), PT_OK);
    before = host_descriptors();
}

/* No descriptor is left, and no file but this one. */
static void close_all(void)
{
    ck_assert_int_eq(host_descriptors(), before);
    unlink(path);
    ck_assert_int_eq(rmdir(directory), 0);
    pt_workers_close(&workers);
    host_close();
}

static void put_file(const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    host_put(fd, text);
    close(fd);
}

static void check_file(const char *expected)
{
    char text[100] = "";
    int fd = open(path, O_RDONLY);

    ck_assert_int_eq(read(fd, text, sizeof text - 1), (ssize_t)strlen(expected));
    ck_assert_str_eq(text, expected);
    close(fd);
}

static PT_TASK(pt_file_open) opening;
static PT_TASK(pt_file_read) reading;
static PT_TASK(pt_file_write) writing;
static PT_TASK(pt_file_load) loading;
static PT_TASK(pt_file_replace) replacing;

static void open_it(int flags)
{
    PT_START(&host.loop, &opening, pt_file_open, .workers = &workers, .path = path, .flags = flags,
             .mode = 0640);
    host_run();
}

static pt_status write_it(const char *text, off_t offset, bool sync)
{
    PT_START(&host.loop, &writing, pt_file_write, .workers = &workers, .fd = opening.frame.fd,
             .data = text, .size = strlen(text), .offset = offset, .sync = sync);
    host_run();
    return pt_task_status(&writing.task);
}

static pt_status read_it(size_t size, off_t offset)
{
    PT_START(&host.loop, &reading, pt_file_read, .workers = &workers, .fd = opening.frame.fd,
             .data = output, .size = size, .offset = offset);
    host_run();
    return pt_task_status(&reading.task);
}

static pt_status load_it(size_t size)
{
    PT_START(&host.loop, &loading, pt_file_load, .workers = &workers, .path = path, .data = output,
             .size = size);
    host_run();
    return pt_task_status(&loading.task);
}

static pt_status replace_it(const char *text)
{
    PT_START(&host.loop, &replacing, pt_file_replace, .workers = &workers, .path = path,
             .data = text, .size = strlen(text));
    host_run();
    return pt_task_status(&replacing.task);
}

/* --- a descriptor ---------------------------------------------------------------------------- */

START_TEST(a_file_is_opened_written_read_and_synced_by_a_thread)
{
    struct stat about;

    open_all(_i);
    open_it(O_RDWR | O_CREAT | O_EXCL);
    ck_assert_int_eq(pt_task_status(&opening.task), PT_OK);
    ck_assert(fcntl(opening.frame.fd, F_GETFD) & FD_CLOEXEC);
    ck_assert_int_eq(fstat(opening.frame.fd, &about), 0);
    ck_assert_int_eq(about.st_mode & 0700, 0600);
    ck_assert_int_eq(write_it("hello", 3, false), PT_OK);
    ck_assert_uint_eq(writing.frame.put, 5);
    ck_assert_int_eq(host.calls[HOST_fsync], 0);
    ck_assert_int_eq(write_it("abc", 0, true), PT_OK);
    ck_assert_int_eq(write_it("", 0, true), PT_OK);
    ck_assert_int_eq(host.calls[HOST_fsync], 2);
    ck_assert_int_eq(read_it(100, 2), PT_OK);
    ck_assert_uint_eq(reading.frame.got, 6);
    ck_assert_mem_eq(output, "chello", 6);
    ck_assert_int_eq(read_it(100, 8), PT_OK);
    ck_assert_uint_eq(reading.frame.got, 0);
    close(opening.frame.fd);
    close_all();
}
END_TEST

START_TEST(a_file_that_cannot_be_opened_read_or_written_says_why)
{
    open_all(_i);
    open_it(O_RDONLY);
    ck_assert_int_eq(pt_task_status(&opening.task), PT_EIO);
    ck_assert_int_eq(opening.frame.error, ENOENT);
    ck_assert_int_eq(opening.frame.fd, -1);
    put_file("hello");
    open_it(O_RDWR);
    host_fail(HOST_pread, 0, 1, EIO);
    ck_assert_int_eq(read_it(5, 0), PT_EIO);
    ck_assert_int_eq(reading.frame.error, EIO);
    host_fail(HOST_pwrite, 0, 1, ENOSPC);
    ck_assert_int_eq(write_it("x", 0, true), PT_EIO);
    ck_assert_int_eq(writing.frame.error, ENOSPC);
    ck_assert_uint_eq(writing.frame.put, 0);
    host_fail(HOST_fsync, 0, 1, EIO);
    ck_assert_int_eq(write_it("x", 0, true), PT_EIO);
    ck_assert_int_eq(writing.frame.error, EIO);
    ck_assert_uint_eq(writing.frame.put, 1);
    close(opening.frame.fd);
    close_all();
}
END_TEST

/* To open one end of a named pipe takes as long as nobody opens the other one. */
START_TEST(a_descriptor_that_is_opened_for_a_canceled_task_is_closed)
{
    int fd;

    open_all(_i);
    host.patient = false;
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    open_it(O_RDONLY);
    ck_assert(pt_task_alive(&opening.task));
    while ((fd = open(path, O_WRONLY | O_NONBLOCK)) < 0) { /* until the call has begun */
        ck_assert_int_eq(errno, ENXIO);
        sched_yield();
    }
    pt_cancel(&opening.task, PT_ECANCELED);
    host.patient = true;
    host_run();
    ck_assert_int_eq(pt_task_status(&opening.task), PT_ECANCELED);
    ck_assert_int_eq(opening.frame.fd, -1);
    close(fd);
    close_all();
}
END_TEST

/* --- a whole file ---------------------------------------------------------------------------- */

START_TEST(a_whole_file_is_read_if_there_is_room_for_it)
{
    open_all(_i);
    ck_assert_int_eq(load_it(100), PT_EIO);
    ck_assert_int_eq(loading.frame.error, ENOENT);
    put_file("hello");
    ck_assert_int_eq(load_it(100), PT_OK);
    ck_assert_uint_eq(loading.frame.length, 5);
    ck_assert_int_eq(load_it(5), PT_OK);
    ck_assert_mem_eq(output, "hello", 5);
    output[4] = '.';
    ck_assert_int_eq(load_it(4), PT_ERANGE);
    ck_assert_mem_eq(output, "hell.", 5);
    for (int i = 0; i < 2; i++) {
        host_fail(HOST_pread, i, 1, EIO);
        ck_assert_int_eq(load_it(5), PT_EIO);
        ck_assert_int_eq(loading.frame.error, EIO);
    }
    close_all();
}
END_TEST

/* An open of it waits until somebody opens it for writing, and a cancel waits for the thread. */
START_TEST(a_pipe_in_place_of_a_whole_file_is_refused_and_holds_up_no_thread)
{
    open_all(_i);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_int_eq(load_it(100), PT_EIO);
    ck_assert_int_eq(loading.frame.error, ESPIPE);
    close_all();
}
END_TEST

START_TEST(a_file_is_replaced_as_a_whole_and_keeps_its_mode)
{
    struct stat about;

    open_all(_i);
    ck_assert_int_eq(replace_it("new"), PT_OK); /* there was none */
    check_file("new");
    ck_assert_int_eq(chmod(path, 0604), 0);
    ck_assert_int_eq(replace_it("newer, and longer"), PT_OK);
    check_file("newer, and longer");
    ck_assert_int_eq(replace_it(""), PT_OK);
    check_file("");
    ck_assert_int_eq(stat(path, &about), 0);
    ck_assert_int_eq(about.st_mode & 07777, 0604);
    ck_assert_int_eq(host.calls[HOST_fsync], 6); /* each file, and its directory */
    close_all();
}
END_TEST

static void mode_and_owner(mode_t mode, uid_t owner, gid_t group)
{
    struct stat about;

    ck_assert_int_eq(stat(path, &about), 0);
    ck_assert_int_eq(about.st_mode & 07777, mode);
    ck_assert_int_eq(about.st_uid, owner);
    ck_assert_int_eq(about.st_gid, group);
}

/* Only the superuser can give files away; for any other the owner is the same in both. */
START_TEST(a_file_that_is_replaced_keeps_its_owner_or_is_not_set_user_id)
{
    uid_t owner = geteuid() ? geteuid() : 12345;
    gid_t group = geteuid() ? getegid() : 12346;

    open_all(_i);
    put_file("old");
    for (int denied = 0; denied < 3; denied++) {
        ck_assert(!chown(path, owner, group) && !chmod(path, 06751));
        host_fail(HOST_fchown, 0, denied, EPERM);
        ck_assert_int_eq(replace_it("new"), PT_OK);
        ck_assert_int_eq(host.fault.times, 0);
        if (denied)
            mode_and_owner(0751, geteuid(), denied == 1 ? group : getegid());
        else
            mode_and_owner(06751, owner, group);
    }
    close_all();
}
END_TEST

/* The rights of the new file while it is written. */
static mode_t mode_meanwhile;

static void look(void)
{
    DIR *all = opendir(directory);
    const struct dirent *entry;
    struct stat about;

    while ((entry = readdir(all)) != NULL)
        if (strstr(entry->d_name, ".tmp") && !fstatat(dirfd(all), entry->d_name, &about, 0))
            mode_meanwhile = about.st_mode & 07777;
    closedir(all);
}

START_TEST(what_replaces_a_file_is_never_open_to_more_readers_than_that)
{
    mode_t mask = umask(0);

    open_all(_i);
    put_file("old"); /* 0600 */
    mode_meanwhile = 0;
    host.on_write = look;
    ck_assert_int_eq(replace_it("new"), PT_OK);
    host.on_write = NULL;
    ck_assert_int_eq(mode_meanwhile, 0600);
    umask(mask);
    close_all();
}
END_TEST

START_TEST(a_replacement_that_fails_leaves_the_old_file_and_nothing_else)
{
    const struct {
        enum host_call call;
        int error;
    } faults[] = {{HOST_malloc, ENOMEM}, {HOST_open, EMFILE},   {HOST_pwrite, ENOSPC},
                  {HOST_fsync, EIO},     {HOST_rename, EACCES}, {HOST_close, EIO}};
    int files = 0;
    DIR *all;

    open_all(_i);
    put_file("old");
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        PT_START(&host.loop, &replacing, pt_file_replace, .workers = &workers, .path = path,
                 .data = "new", .size = 3);
        host_fail(faults[i].call, 0, 1, faults[i].error);
        host_run();
        ck_assert_int_eq(host.fault.times, 0);
        ck_assert_int_eq(pt_task_status(&replacing.task),
                         faults[i].error == ENOMEM ? PT_ENOMEM : PT_EIO);
        ck_assert_int_eq(replacing.frame.error, faults[i].error);
        ck_assert(!replacing.frame.done);
        before += faults[i].call == HOST_close; /* which closed nothing here */
        check_file("old");
    }
    all = opendir(directory);
    while (readdir(all))
        files++;
    closedir(all);
    ck_assert_int_eq(files, 3); /* with . and .. */
    close_all();
}
END_TEST

START_TEST(a_replacement_whose_directory_is_not_written_says_so)
{
    open_all(_i);
    for (int i = 0; i < 2; i++) {
        put_file("old");
        host_fail(i ? HOST_fsync : HOST_open, 1, 1, EIO);
        ck_assert_int_eq(replace_it("new"), PT_EIO);
        ck_assert(replacing.frame.done);
        check_file("new");
    }
    put_file("old");
    host_fail(HOST_fsync, 1, 1, EINVAL); /* a file system that cannot do it */
    ck_assert_int_eq(replace_it("new"), PT_OK);
    close_all();
}
END_TEST

/* --- names ----------------------------------------------------------------------------------- */

static PT_TASK(pt_file_rename) renaming;
static PT_TASK(pt_file_remove) removing;
static char other[80];

/* As rename(2): from the other file to this one. */
static pt_status rename_it(void)
{
    PT_START(&host.loop, &renaming, pt_file_rename, .workers = &workers, .from = other, .to = path);
    host_run();
    return pt_task_status(&renaming.task);
}

static void put_other(const char *text)
{
    snprintf(other, sizeof other, "%s.part", path);
    put_file(text);
    ck_assert_int_eq(rename(path, other), 0);
}

START_TEST(a_file_gets_another_name_and_that_is_on_the_disk)
{
    open_all(_i);
    put_other("new");
    put_file("old");
    ck_assert_int_eq(rename_it(), PT_OK);
    ck_assert(renaming.frame.done);
    ck_assert_int_eq(host.calls[HOST_fsync], 1);
    check_file("new");
    ck_assert_int_eq(rename_it(), PT_EIO);
    ck_assert_int_eq(renaming.frame.error, ENOENT);
    ck_assert(!renaming.frame.done);
    check_file("new");
    host_fail(HOST_malloc, 0, 1, ENOMEM);
    ck_assert_int_eq(rename_it(), PT_ENOMEM);
    for (int i = 0; i < 2; i++) {
        put_other("newer");
        host_fail(i ? HOST_fsync : HOST_open, 0, 1, EIO);
        ck_assert_int_eq(rename_it(), PT_EIO);
        ck_assert_int_eq(renaming.frame.error, EIO);
        ck_assert(renaming.frame.done);
        check_file("newer");
    }
    close_all();
}
END_TEST

START_TEST(a_file_is_removed_or_it_is_told_why_not)
{
    open_all(_i);
    put_file("old");
    for (int i = 0; i < 3; i++) {
        host_fail(HOST_unlink, 0, i == 0, EACCES);
        PT_START(&host.loop, &removing, pt_file_remove, .workers = &workers, .path = path);
        host_run();
        ck_assert_int_eq(pt_task_status(&removing.task), i == 1 ? PT_OK : PT_EIO);
        ck_assert_int_eq(removing.frame.error, i == 0 ? EACCES : i == 1 ? 0 : ENOENT);
        ck_assert_int_eq(removing.frame.done, i == 1);
        ck_assert_int_eq(access(path, F_OK), i == 0 ? 0 : -1);
    }
    close_all();
}
END_TEST

static int gate; /* how many writes have begun; below 0: they may go on */

static void stay(void)
{
    __atomic_add_fetch(&gate, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(&gate, __ATOMIC_RELAXED) > 0)
        sched_yield();
}

START_TEST(a_canceled_change_of_a_file_tells_whether_it_was_made)
{
    open_all(_i);
    put_other("part");
    put_file("old");
    gate = 0;
    host.on_write = stay;
    host.patient = false;
    PT_START(&host.loop, &replacing, pt_file_replace, .workers = &workers, .path = path,
             .data = "new", .size = 3);
    PT_START(&host.loop, &renaming, pt_file_rename, .workers = &workers, .from = path, .to = other);
    PT_START(&host.loop, &removing, pt_file_remove, .workers = &workers, .path = path);
    host_turns(2);
    while (!__atomic_load_n(&gate, __ATOMIC_RELAXED))
        sched_yield();
    pt_cancel(&replacing.task, PT_ECANCELED); /* it has begun, and the next have not */
    pt_cancel(&renaming.task, PT_ECANCELED);
    pt_cancel(&removing.task, PT_ECANCELED);
    host_turns(2);
    ck_assert(pt_task_alive(&replacing.task));
    ck_assert(!pt_task_alive(&renaming.task) && !pt_task_alive(&removing.task));
    __atomic_store_n(&gate, -1, __ATOMIC_RELAXED);
    host.patient = true;
    host_run();
    host.on_write = NULL;
    ck_assert_int_eq(pt_task_status(&replacing.task), PT_ECANCELED);
    ck_assert(replacing.frame.done && !renaming.frame.done && !removing.frame.done);
    check_file("new");
    ck_assert_int_eq(unlink(other), 0);
    close_all();
}
END_TEST

/* --- to a socket ----------------------------------------------------------------------------- */

static struct pt_io io;
static int peer, file;
static PT_TASK(pt_send_file) sending;
static char content[1 << 20];

static void open_to_send(int poller, bool tcp)
{
    int ends[2];

    open_all(poller);
    for (size_t i = 0; i < sizeof content; i++)
        content[i] = (char)(i * 7 + i / 256);
    file = open(path, O_RDWR | O_CREAT, 0600);
    ck_assert_int_eq(write(file, content, sizeof content), (ssize_t)sizeof content);
    if (tcp)
        host_tcp_pair(ends);
    else
        host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    peer = ends[1];
}

static void close_sent(void)
{
    pt_io_close(&io);
    close(peer);
    close(file);
    close_all();
}

static void send_it(off_t offset, size_t size)
{
    PT_START(&host.loop, &sending, pt_send_file, .io = &io, .fd = file, .offset = offset,
             .size = size);
}

/* Read at the other side until the task has ended, and all that is there; how much. */
static size_t receive(void)
{
    size_t got = 0;
    ssize_t step = 1;

    host.patient = false;
    while (pt_task_alive(&sending.task) || step > 0) {
        if (pt_task_alive(&sending.task))
            host_turns(1);
        step = read(peer, output + got, sizeof output - got);
        got += step > 0 ? (size_t)step : 0;
    }
    return got;
}

static void arrives(bool tcp, int poller, int error)
{
    open_to_send(poller, tcp);
    host_fail(HOST_sendfile, 0, error ? -1 : 0, error);
    send_it(1000, sizeof content - 1000);
    ck_assert_uint_eq(receive(), sizeof content - 1000);
    ck_assert_int_eq(pt_task_status(&sending.task), PT_OK);
    ck_assert_uint_eq(sending.frame.put, sizeof content - 1000);
    ck_assert_mem_eq(output, content + 1000, sizeof content - 1000);
    ck_assert_int_eq(lseek(file, 0, SEEK_CUR), (off_t)sizeof content); /* it has not moved */
    host_fail(HOST_sendfile, 0, 0, 0);
    close_sent();
}

START_TEST(a_file_is_sent_to_a_slow_reader)
{
    arrives(false, _i, 0);
}
END_TEST

START_TEST(a_file_is_sent_over_tcp)
{
    arrives(true, _i, 0);
}
END_TEST

START_TEST(a_file_is_copied_where_sendfile_cannot_send_it)
{
    arrives(false, _i, EINVAL);
}
END_TEST

START_TEST(a_file_is_sent_to_a_pipe)
{
    int ends[2];

    open_to_send(_i, false);
    pt_io_close(&io);
    close(peer);
    ck_assert_int_eq(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[1]), PT_OK);
    peer = ends[0];
    send_it(0, sizeof content);
    ck_assert_uint_eq(receive(), sizeof content);
    ck_assert_mem_eq(output, content, sizeof content);
    close_sent();
}
END_TEST

START_TEST(a_file_that_is_shorter_than_its_size_ends_the_sending)
{
    open_to_send(_i, false);
    for (int i = 0; i < 2; i++) {
        host_fail(HOST_sendfile, 0, i, EINVAL);
        send_it((off_t)sizeof content - 5, 10);
        ck_assert_uint_eq(receive(), 5);
        ck_assert_int_eq(pt_task_status(&sending.task), PT_ERANGE);
        ck_assert_uint_eq(sending.frame.put, 5);
    }
    close_sent();
}
END_TEST

START_TEST(a_canceled_sending_tells_how_much_was_sent_and_can_be_continued)
{
    size_t first;

    open_to_send(_i, false);
    host.patient = false;
    send_it(0, sizeof content);
    host_run(); /* until the socket is full */
    ck_assert(host.stuck);
    pt_cancel(&sending.task, PT_ECANCELED);
    host_run();
    first = sending.frame.put;
    ck_assert_uint_gt(first, 0);
    ck_assert_uint_eq(receive(), first);
    ck_assert_mem_eq(output, content, first);
    send_it((off_t)first, sizeof content - first);
    ck_assert_uint_eq(receive(), sizeof content - first);
    ck_assert_mem_eq(output, content + first, sizeof content - first);
    close_sent();
}
END_TEST

START_TEST(a_sending_to_nobody_or_of_a_damaged_file_says_so)
{
    open_to_send(_i, false);
    host_fail(HOST_sendfile, 0, 1, EIO);
    send_it(0, 5);
    host_run();
    ck_assert_int_eq(pt_task_status(&sending.task), PT_EIO);
    ck_assert_int_eq(io.error, EIO);
    close(peer);
    send_it(0, sizeof content);
    host_run();
    ck_assert_int_eq(pt_task_status(&sending.task), PT_ECLOSED);
    peer = open("/dev/null", O_RDONLY);
    close_sent();
}
END_TEST

Suite *host_suite_file(void)
{
    Suite *suite = suite_create("file");

    host_test(suite, a_file_is_opened_written_read_and_synced_by_a_thread);
    host_test(suite, a_file_that_cannot_be_opened_read_or_written_says_why);
    host_test(suite, a_descriptor_that_is_opened_for_a_canceled_task_is_closed);
    host_test(suite, a_whole_file_is_read_if_there_is_room_for_it);
    host_test(suite, a_pipe_in_place_of_a_whole_file_is_refused_and_holds_up_no_thread);
    host_test(suite, a_file_is_replaced_as_a_whole_and_keeps_its_mode);
    host_test(suite, a_file_that_is_replaced_keeps_its_owner_or_is_not_set_user_id);
    host_test(suite, what_replaces_a_file_is_never_open_to_more_readers_than_that);
    host_test(suite, a_replacement_that_fails_leaves_the_old_file_and_nothing_else);
    host_test(suite, a_replacement_whose_directory_is_not_written_says_so);
    host_test(suite, a_file_gets_another_name_and_that_is_on_the_disk);
    host_test(suite, a_file_is_removed_or_it_is_told_why_not);
    host_test(suite, a_canceled_change_of_a_file_tells_whether_it_was_made);
    host_test(suite, a_file_is_sent_to_a_slow_reader);
    host_test(suite, a_file_is_sent_over_tcp);
    host_test(suite, a_file_is_copied_where_sendfile_cannot_send_it);
    host_test(suite, a_file_is_sent_to_a_pipe);
    host_test(suite, a_file_that_is_shorter_than_its_size_ends_the_sending);
    host_test(suite, a_canceled_sending_tells_how_much_was_sent_and_can_be_continued);
    host_test(suite, a_sending_to_nobody_or_of_a_damaged_file_says_so);
    return suite;
}
